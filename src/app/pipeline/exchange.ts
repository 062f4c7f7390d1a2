import type { CalledOperation } from '../../service/contract/endpoints.ts'
import type { PathParameters } from '../../service/contract/paths.ts'
import { keepWarning } from '../../service/contract/check.ts'
import type { Warn, Warnings } from '../../service/contract/check.ts'
import { problem } from '../../errors.ts'
import {
  parseAddress,
  splitUrl,
  findSessionName,
  createHeaderReader,
  expectShortHead,
  isCorrelationId,
  parsePrefer,
} from '../../service/http/request-head.ts'
import type { Address, Preferences, ReadHeader } from '../../service/http/request-head.ts'
import type { Connection, FaultName } from '../../service/http/connection.ts'
import type { CorsPolicy } from '../../service/http/cors.ts'
import { toRecordedBody } from '../../sessions/journal/record.ts'
import type { RecordedBody, RecordedExchange, RecordedHeaders } from '../../sessions/journal/record.ts'
import type { Additions } from '../../service/scenarios/effects.ts'
import { DEFAULT_SESSION } from '../../sessions/session-names.ts'
import type { Session, Sessions } from '../../sessions/sessions.ts'
import { memoize, memoizeLast } from '../../util/collections.ts'
import { toKeptTime, toTime } from '../../service/state/change.ts'
import { parseDelayHeader } from '../../service/http/connection.ts'

/** The type of `c.env` in Hono handlers. */
export interface Env {
  Bindings: { exchange: Exchange }
}

/** How a request reached the mock. */
export interface Origin {
  /** Absent for in-process requests. */
  readonly connection?: Connection | undefined
  /** The path that an in-process mock is mounted at, such as `/mock`. */
  readonly mountedAt?: string
  /** Whether this process sent the request to its own admin API. */
  readonly isInternal?: boolean
  /** Whether the mock sends the request for somebody else: it reaches the service only, however its URL is written. */
  readonly isForService?: boolean
}

/** Members of an exchange that are known before it is created. */
type KnownMembers = Pick<
  Exchange,
  'address' | 'urlProblem' | 'correlationId' | 'header' | 'time' | 'startedAt' | 'cors'
>

const NO_NAMES: readonly string[] = []
const WITHOUT_HEADERS: Readonly<Record<string, string>> = {}
const NO_PARAMETERS: PathParameters = {}

/** One request and its response. Each pipeline step stores its results here, and the journal keeps the object. */
export class Exchange implements Warnings, RecordedExchange {
  // The request.

  readonly method: string
  readonly address: Address
  /** The URL from the path on, as sent. */
  readonly target: string
  /** Reads a request header by its lowercase name. */
  header: ReadHeader
  /** Absent for in-process requests and after the end of the exchange. */
  connection: Connection | undefined
  /** From the mock's clock, in epoch milliseconds. */
  readonly time: number
  /** From a monotonic clock, in milliseconds, for durations. */
  readonly startedAt: number
  readonly correlationId: string
  /** The session name from the request. */
  readonly sessionName: string
  readonly preferences: Preferences
  readonly traceparent: string | undefined
  /** Whether this process sent the request to its own admin API; such requests are not logged. */
  readonly isInternal: boolean
  /** Whether the request may reach the service only, not the admin API. */
  readonly isForService: boolean
  /** Why the URL is invalid; thrown when the app handles the request. */
  readonly urlProblem: unknown
  #request: Request | undefined
  #requestHeaders: RecordedHeaders | undefined = undefined
  #clientAddress: string | undefined = undefined

  // Results of the pipeline.

  /** The session, after the request has entered it. */
  session: Session | undefined = undefined
  /** The {@link Session.era} in which it entered. */
  era = 0
  /** Whether the request creates its session if it does not exist yet. */
  startsSession = true
  operation: CalledOperation | undefined = undefined
  parameters: PathParameters = NO_PARAMETERS
  /** The body as read, decompressed. */
  requestBody: string | Uint8Array | undefined = undefined
  /** Which browser origins may read the response. */
  cors: CorsPolicy
  warnings: readonly string[] = NO_NAMES
  /** The number of warnings that were not kept because there were too many. */
  unkeptWarnings = 0
  /** The scenarios with rules that fired. */
  scenarios: readonly string[] = NO_NAMES
  /** Whether a scenario produced the response. */
  isSimulated = false
  /** Whether a scenario changed the operation's input, such as the token or the data. */
  isChangedByScenario = false
  /** What scenarios add to the response. */
  additions: Additions | undefined = undefined
  /** Whether it matched no endpoint and was forwarded to the `--passthrough` service. */
  isPassedThrough = false
  /** Whether it has been recorded, or must not be. */
  isRecorded = false
  onRecorded: (() => void) | undefined = undefined

