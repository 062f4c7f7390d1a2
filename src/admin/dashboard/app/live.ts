import { createContext, useCallback, useContext, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { ApiError, toErrorSentence } from './api.ts'
import type { ConnectionState, Source, SourceEvent } from './api.ts'
import type { PendingRequest } from '../../../sessions/events.ts'

/** The shortest time between two loads of a resource because of events, in milliseconds. */
const REFRESH_DELAY = 300

/** A source whose events any number of components follow over one connection. */
export interface Live {
  readonly source: Source
  connection(): ConnectionState
  /** The requests that have no response yet, by correlation id. */
  readonly pending: ReadonlyMap<string, PendingRequest>
  /** Calls a listener for each event. */
  onEvent(listener: (event: SourceEvent) => void): () => void
  /** Calls a listener when the connection changes. */
  onConnection(listener: (connection: ConnectionState) => void): () => void
  /** Says something to the user: visibly for a while, and to screen readers. */
  notify(text: string): void
  onNotice(listener: (text: string) => void): () => void
  /** Stops following the source. */
  close(): void
}

function createSignal<Value>() {
  const listeners = new Set<(value: Value) => void>()
  return {
    emit: (value: Value): void => listeners.forEach((listener) => listener(value)),
    on(listener: (value: Value) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export function createLive(source: Source): Live {
  const [events, connections, notices] = [
    createSignal<SourceEvent>(),
    createSignal<ConnectionState>(),
    createSignal<string>(),
  ]
  const pending = new Map<string, PendingRequest>()
  let connection: ConnectionState = 'connecting'
  const close = source.follow({
    onEvent(event) {
      // Both have a correlation id, as documented.
      const request = event.data as PendingRequest
      if (event.kind === 'pending') pending.set(request.correlationId, request)
      else if (event.kind === 'request') pending.delete(request.correlationId)
      events.emit(event)
    },
    onConnection(next) {
      connection = next
      // A new stream starts with those of now.
      pending.clear()
      connections.emit(next)
    },
  })
  return {
    source,
    connection: () => connection,
    pending,
    onEvent: events.on,
    onConnection: connections.on,
    notify: notices.emit,
    onNotice: notices.on,
    close,
  }
}

export const LiveContext = createContext<Live | undefined>(undefined)

/** The live source. */
export function useLive(): Live {
  const live = useContext(LiveContext)
  if (live === undefined) throw new Error('useLive needs a LiveContext.')
  return live
}

/** The state of the connection to the mock. */
export function useConnection(): ConnectionState {
  const live = useLive()
  const [connection, setConnection] = useState(live.connection())
  useLayoutEffect(() => live.onConnection(setConnection), [live])
  return connection
}

/**
 * Calls a function for each event, and once with undefined whenever the connection is restored, since events may have been
 * missed.
 */
export function useEvents(listener: (event: SourceEvent | undefined) => void): void {
  const live = useLive()
  const latest = useRef(listener)
  latest.current = listener
  useLayoutEffect(() => {
    let isFirst = live.connection() === 'connecting'
    const offEvent = live.onEvent((event) => latest.current?.(event))
    const offConnection = live.onConnection((connection) => {
      if (connection === 'live' && !isFirst) latest.current?.(undefined)
      isFirst = false
    })
    return () => {
      offEvent()
      offConnection()
    }
  }, [live])
}

/** Returns a function that runs `run` now, or later if it ran less than `pace` milliseconds ago. */
export function useThrottle(run: () => void, pace = REFRESH_DELAY): () => void {
  const latest = useRef(run)
  latest.current = run
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const last = useRef(0)
  useLayoutEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  return useCallback(() => {
    if (timer.current !== undefined && timer.current !== null) return
    const wait = Math.max(0, (last.current ?? 0) + pace - performance.now())
    timer.current = setTimeout(() => {
      timer.current = undefined
      last.current = performance.now()
      latest.current?.()
    }, wait)
  }, [])
}

/** The day of now in UTC, such as `2026-01-31`. */
export const toUtcDay = (): string => new Date().toISOString().slice(0, 10)

/** Whether a time is of the reader's day. */
export const isToday = (at: number | string): boolean => new Date(at).toDateString() === new Date().toDateString()

/** How often lists without events are loaded again, in milliseconds. */
const POLL = 2000

/** Calls a function every two seconds while the page is visible: for lists of all sessions, which have no events here. */
export function useEvery(run: () => void, isOn: boolean, pace = POLL): void {
  const latest = useRef(run)
  latest.current = run
  useLayoutEffect(() => {
    if (!isOn) return undefined
    const timer = setInterval(() => {
      if (!document.hidden) latest.current?.()
    }, pace)
    return () => clearInterval(timer)
  }, [isOn])
}

export interface LoadedPath<Value> {
  /** The last value that was loaded for this path; undefined before the first. */
  readonly value: Value | undefined
  /** Why the last load failed. */
  readonly error: ApiError | undefined
  readonly reload: () => void
}

interface Loaded<Value> {
  readonly path: string | undefined
  readonly value?: Value | undefined
  readonly error?: ApiError | undefined
}

/**
 * Reads a path of the admin API, and again after each of the given events. A late response to an earlier load is dropped.
 *
 * @param path undefined for nothing
 * @param parse `JSON.parse` by default, which rounds integers above 2^53: use `String` for data of the service.
 */
export function useResource<Value>(
  path: string | undefined,
  on: readonly SourceEvent['kind'][] = ['state'],
  parse: (text: string) => Value = JSON.parse,
): LoadedPath<Value> {
  const { source } = useLive()
  const [loaded, setLoaded] = useState<Loaded<Value>>({ path: undefined })
  const current = useRef<AbortController | null>(null)
  /** An event came in during the load. */
  const isDue = useRef(false)

  const load = (): void => {
    current.current?.abort()
    if (path === undefined) return
    const attempt = new AbortController()
    current.current = attempt
    void source
      .readText(path, attempt.signal)
      .then((text) => setLoaded((last) => (attempt.signal.aborted ? last : { path, value: parse(text) })))
      .catch((error: unknown) => {
        if (attempt.signal.aborted) return
        const failure = error instanceof ApiError ? error : new ApiError(0, toErrorSentence(error))
        const shown = failure.isUnreachable ? undefined : failure
        setLoaded((last) => ({ path, value: last.path === path ? last.value : undefined, error: shown }))
      })
      .finally(() => {
        if (attempt.signal.aborted) return
        current.current = null
        if (isDue.current) throttled()
        isDue.current = false
      })
  }
  // A load that takes longer than the pace of events is not given up for the next one.
  const throttled = useThrottle(() => {
    if (current.current === null) load()
    else isDue.current = true
  })
  useLayoutEffect(() => {
    load()
    return () => current.current?.abort()
  }, [path, source])
  useEvents((event) => {
    if (event === undefined || on.includes(event.kind)) throttled()
  })
  const isCurrent = loaded.path === path
  return {
    value: isCurrent ? loaded.value : undefined,
    error: isCurrent ? loaded.error : undefined,
    reload: load,
  }
}

export interface Action {
  /** Runs a write; a second call is ignored until the first one has finished. Resolves to whether it succeeded. */
  readonly run: (write: () => Promise<unknown>, done?: string) => Promise<boolean>
  readonly isBusy: boolean
  /** Why the last write failed. */
  readonly error: Error | undefined
}

/** State for writes: `run(() => source.send('DELETE', '/requests'), 'Requests cleared.')`. */
export function useAction(): Action {
  const { notify } = useLive()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error | undefined>(undefined)
  const running = useRef(false)
  return {
    isBusy,
    error,
    async run(write, done) {
      if (running.current) return false
      running.current = true
      setBusy(true)
      setError(undefined)
      try {
        await write()
        if (done !== undefined) notify(done)
        return true
      } catch (failure) {
        setError(failure instanceof Error ? failure : new Error(toErrorSentence(failure)))
        return false
      } finally {
        running.current = false
        setBusy(false)
      }
    },
  }
}

/** Whether a list should stay still: the pointer is over it or the focus is in it. Spread `holdProps` on its element. */
export function useHold() {
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  return {
    isHeld: isPointed || isFocused,
    holdProps: {
      onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && setPointed(true),
      onPointerLeave: () => setPointed(false),
      // Not the focus that a click leaves behind: the pointer says whether the list is in use.
      onFocusIn: ({ target }: FocusEvent) => setFocused(target instanceof Element && target.matches(':focus-visible')),
      onFocusOut: () => setFocused(false),
    },
  }
}

/**
 * Keeps the value of a list while it is held.
 *
 * @param key when it changes, the list changes at once
 */
export function useHeld<Value>(latest: Value, key: string) {
  const { isHeld: isHold, holdProps } = useHold()
  const [shown, setShown] = useState({ value: latest, key })
  const isHeld = isHold && shown.key === key
  useLayoutEffect(() => {
    if (!isHeld && (shown.value !== latest || shown.key !== key)) setShown({ value: latest, key })
  }, [isHeld, latest, key])
  return { value: isHeld ? shown.value : latest, holdProps }
}

const MOST_PENDING = 20

/** The requests that have had no response for some time. */
export function usePending(): readonly PendingRequest[] {
  const live = useLive()
  const [pending, setPending] = useState<readonly PendingRequest[]>([])
  const show = useThrottle(() => {
    if (live.pending.size > 0 || pending.length > 0) setPending([...live.pending.values()].slice(0, MOST_PENDING))
  })
  useLayoutEffect(show, [live])
  useEvents(show)
  return pending
}
