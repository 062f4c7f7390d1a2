import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import type { RetryMembers, toEntrySummary } from '../../../../api/select-requests.ts'
import type { Histogram } from '../../../../../sessions/journal/summary.ts'
import type { JournalEntry, toWireMockEvent } from '../../../../../sessions/journal/wiremock-json.ts'
import { groupBy } from '../../../../../util/collections.ts'
import { ApiError } from '../../api.ts'
import { useEvents, useLive, useThrottle } from '../../live.ts'
import { toReadable, toSentFilter } from './readable.ts'

/** A request of the journal, as the admin API lists it. */
export type ListedRequest = ReturnType<typeof toEntrySummary> & RetryMembers

type WireMockEvent = ReturnType<typeof toWireMockEvent>

/** A request with its headers and bodies, and its response, from an event in WireMock's form. */
export const fromWireMockEvent = ({ request, durationMilliseconds, response }: WireMockEvent): JournalEntry => ({
  ...request,
  durationMilliseconds,
  response,
})

/** {@link fromWireMockEvent} from the text of a reply. */
export const parseJournalEntry = (text: string): JournalEntry => fromWireMockEvent(JSON.parse(text) as WireMockEvent)

/** The requests of a list by position; undefined until they are loaded. */
type SparseList = readonly (ListedRequest | undefined)[]

interface JournalCounts {
  /** Number of matching requests in the journal; undefined until loaded. */
  readonly total: number | undefined
  /** Number of requests in the journal. */
  readonly kept: number
  readonly dropped: number
  readonly histogram?: Histogram | undefined
}

interface RequestPage {
  readonly requests: readonly ListedRequest[]
  readonly meta: JournalCounts & { readonly total: number; readonly offset?: number }
}

/** Number of bars in the histogram. */
const PERIODS = 120

/** How many requests a page has. */
const REQUESTS_A_PAGE = 100

interface Entries extends JournalCounts {
  /** What the list is of: session, filter and order. */
  readonly of: string
  readonly list: SparseList
  readonly error: ApiError | undefined
}

const NO_ENTRIES: Entries = { of: '', list: [], total: undefined, kept: 0, dropped: 0, error: undefined }

const positionOf = (list: SparseList, id: string | undefined): number =>
  id === undefined ? -1 : list.findIndex((one) => one?.id === id)

/** Puts a page into a list at a position. */
const fill = (list: SparseList, page: readonly ListedRequest[], at: number, length = list.length): SparseList =>
  Array.from({ length }, (_, position) => page[position - at] ?? list[position])

/** Puts the newest page in front of the known list. What is known further down is dropped unless it follows the page. */
export function joinNewest(
  { requests, meta: { total, dropped } }: RequestPage,
  known: Pick<Entries, 'list' | 'dropped'>,
): SparseList {
  const at = requests.findIndex(({ id }) => id === known.list[0]?.id)
  const isSame = at !== -1 && (at + known.list.length === total || dropped > known.dropped)
  return fill(isSame ? [...requests.slice(0, at), ...known.list] : [], requests, 0, total)
}

/**
 * Puts retries below the first attempt, at the place of the newest one, within each part of the list that is loaded.
 * Attempts that are not loaded are missing.
 */
export function groupRetries(list: SparseList): SparseList {
  if (!list.some((one) => one?.retryOf !== undefined)) return list
  const grouped: (ListedRequest | undefined)[] = []
  let loaded: ListedRequest[] = []
  const close = (): void => {
    for (const group of groupBy(loaded, ({ id, retryOf = id }) => retryOf)) grouped.push(...group.toReversed())
    loaded = []
  }
  for (const one of list) {
    if (one !== undefined) loaded.push(one)
    else {
      close()
      grouped.push(undefined)
    }
  }
  close()
  return grouped
}

/** The first segment of most of the loaded paths, such as `/acme`; empty if they have none in common. */
export function findCommonStart(rows: SparseList): string {
  const loaded = rows.filter((row) => row !== undefined)
  const starts = groupBy(loaded, ({ url, session }) => /^\/[^/?]+(?=\/)/.exec(toReadable(url, session).path)?.[0] ?? '')
  const [most = []] = [...starts].toSorted((a, b) => b.length - a.length)
  const [first] = most
  if (first === undefined || most.length < 2 || most.length * 2 < loaded.length) return ''
  return /^\/[^/?]+(?=\/)/.exec(toReadable(first.url, first.session).path)?.[0] ?? ''
}

/** The ids of the retries that are below an attempt at the same request. */
export const findIndented = (rows: SparseList): ReadonlySet<string> =>
  new Set(
    rows.flatMap((row, at) => {
      const above = rows[at - 1]
      return row?.retryOf !== undefined && (above?.retryOf ?? above?.id) === row.retryOf ? [row.id] : []
    }),
  )

/**
 * The requests of the journal that match a filter, in the order of a column; by default the newest first. Filter and order
 * are applied by the mock, to the whole journal. The list has the length of all of them, and loads the pages that are
 * visible.
 *
 * @param openId the request whose page is loaded too
 * @param isStill whether the list stays as it is; newer requests are counted
 */
