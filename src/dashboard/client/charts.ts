import { SPAN, toTimeline } from '../timeline.ts'
import type { Beat, Timeline } from '../timeline.ts'
import { throttle } from './dom.ts'

const NAMES = ['rate', 'latency', 'errors'] as const satisfies readonly (keyof Timeline)[]

/** The charts above the list. */
export interface Charts {
  add(beats: readonly Beat[]): void
  /** Replaces all requests; `since` is the time of the oldest if older ones are left out. */
  replace(beats: readonly Beat[], since: number | undefined): void
}

function draw(timeline: Timeline): void {
  for (const name of NAMES) {
    const tile = document.querySelector(`[data-chart=${name}]`)
    const { value, detail, shape } = timeline[name]
    tile?.querySelector('[data-shape]')?.setAttribute('d', shape)
    for (const [part, text] of [
      ['value', value],
      ['detail', detail],
    ]) {
      const element = tile?.querySelector(`[data-${part}]`)
      if (element && text !== undefined) element.textContent = text
    }
  }
}

/** The charts are drawn at most once per interval, in milliseconds. */
const PATIENCE = 250

/** Draws the last minutes and keeps them up to date. `clock` is that of the browser. */
export function createCharts(clock: () => number): Charts {
  let beats: Beat[] = []
  let oldest: number | undefined
  /** Set with the first request; until then the page shows the charts from the server. */
  let timer: number | undefined

  function update(): void {
    timer ??= window.setInterval(update, 1000)
    const now = clock()
    if (beats.length > 0 && now - (beats[0]?.time ?? now) > 2 * SPAN)
      beats = beats.filter(({ time }) => now - time < SPAN)
    draw(toTimeline(beats, { now, since: oldest }))
  }

  const schedule = throttle(update, PATIENCE)

  return {
    add(more) {
      beats.push(...more)
      schedule()
    },
    replace(all, since) {
      beats = [...all]
      oldest = since
      schedule()
    },
  }
}
