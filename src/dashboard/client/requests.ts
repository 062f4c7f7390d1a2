import { compileFilter, toHiddenText } from '../filter.ts'
import { toCountText } from '../number-text.ts'
import { isFailure, mayBeRetryOf, toRowOfEvent } from '../row.ts'
import type { Row, ServeEvent } from '../row.ts'
import { FIRST_ROWS, MOST_ROWS } from '../row-limits.ts'
import type { ListPage } from '../rows.ts'
import { createRequestAnnouncer } from './announce.ts'
import { createCharts } from './charts.ts'
import { createDetail } from './detail.ts'
import { expectElement, findTarget } from './dom.ts'
import { hasEnded } from './ended.ts'
import { readFilter, toListHref, writeFilter } from './filter-form.ts'
import { isPressed } from './input-state.ts'
import { watchHolding } from './holding.ts'
import { bindKeys } from './keys.ts'
import { loadRows } from './load-rows.ts'
import { STATES } from './state-text.ts'
import { createList } from './virtual-list.ts'

/** The view of requests, come alive. */
export interface RequestsView {
  hear(event: ServeEvent): void
  /** Asks the mock for what it has, in case something was missed or is gone. */
  reload(): Promise<void>
  /** Shows what came while the pointer was pressed. */
  draw(): void
  setState(state: string): void
}

