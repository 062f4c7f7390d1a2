import type { CheckId } from '../../../../src/tools/verify/checks.ts'
import type { Bend } from '../bends.ts'

/** A plausible problem of a service, by its description: the bend that causes it, and the checks that must fail. */
export type SeededFault = readonly [what: string, bend: Bend, finds: readonly [CheckId, ...CheckId[]]]
