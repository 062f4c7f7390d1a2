import { documentedErrors, documentedStatuses } from '../contract/documented.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'

/** The failures that a client can recover from by sending its request again, and the status of each. */
export const recoveryStatuses = { unauthorized: 401, conflict: 409, rateLimited: 429, unavailable: 503 } as const

export type RecoveryKind = keyof typeof recoveryStatuses

const recoveryKinds = Object.keys(recoveryStatuses) as readonly RecoveryKind[]

/** The kind of failure that a status is, if a client can recover from it. */
export const findRecoveryKind = (status: number): RecoveryKind | undefined =>
  recoveryKinds.find((kind) => recoveryStatuses[kind] === status)

/** How often an operation was met, and each of its documented statuses and error codes. */
export interface OperationTally {
  met: number
  readonly statuses: Map<number, number>
  readonly errors: Map<string, number>
}

/** How often each kind of failure was met, and how often the client recovered. */
export interface RecoveryTally {
  failed: number
  recovered: number
}

/** What requests met. Only what the contract documents is counted, so it takes little memory. */
export interface Tally {
  readonly operations: Map<OperationId, OperationTally>
  readonly scenarios: Map<string, number>
  readonly recoveries: ReadonlyMap<RecoveryKind, RecoveryTally>
}

/** Scenarios that are counted: those that tests define and delete are without number. */
const MOST_SCENARIOS = 1000

export const createTally = (): Tally => ({
  operations: new Map(),
  scenarios: new Map(),
  recoveries: new Map(recoveryKinds.map((kind) => [kind, { failed: 0, recovered: 0 }])),
})

export const createOperationTally = (id: OperationId): OperationTally => ({
  met: 0,
  statuses: new Map(documentedStatuses(endpoints[id]).map((status) => [status, 0])),
  errors: new Map(documentedErrors(endpoints[id]).map((code) => [code, 0])),
})

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  const count = counts.get(key)
  if (count !== undefined) counts.set(key, count + 1)
}

/** Counts a response, with the error codes in its body. */
export function countResponse({ operations }: Tally, id: OperationId, status: number, codes: Iterable<string>): void {
  let operation = operations.get(id)
  if (operation === undefined) operations.set(id, (operation = createOperationTally(id)))
  operation.met += 1
  increment(operation.statuses, status)
  for (const code of codes) increment(operation.errors, code)
}

export function countScenario({ scenarios }: Tally, name: string): void {
  const known = scenarios.get(name)
  if (known !== undefined || scenarios.size < MOST_SCENARIOS) scenarios.set(name, (known ?? 0) + 1)
}

export function countRecovery({ recoveries }: Tally, kind: RecoveryKind, outcome: keyof RecoveryTally): void {
  const recovery = recoveries.get(kind)
  if (recovery !== undefined) recovery[outcome] += 1
}
