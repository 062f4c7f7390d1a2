import { createExchange } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { parseAddress } from './http/address.ts'
import type { Address } from './http/address.ts'
import type { Connection } from './http/connection.ts'
import { redactUrl } from './journal/redact.ts'
import type { RequestLog } from './options.ts'
import { toSessionName } from './sessions.ts'

/** Where a request is aimed whose URL cannot be read. */
const NOWHERE: Address = { session: undefined, baseUrl: undefined, prefix: '', path: '/', search: '' }

/** The door that every request comes in by, and is noted at when it leaves. */
export interface Door {
  open(request: Request, connection: Connection | undefined): Exchange
  toLog(exchange: Exchange, status: number): RequestLog
}

interface DoorParts {
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
  readonly newId: () => string
}

export function createDoor({ clock, elapsed, newId }: DoorParts): Door {
  const prefix = newId().slice(0, 18)
  let count = 0
  const newCorrelationId = () => {
    count += 1
    return `${prefix}-${count.toString(36).padStart(6, '0')}`
  }

  return {
    open(request, connection) {
      const at = { request, connection, receivedAt: clock(), startedAt: elapsed() }
      try {
        const address = parseAddress(request.url)
        const session = toSessionName(address.session, request.headers)
        return createExchange({ ...at, address, session }, newCorrelationId)
      } catch (fault) {
        return { ...createExchange({ ...at, address: NOWHERE, session: '' }, newCorrelationId), fault }
      }
    },
    toLog({ request, receivedAt, startedAt, operation, ...exchange }, status) {
      return {
        time: new Date(receivedAt).toISOString(),
        method: request.method,
        // It may hold the admin API's token, or an OAuth form (D31).
        target: redactUrl(request.url.slice(request.url.indexOf('/', request.url.indexOf('//') + 2))),
        status,
        durationMilliseconds: elapsed() - startedAt,
        correlationId: exchange.correlationId,
        ...(operation === undefined ? {} : { operation }),
        session: exchange.session,
        scenarios: exchange.scenarios,
        warnings: exchange.warnings,
      }
    },
  }
}
