import type { DecisionId } from './decisions.ts'

/** Where an answer is not what the contract documents: `status`, `headers.ETag`, `body.results[0].version`. */
export interface Violation {
  readonly path: string
  /** A sentence without the path. */
  readonly message: string
  /** Absent: the specification itself is broken, or no one decision. */
  readonly decision?: DecisionId
}

/** A violation of a decision, which the sentence names. */
export const toDecided = (decision: DecisionId, path: string, message: string): Violation => ({
  path,
  message: `${message} (${decision}).`,
  decision,
})
