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

function setText(line: Element, name: string, text: string): void {
  const cell = line.querySelector(`[data-f=${name}]`)
  if (cell !== null) cell.textContent = text
}

function fillStatus(line: Element, status: number): void {
  const mark = line.querySelector('.status')
  if (mark === null) return
  mark.className = `status s${toFamily(status)}`
  mark.textContent = status === 0 ? 'none' : String(status)
}

/** Makes the line of a request from the page's own template; whatever the request carries becomes text and nothing else. */
function createLine(template: HTMLTemplateElement, row: Row, href: string): HTMLElement {
  const line = template.content.cloneNode(true).firstChild
  if (!(line instanceof HTMLElement)) throw new Error('The template of a line is empty.')
  line.dataset['id'] = row.id
  fillStatus(line, row.status)
  const method = line.querySelector('.method')
  if (method !== null) method.textContent = row.method
  setText(line, 'path', row.target.split('?', 1)[0] ?? '')
  setText(line, 'query', toQuery(row.target))
  setText(line, 'operation', row.operation)
  setText(line, 'scenarios', row.scenarios.join(', '))
  setText(line, 'warnings', row.warnings.map((warning) => warning.split(' ', 1)[0]).join(' '))
  setText(line, 'session', row.session)
  setText(line, 'duration', toDurationText(row.duration))
  const time = line.querySelector('time')
  if (time !== null) {
    time.dateTime = new Date(row.time).toISOString()
    time.textContent = toClockText(row.time)
  }
  line.querySelector('a')?.setAttribute('href', href)
  return line
}

/** Which request has the focus; undefined for none. */
const focusedId = (): string | undefined => document.activeElement?.closest<HTMLElement>('#rows .row')?.dataset['id']

export function createList({ table, holder, template, toHref }: ListParts): List {
  let rows: readonly Row[] = []
  let openId: string | undefined
  /** What the server wrote stands until there is something to put in its place. */
  let isMine = false
  /** The lines that are in the page, by id. */
  const lines = new Map<string, HTMLElement>()
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
    const wanted = new Set<string>()
    for (let at = first; at < last; at += 1) {
      const row = rowAt(at)
      if (row === undefined) continue
      wanted.add(row.id)
      place(row, at, height)
    }
    for (const [id, line] of lines) {
      // The focus would be lost with its line.
      if (wanted.has(id) || line.contains(document.activeElement)) continue
      line.remove()
      lines.delete(id)
    }
  }

  function place(row: Row, at: number, height: number): void {
    let line = lines.get(row.id)
    if (line === undefined) {
      line = createLine(template, row, toHref(row.id))
      lines.set(row.id, line)
      holder.append(line)
    }
    line.style.transform = `translateY(${at * height}px)`
    line.setAttribute('aria-rowindex', String(at + 2))
    line.toggleAttribute('data-open', row.id === openId)
    const link = line.querySelector('a')
    if (row.id === openId) link?.setAttribute('aria-current', 'true')
    else link?.removeAttribute('aria-current')
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