export function useEntries({
  filter,
  sort,
  openId,
  isStill,
}: {
  readonly filter: string
  readonly sort: string
  readonly openId: string | undefined
  readonly isStill: boolean
}) {
  const { source } = useLive()
  const wanted = `${source.session}\n${filter}\n${sort}`
  const [entries, setEntries] = useState<Entries>(NO_ENTRIES)
  const latest = useRef<Entries>(NO_ENTRIES)
  /** Changes when earlier responses become obsolete. */
  const attempt = useRef(0)
  const isLoading = useRef(false)
  /** Requests came in during the load, or while the list was still. */
  const isDue = useRef(false)
  /** The visible positions. */
  const range = useRef({ first: 0, last: 0 })
  const isFilling = useRef(false)
  /** The first request of the still list. */
  const top = useRef<string | undefined>(undefined)

  const known = (): Entries => latest.current ?? NO_ENTRIES
  const show = (next: Partial<Entries>): void => {
    latest.current = { ...known(), ...next }
    setEntries(latest.current)
  }

  async function read(parameters: Readonly<Record<string, string | number>>): Promise<RequestPage> {
    const query = new URLSearchParams({ limit: String(REQUESTS_A_PAGE), summary: 'true', retries: 'true' })
    if (filter !== '') query.set('filter', toSentFilter(filter))
    if (sort !== '') query.set('sort', sort)
    for (const [name, value] of Object.entries(parameters)) query.set(name, String(value))
    return JSON.parse(await source.readText(`/requests?${query}`)) as RequestPage
  }

  /** Loads the first page, and what is new in it. */
  async function load(): Promise<void> {
    const own = (attempt.current ?? 0) + 1
    attempt.current = own
    isLoading.current = true
    try {
      const page = await read({ periods: PERIODS })
      if (own !== attempt.current) return
      const isSame = sort === '' && known().of === wanted
      const list = joinNewest(page, isSame ? known() : { list: [], dropped: 0 })
      show({ histogram: undefined, ...page.meta, list, of: wanted, error: undefined })
      void fillRange()
    } catch (error) {
      if (own === attempt.current && error instanceof ApiError && !error.isUnreachable) show({ error })
    } finally {
      if (own === attempt.current) {
        isLoading.current = false
        if (isDue.current) follow()
        isDue.current = false
      }
    }
  }

  /** Loads a page after the first request of the list, whose position is known even if new requests come in. */
  async function loadPage(parameters: Readonly<Record<string, string | number>>): Promise<void> {
    const { list, of } = known()
    const first = list[0]?.id
    if (first === undefined) return
    const { requests, meta } = await read({ before: first, ...parameters })
    const at = positionOf(known().list, first)
    if (at === -1 || known().of !== of) return
    const offset = meta.offset ?? Number(parameters['offset'] ?? 0)
    show({ list: fill(known().list, requests, at + 1 + offset) })
  }

  /** Loads the pages of the visible positions. */
  async function fillRange(): Promise<void> {
    if (isFilling.current) return
    isFilling.current = true
    try {
      for (;;) {
        const { list } = known()
        const { first, last } = range.current ?? { first: 0, last: 0 }
        const start = newer()
        const hole = list.findIndex((one, at) => one === undefined && at >= first + start && at < last + start)
        if (hole === -1) return
        const offset = Math.max(0, Math.floor(hole / REQUESTS_A_PAGE) * REQUESTS_A_PAGE - 1)
        // oxlint-disable-next-line no-await-in-loop -- a page may show what else is visible
        await loadPage({ offset })
        if (known().list[hole] === undefined) throw new ApiError(0, 'The list has changed.')
      }
    } catch {
      // The request before the page is gone, or the mock: a new list shows which.
      follow()
    } finally {
      isFilling.current = false
    }
  }

  const follow = useThrottle(() => {
    // A load that takes longer than the pace of events is not given up for the next one. A sorted list cannot count them.
    if (isLoading.current || (sort !== '' && isStill)) isDue.current = true
    else void load()
  })

  useLayoutEffect(() => {
    if (known().of !== '' && !known().of.startsWith(`${source.session}\n`)) show(NO_ENTRIES)
    void load()
  }, [wanted])
  useLayoutEffect(() => {
    if (!isStill && isDue.current && !isLoading.current) follow()
  }, [isStill])
  useEvents((event) => {
    // Requests may have been removed, unless the event names the project that changed.
    const { kind, data } = event ?? { kind: 'state', data: undefined }
    if (kind === 'request' || (kind === 'state' && !(data instanceof Object && 'project' in data))) follow()
  })

  /** How many requests are newer than the still list. */
  const newer = (): number => (sort === '' ? Math.max(0, positionOf(known().list, top.current ?? undefined)) : 0)
  const { list, of } = entries
  const isOpenKnown = of === wanted && positionOf(list, openId) !== -1
  useLayoutEffect(() => {
    if (of !== wanted || openId === undefined || isOpenKnown || source.isFile) return
    // The filter may exclude it, or it may be gone; the detail says so.
    void loadPage({ around: openId }).catch(() => undefined)
  }, [of, openId, isOpenKnown])

  if (!isStill || positionOf(list, top.current ?? undefined) === -1) top.current = list[0]?.id
  return {
    ...entries,
    newer: newer(),
    /** Whether the list is still the one before the last change of filter, order or session. */
    isBusy: of !== wanted && entries.error === undefined,
    /** Shows the requests that are newer than the still list. */
    release(): void {
      top.current = undefined
      show({})
    },
    onRange(first: number, last: number): void {
      range.current = { first, last }
      void fillRange()
    },
  }
}
