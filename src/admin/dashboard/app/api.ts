import { shareBetweenWindows } from './shared-stream.ts'
import { toAnswerKey } from './shared-data.ts'
import type { SharedData } from './shared-data.ts'

/** The kinds of events that the mock publishes. */
export const EVENT_KINDS = ['request', 'pending', 'state', 'scenario', 'test', 'run'] as const

export interface SourceEvent {
  readonly kind: (typeof EVENT_KINDS)[number]
  /** As documented in docs/journal.md, section "Events". */
  readonly data: unknown
}

/** `ended`: the session was deleted. `refused`: the mock does not accept the connection. */
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'refused' | 'ended' | 'offline'

/**
 * Where the dashboard's data come from: a mock, or a file. Paths are those of the admin API, without `/__admin`, such as
 * `/requests?limit=10`.
 */
export interface Source {
  readonly session: string
  readonly isReadOnly: boolean
  /** Whether the data come from a file. It has only some views. */
  readonly isFile: boolean
  /** Whether a path can be read: a file has only some. */
  has(path: string): boolean
  /** @throws {ApiError} with the mock's sentence. */
  readText(path: string, signal?: AbortSignal): Promise<string>
  /** @throws {ApiError} with the mock's sentence. */
  send(method: string, path: string, body?: unknown): Promise<unknown>
  /** The URL of a path, for links and downloads. */
  toUrl(path: string): string
  /** Follows events until the returned function is called. */
  follow(parts: {
    readonly onEvent: (event: SourceEvent) => void
    readonly onConnection: (connection: ConnectionState) => void
  }): () => void
}

const NOT_RESPONDING = 'The mock is not responding.'

/** A request that failed. Its message is a sentence for the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** 0 if there was no response. */
  readonly status: number
  /** Where in the text that was sent, counted from 1. */
  readonly position: { readonly line: number; readonly column: number } | undefined

  /** Whether the mock did not respond. The page says so once, for all requests. */
  readonly isUnreachable: boolean

  constructor(status: number, message: string, position?: ApiError['position']) {
    super(message)
    this.status = status
    this.position = position
    this.isUnreachable = message === NOT_RESPONDING
  }
}

export const toErrorSentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function toApiError(status: number, text: string): ApiError {
  try {
    const json: unknown = JSON.parse(text)
    if (isRecord(json) && typeof json['message'] === 'string') {
      const [first] = Array.isArray(json['errors']) ? (json['errors'] as readonly unknown[]) : []
      const { line, column } = isRecord(first) ? first : {}
      const isPlaced = typeof line === 'number' && typeof column === 'number'
      return new ApiError(status, json['message'], isPlaced ? { line, column } : undefined)
    }
  } catch {
    // A proxy in front of the mock may answer with HTML.
  }
  return new ApiError(status, `The mock answered with status ${status}.`)
}

/** What a stream of events tells: the state of its connection, or an event. */
type StreamNews = ConnectionState | SourceEvent

/** How long to wait before reconnecting after the browser gave up, in milliseconds. */
const RECONNECT = 1000

/**
 * Creates the source for a mock.
 *
 * @param home the path of the admin API, such as `/@worker-1/__admin`
 * @param isArchived whether the session has ended, so that its data are read-only and have no events
 */
export function createMockSource(home: string, session: string, isArchived = false): Source {
  function toUrl(path: string): string {
    const url = new URL(home + path, location.origin)
    if (!url.searchParams.has('session') && !home.includes(`/@${session}/`)) url.searchParams.set('session', session)
    return url.pathname + url.search
  }

  async function call(path: string, init: RequestInit): Promise<string> {
    let response: Response
    let text: string
    try {
      response = await fetch(toUrl(path), { cache: 'no-store', ...init })
      text = await response.text()
    } catch (error) {
      if (init.signal?.aborted === true) throw error
      throw new ApiError(0, NOT_RESPONDING)
    }
    if (!response.ok) throw toApiError(response.status, text)
    return text
  }

  const follow: Source['follow'] = ({ onEvent, onConnection }) => {
    if (isArchived) {
      onConnection('offline')
      return () => undefined
    }
    const url = toUrl('/events?pending=true')
    return shareBetweenWindows<StreamNews>(url, {
      receive: (news) => (typeof news === 'string' ? onConnection(news) : onEvent(news)),
      open: (tell) => openStream(url, tell),
    })
  }

  /** Opens the stream of events, again whenever it is lost. Returns what closes it. */
  function openStream(url: string, tell: (news: StreamNews) => void): () => void {
    let stream: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined

    /** A refused stream does not report the reason; a health check shows whether another attempt is worthwhile. */
    async function reconnect(): Promise<void> {
      const error = await call('/version', {}).then(
        () => undefined,
        (failure: unknown) => failure,
      )
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
      tell(isRefused ? 'refused' : 'lost')
      if (!isRefused && !document.hidden) timer = setTimeout(connect, RECONNECT)
    }

    function connect(): void {
      disconnect()
      const opened = new EventSource(url)
      stream = opened
      opened.addEventListener('open', () => tell('live'))
      opened.addEventListener('error', () => {
        if (stream !== opened) return
        tell('lost')
        if (opened.readyState === EventSource.CLOSED) void reconnect()
      })
      for (const kind of EVENT_KINDS) {
        opened.addEventListener(kind, ({ data: text }: MessageEvent<string>) => {
          const data: unknown = JSON.parse(text)
          const isEnd = kind === 'state' && isRecord(data) && data['ended'] === true && data['session'] === session
          if (!isEnd) return tell({ kind, data })
          disconnect()
          // The default session starts again by itself.
          if (session === 'default') connect()
          else tell('ended')
        })
      }
    }

    function disconnect(): void {
      clearTimeout(timer)
      stream?.close()
      stream = undefined
    }

    connect()
    return disconnect
  }

  return {
    session,
    isReadOnly: isArchived,
    isFile: false,
    has: () => true,
    toUrl,
    readText: (path, signal) => call(path, signal === undefined ? {} : { signal }),
    async send(method, path, body) {
      const text = await call(path, {
        method,
        ...(body === undefined
          ? {}
          : {
              body: typeof body === 'string' ? body : JSON.stringify(body),
              headers: { 'Content-Type': 'application/json' },
            }),
      })
      const answer: unknown = text === '' ? undefined : JSON.parse(text)
      return answer
    },
    follow,
  }
}

/** Creates the source for a self-contained page. */
export function createFileSource(session: string, answers: SharedData['answers']): Source {
  // Runs belong to no session.
  const find = (path: string): string | undefined => answers[toAnswerKey(path, session)] ?? answers[toAnswerKey(path)]
  return {
    session,
    isReadOnly: true,
    isFile: true,
    has: (path) => find(path) !== undefined,
    toUrl: (path) => path,
    async readText(path) {
      if (/[?&](?:filter|sort)=/.test(path)) throw new ApiError(0, 'A file cannot filter or sort its requests.')
      const text = find(path)
      if (text === undefined) throw new ApiError(404, 'This file does not contain that.')
      return text
    },
    async send() {
      throw new ApiError(0, 'This file is read-only.')
    },
    follow({ onConnection }) {
      onConnection('offline')
      return () => undefined
    },
  }
}