  // The response.

  /** 0 until there is a response, and if a fault broke the connection. */
  status = 0
  responseHeaders: Headers | Readonly<Record<string, string>> = WITHOUT_HEADERS
  responseBody: string | Uint8Array | undefined = undefined
  /** The fault that broke the connection. */
  fault: FaultName | undefined = undefined
  durationMilliseconds = 0

  // Bodies for the journal, set at the end of the exchange.

  keptRequestBody: RecordedBody | undefined = undefined
  keptResponseBody: RecordedBody | undefined = undefined

  constructor(request: Request, { connection, isInternal = false, isForService = false }: Origin, known: KnownMembers) {
    const { address, urlProblem, correlationId, header } = known
    this.#request = request
    this.method = connection?.method ?? request.method
    this.address = address
    // The request target as sent, if it is in origin form (RFC 9112, section 3.2.1); otherwise the URL from the
    // path on.
    const sent = connection?.target
    // Prefers the address's string, which all requests with this URL share.
    this.target = sent === undefined || sent === address.target || !sent.startsWith('/') ? address.target : sent
    this.header = header
    this.connection = connection
    this.time = known.time
    this.startedAt = known.startedAt
    this.correlationId = correlationId
    const isReadable = urlProblem === undefined && connection?.refusal === undefined
    this.sessionName = (isReadable ? (address.session ?? findSessionName(header)) : undefined) ?? DEFAULT_SESSION
    this.preferences = parsePrefer(header('prefer'))
    this.traceparent = header('traceparent')
    this.isInternal = isInternal
    this.isForService = isForService
    this.urlProblem = urlProblem
    this.cors = known.cors
  }

