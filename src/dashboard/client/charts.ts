import { SPAN, toTimeline } from '../timeline.ts'
import type { Beat, Timeline } from '../timeline.ts'
import { throttle } from './dom.ts'

const NAMES = ['rate', 'latency', 'errors'] as const satisfies readonly (keyof Timeline)[]

/** The charts over the list. */
export interface Charts {
  add(beats: readonly Beat[]): void
  /** Draws these instead of all that there were; `since` is the time of the oldest where older ones are left out. */
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

/** Draws what came in the last minutes, and lets it grow old. `clock` is the reader's own. */
export function createCharts(clock: () => number): Charts {
  let beats: Beat[] = []
  let oldest: number | undefined
  /** Set once there is something to draw; until then the page shows what the server drew. */
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
