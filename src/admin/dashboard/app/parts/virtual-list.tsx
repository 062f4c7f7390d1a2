import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { go, toHere } from '../address.ts'
import { hasLostFocus } from '../focus.ts'
import { clearSelection, hasSelected, Link, useKeys } from './controls.tsx'
import { alignment } from './table.tsx'
import type { Column } from './table.tsx'

/** How many rows are rendered beyond those that a range names; until a scroll has passed them, nothing is rendered. */
const BEYOND = 8

/** The height of a row in pixels, if the list does not have its own. */
const ROW_HEIGHT = 32

export interface ListColumn<Row> extends Omit<Column<Row>, 'track'> {
  /** A CSS grid track, such as `64px` or `minmax(0, 1fr)`. */
  readonly track: string
  /** The least width of the list with this column, in pixels. */
  readonly from?: number
  /** The order by this column, and where its title leads. */
  readonly sort?: { readonly order: 'ascending' | 'descending' | undefined; readonly href: string } | undefined
}

/**
 * Sorts by a column: a click sorts ascending, the next one descending, and the third not at all.
 *
 * @param sort the current order: the name of a column, with a `-` in front if descending
 */
export const sortBy = (column: string, sort: string): NonNullable<ListColumn<never>['sort']> => {
  const isDescending = sort === `-${column}`
  const isAscending = sort === column
  return {
    order: isAscending ? 'ascending' : isDescending ? 'descending' : undefined,
    href: toHere({ sort: isAscending ? `-${column}` : isDescending ? undefined : column }),
  }
}

interface VirtualListProps<Row> {
  /** Its accessible name. */
  readonly label: string
  /** A row is undefined until it is loaded. */
  readonly rows: readonly (Row | undefined)[]
  readonly keyOf: (row: Row) => string
  /** Their cells have classes for the style sheet (`c-path`). The first link of a row takes its clicks and the focus. */
  readonly columns: readonly ListColumn<Row>[]
  /** The key of the row that is open; it is scrolled into view. */
  readonly openKey?: string | undefined
  /** Whether the rows are about to be replaced. */
  readonly isBusy?: boolean
  /** Called with the positions of the rows in the page: the visible ones and some around them. */
  readonly onRange?: (first: number, last: number) => void
  /** In pixels. */
  readonly rowHeight?: number
  /** For the element around the rows, such as those of useHeld. */
  readonly listProps?: Readonly<Record<string, unknown>>
  readonly class: string
}

const toClass = (title: string, isNumber: boolean | undefined): string =>
  [`c-${title.split(' ', 1)[0]?.toLowerCase()}`, alignment(isNumber)].filter(Boolean).join(' ')

/** Keys on the page of a list: `j` and `k` open the next or previous row, Escape closes it. */
export function useListKeys<Row>(
  rows: readonly (Row | undefined)[],
  openAt: number,
  toHref: (row: Row | undefined) => string,
): void {
  const open = (row: Row | undefined): void => go(toHref(row), openAt === -1 ? 'push' : 'replace')
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    const row = rows[openAt === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, openAt + by))]
    if (row === undefined) return
    event.preventDefault()
    open(row)
  }
  useKeys({ j: move(1), k: move(-1), Escape: () => open(undefined) })
}

const findLink = (row: Element): HTMLAnchorElement | undefined => row.querySelector('a') ?? undefined

/** A click anywhere in a row opens its first link. */
function onRowClick(event: MouseEvent): void {
  const { target, currentTarget } = event
  if (!(target instanceof Element && currentTarget instanceof Element) || hasSelected(event)) return
  if (target.closest('a, button') === null) findLink(currentTarget)?.dispatchEvent(new MouseEvent('click', event))
}

/** Left and right move through the titles. */
function moveInHead(head: Element, event: KeyboardEvent): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  const links = [...head.querySelectorAll('a')]
  const next = links[links.findIndex((link) => link === event.target) + by]
  if (by === 0 || next === undefined) return
  event.preventDefault()
  next.focus()
}

