import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { go } from '../address.ts'
import { Link, useKeys } from './controls.tsx'
import { alignment } from './table.tsx'
import type { Column } from './table.tsx'

/** How many rows are rendered beyond those that a range names; until a scroll has passed them, nothing is rendered. */
const BEYOND = 8

/** The height of a row in pixels; the style sheet has the same. */
const ROW_HEIGHT = 32

export interface ListColumn<Row> extends Omit<Column<Row>, 'track'> {
  /** The order by this column, and where its title leads. */
  readonly sort?: { readonly order: 'ascending' | 'descending' | undefined; readonly href: string }
}

interface VirtualListProps<Row> {
  /** Its accessible name. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The style sheet has their tracks, and their classes (`c-path`). A cell with a link takes the focus. */
  readonly columns: readonly ListColumn<Row>[]
  /** The key of the row that is open; it is scrolled into view. */
  readonly openKey?: string | undefined
  /** Called when the last rows are nearly visible. */
  readonly onEnd?: () => void
  /** For the element around the rows, such as those of useHeld. */
  readonly listProps?: Readonly<Record<string, unknown>>
  readonly class: string
}

const toClass = ({ title, isNumber }: ListColumn<never>): string =>
  [`c-${title.split(' ', 1)[0]?.toLowerCase()}`, alignment(isNumber)].filter(Boolean).join(' ')

/** Keys for a list: `j` and `k` or arrows open the next or previous row, Escape closes it. */
export function useListKeys<Row>(rows: readonly Row[], openAt: number, toHref: (row: Row | undefined) => string): void {
  const open = (row: Row | undefined): void => go(toHref(row), openAt === -1 ? 'push' : 'replace')
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    if (rows.length === 0) return
    event.preventDefault()
    open(rows[openAt === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, openAt + by))])
  }
  const [next, previous] = [move(1), move(-1)]
  useKeys({ j: next, ArrowDown: next, k: previous, ArrowUp: previous, Escape: () => open(undefined) })
}

/**
 * A list of rows of the same height of which only the visible ones are in the page. When rows are inserted above, the
 * visible ones stay in place, unless the list is at its top.
 */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { label, rows, keyOf, columns, openKey, onEnd, listProps } = props
  const table = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ first: 0, last: 16 })
  /** The row at the top of the visible ones. */
  const anchor = useRef<{ key: string; offset: number } | null>(null)

  function measure(): void {
    const element = table.current
    if (element === null) return
    const { scrollTop, clientHeight } = element
    const first = Math.floor(scrollTop / ROW_HEIGHT)
    const last = Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT)
    const top = rows[first]
    anchor.current =
      first === 0 || top === undefined ? null : { key: keyOf(top), offset: scrollTop - first * ROW_HEIGHT }
    // As long as the rows in the page suffice, nothing is rendered.
    setRange((now) => (now.first - BEYOND <= first && last <= now.last + BEYOND ? now : { first, last }))
    if (last + BEYOND >= rows.length) onEnd?.()
  }
  const latest = useRef(measure)
  latest.current = measure

  useLayoutEffect(() => {
    const element = table.current
    if (element === null) return
    const onScroll = (): void => latest.current?.()
    const observer = new ResizeObserver(onScroll)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [])

  useLayoutEffect(() => {
    const kept = anchor.current
    const element = table.current
    if (kept !== null && element !== null) {
      const at = rows.findIndex((row) => keyOf(row) === kept.key)
      if (at !== -1) element.scrollTop = at * ROW_HEIGHT + kept.offset
    }
    measure()
  }, [rows])

  useLayoutEffect(() => {
    const at = openKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === openKey)
    const element = table.current
    if (at === -1 || element === null) return
    const [top, bottom] = [at * ROW_HEIGHT, (at + 2) * ROW_HEIGHT]
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
    // A page with the focus in the list moves it along, so that the keys go on from there.
    if (element.contains(document.activeElement)) {
      measure()
      queueMicrotask(() => element.querySelector<HTMLElement>('.row[data-open] a')?.focus({ preventScroll: true }))
    }
  }, [openKey])

  const first = Math.max(0, range.first - BEYOND)
  const shown = rows.slice(first, range.last + BEYOND)
  return (
    <div
      ref={table}
      class={`rows ${props.class}`}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      {...listProps}
    >
      <div role="rowgroup" class="rows-head">
        <div role="row" aria-rowindex={1} class="row head">
          {columns.map(({ title, sort, ...column }) => (
            <span key={title} role="columnheader" class={toClass({ title, ...column })} aria-sort={sort?.order}>
              {sort === undefined ? title : <Link href={sort.href}>{title}</Link>}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="rows-body" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
        {shown.map((row, index) => {
          const key = keyOf(row)
          return (
            <div
              key={key}
              role="row"
              class="row"
              aria-rowindex={first + index + 2}
              data-open={key === openKey ? '' : undefined}
              style={{ transform: `translateY(${(first + index) * ROW_HEIGHT}px)` }}
            >
              {columns.map((column) => (
                <span key={column.title} role="cell" class={toClass(column)}>
                  {column.cell(row)}
                </span>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
