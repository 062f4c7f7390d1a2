import { documentedErrors, documentedStatuses } from '../contract/documented.ts'
import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'

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

/** Counts of scenarios begin with it. */
export const SCENARIO = 'scenario '

/** Scenarios that are counted: those that tests define and delete are without number. */
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
