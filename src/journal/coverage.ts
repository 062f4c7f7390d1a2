import type { OperationId } from '../contract/endpoints.ts'
import { findJson } from '../http/json.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import { countRecovery, countResponse, countScenario, createTally, findRecoveryKind } from './tally.ts'
import type { RecoveryKind, Tally } from './tally.ts'

/** What is counted of a request and its response. */
export interface AnsweredRequest {
  readonly operation: OperationId
  readonly path: string
  readonly authorization: string | undefined
  readonly scenarios: readonly string[]
  /** 0 if a fault broke the connection. */
  readonly status: number
  readonly body: string | Uint8Array | undefined
  /** The value of `Retry-After` in seconds. */
  readonly retryAfter: string | undefined
  /** Milliseconds of a monotonic clock. */
  readonly time: number
}

/** Counts what the requests of one session meet. */
export interface SessionCoverage {
  readonly tally: Tally
  count(answered: AnsweredRequest): void
  clear(): void
}

/** Counts what requests meet, in each session and in all of them. */
export interface Coverage {
  /** Of all sessions, also of those that ended. */
  readonly total: Tally
  openSession(): SessionCoverage
  clear(): void
}

/** A response that asks the client to send its request again. */
interface Failure {
  readonly authorization: string | undefined
  /** The earliest time to send it again. */
  readonly readyAt: number
}

type Failures = Map<RecoveryKind, Failure>

/** So many requests of a session can wait to be sent again; the oldest are forgotten first. */
const MOST_FAILED = 100

/** Timers of clients may fire early by as many milliseconds. */
const EARLY = 50

const decoder = new TextDecoder()

function readCodes(body: AnsweredRequest['body'] = ''): ReadonlySet<string> {
  const codes = new Set<string>()
  const parsed = findJson(typeof body === 'string' ? body : decoder.decode(body))
  if (typeof parsed !== 'object' || parsed === null || !('errors' in parsed) || !Array.isArray(parsed.errors)) {
    return codes
  }
  for (const error of parsed.errors as readonly unknown[]) {
    if (typeof error !== 'object' || error === null || !('code' in error)) continue
    if (typeof error.code === 'string') codes.add(error.code)
  }
  return codes
}

/** Whether the client did what the failure asks for: a new token after 401, a pause after 429. */
function isRecovery(kind: RecoveryKind, failure: Failure, { authorization, time }: AnsweredRequest): boolean {
  if (kind === 'unauthorized') return authorization !== failure.authorization
  return kind !== 'rateLimited' || time >= failure.readyAt - EARLY
}

const NO_CODES: readonly string[] = []

export function createCoverage(): Coverage {
  let total = createTally()

  function openSession(): SessionCoverage {
    let tally = createTally()
    const failed = new BoundedMap<string, Failures>(MOST_FAILED)

    function countRecoveries(answered: AnsweredRequest): void {
      const { operation, path, status, authorization, retryAfter, time } = answered
      const isOk = status >= 200 && status < 300
      const failedBy = isOk ? undefined : findRecoveryKind(status)
      if (isOk ? failed.size === 0 : failedBy === undefined) return
      const request = `${operation} ${path}`
      const failures: Failures = failed.get(request) ?? new Map()
      if (failedBy !== undefined) {
        for (const one of [tally, total]) countRecovery(one, failedBy, 'failed')
        failures.set(failedBy, { authorization, readyAt: time + 1000 * (Number(retryAfter) || 0) })
        failed.set(request, failures)
        return
      }
      for (const [kind, failure] of failures) {
        if (!isRecovery(kind, failure, answered)) continue
        for (const one of [tally, total]) countRecovery(one, kind, 'recovered')
      }
      failed.delete(request)
    }

    return {
      get tally() {
        return tally
      },
      count(answered) {
        const { operation, status, body, scenarios } = answered
        const codes = status < 400 ? NO_CODES : readCodes(body)
        for (const one of [tally, total]) {
          countResponse(one, operation, status, codes)
          for (const name of scenarios) countScenario(one, name)
        }
        countRecoveries(answered)
      },
      clear() {
        tally = createTally()
        failed.clear()
      },
    }
  }

  return {
    get total() {
      return total
    },
    openSession,
    clear() {
      total = createTally()
    },
  }
}
