import { useMemo } from 'hono/jsx/dom'
import { go, toHere } from '../../address.ts'
import { layOut, toOutcome } from './tests.ts'
import type { Bar, BoardTest } from './tests.ts'

/** The height of a lane, and of a bar in it, in pixels. */
const [LANE, BAR] = [18, 12]
/** The width of the drawing, in its own units. */
const STRIP_WIDTH = 1000
/** So that short tests can be seen. */
const LEAST = 2

const toBarsPath = (bars: readonly Bar[]): string =>
  bars
    .map(({ lane, start, length }) => {
      const width = Math.max(LEAST, length * STRIP_WIDTH - 1)
      return `M${(start * STRIP_WIDTH).toFixed(1)} ${lane * LANE + (LANE - BAR) / 2}h${width.toFixed(1)}v${BAR}h-${width.toFixed(1)}z`
    })
    .join('')

/** The test at a point: the one whose bar is nearest in its lane. */
function findAt(bars: readonly Bar[], lane: number, at: number): BoardTest | undefined {
  const distance = ({ start, length }: Bar): number => Math.max(start - at, at - start - length, 0)
  return bars.filter((bar) => bar.lane === lane).toSorted((a, b) => distance(a) - distance(b))[0]?.test
}

/** The tests of a run over time, a lane for each worker. The list has the same tests for keyboards and screen readers. */
export function TestStrip({
  tests,
  open,
}: {
  readonly tests: readonly BoardTest[]
  readonly open: string | undefined
}) {
  const { lanes, bars } = useMemo(() => layOut(tests), [tests])
  const height = lanes.length * LANE
  return (
    <div class="strip" aria-hidden="true">
      <div>
        {lanes.map((lane) => (
          <span key={lane}>{lane}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${STRIP_WIDTH} ${height}`}
        height={height}
        preserveAspectRatio="none"
        onClick={(event: MouseEvent) => {
          if (!(event.currentTarget instanceof SVGElement)) return
          const box = event.currentTarget.getBoundingClientRect()
          const test = findAt(
            bars,
            Math.floor((event.clientY - box.top) / LANE),
            (event.clientX - box.left) / box.width,
          )
          if (test !== undefined) go(toHere({ test: test.id }))
        }}
      >
        {[1, 2, 5].map((kind) => (
          <path key={kind} class={`s${kind}`} d={toBarsPath(bars.filter(({ test }) => toOutcome(test)[1] === kind))} />
        ))}
        <path class="open" d={toBarsPath(bars.filter(({ test }) => test.id === open))} />
      </svg>
    </div>
  )
}
