import { toReadable } from '../readable.ts'
import { toDurationText, toFamily, toQuery } from '../row.ts'
import type { Row } from '../row.ts'
import { toClockText } from './localize.ts'

/** As many lines beyond the edges are there already when they are scrolled to. */
const BEYOND = 8

interface ListParts {
  /** What scrolls. */
  readonly table: HTMLElement
  /** What holds the lines. */
  readonly holder: HTMLElement
  readonly template: HTMLTemplateElement
  readonly toHref: (id: string) => string
}

/** The list of requests, of which only what is seen is in the page. */
export interface List {
  /** Shows these, given oldest first; the newest stands on top. */
  show(rows: readonly Row[]): void
  /** Marks the line whose request is open; none for undefined. */
  mark(id: string | undefined): void
  /** Scrolls to the line at a place, counted from the top, and gives it the focus. */
  focus(at: number): void
  /** The place of the line that has the focus; -1 for none. */
  focusedAt(): number
  placeOf(id: string): number
  idAt(at: number): string | undefined
}

/** Writes a text where it is not there already: what does not change need not be laid out again. */
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

/** Makes a line that of a request; whatever the request carries becomes text and nothing else. */
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

/** Gives the focus to the view as a whole. */
const focusMain = (): void => document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })

/** Which request has the focus; undefined for none. */
const focusedId = (): string | undefined => document.activeElement?.closest<HTMLElement>('#rows .row')?.dataset['id']

/** Makes the list live. */
export function createList({ table, holder, template, toHref }: ListParts): List {
  let rows: readonly Row[] = []
  let openId: string | undefined
  /** What the lines lead to, but for the request. */
  let linked = ''
  /** What the server wrote stands until there is something to put in its place. */
  let isMine = false
  /** The lines that are in the page, by id. */
  const lines = new Map<string, HTMLElement>()
  /** Lines whose requests were scrolled away, to be those of others. */
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
      // Who reads with the keyboard goes on with the list, not with the line of another request.
      if (id === focused) focusMain()
      spare.push(line)
    }
    const placed = [...wanted.values()].flatMap((at) => place(at, height) ?? [])
    for (const line of spare) line.remove()
    spare = []
    arrange(placed)
  }

  /**
   * The places of the lines from one to before another, by id, and of the line with the focus, which goes with its line, and
   * of its neighbours, to which the next key may lead.
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

  /** Puts the lines into the order in which they are read and walked through, without moving the one that has the focus. */
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

  /** Scrolls no further than it takes to see the line at a place. */
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

  /** Puts the list in the place of what the server wrote, with the focus where it was. */
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
      // Someone who reads further down goes on reading what he reads.
      const anchor = table.scrollTop > height ? rowAt(Math.floor(table.scrollTop / height)) : undefined
      const before = anchor === undefined ? 0 : placeOf(anchor.id)
      rows = next
      // What they lead to keeps the filter.
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
      // The panel beside the list takes some of its width, and lines may have become higher.
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
