import { isCorrelationId } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { toWarningList } from '../contract/warning.ts'
import { parseTarget } from '../http/address.ts'
import type { Address } from '../http/address.ts'
import type { Arrival } from '../http/arrival.ts'
import type { Redactor } from '../journal/redact.ts'
import type { RequestLog } from '../journal/request-log.ts'
import { rememberLast, rememberMany } from '../remember.ts'
import { Visit } from './visit.ts'

/** Where a request is aimed whose URL cannot be read. */
const NOWHERE: Address = { session: undefined, baseUrl: undefined, prefix: '', path: '/', search: '' }

/** The door that every request comes in by, and is noted at when it leaves. */
export interface Door {
  open(arrival: Arrival): Exchange
  toLog(exchange: Exchange, status: number): RequestLog
}

interface DoorParts {
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
  readonly newId: () => string
  readonly redactor: Redactor
}

export function createDoor({ clock, elapsed, newId, redactor }: DoorParts): Door {
  const prefix = newId().slice(0, 18)
  const toTime = rememberLast((at: number) => new Date(at).toISOString())
  const addressesOf = rememberLast((origin: string) => rememberMany((target) => parseTarget(origin, target)))
  let count = 0
  const newCorrelationId = () => {
    count += 1
    return `${prefix}-${count.toString(36).padStart(6, '0')}`
  }

  function toAddress({ origin, target, connection, mountedAt = connection?.mountedAt }: Arrival): Address {
    const address = addressesOf(origin)(target)
    return mountedAt === undefined ? address : { ...address, prefix: mountedAt + address.prefix }
  }

  return {
    open(arrival) {
      let address = NOWHERE
      let fault: unknown
      try {
        address = toAddress(arrival)
      } catch (thrown) {
        fault = thrown
      }
      const asked = arrival.header('x-correlation-id')
      const correlationId = asked !== undefined && isCorrelationId(asked) ? asked : newCorrelationId()
      return new Visit({ arrival, address, fault, correlationId, receivedAt: clock(), startedAt: elapsed() })
    },
    toLog(exchange, status) {
      const { method, target, receivedAt, startedAt, operation, correlationId, session, scenarios } = exchange
      return {
        time: toTime(receivedAt),
        method,
        // It may hold a token, or an OAuth form (D31).
        target: redactor.url(target),
        status,
        // To the microsecond: more digits would tell nobody anything.
        durationMilliseconds: Math.round((elapsed() - startedAt) * 1000) / 1000,
        correlationId,
        operation,
        session,
        scenarios,
        warnings: toWarningList(exchange),
      }
    },
  }
}
