import { documentedErrors, documentedStatuses, tokenResponses } from '../../service/contract/error-responses.ts'
import { endpoints, operationIds, TOKEN_OPERATION } from '../../service/contract/endpoints.ts'
import type { CalledOperation } from '../../service/contract/endpoints.ts'
import { findJson, valueAt } from '../../service/http/json.ts'
import { BoundedMap } from '../../util/collections.ts'

/** Durations of similar requests. */
export interface Durations {
  readonly requests: number
  /** Total in milliseconds. */
  readonly duration: number
  /** Number of requests per bucket of {@link BUCKET_BOUNDS}; the last bucket is for anything longer. */
  readonly buckets: readonly number[]
}

/** Requests with the same operation and status. */
export interface Count extends Durations {
  /** Undefined for requests that matched no operation. */
  readonly operation: string | undefined
  /** 0 if the connection broke before the response. */
  readonly status: number
}

/** A measurement of the mock's process. */
export interface ProcessGauge {
  readonly name: string
  readonly help: string
  readonly value: number
}

/** Upper bounds of the duration buckets, in milliseconds. */
export const BUCKET_BOUNDS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

export class Tally implements Durations {
  requests = 0
  duration = 0
  readonly buckets: number[] = Array.from({ length: BUCKET_BOUNDS.length + 1 }, () => 0)

  /** @param duration in milliseconds */
  add(duration: number): void {
    this.requests += 1
    this.duration += duration
    let bucket = 0
    while (duration > (BUCKET_BOUNDS[bucket] ?? Infinity)) bucket += 1
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1
  }
}

/** Counts served requests. */
export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const byOperation = new Map<string | undefined, Map<number, Tally>>()
  const byScenario = new Map<string, number>()

  function countScenario(scenario: string): void {
    const known = byScenario.get(scenario)
    if (known !== undefined || byScenario.size < MOST_SCENARIOS) byScenario.set(scenario, (known ?? 0) + 1)
  }

  return {
    count(operation: string | undefined, status: number, duration: number, scenarios: readonly string[]): void {
      for (const scenario of scenarios) countScenario(scenario)
      let byStatus = byOperation.get(operation)
      if (byStatus === undefined) byOperation.set(operation, (byStatus = new Map<number, Tally>()))
      let tally = byStatus.get(status)
      if (tally === undefined) byStatus.set(status, (tally = new Tally()))
      tally.add(duration)
    },
    counts: (): readonly Count[] =>
      Array.from(byOperation, ([operation, byStatus]) =>
        Array.from(byStatus, ([status, { requests, duration, buckets }]) => ({
          operation,
          status,
          requests,
          duration,
          buckets,
        })),
      ).flat(),
    /** The number of requests affected by each scenario. */
    scenarios: () => Array.from(byScenario, ([scenario, requests]) => ({ scenario, requests })),
  }
}

/** Counts the commands sent to a shared store. */
export type StoreMetrics = ReturnType<typeof createStoreMetrics>

export function createStoreMetrics() {
  const commands = new Map<string, Tally>()
  let retries = 0
  return {
    /** Counts a command and its duration in milliseconds. */
    observe(command: string, duration: number): void {
      let tally = commands.get(command)
      if (tally === undefined) commands.set(command, (tally = new Tally()))
      tally.add(duration)
    },
    /** Counts a retry. */
    retry(): void {
      retries += 1
    },
    get retries(): number {
      return retries
    },
    commands: commands as ReadonlyMap<string, Durations>,
  }
}

/** The failures that a client can recover from by resending the request, with their statuses. */
export const recoveryStatuses = { unauthorized: 401, conflict: 409, rateLimited: 429, unavailable: 503 } as const

export type RecoveryKind = keyof typeof recoveryStatuses

// Object.keys() loses the key type.
export const recoveryKinds = Object.keys(recoveryStatuses) as readonly RecoveryKind[]

/** The recovery kind of a status, if a client can recover from it. */
export const findRecoveryKind = (status: number): RecoveryKind | undefined =>
  status < 400 ? undefined : recoveryKinds.find((kind) => recoveryStatuses[kind] === status)

/** Hits by count name. Names without hits are missing. */
export type CoverageCounts = ReadonlyMap<string, number>

export const SCENARIO = 'scenario '

/** Maximum number of scenarios counted: tests can define and delete any number of them. */
export const MOST_SCENARIOS = 1000

/** The documented statuses and error codes of each operation. */
export const documentedResponses: ReadonlyMap<
  CalledOperation,
  { readonly statuses: readonly number[]; readonly errors: readonly string[] }
> = new Map([
  ...operationIds.map(
    (id) => [id, { statuses: documentedStatuses(endpoints[id]), errors: documentedErrors(endpoints[id]) }] as const,
  ),
  [TOKEN_OPERATION, tokenResponses],
])

/** Count names of the documented statuses, by operation. A string that exists already is hashed only once. */
const statusNames = new Map(
  Array.from(documentedResponses, ([id, { statuses }]) => [
    id,
    new Map(statuses.map((status) => [status, `${id} ${status}`])),
  ]),
)

/** Replaces undocumented statuses. */
export const OTHER_STATUS = 'other'

/**
 * Count names. To limit their number, the undocumented statuses of an operation share one name, and undocumented error
 * codes are not counted.
 */
export const toCountName = {
  status: (operation: CalledOperation, status: number): string =>
    statusNames.get(operation)?.get(status) ?? `${operation} ${OTHER_STATUS}`,
  clientLeft: (operation: CalledOperation): string => `${operation} client left`,
  error: (operation: CalledOperation, code: string): string => `${operation} ${code}`,
  scenario: (name: string): string => SCENARIO + name,
  failed: (kind: RecoveryKind): string => `failed ${kind}`,
  recovered: (kind: RecoveryKind): string => `recovered ${kind}`,
}

