import type { DecisionId } from '../contract/decisions.ts'
import type { HttpMethod } from '../contract/endpoint.ts'
import type { SubjectId } from './subjects.ts'

/** One thing that is wrong with one answer. */
export interface Finding {
  /** The request that was answered: `GET /acme/resource?limit=1`. */
  readonly request: string
  /** Where: a path into the JSON body, `status`, `body`, or the name of a header. */
  readonly at: string
  readonly expected: string
  readonly actual: string
}

/** What became of a check. */
export type CheckOutcome =
  | { readonly kind: 'held' }
  // The JSON report calls its findings faults.
  | { readonly kind: 'failed'; readonly faults: readonly Finding[] }
  | { readonly kind: 'untried'; readonly reason: string }

export interface CheckReport {
  /** Of the subject and the check: `updateResource/stale-version`. */
  readonly id: string
  /** What must hold, as a sentence goes on from the subject's name. */
  readonly says: string
  /** The section of the specification that it rests on. */
  readonly section: string
  /** Present if the specification leaves it open, and a decision says it. */
  readonly decision?: DecisionId
  readonly outcome: CheckOutcome
}

/** What was found of one subject. */
export interface SubjectReport {
  readonly subject: SubjectId
  readonly summary: string
  readonly method: HttpMethod
  readonly path: string
  readonly checks: readonly CheckReport[]
  /** What is not a finding and may be of interest: members that nobody documents. */
  readonly notes: readonly string[]
  readonly milliseconds: number
}

/** What a provider was found to do. */
export interface Report {
  readonly url: string
  readonly project: string
  readonly allowsWrites: boolean
  readonly subjects: readonly SubjectReport[]
  readonly counts: Readonly<Record<CheckOutcome['kind'], number>>
  /** What was written and could not be removed again. */
  readonly leftovers: readonly string[]
  readonly isInterrupted: boolean
  readonly milliseconds: number
}

/** How many checks held, failed and were not tried. */
export function countOutcomes(subjects: readonly SubjectReport[]): Report['counts'] {
  const counts = { held: 0, failed: 0, untried: 0 }
  for (const { outcome } of subjects.flatMap(({ checks }) => checks)) counts[outcome.kind] += 1
  return counts
}
