import type { CalledOperation } from '../../service/contract/endpoints.ts'
import type { PathParameters } from '../../service/contract/paths.ts'
import { NO_CONTROLS } from '../../service/http/control-headers.ts'
import type { Warnings } from '../../service/contract/check.ts'
import { problem } from '../../errors.ts'
import {
  parseAddress,
  splitUrl,
  findCookie,
  toHeaderReader,
  expectShortHead,
  isCorrelationId,
} from '../../service/http/request-head.ts'
import type { Address, ReadHeader } from '../../service/http/request-head.ts'
import type { Connection, FaultName } from '../../service/http/connection.ts'
import type { CorsPolicy } from '../../service/http/cors.ts'
import { CLIENT_DISCONNECTED } from '../../sessions/journal/failure-kinds.ts'
import { toRecordedBody } from '../../sessions/journal/record.ts'
import type { KeptMembers } from '../../sessions/journal/record.ts'
import type { KeptExchange } from '../../sessions/journal/kept-exchange.ts'
import type { Additions } from '../../service/scenarios/effects.ts'
import { DEFAULT_SESSION } from '../../sessions/session-names.ts'
import type { Session } from '../../sessions/sessions.ts'
import { memoize, memoizeLast } from '../../util/collections.ts'
import { toKeptTime, toTime } from '../../service/state/change.ts'
import type { LogPosition } from '../../service/state/change.ts'

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

/** The headers of a request by lowercase name; only `set-cookie`, which no client sends, may be a list. */
type ReadHeaders = Readonly<Partial<Record<HeaderName, string>>>

type HeaderName = 'authorization' | 'cookie' | 'origin' | 'traceparent' | 'x-correlation-id' | 'x-mock-session'

const findSentSession = (headers: ReadHeaders): string | undefined =>
  headers['x-mock-session'] ?? findCookie(headers.cookie)

/** Members of an exchange that are known before it is created. */
type KnownMembers = Pick<
  Exchange,
  'address' | 'urlProblem' | 'correlationId' | 'headers' | 'header' | 'requestHeaders' | 'time' | 'startedAt' | 'cors'
>

const NO_NAMES: readonly string[] = []
const WITHOUT_HEADERS: Readonly<Record<string, string>> = {}
const NO_PARAMETERS: PathParameters = {}

/** One request and its response. Each pipeline step stores its results here. */
export class Exchange implements Warnings {
  // The request.

  readonly method: string
  readonly address: Address
  /** The URL from the path on, as sent. */
  readonly target: string
  /** By lowercase name. Reading a member that is written out is ten times as fast as {@link header}. */
  readonly headers: ReadHeaders
  /** Reads a request header by its lowercase name. */
  readonly header: ReadHeader
  /** Alternating names and values. */
  readonly requestHeaders: readonly string[]
  /** Absent for in-process requests. */
  readonly connection: Connection | undefined
  /** From the mock's clock, in epoch milliseconds. */
  readonly time: number
  /** From a monotonic clock, in milliseconds, for durations. */
  readonly startedAt: number
  readonly correlationId: string
  /** The session name from the request. */
  readonly sessionName: string
  readonly traceparent: string | undefined
  /** Whether this process sent the request to its own admin API; such requests are not logged. */
  readonly isInternal: boolean
  /** Whether the request may reach the service only, not the admin API. */
  readonly isForService: boolean
  /** Why the URL is invalid; thrown when the app handles the request. */
  readonly urlProblem: unknown
  /** Replaced once its body has been read, so that it can be served again. */
  request: Request

  // Results of the pipeline.

  /** The session, after the request has entered it. */
  session: Session | undefined = undefined
  /** The {@link Session.era} in which it entered. */
  era = 0
  /** Where the session's log was, if the request reads before the writes of other mocks to the session are loaded. */
  readAt: LogPosition | undefined = undefined
  /** Whether those writes were loaded since, and it runs again. */
  runsAgain = false
  /** Whether a shared store has its journal entry already. */
  isStored = false
  /** What the request asks of the mock, after it has entered its session. */
  controls = NO_CONTROLS
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
  /** The scopes of its token; undefined if it has no token, or one that allows everything. */
  scopes: ReadonlySet<string> | undefined = undefined
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
  /** In the journal, if it was recorded there. */
  kept: KeptExchange | undefined = undefined
  /** Called if the client leaves while it gets the response. */
  onLeave: ((exchange: Exchange) => void) | undefined = undefined
  onRecorded: (() => void) | undefined = undefined

  // The response.

  /** 0 until there is a response, and if the connection broke before it. */
  status = 0
  responseHeaders: Headers | Readonly<Record<string, string>> = WITHOUT_HEADERS
  responseBody: string | Uint8Array | undefined = undefined
  /** What broke the connection. */
  fault: FaultName | typeof CLIENT_DISCONNECTED | undefined = undefined
  durationMilliseconds = 0
  /** Delays of scenarios, `X-Mock-Delay` or `--delay`, in milliseconds. */
  addedDelay = 0
  /** Whether its operation has changed the data. */
  hasWritten = false
  clientLeft = false

