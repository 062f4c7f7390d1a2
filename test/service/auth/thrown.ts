import { Problem } from '../../../src/errors.ts'

/** The problem that an action throws or rejects with; any other result fails the test. */
export async function toProblem(action: () => unknown): Promise<Problem> {
  try {
    await action()
  } catch (fault) {
    if (fault instanceof Problem) return fault
    throw fault
  }
  throw new Error('Nothing was thrown.')
}
