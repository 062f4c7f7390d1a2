import type { DecisionId } from '../../service/contract/decisions.ts'
import type { HttpMethod } from '../../service/contract/endpoint.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import type { SubjectId } from './subjects.ts'

/** One problem in one response. */
export interface Finding {
  /** The request: `GET /acme/resource?limit=1`. */
  readonly request: string
  /** The position: a path into the JSON body, `status`, `body`, or the name of a header. */
  readonly at: string
  readonly expected: string
  readonly actual: string
}

/** A response that other checks depend on, and that was not as expected. */
export interface Blocker {
  readonly operation: OperationId
  /** Statuses: `201`. */
  readonly expected: string
  readonly actual: string
  /** What the response lacks: `an id in Location or the body`. */
  readonly lacks?: string
}

/** The outcome of a check. */
export type CheckOutcome =
  | { readonly kind: 'held' }
  // The JSON report calls its findings faults.
  | { readonly kind: 'failed'; readonly faults: readonly Finding[] }
  | { readonly kind: 'untried'; readonly reason: string; readonly waitsFor?: Blocker }

export interface CheckReport {
  /** Subject and check: `updateResource/stale-version`. */
  readonly id: string
  /** The requirement, as a continuation of the subject's name. */
  readonly says: string
  /** The section of the specification behind the requirement. */
  readonly section: string
  /** The decision behind the requirement, if the specification leaves it open. */
  readonly decision?: DecisionId
  readonly outcome: CheckOutcome
}

/** The results of one subject. */
export interface SubjectReport {
  readonly subject: SubjectId
  readonly summary: string
  readonly method: HttpMethod
  readonly path: string
  readonly checks: readonly CheckReport[]
  /** Remarks that are not findings, such as undocumented members. */
  readonly notes: readonly string[]
  readonly milliseconds: number
}

/** The cause of most failed and untried checks. */
export interface FixFirst {
  /** `createResource answered 200, not 201 (52 checks wait)` */
  readonly sentence: string
  /** The first finding with this cause. */
  readonly example?: Finding
  /** The ids of the checks that failed for this reason. */
  readonly failed: readonly string[]
  /** The ids of the checks that wait for the fix. */
  readonly waiting: readonly string[]
}

/** The ids of checks whose outcome differs from that of an earlier report. */
export interface Comparison {
  /** Passed now, and did not pass before. */
  readonly better: readonly string[]
  /** Passed before, and did not pass now. */
  readonly worse: readonly string[]
  /** Could not be tried before, and failed now. */
  readonly revealed: readonly string[]
}

/** The result of verifying a provider. */
export interface Report {
  readonly url: string
  readonly project: string
  readonly allowsWrites: boolean
  readonly subjects: readonly SubjectReport[]
  readonly counts: Readonly<Record<CheckOutcome['kind'], number>>
  /** One sentence for each written item that could not be removed. */
  readonly leftovers: readonly string[]
  /** What to fix first; undefined if no check failed. */
  readonly fixFirst?: FixFirst
  /** The differences from an earlier report, if there was one to compare with. */
  readonly since?: Comparison
  readonly isInterrupted: boolean
  readonly milliseconds: number
}

/** The number of checks that passed, failed and were not tried. */
export function countOutcomes(subjects: readonly SubjectReport[]): Report['counts'] {
  const counts = { held: 0, failed: 0, untried: 0 }
  for (const { outcome } of subjects.flatMap(({ checks }) => checks)) counts[outcome.kind] += 1
  return counts
}

/** What a blocked check waits for: `createResource answers 201`. */
export const toGoal = ({ operation, expected, lacks }: Blocker): string =>
  `${operation} answers ${expected}${lacks === undefined ? '' : ` with ${lacks}`}`

/** What is wrong with a response that other checks depend on: `createResource answered 200, not 201`. */
export const toProblem = ({ operation, expected, actual, lacks }: Blocker): string =>
  expected === 'a response'
    ? `${operation} sent no response: ${actual}`
    : `${operation} answered ${actual}${actual === expected ? '' : `, not ${expected}`}${lacks === undefined ? '' : `, without ${lacks}`}`
