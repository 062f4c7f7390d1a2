import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import { isJsonObject, stringifyJson } from '../http/json.ts'

/** The fault of a pattern; `member` is the path of what is wrong, such as `bodyPatterns[0].matches`. */
export const malformed = (member: string, why: string): Problem =>
  problem.invalidInput(`Malformed pattern: ${member}: ${why}`, { field: member })

/** JSON text of a value for a sentence, cut where it is long. */
export function show(value: unknown): string {
  let text: string
  try {
    text = stringifyJson(value)
  } catch {
    // Only a caller in the same process can hand over what refers to itself.
    text = 'invalid JSON'
  }
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** @throws {Problem} 400 for what is not a JSON object. */
export function parseObject(json: unknown, member: string): Readonly<Record<string, unknown>> {
  if (isJsonObject(json)) return { ...json }
  throw malformed(member, `expected an object, got ${show(json)}.`)
}

/** @throws {Problem} 400 for what is not a JSON object, or has a member that is not among `known`. */
export function parseMembers(
  json: unknown,
  member: string,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const members = parseObject(json, member)
  for (const name of Object.keys(members)) expectKnown(name, known, member, 'member')
  return members
}

/** @throws {Problem} 400, with "did you mean", for a name that is not among `known`. */
export function expectKnown(name: string, known: readonly string[], member: string, what: string): void {
  if (known.includes(name)) return
  const remedy = didYouMean(name, known) || ` Known are ${known.join(', ')}.`
  throw malformed(member, `unknown ${what} ${show(name)}.${remedy}`)
}

/** @throws {Problem} 400 for what is no string. */
export function parseText(json: unknown, member: string): string {
  if (typeof json === 'string') return json
  throw malformed(member, `expected a string, got ${show(json)}. Put it in quotes.`)
}

/** @throws {Problem} 400 for what is neither true nor false. */
export function parseFlag(json: unknown, member: string): boolean {
  if (typeof json === 'boolean') return json
  throw malformed(member, `expected true or false, got ${show(json)}.`)
}
