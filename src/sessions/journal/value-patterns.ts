import { isNumeric, isObject, toUniform } from '../../service/query/fields.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { problem } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import { isJsonObject, stringifyJson, findJson, parseJson } from '../../service/http/json.ts'
import { distance } from 'fastest-levenshtein'
import { compileExpression } from './expressions.ts'
import { hasPart } from '../../util/find-part.ts'

/** Options for comparing JSON, as in WireMock's `equalToJson`. */
export interface JsonComparison {
  readonly ignoreArrayOrder: boolean
  /** Ignores members and array elements that are missing from the expected value. */
  readonly ignoreExtraElements: boolean
}

/** Maximum number of values that a comparison in any order may read: with placeholders, each may be compared with each. */
const MOST_COMPARED_VALUES = 500_000

/** A running comparison. */
interface RunningComparison extends JsonComparison {
  /** The number of values read so far. */
  compared: number
}

function countCompared(comparison: RunningComparison): void {
  comparison.compared += 1
  if (comparison.compared > MOST_COMPARED_VALUES && comparison.ignoreArrayOrder) {
    throw problem.invalidInput(
      `Malformed pattern: equalToJson: with ignoreArrayOrder, it compares more than ${MOST_COMPARED_VALUES} values of one request. Use shorter arrays, or fewer placeholders in them.`,
      { field: 'equalToJson' },
    )
  }
}

/** Placeholders in expected JSON that accept any value of a type. */
const placeholders = new Map<unknown, (value: unknown) => boolean>([
  ['${json-unit.ignore}', () => true],
  ['${json-unit.any-string}', (value) => typeof value === 'string'],
  ['${json-unit.any-number}', (value) => isNumeric(value)],
  ['${json-unit.any-boolean}', (value) => typeof value === 'boolean'],
])

/** Counts the values in a value, including itself. */
function countNodes(value: unknown, comparison: RunningComparison): number {
  countCompared(comparison)
  if (!isObject(value)) return 1
  return Object.values(value).reduce((sum: number, member) => sum + countNodes(member, comparison), 1)
}

/** Whether a value can be compared by name: it has no placeholders, and extra elements are not ignored. */
function isPlain(value: unknown, comparison: RunningComparison): boolean {
  countCompared(comparison)
  if (!isObject(value)) return !placeholders.has(value)
  return !comparison.ignoreExtraElements && Object.values(value).every((member) => isPlain(member, comparison))
}

