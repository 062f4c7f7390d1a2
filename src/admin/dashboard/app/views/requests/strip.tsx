import { useRef, useState } from 'hono/jsx/dom'
import type { Histogram } from '../../../../../sessions/journal/summary.ts'
import { go, toHere } from '../../address.ts'
import { useLive } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { Time, toCountText, toTimeText } from '../../parts/status.tsx'
import { toPeriodFilter, toTimelessFilter } from './readable.ts'

/** Height of the bars, in units of the picture. */
const HEIGHT = 100

interface StripProps {
  readonly histogram: Histogram
  readonly filter: string
}

/** The matching requests over time, failures in another colour. Dragging selects a period. */
export function RequestStrip({ histogram: { from, step, counts, failed }, filter }: StripProps) {
  const { source } = useLive()
  const bars = useRef<SVGSVGElement>(null)
  const [drag, setDrag] = useState<readonly [start: number, end: number] | undefined>(undefined)
  const [hovered, setHovered] = useState('Requests over time')
  const start = Date.parse(from)
  const toPeriodText = (at: number): string =>
    `${toTimeText(start + at * step)}: ${toCountText(counts[at] ?? 0, 'request')}, ${failed[at] ?? 0} failed`
  const most = Math.max(...counts)
  /** One path for all bars, because hundreds of elements would be compared at each key in the filter. */
  const toBars = (values: readonly number[]): string =>
    values
      .map((count, at) =>
        count === 0 ? '' : `M${at + 0.1} ${HEIGHT}v${-Math.max(8, (count / most) * HEIGHT)}h.8V${HEIGHT}z`,
      )
      .join('')

  function findPeriod({ clientX }: PointerEvent): number {
    const { left = 0, width = 1 } = bars.current?.getBoundingClientRect() ?? {}
    return Math.min(counts.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * counts.length)))
  }
  function select(): void {
    if (drag === undefined) return
    const [first, last] = [Math.min(...drag), Math.max(...drag)]
    setDrag(undefined)
    const period = toPeriodFilter(filter, start + first * step, start + (last + 1) * step)
    go(toHere({ filter: period, request: undefined }))
  }
  const timeless = toTimelessFilter(filter)
  return (
    <div class="strip">
      <Time at={start} isShort />
      <svg
        ref={bars}
        viewBox={`0 0 ${counts.length} ${HEIGHT}`}
        height={28}
        preserveAspectRatio="none"
        role="img"
        aria-label="Requests over time"
        onPointerDown={(event: PointerEvent) => {
          // A file has no filter.
          if (source.isFile) return
          bars.current?.setPointerCapture(event.pointerId)
          setDrag([findPeriod(event), findPeriod(event)])
        }}
        onPointerMove={(event: PointerEvent) => {
          const at = findPeriod(event)
          setHovered(toPeriodText(at))
          if (drag !== undefined) setDrag([drag[0], at])
        }}
        onPointerUp={select}
        onPointerCancel={() => setDrag(undefined)}
      >
        <title>{hovered}</title>
        {drag !== undefined && (
          <rect class="picked" x={Math.min(...drag)} y={0} width={Math.abs(drag[1] - drag[0]) + 1} height={HEIGHT} />
        )}
        <path d={toBars(counts)} />
        <path class="bad" d={toBars(failed)} />
      </svg>
      <Time at={start + counts.length * step} isShort />
      {timeless !== filter.trim() && <Link href={toHere({ filter: timeless })}>All times</Link>}
    </div>
  )
}
