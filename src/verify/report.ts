import type { DecisionId } from '../contract/decisions.ts'
import type { HttpMethod } from '../contract/endpoint.ts'
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

/** The outcome of a check. */
export type CheckOutcome =
  | { readonly kind: 'held' }
  // The JSON report calls its findings faults.
  | { readonly kind: 'failed'; readonly faults: readonly Finding[] }
  | { readonly kind: 'untried'; readonly reason: string }

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

/** The result of verifying a provider. */
export interface Report {
  readonly url: string
  readonly project: string
  readonly allowsWrites: boolean
  readonly subjects: readonly SubjectReport[]
  readonly counts: Readonly<Record<CheckOutcome['kind'], number>>
  /** One sentence for each written item that could not be removed. */
  readonly leftovers: readonly string[]
  readonly isInterrupted: boolean
  readonly milliseconds: number
}

/** The number of checks that passed, failed and were not tried. */
export function countOutcomes(subjects: readonly SubjectReport[]): Report['counts'] {
  const counts = { held: 0, failed: 0, untried: 0 }
  for (const { outcome } of subjects.flatMap(({ checks }) => checks)) counts[outcome.kind] += 1
  return counts
}