  constructor(request: Request, { connection, isInternal = false, isForService = false }: Origin, known: KnownMembers) {
    const { address, urlProblem, correlationId, headers, header, requestHeaders } = known
    this.request = request
    this.method = connection?.method ?? request.method
    this.address = address
    // The request target as sent, if it is in origin form (RFC 9112, section 3.2.1); otherwise the URL from the
    // path on.
    const sent = connection?.target
    // Prefers the address's string, which all requests with this URL share.
    this.target = sent === undefined || sent === address.target || !sent.startsWith('/') ? address.target : sent
    this.headers = headers
    this.header = header
    this.requestHeaders = requestHeaders
    this.connection = connection
    this.time = known.time
    this.startedAt = known.startedAt
    this.correlationId = correlationId
    const isReadable = urlProblem === undefined && connection?.refusal === undefined
    this.sessionName = (isReadable ? (address.session ?? findSentSession(headers)) : undefined) ?? DEFAULT_SESSION
    this.traceparent = headers.traceparent
    this.isInternal = isInternal
    this.isForService = isForService
    this.urlProblem = urlProblem
    this.cors = known.cors
  }

  get projectKey(): string | undefined {
    return this.parameters['projectKey']
  }

  /** The absolute URL. */
  get url(): string {
    const { address, target } = this
    return target === address.target ? address.url : address.origin + target
  }

  /** @throws {Problem} 503 if the session was reset or has ended since the request entered it. */
  expectCurrent(): void {
    const { session } = this
    if (session === undefined || session.era === this.era) return
    throw problem.overCapacity(
      `Session "${session.name}" ${session.interruption} while this request waited, so the request changed nothing.`,
    )
  }

  /** Forgets the results of a read that runs again. */
  restart(): void {
    this.session = undefined
    this.readAt = undefined
    this.runsAgain = true
    this.scopes = undefined
    this.warnings = NO_NAMES
    this.unkeptWarnings = 0
    this.status = 0
  }

  /** Replaces the response, which nobody has received. */
  leave(): void {
    this.hasWritten &&= this.status < 400
    this.clientLeft = true
    this.fault = CLIENT_DISCONNECTED
    this.status = 0
    this.responseHeaders = WITHOUT_HEADERS
    this.responseBody = undefined
  }

  /** Whether it changed the data after its client had left. */
  get tookEffect(): boolean {
    return this.clientLeft && this.hasWritten
  }

  /** What the journal keeps: small, because it stays when all else of the exchange is gone. */
  toKept(shareHeaders: (headers: readonly string[]) => readonly string[]): KeptMembers {
    const { method, requestBody, responseBody } = this
    return {
      time: this.time,
      durationMilliseconds: this.durationMilliseconds,
      // A client that leaves ends its delay.
      addedDelay: Math.min(this.addedDelay, this.durationMilliseconds),
      sessionName: this.sessionName,
      correlationId: this.correlationId,
      operation: this.operation,
      projectKey: this.projectKey,
      scopes: this.scopes,
      isPassedThrough: this.isPassedThrough,
      clientLeft: this.clientLeft,
      tookEffect: this.tookEffect,
      scenarios: this.scenarios,
      warnings: this.warnings,
      unkeptWarnings: this.unkeptWarnings,
      method,
      url: this.url,
      requestHeaders: shareHeaders(this.requestHeaders),
      keptRequestBody: toRecordedBody(requestBody),
      clientAddress: this.connection?.remoteAddress,
      status: this.status,
      responseHeaders: this.responseHeaders,
      keptResponseBody: method === 'HEAD' ? undefined : toRecordedBody(responseBody),
      fault: this.fault,
    }
  }
}

/** The address of a request with an invalid URL. */
const NO_ADDRESS: Address = {
  origin: '',
  target: '/',
  url: '/',
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

/** Reads the headers of a request once: `Headers` is slow, and its owner may change it. */
function readHeaders(
  request: Request,
  connection: Connection | undefined,
): Pick<Exchange, 'headers' | 'header' | 'requestHeaders'> {
  const { headers, rawHeaders } = connection ?? {}
  if (headers !== undefined && rawHeaders !== undefined) {
    return { headers, header: toHeaderReader(headers), requestHeaders: rawHeaders }
  }
  const requestHeaders: string[] = []
  const values: Record<string, string> = {}
  request.headers.forEach((value, name) => {
    requestHeaders.push(name, value)
    // Names are in lower case (Fetch standard, section 5.1), but happy-dom leaves them as they were written.
    values[name.toLowerCase()] = value
  })
  return { headers: values, header: toHeaderReader(values), requestHeaders }
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
  // Created for the first request: Node's web cryptography takes as long to load as half of everything else in a mock.
  let correlationPrefix: string | undefined
  const toAddress = memoize(parseAddress)
  let count = 0

  function toCorrelationId(asked: string | undefined): string {
    if (asked !== undefined && isCorrelationId(asked)) return asked
    correlationPrefix ??= `${newId().slice(0, 18)}-`
    count += 1
    return correlationPrefix + count.toString(36).padStart(6, '0')
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
    const { url: sentUrl } = request
    const url = mountedAt === '' ? sentUrl : removeMount(sentUrl, mountedAt)
    const isBelowMount = url !== sentUrl
    const { headers, header, requestHeaders } = readHeaders(request, connection)
    const { address, urlProblem } = findAddress(
      url,
      isBelowMount ? mountedAt : connection?.mountedAt,
      connection === undefined ? request : undefined,
    )
    const correlationId = toCorrelationId(headers['x-correlation-id'])
    return new Exchange(request, origin, {
      address,
      urlProblem,
      correlationId,
      headers,
      header,
      requestHeaders,
      time: clock(),
      startedAt: elapsed(),
      cors,
    })
  }
}
