import type { DecisionId } from '../../contract/decisions.ts'

/** One thing that a subject must do. */
export interface Check {
  /** As a sentence goes on from the subject's name: `answers the documented status`. It says exactly what is asked. */
  readonly says: string
  /** Present where the specification leaves it open. */
  readonly decision: DecisionId | undefined
  /** The specification's section, where it is not the subject's own. */
  readonly section: string | undefined
}

export const check = (says: string, decision?: DecisionId, section?: string): Check => ({ says, decision, section })
