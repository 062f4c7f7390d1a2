import type { DecisionId } from './decisions.ts'

/** What the OpenAPI document says of a schema that is one of its named components: zod's metadata, so no interface. */
type Named = {
  readonly id: string
  readonly description: string
  /** What it rests on where the specification is silent. */
  readonly decisions: readonly DecisionId[]
}

/** The metadata of a named schema. */
export const named = (id: string, description: string, ...decisions: readonly DecisionId[]): Named => ({
  id,
  description,
  decisions,
})
