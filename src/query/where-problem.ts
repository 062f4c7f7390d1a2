import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import { toPlace } from '../http/json-faults.ts'

/** At most this much of a line is shown on either side of the place. */
const CONTEXT = 60

/** The line that a place is on, as much of it as helps, and a caret under the place. */
function toExcerpt(source: string, offset: number): string {
  const lineStart = source.slice(0, offset).lastIndexOf('\n') + 1
  const lineEnd = source.indexOf('\n', offset)
  const from = Math.max(lineStart, offset - CONTEXT)
  const to = Math.min(lineEnd === -1 ? source.length : lineEnd, offset + CONTEXT)
  const before = (from > lineStart ? '…' : '') + source.slice(from, offset)
  // A tab stays a tab, and a character of two code units is one wide, so that the caret stands where it should.
  const indent = [...before].map((character) => (character === '\t' ? '\t' : ' ')).join('')
  return `${before}${source.slice(offset, to).trimEnd()}\n${indent}^`
}

/** The 400 of a predicate that cannot be read or does not fit its fields; the sentence ends with a full stop. */
export const malformedWhere = (source: string, offset: number, sentence: string): Problem =>
  problem.invalidInput(
    `Malformed parameter: where: ${toPlace(source, offset)}: ${sentence}\n${toExcerpt(source, offset)}`,
  )
