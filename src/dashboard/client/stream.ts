import type { ServeEvent } from '../row.ts'

/** Whether the mock can be heard. */
export type StreamState = 'live' | 'lost'

interface StreamParts {
  readonly url: string
  readonly onRequest: (event: ServeEvent) => void
  /** Something else than a request happened: data or scenarios changed. */
  readonly onChange: () => void
  /** All that the session has was replaced, as by a reset: its requests may be gone too. */
  readonly onReplace: () => void
  readonly onState: (state: StreamState) => void
  /** The stream is there, once more or for the first time: what happened before was missed. */
  readonly onOpen: (isAgain: boolean) => void
}

/** So long it waits to try again where the browser gave up, in milliseconds. */
const PATIENCE = 1000

/**
 * Hears what happens in the mock, for as long as the page is seen: browsers have few connections to spare, and a page
 * that comes back into sight asks for what it missed.
 */
export function openStream({ url, onRequest, onChange, onReplace, onState, onOpen }: StreamParts): void {
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
      onState('lost')
      // A browser tries again by itself, unless it was refused.
      if (opened.readyState !== EventSource.CLOSED) return
      setTimeout(() => {
        if (source === opened) connect()
      }, PATIENCE)
    })
    // What the mock itself sends is as it says it is.
    opened.addEventListener('request', ({ data }: MessageEvent<string>) => onRequest(JSON.parse(data) as ServeEvent))
    opened.addEventListener('state', ({ data }: MessageEvent<string>) => {
      onChange()
      // What the mock itself sends is an object.
      if (!('project' in (JSON.parse(data) as object))) onReplace()
    })
    opened.addEventListener('scenario', onChange)
  }

  function disconnect(): void {
    source?.close()
    source = undefined
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) disconnect()
    else if (source === undefined) connect()
  })
  window.addEventListener('pagehide', disconnect)
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && source === undefined) connect()
  })
  connect()
}
