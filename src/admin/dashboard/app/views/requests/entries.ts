import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import type { Histogram, RetryMembers, toSummary } from '../../../../api/select-requests.ts'
import type { toServeEvent } from '../../../../../sessions/journal/wiremock-json.ts'
import type { PendingRequest } from '../../../../../sessions/events.ts'
import { groupBy } from '../../../../../util/collections.ts'
import { ApiError } from '../../api.ts'
import { useEvents, useLive, useThrottle } from '../../live.ts'
import { toZonedFilter } from './readable.ts'

/** The reader's time zone when the page was loaded, as `getTimezoneOffset` returns it. */
const ZONE = new Date(performance.timeOrigin).getTimezoneOffset()

/** A request of the journal, as the admin API lists it. */
export type ListedRequest = ReturnType<typeof toSummary> & RetryMembers

/** A request with its headers and bodies, and its response. */
export type JournalRequest = ReturnType<typeof toServeEvent>

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
  readonly meta: JournalCounts
}

/** Number of bars in the histogram. */
const PERIODS = 120

/** How many requests a page has. */
const REQUESTS_A_PAGE = 100

/** How many requests are loaded again at once, after an event or a reset. */
const MOST_LOADED = 500

interface Entries extends JournalCounts {
  /** Changes when the list is another one: by filter, order or the removal of requests. */
  readonly key: string
  readonly list: readonly ListedRequest[]
  readonly error: ApiError | undefined
}

const NO_ENTRIES: Entries = { key: '', list: [], total: undefined, kept: 0, dropped: 0, error: undefined }

/** Puts newer entries in front of the known ones; undefined if there is a gap between them. */
export function joinNewer(
  newest: readonly ListedRequest[],
  known: readonly ListedRequest[],
): readonly ListedRequest[] | undefined {
  const first = known[0]
  if (first === undefined) return newest
  const at = newest.findIndex(({ id }) => id === first.id)
  if (at === -1) return undefined
  return at === 0 ? known : [...newest.slice(0, at), ...known]
}

/** Puts retries below the first attempt, at the place of the newest one. Attempts that are not loaded are missing. */
export function groupRetries(list: readonly ListedRequest[]): readonly ListedRequest[] {
  if (!list.some(({ retryOf }) => retryOf !== undefined)) return list
  return groupBy(list, ({ id, retryOf = id }) => retryOf).flatMap((group) => group.toReversed())
}

/** A request without a response for this long is pending, in milliseconds. */
const PENDING = 100

const MOST_PENDING = 20

/** The requests that have had no response for some time. */
export function usePending(): readonly PendingRequest[] {
  const [pending, setPending] = useState<readonly PendingRequest[]>([])
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useLayoutEffect(() => () => timers.current?.forEach((timer) => clearTimeout(timer)), [])
  useEvents((event) => {
    if (event?.kind === 'pending' && (timers.current?.size ?? 0) < MOST_PENDING) {
      const request = event.data as PendingRequest
      const show = (): void => setPending((list) => [...list, request])
      timers.current?.set(request.correlationId, setTimeout(show, PENDING))
    } else if (event?.kind === 'request') {
      const { correlationId } = event.data as { readonly correlationId: string }
      clearTimeout(timers.current?.get(correlationId))
      timers.current?.delete(correlationId)
      setPending((list) => {
        const rest = list.filter((one) => one.correlationId !== correlationId)
        return rest.length === list.length ? list : rest
      })
    } else if (event === undefined) setPending([])
  })
  return pending
}

const namesProject = (data: unknown): boolean => typeof data === 'object' && data !== null && 'project' in data

/** Whether a list still has the first of the known entries. */
const joinsOn = (list: readonly ListedRequest[], known: readonly ListedRequest[]): boolean =>
  known[0] === undefined || list.some(({ id }) => id === known[0]?.id)

/**
 * The requests of the journal that match a filter, in the order of a column; by default the newest first. Filter and order
 * are applied by the mock, to the whole journal. Later pages load when the list asks for them.
 */
export function useEntries(filter: string, sort: string) {
  const { source } = useLive()
  const [entries, setEntries] = useState<Entries>(NO_ENTRIES)
  const latest = useRef<Entries>(NO_ENTRIES)
  /** Changes when earlier responses become obsolete. */
  const attempt = useRef(0)
  const isLoading = useRef(false)
  /** Requests came in during the load. */
  const isDue = useRef(false)

  const show = (next: Entries): void => {
    latest.current = next
    setEntries(next)
  }

  async function load(
    limit: number,
    join: (page: RequestPage, known: Entries) => readonly ListedRequest[],
    before?: string,
  ): Promise<void> {
    const query = new URLSearchParams({ limit: String(limit), summary: 'true', retries: 'true' })
    if (before === undefined) query.set('periods', String(PERIODS))
    if (filter !== '') query.set('filter', toZonedFilter(filter, ZONE))
    if (sort !== '') query.set('sort', sort)
    if (before !== undefined) query.set('before', before)
    attempt.current = (attempt.current ?? 0) + 1
    const own = attempt.current
    isLoading.current = true
    try {
      const page = JSON.parse(await source.readText(`/requests?${query}`)) as RequestPage
      if (own !== attempt.current) return
      const list = join(page, latest.current ?? NO_ENTRIES)
      const { key, list: known } = latest.current ?? NO_ENTRIES
      const isOther = !key.startsWith(`${filter}\n${sort}\n`) || !joinsOn(list, known)
      show({
        key: isOther ? `${filter}\n${sort}\n${own}` : key,
        list,
        ...(before === undefined ? {} : { histogram: latest.current?.histogram }),
        ...page.meta,
        error: undefined,
      })
    } catch (error) {
      if (own === attempt.current && error instanceof ApiError) show({ ...(latest.current ?? NO_ENTRIES), error })
    } finally {
      if (own === attempt.current) {
        isLoading.current = false
        if (isDue.current) follow()
        isDue.current = false
      }
    }
  }

  /** Loads again what is loaded, as far as one page goes. */
  const reload = (): Promise<void> => {
    const count = latest.current?.list.length ?? 0
    return load(Math.min(MOST_LOADED, Math.max(REQUESTS_A_PAGE, count)), ({ requests }) => requests)
  }
  const loadNewer = (): Promise<void> =>
    sort === '' ? load(REQUESTS_A_PAGE, ({ requests }, known) => joinNewer(requests, known.list) ?? requests) : reload()
  // A load that takes longer than the pace of events is not given up for the next one.
  const follow = useThrottle(() => {
    if (isLoading.current) isDue.current = true
    else void loadNewer()
  })
  const restart = useThrottle(() => void reload())

  useLayoutEffect(() => {
    void load(REQUESTS_A_PAGE, ({ requests }) => requests)
  }, [filter, sort])
  useEvents((event) => {
    if (event?.kind === 'request') follow()
    // Requests may have been removed, unless the event names the project that changed.
    else if (event === undefined || (event.kind === 'state' && !namesProject(event.data))) restart()
  })

  return {
    ...entries,
    /** Loads the next page, unless everything is loaded or a load is under way. */
    loadMore(): void {
      const { list, total = 0 } = latest.current ?? NO_ENTRIES
      if (isLoading.current || list.length === 0 || list.length >= total) return
      void load(REQUESTS_A_PAGE, ({ requests }, known) => [...known.list, ...requests], list.at(-1)?.id)
    },
  }
}
