import type { PendingRequest } from '../../sessions/events.ts'
import type { ServeEvent } from '../row.ts'
import { hasEnded, isThere, tellEnd } from './ended.ts'

/** The state of the event stream. */
export type StreamState = 'live' | 'lost' | 'refused'

/** The event stream of the mock. */
export interface Stream {
  /** Connects again after the session had ended. */
  connect(): void
}

interface StreamListeners {
  readonly url: string
  readonly onRequest: (event: ServeEvent) => void
  readonly onPending: (request: PendingRequest) => void
  /** Data or scenarios changed. */
  readonly onChange: () => void
  /** The whole session changed, as by a reset: its requests may be gone too. */
  readonly onReplace: () => void
  /** `why` is the sentence of a refusal. */
  readonly onState: (state: StreamState, why?: string) => void
  /** The stream is open, for the first time or again: earlier events were missed. */
  readonly onOpen: (isAgain: boolean) => void
}

/** The data of a `state` event. */
interface StateEvent {
  readonly session: string
  readonly project?: unknown
  readonly ended?: true
  readonly final?: true
}

interface StreamRefusal {
  readonly status: number
  readonly message: string
}

/** Asks the mock why it refuses the stream; undefined if it does not refuse or does not say. */
async function askWhy(url: string): Promise<StreamRefusal | undefined> {
  const heard = new AbortController()
  try {
    const response = await fetch(url, { cache: 'no-store', signal: heard.signal })
    if (response.ok) return undefined
    const { message } = (await response.json()) as { readonly message: string }
    return { status: response.status, message }
  } catch {
    return undefined
  } finally {
    heard.abort()
  }
}

/** How long to wait before a new attempt after the browser gave up, in milliseconds. */
const PATIENCE = 1000

/**
 * Listens to the events of the mock while the page is visible: browsers allow few connections. A page that becomes visible
 * again loads what it missed.
 */
export function openStream({
  url,
  onRequest,
  onPending,
  onChange,
  onReplace,
  onState,
  onOpen,
}: StreamListeners): Stream {
  let source: EventSource | undefined
  let wasOpen = false

  function connect(): void {
    const opened = new EventSource(url)
    source = opened
    opened.addEventListener('open', () => {
      onState('live')
      onOpen(wasOpen)
      wasOpen = true
    })
    opened.addEventListener('error', () => {
      if (source !== opened) return
      // Browsers reconnect by themselves unless they were refused.
      if (opened.readyState === EventSource.CLOSED) void tryAgain(opened)
      else onState('lost')
    })
    opened.addEventListener('request', ({ data }: MessageEvent<string>) => onRequest(JSON.parse(data) as ServeEvent))
    opened.addEventListener('pending', ({ data }: MessageEvent<string>) =>
      onPending(JSON.parse(data) as PendingRequest),
    )
    opened.addEventListener('state', ({ data }: MessageEvent<string>) => {
      const { session, project, ended, final = false } = JSON.parse(data) as StateEvent
      if (ended === true && tellEnd(session, final)) return stop()
      if (ended === true && session === document.body.dataset['session']) {
        // The default session starts again by itself, but its stream has ended.
        disconnect()
        return connect()
      }
      onChange()
      if (project === undefined) onReplace()
    })
    opened.addEventListener('scenario', onChange)
  }

  /** Reconnects after a refusal; after a 4xx only when the page becomes visible again. */
  async function tryAgain(refused: EventSource): Promise<void> {
    const refusal = await askWhy(url)
    if (source !== refused) return
    const isFinal = refusal !== undefined && refusal.status < 500
    onState(isFinal ? 'refused' : 'lost', refusal?.message)
    if (isFinal) {
      source = undefined
      return
    }
    setTimeout(() => {
      if (source === refused) connect()
    }, PATIENCE)
  }

  function stop(): void {
    disconnect()
    onState('refused')
  }

  function disconnect(): void {
    source?.close()
    source = undefined
  }

  /** Reconnects unless the session has ended meanwhile. */
  async function comeBack(): Promise<void> {
    if (source !== undefined || hasEnded()) return
    if (await isThere()) {
      if (source === undefined && !document.hidden) connect()
    } else if (tellEnd(document.body.dataset['session'], false)) stop()
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) disconnect()
    else void comeBack()
  })
  window.addEventListener('pagehide', disconnect)
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void comeBack()
  })
  connect()
  return { connect }
}

/** What the page says about the event stream. */
export const STATES: Readonly<Record<string, string>> = {
  live: 'Live',
  lost: 'Reconnecting…',
  refused: 'Not live',
  paused: 'Paused',
}
