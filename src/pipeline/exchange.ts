import type { OperationId } from '../contract/endpoints.ts'
import type { PathParameters } from '../contract/paths.ts'
import { keepWarning } from '../contract/check.ts'
import type { Warn, Warnings } from '../contract/check.ts'
import { problem } from '../errors.ts'
import { parseAddress, splitUrl, findSessionName, createHeaderReader, parsePrefer } from '../http/request-head.ts'
import type { Address, Preferences, ReadHeader } from '../http/request-head.ts'
import type { Connection, FaultName } from '../http/connection.ts'
import type { CorsPolicy } from '../http/cors.ts'
import { toRecordedBody } from '../journal/record.ts'
import type { RecordedBody, RecordedExchange, RecordedHeaders } from '../journal/record.ts'
import type { Additions } from '../scenarios/effects.ts'
import { DEFAULT_SESSION } from '../sessions/sessions.ts'
import type { Session, Sessions } from '../sessions/sessions.ts'
import { memoize } from '../util/collections.ts'
import { parseDelayHeader } from '../http/connection.ts'

/** What Hono hands to every handler as `c.env`. */
export interface Env {
  Bindings: { exchange: Exchange }
}

/** How a request reached the mock. */
export interface Origin {
  /** Absent in-process. */
  readonly connection?: Connection | undefined
  /** The path that an in-process mock is mounted under, such as `/mock`. */
  readonly mountedAt?: string
  /** Whether this process itself sent it to the admin API. */
  readonly isInternal?: boolean
}

/** What is known of a request before its exchange starts. */
type KnownMembers = Pick<
  Exchange,
  'address' | 'urlProblem' | 'correlationId' | 'header' | 'time' | 'startedAt' | 'cors'
>

const NONE: readonly string[] = []
const NO_HEADERS: Readonly<Record<string, string>> = {}
const NO_PARAMETERS: PathParameters = {}
const readNothing: ReadHeader = () => undefined

/** The request target as it was sent, if it is in origin form (RFC 9112, section 3.2.1); else the URL from the path on. */
function toTarget({ target }: Address, connection: Connection | undefined): string {
  const sent = connection?.target
  // The address is shared by all requests of its URL, and so is its text.
  return sent === undefined || sent === target || !sent.startsWith('/') ? target : sent
}

/**
 * One request and its response. The steps of the pipeline write down in it what they find out, and the journal keeps it as it is.
 */
export class Exchange implements Warnings, RecordedExchange {
  // What came in.

  readonly method: string
  readonly address: Address
  /** The URL from the path on, as it was sent. */
  readonly target: string
  /** Reads a request header by its lower-case name. */
  header: ReadHeader
  /** Absent in-process, and once the exchange has ended. */
  connection: Connection | undefined
  /** Epoch milliseconds by the mock's clock. */
  readonly time: number
  /** Milliseconds of a monotonic clock, for durations. */
  readonly startedAt: number
  readonly correlationId: string
  /** The name of the session that the request names. */
  readonly sessionName: string
  readonly preferences: Preferences
  /** The header `traceparent`. */
  readonly traceparent: string | undefined
  /** Whether this process itself sent it to the admin API: it is not logged. */
  readonly isInternal: boolean
  /** Why the URL cannot be read; thrown once the request is in the app. */
  readonly urlProblem: unknown
  #request: Request | undefined
  #requestHeaders: RecordedHeaders | undefined = undefined
  #clientAddress: string | undefined = undefined

  // What was found out.

  /** The session, once the request has entered it. */
  session: Session | undefined = undefined
  /** Whether the request starts its session, if no request has yet. */
  startsSession = true
  operation: OperationId | undefined = undefined
  parameters: PathParameters = NO_PARAMETERS
  /** Decompressed, as it was read. */
  requestBody: string | Uint8Array | undefined = undefined
  /** Which browser origins may read the response. */
  cors: CorsPolicy
  warnings: readonly string[] = NONE
  /** How many warnings came after the last one that was kept. */
  unkeptWarnings = 0
  /** The scenarios whose rules fired. */
  scenarios: readonly string[] = NONE
  /** Whether a scenario made up the response. */
  isSimulated = false
  /** Whether a scenario changed what the operation meets, such as the token or the data. */
  isTwisted = false
  /** What scenarios add to the response. */
  additions: Additions | undefined = undefined
  /** Whether it met no endpoint and went to the service of `--passthrough`. */
  isPassedThrough = false
  /** Whether it was recorded, or must not be. */
  isRecorded = false

