import type { ServeEvent } from '../row.ts'
import { hasEnded, isThere, tellEnd } from './ended.ts'

/** Whether the mock can be heard. */
export type StreamState = 'live' | 'lost' | 'refused'

/** What hears the mock. */
export interface Stream {
  /** Hears it again after the session had ended. */
  connect(): void
}

interface StreamParts {
  readonly url: string
  readonly onRequest: (event: ServeEvent) => void
  /** Something else than a request happened: data or scenarios changed. */
  readonly onChange: () => void
  /** All that the session has was replaced, as by a reset: its requests may be gone too. */
  readonly onReplace: () => void
  /** Whether the mock can be heard; where it refuses to be, the sentence that says why. */
  readonly onState: (state: StreamState, why?: string) => void
  /** The stream is there, once more or for the first time: what happened before was missed. */
  readonly onOpen: (isAgain: boolean) => void
}

/** What happened, as the mock tells it: what it sends is as it says it is. */
interface StateEvent {
  readonly session: string
  readonly project?: unknown
  readonly ended?: true
  readonly final?: true
}

interface Refusal {
  readonly status: number
  readonly message: string
}

/** Asks the mock why it refuses to be heard; undefined where it does not, or does not say. */
async function askWhy(url: string): Promise<Refusal | undefined> {
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

/** So long it waits to try again where the browser gave up, in milliseconds. */
const PATIENCE = 1000

/**
 * Hears what happens in the mock, for as long as the page is seen: browsers have few connections to spare, and a page
 * that comes back into sight asks for what it missed.
 */
export function openStream({ url, onRequest, onChange, onReplace, onState, onOpen }: StreamParts): Stream {
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
      // A browser tries again by itself, unless it was refused.
      if (opened.readyState === EventSource.CLOSED) void tryAgain(opened)
      else onState('lost')
    })
    opened.addEventListener('request', ({ data }: MessageEvent<string>) => onRequest(JSON.parse(data) as ServeEvent))
    opened.addEventListener('state', ({ data }: MessageEvent<string>) => {
      const { session, project, ended, final = false } = JSON.parse(data) as StateEvent
      if (ended === true && tellEnd(session, final)) return stop()
      if (ended === true && session === document.body.dataset['session']) {
        // The stream ends with it, and it begins anew by itself.
        disconnect()
        return connect()
      }
      onChange()
      if (project === undefined) onReplace()
    })
    opened.addEventListener('scenario', onChange)
  }

  /** Comes again after a refusal; where it is the client's own fault, not before someone looks at the page anew. */
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

  /** Hears the mock again, unless the session has ended meanwhile. */
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
