import type { OperationId } from '../contract/endpoints.ts'
import { keepWarning } from '../contract/warning.ts'
import type { Warn, Warnings } from '../contract/warning.ts'
import { problem } from '../errors.ts'
import { parseAddress, splitUrl } from '../http/address.ts'
import type { Address } from '../http/address.ts'
import type { Connection } from '../http/connection.ts'
import type { CorsPolicy } from '../http/cors.ts'
import type { FaultName } from '../http/fault.ts'
import { createHeaderReader, parsePrefer } from '../http/request-headers.ts'
import type { Preferences, ReadHeader } from '../http/request-headers.ts'
import { findSessionName } from '../http/session-name.ts'
import type { Additions } from '../scenarios/effects.ts'
import { DEFAULT_SESSION } from '../sessions/session-name.ts'
import type { Session } from '../sessions/session.ts'
import { memoize } from '../util/memoize.ts'

/** What was answered, by reference: nothing of it changes once it is sent. */
export interface Sent {
  readonly status: number
  readonly headers: Headers | Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** A request, and what the steps of the pipeline have found out about it so far. */
export interface RequestContext extends Warnings {
  readonly request: Request
  readonly method: string
  /** Scheme and authority of the URL. */
  readonly origin: string
  /** The URL from the path on, as it was sent. */
  readonly target: string
  readonly header: ReadHeader
  /** Absent in-process. */
  readonly connection: Connection | undefined
  readonly address: Address
  /** Epoch milliseconds by the mock's clock. */
  readonly receivedAt: number
  /** Milliseconds of a monotonic clock, for durations. */
  readonly startedAt: number
  readonly correlationId: string
  /** The name of the session that the request names. */
  readonly session: string
  /** Whether it begins that session, if no request has yet. */
  beginsSession: boolean
  /** The session, once it was entered. */
  entered: Session | undefined
  readonly preferences: Preferences
  /** Which browser origins may read the response. */
  cors: CorsPolicy
  /** Whether this process itself sent it to the admin API: it is not logged. */
  readonly isInternal: boolean
  operation: OperationId | undefined
  projectKey: string | undefined
  /** Decompressed, as it was read. */
  requestBody: string | Uint8Array | undefined
  sent: Sent | undefined
  /** Whether it was recorded, or must not be. */
  isRecorded: boolean
  readonly scenarios: string[]
  /** What scenarios add to the response. */
  additions: Additions | undefined
  /** Whether a scenario made up the response. */
  isFaked: boolean
  /** Whether a scenario changed what the operation meets, such as the token or the data. */
  isTwisted: boolean
  /** Whether it met no endpoint and went to the service of `--passthrough`. */
  isPassedThrough: boolean
  /** The fault that broke the connection. */
  brokenBy: FaultName | undefined
  /** Why the URL cannot be read; thrown once the request is in the app. */
  readonly fault: unknown
}

/** What Hono hands to every handler as `c.env`. */
export interface Env {
  Bindings: { context: RequestContext }
}

interface RequestContextParts {
  readonly cors: CorsPolicy
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly newId: () => string
}

interface Origin {
  readonly connection?: Connection | undefined
  /** The path that an in-process mock is mounted under, such as `/mock`. */
  readonly mountedAt?: string
  readonly isInternal?: boolean
}

export type CreateRequestContext = (request: Request, origin?: Origin) => RequestContext

/** The address of a request whose URL cannot be read. */
const NO_ADDRESS: Address = { session: undefined, baseUrl: undefined, prefix: '', path: '/', search: '' }

/** The URL without the path that the mock is mounted under; another URL is taken as one that the server removed it from. */
function removeMount(url: string, mountedAt: string): string {
  const { origin, target } = splitUrl(url)
  const below = target.slice(mountedAt.length)
  if (!target.startsWith(mountedAt) || !/^(?:[/?]|$)/.test(below)) return url
  return `${origin}${below.startsWith('/') ? '' : '/'}${below}`
}

/** The request target as it was sent, where it is in origin form (RFC 9112, section 3.2.1). */
const findSentTarget = (connection: Connection | undefined): string | undefined =>
  connection?.target?.startsWith('/') === true ? connection.target : undefined

const CORRELATION_ID = /^[A-Za-z0-9_-]{8,256}$/

/** Whether a client's `X-Correlation-ID` can be echoed. */
export const isCorrelationId = (text: string): boolean => CORRELATION_ID.test(text)

/** Creates the function that starts the context of each request. */
export function createRequestContexts({ cors, clock, elapsed, newId }: RequestContextParts): CreateRequestContext {
  const correlationPrefix = newId().slice(0, 18)
  const toAddress = memoize(parseAddress)
  let count = 0

  function newCorrelationId(): string {
    count += 1
    return `${correlationPrefix}-${count.toString(36).padStart(6, '0')}`
  }

  /** The address, or why the URL has none. */
  function findAddress(url: string, mountedAt: string | undefined): Pick<RequestContext, 'address' | 'fault'> {
    try {
      const address = toAddress(url)
      const prefix = mountedAt === undefined ? address.prefix : mountedAt + address.prefix
      return { address: mountedAt === undefined ? address : { ...address, prefix }, fault: undefined }
    } catch (fault) {
      return { address: NO_ADDRESS, fault }
    }
  }

  return function createRequestContext(request, { connection, mountedAt = '', isInternal = false } = {}) {
    const url = mountedAt === '' ? request.url : removeMount(request.url, mountedAt)
    const isBelowMount = url !== request.url
    const { address, fault } = findAddress(url, isBelowMount ? mountedAt : connection?.mountedAt)
    const { origin, target } = splitUrl(url)
    const header = createHeaderReader(request, connection)
    const asked = header('x-correlation-id')
    return {
      request,
      method: request.method,
      origin,
      target: findSentTarget(connection) ?? target,
      header,
      connection,
      address,
      receivedAt: clock(),
      startedAt: elapsed(),
      correlationId: asked !== undefined && isCorrelationId(asked) ? asked : newCorrelationId(),
      session: fault === undefined ? (address.session ?? findSessionName(header) ?? DEFAULT_SESSION) : '',
      beginsSession: true,
      entered: undefined,
      preferences: parsePrefer(header('prefer')),
      cors,
      isInternal,
      operation: undefined,
      projectKey: undefined,
      requestBody: undefined,
      sent: undefined,
      isRecorded: false,
      warnings: [],
      unkeptWarnings: 0,
      scenarios: [],
      additions: undefined,
      isFaked: false,
      isTwisted: false,
      isPassedThrough: false,
      brokenBy: undefined,
      fault,
    }
  }
}

/** Collects a request's warnings; under `--strict` the first one refuses the request. */
export function createWarn(context: RequestContext, strict: boolean): Warn {
  return function warn(id, sentence, severity) {
    if (strict && severity !== 'tolerated') {
      throw problem.invalidInput(`--strict refuses what is only warned of otherwise: ${id} ${sentence}`, {
        decision: id,
      })
    }
    keepWarning(context, `${id} ${sentence}`)
  }
}
