import { isNumeric, toUniform } from '../../service/query/fields.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { problem, toMessage } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import { isJsonObject, stringifyJson, findJson, parseJson } from '../../service/http/json.ts'
import { hasPart } from '../../util/find-part.ts'

/** Placeholders in expected JSON that accept any value of a type. */
const placeholders = new Map<unknown, (value: unknown) => boolean>([
  ['${json-unit.ignore}', () => true],
  ['${json-unit.any-string}', (value) => typeof value === 'string'],
  ['${json-unit.any-number}', (value) => isNumeric(value)],
  ['${json-unit.any-boolean}', (value) => typeof value === 'boolean'],
])

type JsonFlags = Readonly<Partial<Record<'ignoreArrayOrder' | 'ignoreExtraElements', boolean>>>

function isSameArray(expected: readonly unknown[], actual: readonly unknown[], flags: JsonFlags): boolean {
  if (actual.length < expected.length) return false
  if (actual.length > expected.length && flags.ignoreExtraElements !== true) return false
  if (flags.ignoreArrayOrder !== true) return expected.every((one, at) => isSameJson(one, actual[at], flags))
  const left = [...actual]
  return expected.every((one) => {
    const at = left.findIndex((other) => isSameJson(one, other, flags))
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  })
}

/** Compares JSON values as WireMock's `equalToJson` does. Whole numbers are compared exactly (D3). */
export function isSameJson(expected: unknown, actual: unknown, flags: JsonFlags): boolean {
  const placeholder = placeholders.get(expected)
  if (placeholder !== undefined) return placeholder(actual)
  if (isNumeric(expected) && isNumeric(actual)) return toUniform(expected) === toUniform(actual)
  if (Array.isArray(expected) && Array.isArray(actual)) return isSameArray(expected, actual, flags)
  if (!isJsonObject(expected) || !isJsonObject(actual)) return expected === actual
  return (
    (flags.ignoreExtraElements === true || Object.keys(actual).every((name) => Object.hasOwn(expected, name))) &&
    Object.entries(expected).every(
      ([name, member]) => Object.hasOwn(actual, name) && isSameJson(member, actual[name], flags),
    )
  )
}

/** Longer expressions could take too long to compile, which cannot be interrupted. */
const LONGEST_EXPRESSION = 1000

/**
 * Compiles a regular expression that must match a whole text, as WireMock's `matches`. `(?i)` at the start ignores case.
 *
 * @throws {Problem} 400 for a malformed expression.
 */
export function compileExpression(source: string, member: string): (text: string) => boolean {
  if (source.length > LONGEST_EXPRESSION) {
    throw malformedPattern(
      member,
      `the regular expression has ${source.length} characters. The limit is ${LONGEST_EXPRESSION}. Shorten it.`,
    )
  }
  const [, flags = '', rest = ''] = /^(?:\(\?([is]+)\))?(.*)$/s.exec(source) ?? []
  const ignoresCase = flags.includes('i') ? 'i' : ''
  try {
    // Within a group, `a)|(b` would be valid.
    const { source: checked } = new RegExp(rest)
    const whole = new RegExp(`^(?:${checked})$`, `s${ignoresCase}`)
    return (text) => whole.test(text)
  } catch (error) {
    throw malformedPattern(member, `${toMessage(error)}.`)
  }
}

/**
 * Creates a problem for a malformed pattern.
 *
 * @param member the path of the error, such as `bodyPatterns[0].matches`
 */
export const malformedPattern = (member: string, why: string): Problem =>
  problem.invalidInput(`Malformed pattern: ${member}: ${why}`, { field: member })

