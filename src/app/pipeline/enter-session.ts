import { keepWarning } from '../../service/contract/check.ts'
import { decision } from '../../service/contract/decisions.ts'
import { controlHeaders, parseControls } from '../../service/http/control-headers.ts'
import type { Warn } from '../../service/contract/check.ts'
import { problem } from '../../errors.ts'
import type { Session, Sessions } from '../../sessions/sessions.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import type { Exchange } from './exchange.ts'

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

/** Enters the session that a request names, without waiting for other mocks. */
export type EnterAtOnce = (exchange: Exchange, entrance?: Pick<Entrance, 'name' | 'isForwarded'>) => Session

/** @throws {Problem} 400 for an invalid correlation id. */
function expectCorrelationId({ headers, correlationId }: Exchange): void {
  const asked = headers['x-correlation-id']
  if (asked === undefined || asked === correlationId) return
  throw problem.invalidField({
    field: 'X-Correlation-ID',
    invalidValue: asked.slice(0, 200),
    message: 'Invalid X-Correlation-ID header. Use 8 to 256 of A-Z, a-z, 0-9, "_" and "-".',
  })
}

const controlNames = Object.values(controlHeaders).map(({ name }) => name)

/** @throws {Problem} 400 for an invalid control header, or for an unknown one under `--strict`. */
function readControls(exchange: Exchange, strict: boolean): void {
  exchange.controls = parseControls(exchange.requestHeaders, exchange.header)
  for (const name of exchange.controls.unknown ?? []) {
    const hint = didYouMean(name, controlNames)
    createWarn(exchange, strict)(decision('D99'), `Unknown header "${name}" is ignored.${hint}`)
  }
}

/**
 * Creates the only way to enter a session.
 *
 * @param onEnter called when a request has entered its session
 */
export function createEnterAtOnce(
  sessions: Sessions,
  onEnter: (exchange: Exchange, session: string) => void,
  strict: boolean,
): EnterAtOnce {
  return function enterAtOnce(exchange, { name = exchange.sessionName, isForwarded = false } = {}) {
    const entered = exchange.session
    const session = entered ?? (exchange.startsSession ? sessions.enter(name) : sessions.peek(name))
    exchange.session = session
    if (entered === undefined) exchange.era = session.era
    if (!isForwarded) expectCorrelationId(exchange)
    // The headers of a request that the server refuses may be anything.
    if (entered === undefined && exchange.connection?.refusal === undefined) readControls(exchange, strict)
    if (entered === undefined) onEnter(exchange, session.name)
    return session
  }
}

/** @param catchUp loads the writes of other mocks to a request's session; absent without a shared store */
export function createEnterSession(
  enterAtOnce: EnterAtOnce,
  catchUp: ((exchange: Exchange) => Promise<void> | undefined) | undefined,
): EnterSession {
  return async function enterSession(exchange, entrance = {}) {
    if (exchange.session === undefined) {
      const behind = 'behind' in entrance ? entrance.behind : catchUp?.(exchange)
      if (behind !== undefined) await behind
    }
    return enterAtOnce(exchange, entrance)
  }
}