/** Makes the view of requests live. `clock` is the reader's own, in epoch milliseconds. */
export function openRequests(clock: () => number): RequestsView {
  const holder = expectElement('rows', HTMLElement)
  const filter = expectElement('filter', HTMLFormElement)
  const pause = expectElement('pause', HTMLButtonElement)
  const live = expectElement('live', HTMLElement)
  const toHref = (id: string): string => toListHref(holder.dataset['href'] ?? '', id, filter)
  const table = expectElement('table', HTMLElement)
  const newer = expectElement('newer', HTMLButtonElement)
  const older = expectElement('older', HTMLButtonElement)
  const holding = watchHolding([table, newer], holder, () => {
    if (held.length > 0 && !isStill()) release()
  })
  const list = createList({
    table,
    holder,
    template: expectElement('row', HTMLTemplateElement),
    toHref,
  })
  const detail = createDetail({ toHref, onChange: (id) => list.mark(id) })
  const charts = createCharts(clock)
  const tell = createRequestAnnouncer()

  let rows: Row[] = []
  let known = new Set<string>()
  /** What came while the list stands still. */
  let held: Row[] = []
  /** How many requests there are, and how many of the page's own session, those that are not loaded among them. */
  let total = 0
  let own = 0
  /** How many are asked for. */
  let wanted = FIRST_ROWS
  /** What comes while the mock is asked for all: its answer may have been written before. */
  let heard: Row[] | undefined
  /** Whether the mock has said what it has; until then the page shows what the server wrote. */
  let isLoaded = false
  let isPaused = false
  let state = 'live'
  let frame: number | undefined
  /** Whether something came while the pointer was pressed. */
  let isBehind = false
  /** What the reader's clock is ahead of the mock's, since the page was written. */
  const ahead = clock() - Number(document.body.dataset['now'])
  /** When a request was heard, by the reader's clock, since the mock's own may stand still. */
  const heardAt = new Map<string, number>()

  /** Whether lines must not move: the list is paused, or somebody points at one or has the focus there. */
  const isStill = (): boolean => isPaused || (rows.length > 0 && holding.isHeld())

  function showState(): void {
    live.dataset['state'] = isPaused && state === 'live' ? 'paused' : state
    live.textContent = STATES[live.dataset['state']] ?? ''
    const label = pause.querySelector('span')
    if (label) label.textContent = isPaused ? `Resume${held.length === 0 ? '' : ` (${held.length})`}` : 'Pause'
    pause.setAttribute('aria-pressed', String(isPaused))
    const count = isPaused ? 0 : held.filter(compileFilter(readFilter(filter))).length
    newer.hidden = count === 0
    newer.textContent = `${count} new`
  }

  function render(): void {
    frame = undefined
    showState()
    // A line must not go from under the pointer between press and release.
    isBehind = isPressed()
    if (!isLoaded || isBehind) return
    const shown = rows.filter(compileFilter(readFilter(filter)))
    list.show(shown)
    const all = `${toCountText(total)} ${total === 1 ? 'request' : 'requests'}`
    expectElement('shown', HTMLElement).textContent =
      shown.length === total ? all : `${toCountText(shown.length)} of ${all}`
    older.hidden = rows.length + held.length >= total || rows.length >= MOST_ROWS
    expectElement('none', HTMLElement).hidden = rows.length === 0 || shown.length > 0
    expectElement('hidden', HTMLElement).textContent = toHiddenText(rows.length)
    expectElement('first', HTMLElement).hidden = rows.length > 0
    expectElement('count-requests', HTMLElement).textContent = String(own)
  }

  /** However much comes at once, the page is drawn once. */
  function schedule(): void {
    frame ??= requestAnimationFrame(render)
  }

  /** The newest of them; of the others nothing is kept. */
  function keepNewest(all: Row[]): Row[] {
    if (all.length <= MOST_ROWS) return all
    for (const { id } of all.slice(0, -MOST_ROWS)) {
      known.delete(id)
      heardAt.delete(id)
    }
    return all.slice(-MOST_ROWS)
  }

  function add(more: readonly Row[]): void {
    const fresh = more.filter(({ id }) => !known.has(id))
    for (const { id } of fresh) known.add(id)
    total += fresh.length
    own += fresh.filter(({ session }) => session === document.body.dataset['session']).length
    if (isStill()) held.push(...fresh)
    else rows.push(...fresh)
    held = keepNewest(held)
    rows = keepNewest(rows)
    schedule()
  }

  filter.addEventListener('input', (event) => {
    if (findTarget(event, '[name=from]') !== undefined) return
    schedule()
    history.replaceState(undefined, '', toHref(detail.id ?? ''))
  })
  filter.addEventListener('change', (event) => {
    // Whose requests are heard is another page.
    if (findTarget(event, '[name=from]') !== undefined) filter.submit()
  })
  filter.addEventListener('submit', (event) => {
    if (!(document.activeElement instanceof HTMLInputElement)) return
    event.preventDefault()
    list.focus(0)
  })
  /** Shows what came while the list stood still. */
  function release(): void {
    rows = keepNewest([...rows, ...held])
    held = []
    schedule()
  }
  pause.addEventListener('click', () => {
    isPaused = !isPaused
    if (isPaused) schedule()
    else release()
  })
  newer.addEventListener('click', () => {
    release()
    table.scrollTop = 0
  })
  older.addEventListener('click', () => {
    wanted = Math.min(MOST_ROWS, rows.length + held.length + FIRST_ROWS)
    void reload()
  })
  holder.addEventListener('click', (event) => {
    const id = findTarget(event, '.row')?.dataset['id']
    if (id === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    detail.open(id, { takesFocus: true, isNew: true })
  })
  window.addEventListener('popstate', () => {
    const asked = new URLSearchParams(location.search)
    writeFilter(filter, asked)
    schedule()
    const id = asked.get('request')
    if (id === null) detail.close({ isNew: false })
    else detail.open(id, { takesFocus: false, isNew: false })
  })
  bindKeys({ list, detail, filter })

  async function reload(): Promise<void> {
    if (hasEnded()) return
    const meanwhile: Row[] = []
    heard = meanwhile
    const answer = await loadRows(holder.dataset['rows'] ?? '', wanted)
    // Asked again since: that answer knows more.
    if (heard !== meanwhile) return
    heard = undefined
    if (answer !== undefined) load(answer, meanwhile)
    // What came while the mock did not answer is to be seen too.
    else if (!isLoaded && meanwhile.length > 0) void reload()
  }

  /** Shows what the mock has told, and what has come since it was asked. */
  function load(page: ListPage, meanwhile: readonly Row[]): void {
    const found = page.rows.toReversed()
    const listed = new Set(found.map(({ id }) => id))
    const missing = meanwhile.filter(({ id }) => !listed.has(id))
    const all = [...found, ...missing]
    total = page.total + missing.length
    own = page.own + missing.filter(({ session }) => session === document.body.dataset['session']).length
    const beats = all.map((row) => ({ ...row, time: heardAt.get(row.id) ?? row.time + ahead }))
    charts.replace(beats, found.length < page.total ? beats[0]?.time : undefined)
    const shown = new Set(rows.map(({ id }) => id))
    // A list that stands still loses what is gone, and gains nothing.
    const isKept = ({ id }: Row): boolean => !isStill() || !isLoaded || shown.has(id)
    known = new Set(all.map(({ id }) => id))
    rows = keepNewest(all.filter(isKept))
    held = keepNewest(all.filter((row) => !isKept(row)))
    for (const id of heardAt.keys()) if (!known.has(id)) heardAt.delete(id)
    isLoaded = true
    schedule()
    detail.reload()
  }

  return {
    hear(event) {
      const row = toRowOfEvent(event)
      if (known.has(row.id)) return
      // It did not answer before.
      if (!isLoaded && heard === undefined) void reload()
      heardAt.set(row.id, clock())
      if (isLoaded) charts.add([{ ...row, time: clock() }])
      heard?.push(row)
      add([row])
      tell([row])
      // What is told of a failure ends with how it was mended.
      const open = rows.find(({ id }) => id === detail.id)
      if (open === undefined || detail.isMended || !isFailure(open)) return
      if (!isFailure(row) && mayBeRetryOf(row, open)) detail.reload()
    },
    reload,
    draw() {
      if (isBehind) schedule()
      if (held.length > 0 && !isStill()) release()
    },
    setState(next) {
      state = next
      schedule()
      // Whoever cannot hear the mock may still ask it.
      if (state !== 'live' && !isLoaded && heard === undefined) void reload()
    },
  }
}
