/** SVG paths on a grid of 16. */
const SHAPES = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  undo: 'M6 3.5L3 6.5l3 3M3 6.5h6.5a3.5 3.5 0 010 7H7',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5v9l7-4.5z',
  alert: 'M8 2.5l6 10.5H2zM8 6.5v3M8 11.4v.1',
  info: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.2v3.6M8 5v.1',
  copy: 'M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6',
  sun: 'M8 10.8a2.8 2.8 0 100-5.6 2.8 2.8 0 000 5.6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
  moon: 'M13.3 9.7A5.6 5.6 0 016.3 2.7a5.7 5.7 0 107 7z',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  requests: 'M2 4h12M2 8h12M2 12h7',
  scenarios: 'M2.5 4.5h5M11 4.5h2.5M7.5 2.8v3.4M2.5 11.5h2M8 11.5h5.5M5.5 9.8v3.4',
  data: 'M8 6c3 0 5-.9 5-2s-2-2-5-2-5 .9-5 2 2 2 5 2zM3 4v8c0 1.1 2 2 5 2s5-.9 5-2V4M3 8c0 1.1 2 2 5 2s5-.9 5-2',
  brand: 'M3 5l5-3 5 3v6l-5 3-5-3zM3 5l5 3 5-3M8 8v6',
  tests: 'M6 2h4M7 2v4.5L3.2 12.7A.9.9 0 004 14h8a.9.9 0 00.8-1.3L9 6.5V2M5.2 10h5.6',
  coverage: 'M8 2a6 6 0 106 6H8zM10.5 1.8v3.7h3.7a5 5 0 00-3.7-3.7z',
  send: 'M14 2L2 6.8l5 2.2 2.2 5zM14 2L7 9',
} as const

export type IconName = keyof typeof SHAPES

/** A decorative icon, hidden from screen readers. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={SHAPES[name]} stroke-linecap="round" stroke-linejoin="round" />
  </svg>
)
