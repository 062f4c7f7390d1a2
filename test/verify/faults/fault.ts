import type { CheckId } from '../../../src/verify/checks.ts'
import type { Bend } from '../bends.ts'

/** A fault that a service may well have, by what it is: the bend that makes it, and the checks that must fail of it. */
export type SeededFault = readonly [what: string, bend: Bend, finds: readonly [CheckId, ...CheckId[]]]
