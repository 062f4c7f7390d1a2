import { compileFilter, toHiddenText } from '../filter.ts'
import { isFailure, isRetryOf, toRowOfEvent } from '../row.ts'
import type { Row, ServeEvent } from '../row.ts'
import { createRequestAnnouncer } from './announce.ts'
import { createCharts } from './charts.ts'
import { createDetail } from './detail.ts'
import { expectElement, findTarget } from './dom.ts'
import { hasEnded } from './ended.ts'
import { readFilter, writeFilter } from './filter-form.ts'
import { isPressed } from './hands.ts'
import { bindKeys } from './keys.ts'
import { createList } from './virtual-list.ts'

/** As many requests the list has at most, and as many wait for it while it stands still, whatever the journal does. */
const MOST = 10_000

/** The view of requests, come alive. */
export interface RequestsView {
  hear(event: ServeEvent): void
  /** Asks the mock for what it has, in case something was missed or is gone. */
  reload(): Promise<void>
  /** Shows what came while the pointer was pressed. */
  draw(): void
  setState(state: string): void
}

const STATES: Readonly<Record<string, string>> = {
  live: 'Live',
  lost: 'Reconnecting…',
  refused: 'Not live',
  paused: 'Paused',
}

/** How many were sent to the session that the page is in. */
function countOwn(rows: readonly Row[]): number {
  const own = document.body.dataset['session']
  return rows.reduce((count, { session }) => count + Number(session === own), 0)
}

/** Makes the view of requests live. `clock` is the reader's own, in epoch milliseconds. */
export function openRequests(clock: () => number): RequestsView {
  const holder = expectElement('rows', HTMLElement)
  const filter = expectElement('filter', HTMLFormElement)
  const pause = expectElement('pause', HTMLButtonElement)
  const live = expectElement('live', HTMLElement)
  const toHref = (id: string): string => {
    const url = new URL(holder.dataset['href'] ?? '', location.href)
    const chosen: Readonly<Record<string, string>> = { request: id, ...readFilter(filter) }
    for (const [name, value] of Object.entries(chosen)) {
      if (value === '') url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    return url.pathname + url.search
  }
  const list = createList({
    table: expectElement('table', HTMLElement),
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

  function showState(): void {
    live.dataset['state'] = isPaused && state === 'live' ? 'paused' : state
    live.textContent = STATES[live.dataset['state']] ?? ''
    const label = pause.querySelector('span')
    if (label) label.textContent = isPaused ? `Resume${held.length === 0 ? '' : ` (${held.length})`}` : 'Pause'
    pause.setAttribute('aria-pressed', String(isPaused))
  }

  function render(): void {
    frame = undefined
    showState()
    // A line must not go from under the pointer between press and release.
    isBehind = isPressed()
    if (!isLoaded || isBehind) return
    const shown = rows.filter(compileFilter(readFilter(filter)))
    list.show(shown)
    const all = `${rows.length} ${rows.length === 1 ? 'request' : 'requests'}`
    expectElement('shown', HTMLElement).textContent = shown.length === rows.length ? all : `${shown.length} of ${all}`
    expectElement('none', HTMLElement).hidden = rows.length === 0 || shown.length > 0
    expectElement('hidden', HTMLElement).textContent = toHiddenText(rows.length)
    expectElement('first', HTMLElement).hidden = rows.length > 0
    expectElement('count-requests', HTMLElement).textContent = String(countOwn(rows) + countOwn(held))
  }

  /** However much comes at once, the page is drawn once. */
  function schedule(): void {
    frame ??= requestAnimationFrame(render)
  }

  /** The newest of them; of the others nothing is kept. */
  function keepNewest(all: Row[]): Row[] {
    if (all.length <= MOST) return all
    for (const { id } of all.slice(0, -MOST)) {
      known.delete(id)
      heardAt.delete(id)
    }
    return all.slice(-MOST)
  }

  function add(more: readonly Row[]): void {
    const fresh = more.filter(({ id }) => !known.has(id))
    for (const { id } of fresh) known.add(id)
    if (isPaused) held.push(...fresh)
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
  pause.addEventListener('click', () => {
    isPaused = !isPaused
    if (!isPaused) {
      rows = keepNewest([...rows, ...held])
      held = []
    }
    schedule()
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

  /** Newest first, as the mock has them; undefined where it does not answer. */
  async function fetchRows(): Promise<readonly Row[] | undefined> {
    try {
      const response = await fetch(holder.dataset['rows'] ?? '', { cache: 'no-store' })
      // What the mock itself sends is as it says it is.
      return response.ok ? ((await response.json()) as Row[]) : undefined
    } catch {
      return undefined
    }
  }

  async function reload(): Promise<void> {
    if (hasEnded()) return
    const meanwhile: Row[] = []
    heard = meanwhile
    const answer = await fetchRows()
    // Asked again since: that answer knows more.
    if (heard !== meanwhile) return
    heard = undefined
    if (answer !== undefined) load(answer.toReversed(), meanwhile)
    // What came while the mock did not answer is to be seen too.
    else if (!isLoaded && meanwhile.length > 0) void reload()
  }

  /** Shows all that there is: what the mock has told, and what has come since it was asked. */
  function load(found: readonly Row[], meanwhile: readonly Row[]): void {
    const listed = new Set(found.map(({ id }) => id))
    const missing = meanwhile.filter(({ id }) => !listed.has(id))
    const all = [...found, ...missing]
    charts.replace(all.map((row) => ({ ...row, time: heardAt.get(row.id) ?? row.time + ahead })))
    const shown = new Set(rows.map(({ id }) => id))
    // A list that stands still loses what is gone, and gains nothing.
    const isKept = ({ id }: Row): boolean => !isPaused || !isLoaded || shown.has(id)
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
      if (!isFailure(row) && isRetryOf(row, open)) detail.reload()
    },
    reload,
    draw() {
      if (isBehind) schedule()
    },
    setState(next) {
      state = next
      schedule()
      // Whoever cannot hear the mock may still ask it.
      if (state !== 'live' && !isLoaded && heard === undefined) void reload()
    },
  }
}
