import { documentedErrors, documentedStatuses } from '../contract/error-responses.ts'
import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { findJson } from '../http/json.ts'
import { BoundedMap } from '../util/collections.ts'

/** How long requests of one kind took. */
export interface Durations {
  readonly requests: number
  /** In milliseconds, of all of them. */
  readonly duration: number
  /** How many requests each bucket of {@link BOUNDS} has; the last one is for longer requests. */
  readonly buckets: readonly number[]
}

/** What was counted of one operation and status. */
export interface Count extends Durations {
  /** Undefined if the request matched none. */
  readonly operation: string | undefined
  /** 0 if a fault broke the connection. */
  readonly status: number
}

/** What was counted of one scenario. */
export interface ScenarioCount {
  readonly scenario: string
  readonly requests: number
}

/** One measurement of the process that the mock runs in. */
export interface ProcessGauge {
  readonly name: string
  readonly help: string
  readonly value: number
}

/** The upper bounds of the buckets of durations, in milliseconds. */
export const BOUNDS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

/** Counts durations. */
export class Tally implements Durations {
  requests = 0
  duration = 0
  readonly buckets: number[] = Array.from({ length: BOUNDS.length + 1 }, () => 0)

  /** @param duration in milliseconds */
  add(duration: number): void {
    this.requests += 1
    this.duration += duration
    const bucket = toBucket(duration)
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1
  }
}

/** The index of the bucket of a duration. */
function toBucket(duration: number): number {
  let at = 0
  while (duration > (BOUNDS[at] ?? Infinity)) at += 1
  return at
}

/** Counts what is served. */
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
    scenarios: (): readonly ScenarioCount[] =>
      Array.from(byScenario, ([scenario, requests]) => ({ scenario, requests })),
  }
}

/** Measures the requests to a store that mocks share. */
export type StoreMetrics = ReturnType<typeof createStoreMetrics>

export function createStoreMetrics() {
  const commands = new Map<string, Tally>()
  let retries = 0
  return {
    /** Counts a command by its name, and how many milliseconds it took. */
    observe(command: string, duration: number): void {
      let tally = commands.get(command)
      if (tally === undefined) commands.set(command, (tally = new Tally()))
      tally.add(duration)
    },
    /** Counts a command that is sent once more. */
    retry(): void {
      retries += 1
    },
    get retries(): number {
      return retries
    },
    commands: commands as ReadonlyMap<string, Durations>,
  }
}

/** The failures that a client can recover from by sending its request again, and the status of each. */
export const recoveryStatuses = { unauthorized: 401, conflict: 409, rateLimited: 429, unavailable: 503 } as const

export type RecoveryKind = keyof typeof recoveryStatuses

// The keys are known by the type.
export const recoveryKinds = Object.keys(recoveryStatuses) as readonly RecoveryKind[]

/** The kind of failure that a status is, if a client can recover from it. */
export const findRecoveryKind = (status: number): RecoveryKind | undefined =>
  recoveryKinds.find((kind) => recoveryStatuses[kind] === status)

/** How often each thing was met, by the name of its count. What was never met is not in it. */
export type CoverageCounts = ReadonlyMap<string, number>

/** The prefix of the counts of scenarios. */
export const SCENARIO = 'scenario '

/** How many scenarios are counted: tests may define and delete any number. */
export const MOST_SCENARIOS = 1000

/** The documented statuses and error codes of each operation. */
export const documented = new Map(
  operationIds.map((id) => [
    id,
    { statuses: documentedStatuses(endpoints[id]), errors: documentedErrors(endpoints[id]) },
  ]),
)

/** In the place of a status that is not documented. */
export const OTHER_STATUS = 'other'

/**
 * The names of counts. What the contract does not document has none, so that they are few; but a request counts for its
 * operation whatever its status is.
 */
export const toCountName = {
  status: (operation: OperationId, status: number): string =>
    `${operation} ${documented.get(operation)?.statuses.includes(status) === true ? status : OTHER_STATUS}`,
  error: (operation: OperationId, code: string): string => `${operation} ${code}`,
  scenario: (name: string): string => SCENARIO + name,
  failed: (kind: RecoveryKind): string => `failed ${kind}`,
  recovered: (kind: RecoveryKind): string => `recovered ${kind}`,
}

/** A request and its response, as they are counted. */
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
  read(): CoverageCounts | Promise<CoverageCounts>
  count(answered: AnsweredRequest): void
  /** Resolves once the counts are cleared; undefined if they are. */
  clear(): Promise<void> | undefined
}

/** Counts what requests meet, in each session and in all of them. */
export interface Coverage {
  /** The counts of all sessions, also of those that ended. */
  read(): CoverageCounts | Promise<CoverageCounts>
  openSession(name: string): SessionCoverage
  /** Clears the counts of all sessions together. Resolves once that is done; undefined if it is. */
  clear(): Promise<void> | undefined
}

/** A response that asks the client to send its request again. */
export interface FailedCall {
  readonly authorization: string | undefined
  /** The earliest time to send it again. */
  readonly readyAt: number
}

/** How many failed requests of a session are remembered until they are sent again; the oldest are forgotten first. */
export const MOST_FAILED = 100

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

/** The names of what an answered request counts for, except recoveries. */
export function listCounts({ operation, status, body, scenarios }: AnsweredRequest): string[] {
  const names = [toCountName.status(operation, status)]
  if (status >= 400) {
    const known = documented.get(operation)?.errors ?? []
    for (const code of readCodes(body)) if (known.includes(code)) names.push(toCountName.error(operation, code))
  }
  for (const name of scenarios) names.push(toCountName.scenario(name))
  const kind = findRecoveryKind(status)
  if (kind !== undefined) names.push(toCountName.failed(kind))
  return names
}

/** What makes a request the same as one that failed before. */
export const toRequestName = ({ operation, path }: AnsweredRequest): string => `${operation} ${path}`

/** Whether a response ends the failures of its request. */
export const isSuccess = ({ status }: AnsweredRequest): boolean => status >= 200 && status < 300

/** How many milliseconds after its failure a request may be sent again. */
export const toPause = ({ retryAfter }: AnsweredRequest): number => 1000 * (Number(retryAfter) || 0)

/** Whether the client did what the failure asks for: a new token after 401, a pause after 429. */
function isRecovery(
  kind: RecoveryKind,
  failure: FailedCall,
  { authorization, time }: Pick<AnsweredRequest, 'authorization' | 'time'>,
): boolean {
  if (kind === 'unauthorized') return authorization !== failure.authorization
  return kind !== 'rateLimited' || time >= failure.readyAt - EARLY
}

/** The names of what a request counts for that succeeds after failures. */
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

/** Counts in memory. */
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

/** Creates the coverage of a mock that shares nothing. */
export function createCoverage() {
  let total = new Counts()

  function openSession() {
    let own = new Counts()
    const failed = new BoundedMap<string, Map<RecoveryKind, FailedCall>>(MOST_FAILED)

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
        const isOk = isSuccess(answered)
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
  } satisfies Coverage
}
