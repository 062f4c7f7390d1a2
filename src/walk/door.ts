import { isCorrelationId } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { parseAddress } from '../http/address.ts'
import type { Address } from '../http/address.ts'
import type { Connection } from '../http/connection.ts'
import { parsePrefer } from '../http/prefer.ts'
import { createHeaderReader } from '../http/read-header.ts'
import { redactUrl } from '../journal/redact.ts'
import type { RequestLog } from '../options.ts'
import { toSessionName } from '../sessions/sessions.ts'

/** Where a request is aimed whose URL cannot be read. */
const NOWHERE: Address = { session: undefined, baseUrl: undefined, prefix: '', path: '/', search: '' }

function toAddress(url: string, mountedAt: string | undefined): Address {
  const address = parseAddress(url)
  return mountedAt === undefined ? address : { ...address, prefix: mountedAt + address.prefix }
}

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

/** Writes epoch milliseconds as ISO 8601, once for all requests of one millisecond. */
function createTimeWriter(): (at: number) => string {
  let lastAt = Number.NaN
  let lastTime = ''
  return function toTime(at) {
    if (at === lastAt) return lastTime
    lastAt = at
    lastTime = new Date(at).toISOString()
    return lastTime
  }
}

export function createDoor({ clock, elapsed, newId }: DoorParts): Door {
  const prefix = newId().slice(0, 18)
  const toTime = createTimeWriter()
  let count = 0
  const newCorrelationId = () => {
    count += 1
    return `${prefix}-${count.toString(36).padStart(6, '0')}`
  }

  return {
    open(request, connection) {
      let address = NOWHERE
      let fault: unknown
      try {
        address = toAddress(request.url, connection?.mountedAt)
      } catch (thrown) {
        fault = thrown
      }
      const header = createHeaderReader(request, connection)
      const asked = header('x-correlation-id')
      return {
        request,
        header,
        connection,
        address,
        receivedAt: clock(),
        startedAt: elapsed(),
        correlationId: asked !== undefined && isCorrelationId(asked) ? asked : newCorrelationId(),
        session: fault === undefined ? toSessionName(address.session, header) : '',
        entered: undefined,
        preferences: parsePrefer(header('prefer')),
        operation: undefined,
        projectKey: undefined,
        requestBody: undefined,
        sent: undefined,
        isRecorded: false,
        warnings: [],
        scenarios: [],
        isFaked: false,
        brokenBy: undefined,
        fault,
      }
    },
    toLog(exchange, status) {
      const { request, receivedAt, startedAt, operation, correlationId, session, scenarios, warnings } = exchange
      return {
        time: toTime(receivedAt),
        method: request.method,
        // It may hold the admin API's token, or an OAuth form (D31).
        target: redactUrl(request.url.slice(request.url.indexOf('/', request.url.indexOf('//') + 2))),
        status,
        // To the microsecond: more digits would tell nobody anything.
        durationMilliseconds: Math.round((elapsed() - startedAt) * 1000) / 1000,
        correlationId,
        operation,
        session,
        scenarios,
        warnings,
      }
    },
  }
}