/**
 * A list of rows of which only the visible ones are in the page. When rows are inserted above, the
 * visible ones stay in place, unless the list is at its top.
 *
 * Its titles are one Tab stop, and its rows another. Arrows, Page Up, Page Down, Home and End move through its rows, and open them while one is open;
 * Enter on the open row moves to its detail.
 */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { label, rows, keyOf, openKey, isBusy = false, onRange, rowHeight = ROW_HEIGHT, listProps } = props
  const table = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ first: 0, last: 16 })
  const [width, setWidth] = useState(Infinity)
  const columns = props.columns.filter(({ from = 0 }) => from <= width)
  /** The row with the Tab stop. It stays in the page wherever the list is scrolled to. */
  const [current, setCurrent] = useState<string | undefined>(undefined)
  /** The position of the row that gets the focus once it is loaded. */
  const wanted = useRef<number | null>(null)
  /** Whether the detail of the open row has replaced the list, which then scrolls to the row when it is back. */
  const isHidden = useRef(false)
  /** The row at the top of the visible ones. */
  const anchor = useRef<{ key: string; offset: number } | null>(null)

  const find = (key: string | undefined): number =>
    key === undefined ? -1 : rows.findIndex((row) => row !== undefined && keyOf(row) === key)

  function measure(): void {
    const element = table.current
    if (element === null) return
    const wasHidden = isHidden.current
    isHidden.current = element.clientHeight === 0
    if (isHidden.current) return
    if (wasHidden && openAt !== -1) {
      reveal(openAt, 'center')
      return
    }
    const { scrollTop, clientHeight } = element
    setWidth(element.clientWidth)
    const first = Math.floor(scrollTop / rowHeight)
    const last = Math.floor((scrollTop + clientHeight) / rowHeight) + 1
    const top = rows[first]
    anchor.current =
      first === 0 || top === undefined ? null : { key: keyOf(top), offset: scrollTop - first * rowHeight }
    // As long as the rows in the page suffice, nothing is rendered.
    setRange((now) => (now.first - BEYOND <= first && last <= now.last + BEYOND ? now : { first, last }))
    onRange?.(Math.max(0, first - 2 * BEYOND), last + 2 * BEYOND)
  }
  const latest = useRef(measure)
  latest.current = measure

  /** Scrolls as far as is needed to see a row and the next one; `center` if it is far away. */
  function reveal(at: number, far: 'nearest' | 'center' = 'nearest'): void {
    const element = table.current
    if (element === null) return
    const { scrollTop, clientHeight } = element
    const [top, bottom] = [at * rowHeight, (at + 2) * rowHeight]
    if (top >= scrollTop && bottom <= scrollTop + clientHeight) return
    if (far === 'center') element.scrollTop = top - clientHeight / 2
    else element.scrollTop = top < scrollTop ? top : bottom - clientHeight
    measure()
  }

  /** Gives the focus to the row that is waited for, and opens it if another one is open. */
  function settle(): void {
    const at = wanted.current
    const row = at === null ? null : table.current?.querySelector(`[aria-rowindex="${at + 2}"]`)
    const link = row === null || row === undefined ? undefined : findLink(row)
    if (link === undefined) return
    wanted.current = null
    // The user has moved on meanwhile.
    if (!hasLostFocus() && table.current?.contains(document.activeElement) === false) return
    link.focus({ preventScroll: true })
    if (openKey !== undefined) go(link.pathname + link.search, 'replace')
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = event.target instanceof Element ? event.target.closest('.row') : null
    if (row === null || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
    if (row.matches('.head')) {
      moveInHead(row, event)
      return
    }
    if (event.key === 'Enter' && row.matches('[data-open]') && event.target === findLink(row)) {
      event.preventDefault()
      document.querySelector<HTMLElement>('.detail h2')?.focus()
      return
    }
    const at = Number(row.getAttribute('aria-rowindex')) - 2
    const page = Math.max(1, Math.floor((table.current?.clientHeight ?? 0) / rowHeight) - 2)
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    wanted.current = Math.min(rows.length - 1, Math.max(0, target))
    reveal(wanted.current)
    settle()
  }

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
      const at = find(kept.key)
      if (at !== -1) element.scrollTop = at * rowHeight + kept.offset
    }
    measure()
  }, [rows])

  const openAt = find(openKey)
  const opened = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const [element, before] = [table.current, opened.current]
    if (openKey !== undefined && openAt === -1) return
    opened.current = openKey
    if (openKey !== undefined) reveal(openAt, before === undefined ? 'center' : 'nearest')
    const at = openKey === undefined ? find(before ?? undefined) : openAt
    // Keys go on from the row that was opened or closed.
    const isHere = element?.contains(document.activeElement) === true
    if (at === -1 || !(isHere || (openKey === undefined && hasLostFocus()))) return
    if (openKey === undefined) reveal(at)
    wanted.current = at
    queueMicrotask(settle)
  }, [openKey, openAt === -1])

  const tabAt = [find(current), openAt].find((at) => at !== -1) ?? Math.min(range.first, rows.length - 1)
  useLayoutEffect(() => {
    const titles = [...(table.current?.querySelectorAll<HTMLElement>('.head a') ?? [])]
    const sorted = titles.find((title) => title.closest('[aria-sort]') !== null) ?? titles[0]
    for (const title of titles) title.tabIndex = title === sorted ? 0 : -1
    for (const row of table.current?.querySelectorAll('.rows-body .row') ?? []) {
      const tabIndex = row.getAttribute('aria-rowindex') === String(tabAt + 2) ? 0 : -1
      for (const control of row.querySelectorAll<HTMLElement>('a, button')) control.tabIndex = tabIndex
    }
    settle()
  })

  const first = Math.max(0, range.first - BEYOND)
  const last = Math.min(rows.length, range.last + BEYOND)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  if (tabAt !== -1 && tabAt < first) shown.unshift(tabAt)
  else if (tabAt >= last) shown.push(tabAt)
  return (
    <div
      ref={table}
      class={`rows ${props.class}`}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-busy={isBusy ? 'true' : undefined}
      style={`--tracks: ${columns.map(({ track }) => track).join(' ')}`}
      onKeyDown={onKeyDown}
      {...listProps}
    >
      <div role="rowgroup" class="rows-head">
        <div role="row" aria-rowindex={1} class="row head">
          {columns.map(({ title, sort, isNumber }) => (
            <span key={title} role="columnheader" class={toClass(title, isNumber)} aria-sort={sort?.order}>
              {sort === undefined ? title : <Link href={sort.href}>{title}</Link>}
            </span>
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        class="rows-body"
        style={`height: ${rows.length * rowHeight}px`}
        onFocusIn={({ target }: FocusEvent) => {
          const at = target instanceof Element ? target.closest('.row')?.getAttribute('aria-rowindex') : undefined
          const row = rows[Number(at) - 2]
          if (row !== undefined) setCurrent(keyOf(row))
        }}
      >
        {shown.map((at) => {
          const row = rows[at]
          const key = row === undefined ? `${at}` : keyOf(row)
          return (
            // A style as text is only set again if it changed.
            <div
              key={key}
              role="row"
              class="row"
              aria-rowindex={at + 2}
              data-open={row !== undefined && key === openKey ? '' : undefined}
              onMouseDown={clearSelection}
              onClick={onRowClick}
              style={`transform: translateY(${at * rowHeight}px); height: ${rowHeight}px`}
            >
              {row === undefined ? (
                <span role="cell" class="quiet">
                  Loading…
                </span>
              ) : (
                columns.map((column) => (
                  <span key={column.title} role="cell" class={toClass(column.title, column.isNumber)}>
                    {column.cell(row)}
                  </span>
                ))
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