/** Formats a value as JSON for a message, truncated. */
export function show(value: unknown): string {
  let text: string
  try {
    text = stringifyJson(value)
  } catch {
    // In-process callers can pass circular structures.
    text = 'invalid JSON'
  }
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** @throws {Problem} 400 for anything but a JSON object. */
export function parseObject(json: unknown, member: string): Readonly<Record<string, unknown>> {
  if (isJsonObject(json)) return { ...json }
  throw malformedPattern(member, `expected an object, got ${show(json)}.`)
}

/** @throws {Problem} 400 for anything but a JSON object, and for an unknown member. */
export function parseMembers(
  json: unknown,
  member: string,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const members = parseObject(json, member)
  for (const name of Object.keys(members)) expectKnown(name, known, member, 'member')
  return members
}

/** @throws {Problem} 400 with "did you mean" for an unknown name. */
export function expectKnown(name: string, known: readonly string[], member: string, what: string): void {
  if (known.includes(name)) return
  const remedy = didYouMean(name, known) || ` Known names: ${known.join(', ')}.`
  throw malformedPattern(member, `unknown ${what} ${show(name)}.${remedy}`)
}

/** @throws {Problem} 400 for anything but a string. */
export function parsePatternJson(json: unknown, member: string): string {
  if (typeof json === 'string') return json
  throw malformedPattern(member, `expected a string, got ${show(json)}. Put it in quotes.`)
}

/** @throws {Problem} 400 for anything but a boolean. */
export function parseFlag(json: unknown, member: string): boolean {
  if (typeof json === 'boolean') return json
  throw malformedPattern(member, `expected true or false, got ${show(json)}.`)
}

/** A pattern for a single value of a request. */
export interface ValuePattern {
  /** The original JSON. */
  readonly source: Readonly<Record<string, unknown>>
  readonly operator: string
  /** Whether it matches a text; undefined if the value is missing. */
  readonly accepts: (text: string | undefined) => boolean
}

type Flags = Readonly<Record<string, boolean>>
type PatternOperator = (operand: unknown, flags: Flags, member: string) => ValuePattern['accepts']

/** Strings are parsed as JSON text, as in WireMock; other values are used as they are, with all their digits. */
function parseJsonOperand(operand: unknown, member: string): unknown {
  try {
    return parseJson(typeof operand === 'string' ? operand : stringifyJson(operand))
  } catch {
    throw malformedPattern(member, `${show(operand)} is not JSON. Use a JSON value, or a string of JSON text.`)
  }
}

/** An operator that a text either matches or not. Its opposite also matches a missing value. */
const either =
  (compile: typeof compileExpression, isOpposite = false): PatternOperator =>
  (operand, _flags, member) => {
    const matches = compile(parsePatternJson(operand, member), member)
    return (text) => (text === undefined ? isOpposite : matches(text) !== isOpposite)
  }

const compilePart: typeof compileExpression = (part) => (text) => hasPart(text, part)

const patternOperators: ReadonlyMap<string, PatternOperator> = new Map<string, PatternOperator>([
  [
    'equalTo',
    (operand, { caseInsensitive = false }, member) => {
      const fold = (text: string) => (caseInsensitive ? text.toLowerCase() : text)
      const expected = fold(parsePatternJson(operand, member))
      return (text) => text !== undefined && fold(text) === expected
    },
  ],
  ['contains', either(compilePart)],
  ['doesNotContain', either(compilePart, true)],
  ['matches', either(compileExpression)],
  ['doesNotMatch', either(compileExpression, true)],
  [
    'absent',
    (operand, _flags, member) => {
      const isAbsent = parseFlag(operand, member)
      return (text) => (text === undefined) === isAbsent
    },
  ],
  [
    'equalToJson',
    (operand, flags, member) => {
      const expected = parseJsonOperand(operand, member)
      return (text) => text !== undefined && isSameJson(expected, findJson(text), flags)
    },
  ],
])

/** The flags of each operator. */
const flagNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['equalTo', ['caseInsensitive']],
  ['equalToJson', ['ignoreArrayOrder', 'ignoreExtraElements']],
])

/**
 * Parses a value pattern such as `{"equalTo": "x"}`.
 *
 * @param member the pattern's path, for error messages
 * @throws {Problem} 400 for an invalid pattern.
 */
export function parseValuePattern(json: unknown, member: string): ValuePattern {
  if (typeof json === 'string')
    throw malformedPattern(member, `expected a pattern, got ${show(json)}. Use {"equalTo": ${show(json)}}.`)
  const source = parseMembers(json, member, [...patternOperators.keys(), ...[...flagNames.values()].flat()])
  const named = Object.keys(source).filter((name) => patternOperators.has(name))
  const [operator] = named
  const create = patternOperators.get(operator ?? '')
  if (operator === undefined || create === undefined || named.length > 1) {
    throw malformedPattern(
      member,
      `expected exactly one of ${[...patternOperators.keys()].join(', ')}, got ${show(source)}.`,
    )
  }
  const flags: Record<string, boolean> = {}
  for (const name of Object.keys(source)) {
    if (name === operator) continue
    if (flagNames.get(operator)?.includes(name) !== true)
      throw malformedPattern(member, `"${name}" is not supported with "${operator}".`)
    flags[name] = parseFlag(source[name], `${member}.${name}`)
  }
  return { source, operator, accepts: create(source[operator], flags, `${member}.${operator}`) }
}
