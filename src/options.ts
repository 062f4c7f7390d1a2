/** How bearer tokens are judged (D32). */
export type AuthMode = 'off' | 'lenient' | 'strict'
/** Whether bodies hold the documented fields only, or a resource's identity too (D5). */
export type Identity = 'header' | 'body'

/**
 * A span of milliseconds; `from` equals `to` for a fixed delay.
 *
 * @example const delay: Delay = { from: 100, to: 500 }
 */
export interface Delay {
  readonly from: number
  readonly to: number
}

/** One line of the request log: what was asked and how it was answered. */
export interface RequestLog {
  /** ISO 8601, when the request came in. */
  readonly time: string
  readonly method: string
  /** Path and query as the client sent them. */
  readonly target: string
  readonly status: number
  readonly durationMilliseconds: number
  readonly correlationId: string
  /** Absent where the request met no operation. */
  readonly operation?: string | undefined
  readonly session: string
  /** Scenarios whose rules acted. */
  readonly scenarios: readonly string[]
  /** `<D-number> <sentence>` each. */
  readonly warnings: readonly string[]
}

/**
 * Where state is kept across restarts: whole texts, one write at a time.
 *
 * @example
 * const persistence: Persistence = {
 *   read: async () => localStorage.getItem('mock') ?? undefined,
 *   write: async (text) => localStorage.setItem('mock', text),
 * }
 */
export interface Persistence {
  /** What a sentence about it begins with, such as `The state file state.json`. Default `The kept state`. */
  readonly name?: string
  /** The text last written, or undefined when there is none yet. */
  read(): Promise<string | undefined>
  /** Resolves when the text is kept; until then the old text stays whole. */
  write(text: string): Promise<void>
}

/**
 * What `createMock` takes; every member has the default that the command line has.
 *
 * @example
 * const options: MockOptions = {
 *   auth: 'off',
 *   scenario: ['slow', 'conflict-once'],
 *   fixtures: { 'resources.json': '[{ "key": "linen-shirt", "objectTypeProperty": {} }]' },
 * }
 */
export interface MockOptions {
  /** Fixture texts by file name, such as `resources.json`; each replaces the built-in one of that name. */
  readonly fixtures?: Readonly<Record<string, string>>
  /** Names of the scenarios that every session starts with; several stack in order. Default none. */
  readonly scenario?: string | readonly string[]
  /** Scenario file texts by file name, such as `conflict.json`; each replaces the built-in one of that name. */
  readonly scenarios?: Readonly<Record<string, string>>
  /** Default `lenient`. */
  readonly auth?: AuthMode
  /** What issued tokens are signed with; default: random, so that tokens end with the mock. */
  readonly tokenSecret?: string
  /** `id:secret` each; default: any client is admitted (D31). */
  readonly clients?: readonly string[]
  /** Refuses what is otherwise only warned of (D1, D2, D4, D17). Default false. */
  readonly strict?: boolean
  /** Holds every answer to the contract; one that breaks it becomes a 500 that says where. Default false. */
  readonly checkResponses?: boolean
  /** Default `header`. */
  readonly identity?: Identity
  /** Resources made by faker beside the fixtures' own. Default 0. */
  readonly generate?: number
  /** Seeds what is made or chosen by chance. Default 1. */
  readonly seed?: number
  /** ISO 8601; freezes the clock. Default: the real one. */
  readonly clock?: string
  /** On every endpoint. Default none. */
  readonly delay?: Delay
  /** `any`, or the browser origins that may call; `off`: no CORS headers at all. Default `any`. */
  readonly cors?: 'any' | 'off' | readonly string[]
  /** The largest JSON body in bytes, after decompression. Default 10 MiB. */
  readonly maxBody?: number
  /** Default 1000. */
  readonly maxSessions?: number
  /** Idle milliseconds after which a session may go when room is needed. Default one hour. */
  readonly sessionTtl?: number
  /** Exchanges that each session's journal keeps; 0: none. Default 1000. */
  readonly journal?: number
  /** Bytes that the journals of all sessions keep together; past it the oldest exchanges go. Default 64 MiB. */
  readonly journalBytes?: number
  /** Further names of headers, parameters and members whose values are never shown, such as `email`. Default none. */
  readonly redact?: readonly string[]
  /** Bytes of images that a session keeps; past it an upload is 413. Default 100 MiB. */
  readonly imageBytes?: number
  /** Whether the admin API and the dashboard answer requests. A session's handle in this process works without. Default true. */
  readonly admin?: boolean
  /** What the admin API asks for as `Authorization: Bearer`; without one it answers this machine alone. */
  readonly adminToken?: string
  /** Further browser origins that may call the admin API, such as `http://localhost:3000`. */
  readonly adminOrigins?: readonly string[]
  /** The address that the mock listens on, which the admin API then answers by. */
  readonly host?: string
  /** Called when the admin API is asked to end the mock, after that is answered. */
  readonly onShutdown?: () => void
  /** Default: memory only. */
  readonly persistence?: Persistence
  /** Called once a request, after its answer is made. */
  readonly onRequest?: (entry: RequestLog) => void
  /** Called with what the mock itself failed on; the client sees a bare 500. Default: `console.error`. */
  readonly onFault?: (fault: unknown, correlationId: string) => void
}