/** A request and its response, as input for the counts. */
export interface AnsweredRequest {
  readonly operation: CalledOperation
  readonly path: string
  readonly authorization: string | undefined
  readonly scenarios: readonly string[]
  /** 0 if the connection broke before the response. */
  readonly status: number
  /** The client disconnected before the response. */
  readonly clientLeft?: boolean
  readonly body: string | Uint8Array | undefined
  /** `Retry-After` in seconds. */
  readonly retryAfter: string | undefined
  /** Monotonic clock, in milliseconds. */
  readonly time: number
}

/** Coverage counts of one session. */
export interface SessionCoverage {
  read(): CoverageCounts | Promise<CoverageCounts>
  count(answered: AnsweredRequest): void
  /** Resolves once the counts are cleared; undefined if that was synchronous. */
  clear(): Promise<void> | undefined
}

/** Coverage counts across all sessions, including deleted ones. */
export interface Coverage {
  read(): CoverageCounts | Promise<CoverageCounts>
  /** Clears the counts across all sessions. Resolves once they are cleared; undefined if that was synchronous. */
  clear(): Promise<void> | undefined
}

/** A failed request that the client is expected to retry. */
export interface FailedCall {
  readonly authorization: string | undefined
  /** Earliest time for a retry. */
  readonly readyAt: number
}

/** Maximum number of failed requests remembered per session; the oldest are forgotten first. */
export const MOST_FAILED_REQUESTS = 100

/** Client timers may fire early; tolerance in milliseconds. */
const EARLY = 50

const replyDecoder = new TextDecoder()

function readCodes(body: AnsweredRequest['body'] = ''): ReadonlySet<string> {
  const parsed = findJson(typeof body === 'string' ? body : replyDecoder.decode(body))
  const errors = valueAt(parsed, ['errors'])
  const codes = Array.isArray(errors) ? errors.map((error) => valueAt(error, ['code'])) : []
  return new Set(codes.filter((code) => typeof code === 'string'))
}

/** Lists the count names of a request, except recoveries. */
export function listCounts({ operation, status, clientLeft, body, scenarios }: AnsweredRequest): string[] {
  const names = [clientLeft === true ? toCountName.clientLeft(operation) : toCountName.status(operation, status)]
  if (status >= 400) {
    const known = documentedResponses.get(operation)?.errors ?? []
    for (const code of readCodes(body)) if (known.includes(code)) names.push(toCountName.error(operation, code))
  }
  for (const name of scenarios) names.push(toCountName.scenario(name))
  const kind = findRecoveryKind(status)
  if (kind !== undefined) names.push(toCountName.failed(kind))
  return names
}

/** Requests with the same name are retries of each other. */
export const toRequestName = ({ operation, path }: AnsweredRequest): string => `${operation} ${path}`

/** Whether a response counts as a recovery from earlier failures. */
export const isSuccessful = ({ status }: AnsweredRequest): boolean => status >= 200 && status < 300

/** Minimum delay before a retry, in milliseconds. */
export const toPause = ({ retryAfter }: AnsweredRequest): number => 1000 * (Number(retryAfter) || 0)

/** Whether the retry did what the failure requires: send a new token after 401, or wait after 429. */
function isRecovery(
  kind: RecoveryKind,
  failure: FailedCall,
  { authorization, time }: Pick<AnsweredRequest, 'authorization' | 'time'>,
): boolean {
  if (kind === 'unauthorized') return authorization !== failure.authorization
  return kind !== 'rateLimited' || time >= failure.readyAt - EARLY
}

/** Lists the count names of the failures that a successful request recovers from. */
export function listRecoveries(
  failures: Iterable<readonly [RecoveryKind, FailedCall]>,
  success: Pick<AnsweredRequest, 'authorization' | 'time'>,
): string[] {
  const names: string[] = []
  for (const [kind, failure] of failures) {
    if (isRecovery(kind, failure, success)) names.push(toCountName.recovered(kind))
  }
  return names
}

class Counts {
  readonly counts = new Map<string, number>()
  #scenarios = 0

  add(name: string): void {
    const known = this.counts.get(name)
    if (known === undefined && name.startsWith(SCENARIO)) {
      if (this.#scenarios === MOST_SCENARIOS) return
      this.#scenarios += 1
    }
    this.counts.set(name, (known ?? 0) + 1)
  }
}

/** Creates in-memory coverage for a mock without a shared store. */
export function createCoverage() {
  let total = new Counts()

  function openSession() {
    let own = new Counts()
    const failed = new BoundedMap<string, Map<RecoveryKind, FailedCall>>(MOST_FAILED_REQUESTS)

    function add(names: readonly string[]): void {
      for (const name of names) {
        own.add(name)
        total.add(name)
      }
    }

    return {
      read: () => own.counts,
      count(answered) {
        add(listCounts(answered))
        const isOk = isSuccessful(answered)
        const kind = isOk ? undefined : findRecoveryKind(answered.status)
        if (isOk ? failed.size === 0 : kind === undefined) return
        const request = toRequestName(answered)
        const failures = failed.get(request) ?? new Map<RecoveryKind, FailedCall>()
        if (kind === undefined) {
          add(listRecoveries(failures, answered))
          failed.delete(request)
          return
        }
        const { authorization, time } = answered
        failures.set(kind, { authorization, readyAt: time + toPause(answered) })
        failed.set(request, failures)
      },
      clear() {
        own = new Counts()
        failed.clear()
        return undefined
      },
    } satisfies SessionCoverage
  }

  return {
    read: () => total.counts,
    openSession,
    clear() {
      total = new Counts()
      return undefined
    },
  } satisfies Coverage & { readonly openSession: () => SessionCoverage }
}
