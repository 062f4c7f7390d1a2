import { decisions } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'

/** What rests on a decision says so: its number, and what it is about. */
export interface Decided {
  readonly 'x-decision'?: readonly { readonly number: DecisionId; readonly title: string }[]
}

/** The extension that names decisions; empty for none. */
export function toDecisions(ids: readonly (DecisionId | undefined)[]): Decided {
  const known = ids.filter((id) => id !== undefined)
  return known.length === 0 ? {} : { 'x-decision': known.map((number) => ({ number, title: decisions[number] })) }
}
