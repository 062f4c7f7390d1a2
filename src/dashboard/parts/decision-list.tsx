import { decisions } from '../../contract/decisions.ts'
import type { DecisionId } from '../../contract/decisions.ts'

/** Decisions with their numbers and titles. */
export const DecisionList = ({ ids }: { readonly ids: readonly DecisionId[] }) => (
  <ul class="decisions">
    {ids.map((id) => (
      <li>
        <b>{id}</b> {decisions[id]}
      </li>
    ))}
  </ul>
)
