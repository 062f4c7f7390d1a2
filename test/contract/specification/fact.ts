/**
 * Something that can be said of the contract, in the same words whether it is read in the specification or in the code:
 * `1 GET query stringParameter: string`.
 */
export type Fact = string

/** What an answer holds where the specification gives its status and no more. */
export const UNSHOWN = 'what is not shown'

/** What the code says of the contract. */
export interface CodedFacts {
  /** What it takes to be documented. */
  readonly asserted: readonly Fact[]
  /** What it marks as a decision; the specification may say as much, and need not. */
  readonly filled: readonly Fact[]
}

/** A sentence for each fact that only one side knows; none when specification and code say the same. */
export const findDifferences = (documented: readonly Fact[], coded: CodedFacts): readonly string[] => [
  ...documented
    .filter((fact) => !coded.asserted.includes(fact) && !coded.filled.includes(fact))
    .map((fact) => `only the specification says: ${fact}`),
  ...coded.asserted.filter((fact) => !documented.includes(fact)).map((fact) => `only the code says: ${fact}`),
]
