import { toReadable, toDurationText, toFamily, toQuery } from '../row.ts'
import type { Row } from '../row.ts'
import { toClockText } from './localize.ts'

/** How many rows are rendered beyond the visible ones. */
const BEYOND = 8

interface ListParts {
  readonly table: HTMLElement
  readonly holder: HTMLElement
  readonly template: HTMLTemplateElement
  readonly toHref: (id: string) => string
}

/** The list of requests; only visible rows are in the page. */
export interface List {
  /** Shows rows, given oldest first, with the newest on top. */
  show(rows: readonly Row[]): void
  /** Marks the row of the open request. */
  mark(id: string | undefined): void
  /** Scrolls to the row at an index, counted from the top, and focuses it. */
  focus(at: number): void
  /** The index of the focused row; -1 for none. */
  focusedAt(): number
  placeOf(id: string): number
  idAt(at: number): string | undefined
}

/** Writes a text only if it changes, which avoids a layout. */
function write(cell: Element | null, text: string): void {
  if (cell !== null && cell.textContent !== text) cell.textContent = text
}

function fillStatus(line: Element, status: number): void {
  const mark = line.querySelector('.status')
  if (mark === null) return
  mark.className = `status s${toFamily(status)}`
  write(mark, status === 0 ? 'none' : String(status))
}

function createLine(template: HTMLTemplateElement): HTMLElement {
  const line = template.content.cloneNode(true).firstChild
  if (!(line instanceof HTMLElement)) throw new Error('The template of a line is empty.')
  return line
}

const linkLine = (line: HTMLElement, href: string): void => line.querySelector('a')?.setAttribute('href', href)

/** Fills a row with a request, as text only. */
function fillLine(line: HTMLElement, row: Row, href: string): void {
  const writeCell = (name: string, text: string) => write(line.querySelector(`[data-f=${name}]`), text)
  line.dataset['id'] = row.id
  fillStatus(line, row.status)
  write(line.querySelector('.method'), row.method)
  const target = toReadable(row.target)
  writeCell('path', target.split('?', 1)[0] ?? '')
  writeCell('query', toQuery(target))
  writeCell('operation', row.operation)
  writeCell('scenarios', row.scenarios.join(', '))
  writeCell('warnings', row.warnings.map((warning) => warning.split(' ', 1)[0]).join(' '))
  writeCell('session', row.session)
  writeCell('duration', toDurationText(row.duration))
  const time = line.querySelector('time')
  if (time !== null) time.dateTime = new Date(row.time).toISOString()
  write(time, toClockText(row.time))
  linkLine(line, href)
}

const focusMain = (): void => document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })

const focusedId = (): string | undefined => document.activeElement?.closest<HTMLElement>('#rows .row')?.dataset['id']

