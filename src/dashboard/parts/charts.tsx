import { VIEW_BOX } from '../timeline.ts'
import type { Chart, Timeline } from '../timeline.ts'

const TITLES = { rate: 'Rate', latency: 'Latency', errors: 'Errors' } as const satisfies Readonly<
  Record<keyof Timeline, string>
>

const Tile = ({ name, chart }: { readonly name: keyof Timeline; readonly chart: Chart }) => (
  <div class={`tile t-${name}`} data-chart={name}>
    <dl>
      <dt>{TITLES[name]}</dt>
      <dd>
        <b data-value>{chart.value}</b> <span data-detail>{chart.detail}</span>
      </dd>
    </dl>
    <svg viewBox={VIEW_BOX} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path class="base" d="M0 39.5h600" />
      <path data-shape d={chart.shape} />
    </svg>
  </div>
)

/** Rate, latency and errors of the last five minutes. */
export const Charts = ({ timeline }: { readonly timeline: Timeline }) => (
  <section class="charts" aria-label="The last five minutes">
    <Tile name="rate" chart={timeline.rate} />
    <Tile name="latency" chart={timeline.latency} />
    <Tile name="errors" chart={timeline.errors} />
  </section>
)
