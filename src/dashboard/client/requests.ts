import { compileFilter, toHiddenText, toShownText } from '../filter.ts'
import { sortRows } from '../sort.ts'
import { isFailure, mayBeRetryOf, toRowOfEvent, FIRST_ROWS, MOST_ROWS } from '../row.ts'
import type { Row, ServeEvent } from '../row.ts'
import type { ListPage } from '../rows.ts'
import { createRequestAnnouncer } from './announce.ts'
import { createBodyHits } from './body-hits.ts'
import { createCharts } from './charts.ts'
import { createDetail } from './detail.ts'
import { expectElement, findTarget } from './dom.ts'
import { hasEnded } from './ended.ts'
import { bindFilter, readFilter, toListHref, writeFilter } from './filter-form.ts'
import { isPressed, watchHolding } from './input-state.ts'
import { bindKeys } from './keys.ts'
import { loadRows } from './pages.ts'
import { bindSortHeads } from './sort-heads.ts'
import { STATES } from './stream.ts'
import { createList } from './virtual-list.ts'

/** The live list of requests. */
export interface RequestsView {
  hear(event: ServeEvent): void
  /** Loads the list again, in case requests were missed or cleared. */
  reload(): Promise<void>
  /** Shows what arrived while the pointer was pressed. */
  draw(): void
  setState(state: string): void
}

/** Makes the list of requests live. `clock` is that of the browser, in epoch milliseconds. */
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
  /** Requests that arrived while the list must not move. */
  let held: Row[] = []
  /** How many requests the journal has, and how many of them in the session of the page. */
  let total = 0
  let own = 0
  /** How many to load. */
  let wanted = FIRST_ROWS
  /** Requests that arrive while the list is loading, which its response may not contain. */
  let heard: Row[] | undefined
  /** Whether the list was loaded; until then the page shows the rows from the server. */
  let isLoaded = false
  let isPaused = false
  let state = 'live'
  let frame: number | undefined
  /** Whether requests arrived while the pointer was pressed. */
  let isBehind = false
  /** How far the browser's clock is ahead of the mock's. */
  const ahead = clock() - Number(document.body.dataset['now'])
  /** When requests arrived by the browser's clock, since that of the mock may be frozen. */
  const heardAt = new Map<string, number>()
  const bodyHits = createBodyHits(filter, () => void reload())
  const markSort = bindSortHeads(table, filter, refilter)
  const admits = (): ((row: Row) => boolean) => compileFilter(readFilter(filter), bodyHits.has)

  /** Whether rows must not move: the list is paused, hovered or focused. */
  const isStill = (): boolean => isPaused || (rows.length > 0 && holding.isHeld())

  function showState(): void {
    live.dataset['state'] = isPaused && state === 'live' ? 'paused' : state
    live.textContent = STATES[live.dataset['state']] ?? ''
    const label = pause.querySelector('span')
    if (label) label.textContent = isPaused ? `Resume${held.length === 0 ? '' : ` (${held.length})`}` : 'Pause'
    pause.setAttribute('aria-pressed', String(isPaused))
    const count = isPaused ? 0 : held.filter(admits()).length
    newer.hidden = count === 0
    newer.textContent = `${count} new`
  }

  function render(): void {
    frame = undefined
    showState()
    // A row must not move while it is pressed.
    isBehind = isPressed()
    if (!isLoaded || isBehind) return
    const asked = readFilter(filter)
    const { sort, text } = asked
    const shown = rows.filter(admits())
    // The list has the last row on top.
    list.show(sortRows(shown.toReversed(), sort).toReversed())
    markSort(sort)
    const listed = { shown: shown.length, rows, total, older: Math.max(0, total - rows.length - held.length) }
    expectElement('shown', HTMLElement).textContent = toShownText(asked, listed)
    older.hidden = listed.older === 0 || rows.length >= MOST_ROWS
    expectElement('none', HTMLElement).hidden = rows.length === 0 || shown.length > 0
    expectElement('hidden', HTMLElement).textContent = toHiddenText(text, listed)
    expectElement('first', HTMLElement).hidden = rows.length > 0
    expectElement('count-requests', HTMLElement).textContent = String(own)
  }

  /** Shows the list as the form says now. */
  function refilter(): void {
    schedule()
    history.replaceState(undefined, '', toHref(detail.id ?? ''))
    bodyHits.refilter()
  }

  /** Renders once per frame. */
  function schedule(): void {
    frame ??= requestAnimationFrame(render)
  }

  /** Keeps the newest, up to the limit of the list. */
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

  bindFilter(filter, refilter, () => list.focus(0))
  /** Shows the requests that were held back. */
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
    bodyHits.refilter()
    const id = asked.get('request')
    if (id === null) detail.close({ isNew: false })
    else detail.open(id, { takesFocus: false, isNew: false })
  })
  bindKeys({ list, detail, filter })

  async function reload(): Promise<void> {
    if (hasEnded()) return
    const meanwhile: Row[] = []
    heard = meanwhile
    const answer = await loadRows(holder.dataset['rows'] ?? '', wanted, readFilter(filter).text)
    // A later load is running; its response is newer.
    if (heard !== meanwhile) return
    heard = undefined
    if (answer !== undefined) load(answer, meanwhile)
    // Requests arrived meanwhile, so the mock is back.
    else if (!isLoaded && meanwhile.length > 0) void reload()
  }

  /** Shows the loaded page, and what arrived meanwhile. */
  function load(page: ListPage, meanwhile: readonly Row[]): void {
    bodyHits.load(page.bodyHits, meanwhile)
    const found = page.rows.toReversed()
    const listed = new Set(found.map(({ id }) => id))
    const missing = meanwhile.filter(({ id }) => !listed.has(id))
    const all = [...found, ...missing]
    total = page.total + missing.length
    own = page.own + missing.filter(({ session }) => session === document.body.dataset['session']).length
    const beats = all.map((row) => ({ ...row, time: heardAt.get(row.id) ?? row.time + ahead }))
    charts.replace(beats, found.length < page.total ? beats[0]?.time : undefined)
    const shown = new Set(rows.map(({ id }) => id))
    // A list that must not move only loses rows.
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
      // The first load failed.
      if (!isLoaded && heard === undefined) void reload()
      heardAt.set(row.id, clock())
      bodyHits.hear(event)
      if (isLoaded) charts.add([{ ...row, time: clock() }])
      heard?.push(row)
      add([row])
      tell([row])
      // The details of a failure show its successful retry.
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
      // Without the event stream, the list can still be loaded.
      if (state !== 'live' && !isLoaded && heard === undefined) void reload()
    },
  }
}