/** Serializes a value. Names are equal if and only if the values are, as compared by {@link countDifferences}. */
function toPatternName(value: unknown, comparison: RunningComparison): string {
  countCompared(comparison)
  if (isNumeric(value)) return String(toUniform(value))
  if (!isObject(value)) return JSON.stringify(value)
  if (Array.isArray(value)) {
    const names = value.map((one) => toPatternName(one, comparison))
    return `[${(comparison.ignoreArrayOrder ? names.toSorted() : names).join()}]`
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${toPatternName(member, comparison)}`,
  )
  return `{${members.toSorted().join()}}`
}

/** How much a value requires: the number of values in it that are not placeholders. */
function weigh(value: unknown, comparison: RunningComparison): number {
  countCompared(comparison)
  if (!isObject(value)) return placeholders.has(value) ? 0 : 1
  return Object.values(value).reduce((sum: number, member) => sum + weigh(member, comparison), 1)
}

/**
 * Counts the expected values that have no equal of their own in an array of any order. Plain values are counted by name. The
 * others (with placeholders, or if extra elements are ignored) follow, those that require most first; each takes the smallest
 * equal that is left. It does not try other ways to share out the equals: if extra elements are ignored,
 * `[{"a":1},{"b":2}]` accepts `[{"a":1,"b":2},{"a":1}]`, but not `[{"a":1,"b":2},{"a":1,"c":3}]`.
 */
function countUnpaired(
  expected: readonly unknown[],
  actual: readonly unknown[],
  comparison: RunningComparison,
): number {
  const [plain, others] = [new Array<string>(), new Array<unknown>()]
  for (const one of expected) {
    if (isPlain(one, comparison)) plain.push(toPatternName(one, comparison))
    else others.push(one)
  }
  const counts = new Map<string, number>()
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1)
  const left: unknown[] = []
  for (const one of actual) {
    const name = counts.size === 0 ? '' : toPatternName(one, comparison)
    const count = counts.get(name) ?? 0
    if (count > 0) counts.set(name, count - 1)
    else left.push(one)
  }
  let unpaired = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (others.length === 0) return unpaired
  const weighAll = (values: readonly unknown[]) => values.map((value) => ({ value, weight: weigh(value, comparison) }))
  const free = weighAll(left).toSorted((a, b) => a.weight - b.weight)
  for (const { value } of weighAll(others).toSorted((a, b) => b.weight - a.weight)) {
    const at = free.findIndex((one) => countDifferences(value, one.value, comparison) === 0)
    if (at === -1) unpaired += 1
    else free.splice(at, 1)
  }
  return unpaired
}

function countArrayDifferences(
  expected: readonly unknown[],
  actual: readonly unknown[],
  comparison: RunningComparison,
): number {
  const extra = comparison.ignoreExtraElements ? 0 : Math.max(0, actual.length - expected.length)
  if (comparison.ignoreArrayOrder) return countUnpaired(expected, actual, comparison) + extra
  return expected.reduce(
    (sum: number, one, index) =>
      sum + (index in actual ? countDifferences(one, actual[index], comparison) : countNodes(one, comparison)),
    extra,
  )
}

function countDifferences(expected: unknown, actual: unknown, comparison: RunningComparison): number {
  countCompared(comparison)
  const placeholder = placeholders.get(expected)
  if (placeholder !== undefined) return placeholder(actual) ? 0 : 1
  if (isNumeric(expected) && isNumeric(actual)) return toUniform(expected) === toUniform(actual) ? 0 : 1
  if (Array.isArray(expected) && Array.isArray(actual)) return countArrayDifferences(expected, actual, comparison)
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) || Array.isArray(actual)) {
    return expected === actual ? 0 : Math.max(countNodes(expected, comparison), countNodes(actual, comparison))
  }
  const others = new Map(Object.entries(actual))
  const members = Object.entries(expected)
  const extra = comparison.ignoreExtraElements
    ? []
    : [...others.keys()].filter((name) => !Object.hasOwn(expected, name))
  return members.reduce(
    (sum, [name, member]) =>
      sum +
      (others.has(name) ? countDifferences(member, others.get(name), comparison) : countNodes(member, comparison)),
    extra.length,
  )
}

/** Distance of a JSON value from the expected one, from 0 if equal to 1. Whole numbers are compared exactly (D3). */
export function measureJson(expected: unknown, actual: unknown, options: JsonComparison): number {
  const comparison = { ...options, compared: 0 }
  return Math.min(
    1,
    countDifferences(expected, actual, comparison) /
      Math.max(countNodes(expected, comparison), countNodes(actual, comparison)),
  )
}

/**
 * Creates a problem for a malformedPattern pattern.
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

/** A pattern for a single value of a request. Distances range from 0 for a match to 1. */
export interface ValuePattern {
  /** The original JSON. */
  readonly source: Readonly<Record<string, unknown>>
  readonly operator: string
  /** The distance of an existing text. */
  readonly measure: (text: string) => number
  /** The distance of a missing value. */
  readonly missing: number
}

/** Only this many characters are compared, because the distance is just a hint. */
const COMPARED_CHARACTERS = 200

/** Edit distance of two texts relative to the longer one; greater than 0 unless they are equal. */
export function measureText(a: string, b: string): number {
  if (a === b) return 0
  const [from, to] = [a.slice(0, COMPARED_CHARACTERS), b.slice(0, COMPARED_CHARACTERS)]
  return Math.max(0.01, distance(from, to) / Math.max(from.length, to.length, 1))
}

type Flags = Readonly<Record<string, boolean>>
type PatternOperator = (operand: unknown, flags: Flags, member: string) => Pick<ValuePattern, 'measure' | 'missing'>

const toDistance = (matches: boolean): number => (matches ? 0 : 1)

/** Strings are parsed as JSON text, as in WireMock; other values are used as they are, with all their digits. */
function parseJsonOperand(operand: unknown, member: string): unknown {
  try {
    return parseJson(typeof operand === 'string' ? operand : stringifyJson(operand))
  } catch {
    throw malformedPattern(member, `${show(operand)} is not JSON. Use a JSON value, or a string of JSON text.`)
  }
}

type Compile = (operand: string, member: string) => (text: string) => boolean

/** An operator that a text either matches or not. Its opposite also matches a missing value. */
const either =
  (compile: Compile, isOpposite = false): PatternOperator =>
  (operand, _flags, member) => {
    const matches = compile(parsePatternJson(operand, member), member)
    return { measure: (text) => toDistance(matches(text) !== isOpposite), missing: toDistance(isOpposite) }
  }

const compilePart: Compile = (part) => (text) => hasPart(text, part)

const patternOperators: ReadonlyMap<string, PatternOperator> = new Map<string, PatternOperator>([
  [
    'equalTo',
    (operand, { caseInsensitive = false }, member) => {
      const fold = (text: string) => (caseInsensitive ? text.toLowerCase() : text)
      const expected = fold(parsePatternJson(operand, member))
      return { measure: (text) => measureText(expected, fold(text)), missing: 1 }
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
      return { measure: () => toDistance(!isAbsent), missing: toDistance(isAbsent) }
    },
  ],
  [
    'equalToJson',
    (operand, { ignoreArrayOrder = false, ignoreExtraElements = false }, member) => {
      const expected = parseJsonOperand(operand, member)
      const measure = (text: string): number => {
        const actual = findJson(text)
        return actual === undefined ? 1 : measureJson(expected, actual, { ignoreArrayOrder, ignoreExtraElements })
      }
      return { measure, missing: 1 }
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
  return { source, operator, ...create(source[operator], flags, `${member}.${operator}`) }
}
