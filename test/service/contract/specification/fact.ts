/**
 * A statement about the contract, worded the same whether it comes from the specification or the code: `1 GET query
 * stringParameter: string`.
 */
export type Fact = string

/** The content of a response if the specification gives only its status. */
export const UNSHOWN = 'what is not shown'

/** The facts of the code. */
export interface CodedFacts {
  /** Those that it treats as documented. */
  readonly asserted: readonly Fact[]
  /** Those that it marks as a decision; the specification may also contain them. */
  readonly filled: readonly Fact[]
}

/** A sentence for each fact that only one side has; empty if specification and code agree. */
export const findDifferences = (documented: readonly Fact[], coded: CodedFacts): readonly string[] => [
  ...documented
    .filter((fact) => !coded.asserted.includes(fact) && !coded.filled.includes(fact))
    .map((fact) => `only the specification says: ${fact}`),
  ...coded.asserted.filter((fact) => !documented.includes(fact)).map((fact) => `only the code says: ${fact}`),
]
