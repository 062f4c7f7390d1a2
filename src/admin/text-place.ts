import { Problem, problem } from '../errors.ts'
import { locate } from '../scenarios/locate.ts'
import { toSteps } from '../state/state-fault.ts'

/** In a longer text no place is looked for: that takes a while, and nobody wrote it by hand. In characters. */
const MOST_LOCATED = 50_000

/**
 * Reads a JSON text, and tells of what is wrong with a member of it where that stands: `line` and `column`, for the person who
 * wrote it by hand.
 *
 * @throws {Problem} what `read` throws, with its place where it names a `field`.
 */
export async function readWithPlaces<Value>(text: string, read: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    const [{ code: _same, message, ...members }] = fault.errors
    if (typeof members['field'] !== 'string' || text.length > MOST_LOCATED) throw fault
    const isName = message.includes('unknown member')
    const [, line, column] = (await locate(text, toSteps(members['field']), isName)).split(':').map(Number)
    throw problem.invalidInput(message, { ...members, line, column })
  }
}