  /** @throws {Error} after the end of the exchange. */
  get request(): Request {
    if (this.#request === undefined) throw new Error('The exchange has ended, and its request has been released.')
    return this.#request
  }

  /** Replaces a request whose body has been read, so that it can be served again. */
  set request(request: Request) {
    this.#request = request
  }

  get projectKey(): string | undefined {
    return this.parameters['projectKey']
  }

  /** The absolute URL. */
  get url(): string {
    return this.address.origin + this.target
  }

  get requestHeaders(): RecordedHeaders {
    // An in-process request belongs to its caller, who may change it, so its headers are copied.
    return this.#requestHeaders ?? this.connection?.rawHeaders ?? new Headers(this.request.headers)
  }

  get clientAddress(): string | undefined {
    return this.#clientAddress ?? this.connection?.remoteAddress
  }

  /** @throws {Problem} 503 if the session was reset or has ended since the request entered it. */
  expectCurrent(): void {
    const { session } = this
    if (session === undefined || session.era === this.era) return
    throw problem.overCapacity(
      `Session "${session.name}" ${session.hasEnded ? 'ended' : 'was reset'} while this request waited, so the request changed nothing.`,
    )
  }

  /** Releases the request and the connection and keeps only the data for the journal. */
  end(shareHeaders: (headers: RecordedHeaders) => RecordedHeaders): void {
    this.#requestHeaders = shareHeaders(this.requestHeaders)
    this.#clientAddress = this.clientAddress
    this.#request = undefined
    this.connection = undefined
    this.header = () => undefined
    this.session = undefined
    this.additions = undefined
    this.keptRequestBody = toRecordedBody(this.requestBody)
    this.requestBody = undefined
    this.keptResponseBody = this.method === 'HEAD' ? undefined : toRecordedBody(this.responseBody)
    this.responseBody = undefined
  }
}

/** The address of a request with an invalid URL. */
const NO_ADDRESS: Address = {
  origin: '',
  target: '/',
  session: undefined,
  baseUrl: undefined,
  prefix: '',
  path: '/',
  search: '',
}

/** Removes the mount path from a URL; leaves a URL without it unchanged, because the server has already removed it. */
function removeMount(url: string, mountedAt: string): string {
  const { origin, target } = splitUrl(url)
  const below = target.slice(mountedAt.length)
  if (!target.startsWith(mountedAt) || !/^(?:[/?]|$)/.test(below)) return url
  return `${origin}${below.startsWith('/') ? '' : '/'}${below}`
}

/**
 * Creates a function that returns epoch milliseconds as ISO 8601 with milliseconds and Z. It formats each second once:
 * `toISOString` takes longer than most steps of a request.
 */
export function createToTime(): (at: number) => string {
  const toSecond = memoizeLast((second: number) => toTime(second * 1000).slice(0, -'000Z'.length))
  return function toTimeOfExchange(at) {
    const time = toKeptTime(Math.trunc(at))
    const second = Math.floor(time / 1000)
    return `${toSecond(second)}${String(time - second * 1000).padStart(3, '0')}Z`
  }
}

/** Creates a function that creates exchanges. */
export function createExchanges({
  cors,
  clock,
  elapsed,
  newId,
}: {
  readonly cors: CorsPolicy
  /** The mock's clock, in epoch milliseconds. */
  readonly clock: () => number
  /** A monotonic clock, in milliseconds. */
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

  /** The address, or the reason why the URL is invalid or too long. */
  function findAddress(
    url: string,
    mountedAt: string | undefined,
    inProcess: Request | undefined,
  ): Pick<Exchange, 'address' | 'urlProblem'> {
    try {
      if (inProcess !== undefined) expectShortHead(inProcess)
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
    const { address, urlProblem } = findAddress(
      url,
      isBelowMount ? mountedAt : connection?.mountedAt,
      connection === undefined ? request : undefined,
    )
    const correlationId = toCorrelationId(header('x-correlation-id'))
    const known = { address, urlProblem, correlationId, header, time: clock(), startedAt: elapsed(), cors }
    return new Exchange(request, origin, known)
  }
}

/** Creates a function that collects a request's warnings; with `--strict` it rejects the request instead. */
export function createWarn(exchange: Exchange, strict: boolean): Warn {
  return function warn(id, sentence, severity) {
    if (strict && severity !== 'tolerated') {
      throw problem.invalidInput(`--strict turns this warning into an error: ${id} ${sentence}`, {
        decision: id,
      })
    }
    keepWarning(exchange, `${id} ${sentence}`)
  }
}

/** Options for entering a session. */
interface Entrance {
  /** Default: the session named in the request. */
  readonly name?: string
  /** Awaited before entering. Default: until writes of other mocks to the session are loaded. */
  readonly behind?: Promise<void> | undefined
  /** Whether another service responds to the request and checks its headers. */
  readonly isForwarded?: boolean
}

/**
 * Enters a request's session and checks the headers that are common to all requests. A request enters only one session.
 *
 * @throws {Problem} 400 for an invalid name or header, 503 if the session limit is reached.
 */
export type EnterSession = (exchange: Exchange, entrance?: Entrance) => Promise<Session>

/** @throws {Problem} 400 for an invalid correlation id. */
function expectCorrelationId({ header, correlationId }: Exchange): void {
  const asked = header('x-correlation-id')
  if (asked === undefined || asked === correlationId) return
  throw problem.invalidField({
    field: 'X-Correlation-ID',
    invalidValue: asked.slice(0, 200),
    message: 'Invalid X-Correlation-ID header. Use 8 to 256 of A-Z, a-z, 0-9, "_" and "-".',
  })
}

/**
 * Creates the only way to enter a session.
 *
 * @param catchUp loads the writes of other mocks to a request's session; returns undefined if there is nothing to wait for
 * @param onEnter called when a request has entered its session
 */
export function createEnterSession(
  sessions: Sessions,
  catchUp: (exchange: Exchange) => Promise<void> | undefined,
  onEnter: (exchange: Exchange, session: string) => void,
): EnterSession {
  return async function enterSession(exchange, entrance = {}) {
    const { name = exchange.sessionName, isForwarded = false } = entrance
    if (exchange.session === undefined) await ('behind' in entrance ? entrance.behind : catchUp(exchange))
    const entered = exchange.session
    const session = entered ?? (exchange.startsSession ? sessions.enter(name) : sessions.peek(name))
    exchange.session = session
    if (entered === undefined) exchange.era = session.era
    if (!isForwarded) {
      expectCorrelationId(exchange)
      const delay = exchange.header('x-mock-delay')
      if (delay !== undefined) parseDelayHeader(delay)
    }
    if (entered === undefined) onEnter(exchange, session.name)
    return session
  }
}