  // What went out.

  /** 0 until there is a response, and if a fault broke the connection. */
  status = 0
  responseHeaders: Headers | Readonly<Record<string, string>> = NO_HEADERS
  responseBody: string | Uint8Array | undefined = undefined
  /** The fault that broke the connection. */
  fault: FaultName | undefined = undefined
  durationMilliseconds = 0

  // What the journal keeps of the bodies, once the exchange has ended.

  keptRequestBody: RecordedBody | undefined = undefined
  keptResponseBody: RecordedBody | undefined = undefined

  constructor(request: Request, { connection, isInternal = false }: Origin, known: KnownMembers) {
    const { address, urlProblem, correlationId, header } = known
    this.#request = request
    this.method = request.method
    this.address = address
    this.target = toTarget(address, connection)
    this.header = header
    this.connection = connection
    this.time = known.time
    this.startedAt = known.startedAt
    this.correlationId = correlationId
    this.sessionName = urlProblem === undefined ? (address.session ?? findSessionName(header) ?? DEFAULT_SESSION) : ''
    this.preferences = parsePrefer(header('prefer'))
    this.traceparent = header('traceparent')
    this.isInternal = isInternal
    this.urlProblem = urlProblem
    this.cors = known.cors
  }

  /** @throws {Error} once the exchange has ended. */
  get request(): Request {
    if (this.#request === undefined) throw new Error('The exchange has ended, and its request was released.')
    return this.#request
  }

  /** Replaces a request whose body was read, so that it can be served again. */
  set request(request: Request) {
    this.#request = request
  }

  get projectKey(): string | undefined {
    return this.parameters['projectKey']
  }

  /** Absolute. */
  get url(): string {
    return this.address.origin + this.target
  }

  get requestHeaders(): RecordedHeaders {
    // A request that came in-process belongs to its caller, who may change it.
    return this.#requestHeaders ?? this.connection?.rawHeaders ?? new Headers(this.request.headers)
  }

  get clientAddress(): string | undefined {
    return this.#clientAddress ?? this.connection?.remoteAddress
  }

  /** Releases the request and the connection: only what the journal shows is left. */
  end(shareHeaders: (headers: RecordedHeaders) => RecordedHeaders): void {
    this.#requestHeaders = shareHeaders(this.requestHeaders)
    this.#clientAddress = this.clientAddress
    this.#request = undefined
    this.connection = undefined
    this.header = readNothing
    this.session = undefined
    this.additions = undefined
    this.keptRequestBody = toRecordedBody(this.requestBody)
    this.requestBody = undefined
    this.keptResponseBody = this.method === 'HEAD' ? undefined : toRecordedBody(this.responseBody)
    this.responseBody = undefined
  }
}

/** The address of a request whose URL cannot be read. */
const NO_ADDRESS: Address = {
  origin: '',
  target: '/',
  session: undefined,
  baseUrl: undefined,
  prefix: '',
  path: '/',
  search: '',
}

/** The URL without the path that the mock is mounted under; another URL is taken as one that the server removed it from. */
function removeMount(url: string, mountedAt: string): string {
  const { origin, target } = splitUrl(url)
  const below = target.slice(mountedAt.length)
  if (!target.startsWith(mountedAt) || !/^(?:[/?]|$)/.test(below)) return url
  return `${origin}${below.startsWith('/') ? '' : '/'}${below}`
}

const CORRELATION_ID = /^[A-Za-z0-9_-]{8,256}$/

/** Whether a client's `X-Correlation-ID` can be echoed. */
export const isCorrelationId = (text: string): boolean => CORRELATION_ID.test(text)

/** Creates the function that starts exchanges. */
export function createExchanges({
  cors,
  clock,
  elapsed,
  newId,
}: {
  readonly cors: CorsPolicy
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly newId: () => string
}) {
  const correlationPrefix = newId().slice(0, 18)
  const toAddress = memoize(parseAddress)
  let count = 0

  function toCorrelationId(asked: string | undefined): string {
    if (asked !== undefined && isCorrelationId(asked)) return asked
    count += 1
    return `${correlationPrefix}-${count.toString(36).padStart(6, '0')}`
  }

  /** The address, or why the URL has none. */
  function findAddress(url: string, mountedAt: string | undefined): Pick<Exchange, 'address' | 'urlProblem'> {
    try {
      const address = toAddress(url)
      if (mountedAt === undefined) return { address, urlProblem: undefined }
      return { address: { ...address, prefix: mountedAt + address.prefix }, urlProblem: undefined }
    } catch (urlProblem) {
      return { address: { ...NO_ADDRESS, ...splitUrl(url) }, urlProblem }
    }
  }

  return function createExchange(request: Request, origin: Origin = {}): Exchange {
    const { connection, mountedAt = '' } = origin
    const url = mountedAt === '' ? request.url : removeMount(request.url, mountedAt)
    const isBelowMount = url !== request.url
    const header = createHeaderReader(request, connection)
    const { address, urlProblem } = findAddress(url, isBelowMount ? mountedAt : connection?.mountedAt)
    const correlationId = toCorrelationId(header('x-correlation-id'))
    const known = { address, urlProblem, correlationId, header, time: clock(), startedAt: elapsed(), cors }
    return new Exchange(request, origin, known)
  }
}

/** Collects a request's warnings; under `--strict` the first one refuses the request. */
export function createWarn(exchange: Exchange, strict: boolean): Warn {
  return function warn(id, sentence, severity) {
    if (strict && severity !== 'tolerated') {
      throw problem.invalidInput(`--strict refuses what is only warned of otherwise: ${id} ${sentence}`, {
        decision: id,
      })
    }
    keepWarning(exchange, `${id} ${sentence}`)
  }
}

/** How a request enters its session, if not as usual. */
interface Entrance {
  /** Default: the session that the request names. */
  readonly name?: string
  /** Awaited first. Default: what other mocks wrote to the session. */
  readonly behind?: Promise<void> | undefined
  /** Whether another service answers the request and checks its headers. */
  readonly isForwarded?: boolean
}

/**
 * Enters the session of a request, and checks the headers that every request may have. A request enters one session only.
 *
 * @returns a promise only if there is something to wait for
 * @throws {Problem} 400 for a malformed name or header, 503 if the session limit is reached.
 */
export type EnterSession = (exchange: Exchange, entrance?: Entrance) => Session | Promise<Session>

/** @throws {Problem} 400 for a malformed correlation id. */
function expectCorrelationId({ header, correlationId }: Exchange): void {
  const asked = header('x-correlation-id')
  if (asked === undefined || asked === correlationId) return
  throw problem.invalidField({
    field: 'X-Correlation-ID',
    invalidValue: asked.slice(0, 200),
    message: 'The header X-Correlation-ID must be 8 to 256 of A-Z, a-z, 0-9, "_" and "-".',
  })
}

/** @throws {Problem} 400 for a malformed header that every request may have. */
function expectHeaders(exchange: Exchange): void {
  expectCorrelationId(exchange)
  const delay = exchange.header('x-mock-delay')
  if (delay !== undefined) parseDelayHeader(delay)
}

/**
 * Creates the one way into a session.
 *
 * @param catchUp takes over what other mocks wrote to the session of a request; undefined if there is nothing to wait for
 * @param onEnter called when a request has entered its session
 */
export function createEnterSession(
  sessions: Sessions,
  catchUp: (exchange: Exchange) => Promise<void> | undefined,
  onEnter: (exchange: Exchange, session: string) => void,
): EnterSession {
  function enter(exchange: Exchange, { name = exchange.sessionName, isForwarded = false }: Entrance): Session {
    const entered = exchange.session
    const session = entered ?? (exchange.startsSession ? sessions.enter(name) : sessions.peek(name))
    exchange.session = session
    if (!isForwarded) expectHeaders(exchange)
    if (entered === undefined) onEnter(exchange, session.name)
    return session
  }

  function findBehind(exchange: Exchange, entrance: Entrance): Promise<void> | undefined {
    if (exchange.session !== undefined) return undefined
    return 'behind' in entrance ? entrance.behind : catchUp(exchange)
  }

  return function enterSession(exchange, entrance = {}) {
    const behind = findBehind(exchange, entrance)
    return behind === undefined ? enter(exchange, entrance) : behind.then(() => enter(exchange, entrance))
  }
}
