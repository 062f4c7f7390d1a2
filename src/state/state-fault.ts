import type * as z from 'zod'
import { check } from '../contract/check.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { findMembers } from '../contract/members.ts'

/** What is wrong with a state that was handed in; the message begins with the path of its value. */
export class StateFault extends Error {
  override readonly name = 'StateFault'
}

/** `resources[0].version` as steps, for the schema to be asked what stands there. */
export const toSteps = (path: string): readonly PropertyKey[] =>
  path.split(/[.[\]]+/).flatMap((step) => (step === '' ? [] : [/^\d+$/.test(step) ? Number(step) : step]))

/**
 * Holds a parsed JSON value to a schema of the state.
 *
 * @param path where in the state the value is
 * @throws {StateFault} for the first thing that is wrong, unknown members included.
 */
export function expectState<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[] = [],
): z.output<Schema> {
  const { faults, unknown } = check(schema, value, path, true)
  const [member] = unknown
  if (member !== undefined) {
    const steps = toSteps(member)
    const name = String(steps.at(-1))
    throw new StateFault(
      `${member}: unknown member.${didYouMean(name, findMembers(schema, steps.slice(path.length, -1)))}`,
    )
  }
  const [fault] = faults
  if (fault !== undefined) throw new StateFault(fault.detailedErrorMessage ?? fault.message)
  // What was checked is what is kept: a schema's own copy would be reordered.
  return value as z.output<Schema>
}