/** Makes the list live. */
export function createList({ table, holder, template, toHref }: ListParts): List {
  let rows: readonly Row[] = []
  let openId: string | undefined
  /** The links of the rows, without the request. */
  let linked = ''
  /** Whether the rows from the server have been replaced. */
  let isMine = false
  /** The rows in the page, by id. */
  const lines = new Map<string, HTMLElement>()
  /** Rows that were scrolled away, to be reused. */
  let spare: HTMLElement[] = []
  const heightOf = () => Number.parseFloat(getComputedStyle(table).getPropertyValue('--row')) || 32

  /** The row at a place, counted from the top. */
  const rowAt = (at: number): Row | undefined => rows[rows.length - 1 - at]

  function render(): void {
    if (!isMine) return
    const height = heightOf()
    holder.style.height = `${rows.length * height}px`
    const top = Math.max(0, table.scrollTop - holder.offsetTop)
    const first = Math.max(0, Math.floor(top / height) - BEYOND)
    const last = Math.min(rows.length, Math.ceil((top + table.clientHeight) / height) + BEYOND)
    const focused = focusedId()
    const wanted = withFocused(first, last, focused)
    for (const [id, line] of lines) {
      if (wanted.has(id)) continue
      lines.delete(id)
      // The focus must not move to another request with the reused row.
      if (id === focused) focusMain()
      spare.push(line)
    }
    const placed = [...wanted.values()].flatMap((at) => place(at, height) ?? [])
    for (const line of spare) line.remove()
    spare = []
    arrange(placed)
  }

  /**
   * The indexes of the visible rows, by id, and those of the focused row and its neighbours, which the next key may focus.
   */
  function withFocused(first: number, last: number, focused: string | undefined): ReadonlyMap<string, number> {
    const at = focused === undefined ? -1 : placeOf(focused)
    const inSight = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
    const places = new Set(at === -1 ? inSight : [...inSight, at - 1, at, at + 1])
    const wanted = new Map<string, number>()
    for (const place of [...places].toSorted((a, b) => a - b)) {
      const row = rowAt(place)
      if (row !== undefined) wanted.set(row.id, place)
    }
    return wanted
  }

  /** Puts the rows in reading and tab order without moving the focused one. */
  function arrange(placed: readonly HTMLElement[]): void {
    let next = holder.firstElementChild
    for (const line of placed) {
      if (line.contains(document.activeElement)) {
        while (next !== null && next !== line) {
          const before = next
          next = next.nextElementSibling
          holder.append(before)
        }
      }
      if (line === next) next = next.nextElementSibling
      else holder.insertBefore(line, next)
    }
  }

  function place(at: number, height: number): HTMLElement | undefined {
    const row = rowAt(at)
    if (row === undefined) return undefined
    let line = lines.get(row.id)
    if (line === undefined) {
      line = spare.shift() ?? createLine(template)
      fillLine(line, row, toHref(row.id))
      lines.set(row.id, line)
    }
    line.style.transform = `translateY(${at * height}px)`
    line.setAttribute('aria-rowindex', String(at + 2))
    line.toggleAttribute('data-open', row.id === openId)
    const link = line.querySelector('a')
    if (row.id === openId) link?.setAttribute('aria-current', 'true')
    else link?.removeAttribute('aria-current')
    return line
  }

  /** Scrolls just far enough to see the row at an index. */
  function reveal(at: number): void {
    if (at === -1) return
    const height = heightOf()
    holder.style.height = `${rows.length * height}px`
    const top = at * height
    const seen = table.clientHeight - holder.offsetTop
    if (top < table.scrollTop) table.scrollTop = top
    else if (top + height > table.scrollTop + seen) table.scrollTop = top + height - seen
  }

  const placeOf = (id: string): number => {
    const index = rows.findIndex((row) => row.id === id)
    return index === -1 ? -1 : rows.length - 1 - index
  }

  function focus(at: number): void {
    const row = rowAt(at)
    if (row === undefined) return
    reveal(at)
    render()
    lines.get(row.id)?.querySelector('a')?.focus({ preventScroll: true })
  }

  /** Replaces the rows from the server, and keeps the focus. */
  function takeOver(): void {
    const focused = focusedId()
    isMine = true
    holder.replaceChildren()
    holder.dataset['virtual'] = ''
    if (openId !== undefined) reveal(placeOf(openId))
    render()
    if (focused !== undefined) focus(placeOf(focused))
  }

  table.addEventListener('scroll', render, { passive: true })
  new ResizeObserver(render).observe(table)

  return {
    show(next) {
      const height = heightOf()
      // Keep the visible rows in place if the list is scrolled down.
      const anchor = table.scrollTop > height ? rowAt(Math.floor(table.scrollTop / height)) : undefined
      const before = anchor === undefined ? 0 : placeOf(anchor.id)
      rows = next
      // The links keep the filter.
      const base = toHref('')
      if (base !== linked) for (const [id, line] of lines) linkLine(line, toHref(id))
      linked = base
      table.setAttribute('aria-rowcount', String(rows.length + 1))
      const after = anchor === undefined ? 0 : placeOf(anchor.id)
      holder.style.height = `${rows.length * height}px`
      if (after !== -1 && after !== before) table.scrollTop += (after - before) * height
      if (isMine) render()
      else takeOver()
    },
    mark(id) {
      openId = id
      // The panel makes the list narrower, and its rows may become higher.
      if (id !== undefined) reveal(placeOf(id))
      render()
    },
    focus,
    focusedAt() {
      const id = focusedId()
      return id === undefined ? -1 : placeOf(id)
    },
    placeOf,
    idAt: (at) => rowAt(at)?.id,
  }
}
