import { isNumeric, isObject, toUniform } from '../../service/query/fields.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { problem } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import { isJsonObject, stringifyJson, findJson, parseJson } from '../../service/http/json.ts'
import { distance } from 'fastest-levenshtein'
import { compileExpression } from './expressions.ts'
import type { Budget } from '../../service/query/budget.ts'

/** Options for comparing JSON, as in WireMock's `equalToJson`. */
export interface JsonComparison {
  readonly ignoreArrayOrder: boolean
  /** Ignores members and array elements that are missing from the expected value. */
  readonly ignoreExtraElements: boolean
  /** Charged for every value visited; unlimited if absent. */
  readonly budget?: Budget
}

/** Budget units for trying a pair. */
const PAIR_COST = 20

/** Placeholders in expected JSON that accept any value of a type. */
const placeholders = new Map<unknown, (value: unknown) => boolean>([
  ['${json-unit.ignore}', () => true],
  ['${json-unit.any-string}', (value) => typeof value === 'string'],
  ['${json-unit.any-number}', (value) => isNumeric(value)],
  ['${json-unit.any-boolean}', (value) => typeof value === 'boolean'],
])

/** Counts the values in a value, including itself. */
function countNodes(value: unknown, options: JsonComparison): number {
  options.budget?.spend(1)
  if (!isObject(value)) return 1
  return Object.values(value).reduce((sum: number, member) => sum + countNodes(member, options), 1)
}

/** Whether a value can be compared by name: it has no placeholders, and extra elements are not ignored. */
function isPlain(value: unknown, options: JsonComparison): boolean {
  options.budget?.spend(1)
  if (!isObject(value)) return !placeholders.has(value)
  return !options.ignoreExtraElements && Object.values(value).every((member) => isPlain(member, options))
}

/** Serializes a value. Names are equal if and only if the values are, as compared by {@link countDifferences}. */
function toName(value: unknown, options: JsonComparison): string {
  options.budget?.spend(1)
  if (isNumeric(value)) return String(toUniform(value))
  if (!isObject(value)) return JSON.stringify(value)
  if (Array.isArray(value)) {
    const names = value.map((one) => toName(one, options))
    return `[${(options.ignoreArrayOrder ? names.toSorted() : names).join()}]`
  }
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${toName(member, options)}`)
  return `{${members.toSorted().join()}}`
}

/**
 * Finds a maximum matching between `expected` and equal values in `actual`. Plain values are matched by name, the rest with
 * augmenting paths (Kuhn, 1955). Returns the number of unmatched expected values.
 */
function countUnpaired(expected: readonly unknown[], actual: readonly unknown[], options: JsonComparison): number {
  const pairedWith = new Map<number, number>()
  const equal = expected.map(() => new Map<number, boolean>())
  /** Indexes in `actual` by name. */
  const places = new Map<string, number[]>()
  const plain = expected.map((one) => (isPlain(one, options) ? toName(one, options) : undefined))
  const wanted = new Set(plain)
  if (plain.some((name) => name !== undefined)) {
    for (const [at, one] of actual.entries()) {
      const name = toName(one, options)
      if (!wanted.has(name)) continue
      const known = places.get(name)
      if (known === undefined) places.set(name, [at])
      else known.push(at)
    }
  }
  const placesOf = (from: number): readonly number[] | undefined => {
    const name = plain[from]
    return name === undefined ? undefined : (places.get(name) ?? [])
  }

  function isEqual(from: number, to: number): boolean {
    const known = equal[from]?.get(to) ?? countDifferences(expected[from], actual[to], options) === 0
    equal[from]?.set(to, known)
    return known
  }

  function pair(from: number, visited: Set<number>): boolean {
    const own = placesOf(from)
    const count = own?.length ?? actual.length
    for (let step = 0; step < count; step += 1) {
      // Try the same index first, since it is most likely equal.
      const to = own?.[step] ?? (from + step) % actual.length
      options.budget?.spend(PAIR_COST)
      if (visited.has(to) || (own === undefined && !isEqual(from, to))) continue
      visited.add(to)
      const other = pairedWith.get(to)
      if (other !== undefined && !pair(other, visited)) continue
      pairedWith.set(to, from)
      return true
    }
    return false
  }

  // Values of the same name are interchangeable, so any left over here would never find a match.
  const used = new Map<string, number>()
  let unpaired = 0
  const others: number[] = []
  for (const [from, name] of plain.entries()) {
    if (name === undefined) {
      others.push(from)
      continue
    }
    const count = used.get(name) ?? 0
    const to = places.get(name)?.[count]
    if (to === undefined) unpaired += 1
    else pairedWith.set(to, from)
    used.set(name, count + 1)
  }
  return unpaired + others.filter((from) => !pair(from, new Set())).length
}

function countArrayDifferences(
  expected: readonly unknown[],
  actual: readonly unknown[],
  options: JsonComparison,
): number {
  const extra = options.ignoreExtraElements ? 0 : Math.max(0, actual.length - expected.length)
  if (options.ignoreArrayOrder) return countUnpaired(expected, actual, options) + extra
  return expected.reduce(
    (sum: number, one, index) =>
      sum + (index in actual ? countDifferences(one, actual[index], options) : countNodes(one, options)),
    extra,
  )
}

function countDifferences(expected: unknown, actual: unknown, options: JsonComparison): number {
  options.budget?.spend(1)
  const placeholder = placeholders.get(expected)
  if (placeholder !== undefined) return placeholder(actual) ? 0 : 1
  if (isNumeric(expected) && isNumeric(actual)) return toUniform(expected) === toUniform(actual) ? 0 : 1
  if (Array.isArray(expected) && Array.isArray(actual)) return countArrayDifferences(expected, actual, options)
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) || Array.isArray(actual)) {
    return expected === actual ? 0 : Math.max(countNodes(expected, options), countNodes(actual, options))
  }
  const others = new Map(Object.entries(actual))
  const members = Object.entries(expected)
  const extra = options.ignoreExtraElements ? [] : [...others.keys()].filter((name) => !Object.hasOwn(expected, name))
  return members.reduce(
    (sum, [name, member]) =>
      sum + (others.has(name) ? countDifferences(member, others.get(name), options) : countNodes(member, options)),
    extra.length,
  )
}

/** Distance of a JSON value from the expected one, from 0 if equal to 1. Whole numbers are compared exactly (D3). */
export function measureJson(expected: unknown, actual: unknown, options: JsonComparison): number {
  return Math.min(
    1,
    countDifferences(expected, actual, options) / Math.max(countNodes(expected, options), countNodes(actual, options)),
  )
}

/**
 * Creates a problem for a malformed pattern.
 *
 * @param member the path of the error, such as `bodyPatterns[0].matches`
 */
export const malformed = (member: string, why: string): Problem =>
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
  throw malformed(member, `expected an object, got ${show(json)}.`)
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
  throw malformed(member, `unknown ${what} ${show(name)}.${remedy}`)
}

/** @throws {Problem} 400 for anything but a string. */
export function parseText(json: unknown, member: string): string {
  if (typeof json === 'string') return json
  throw malformed(member, `expected a string, got ${show(json)}. Put it in quotes.`)
}

/** @throws {Problem} 400 for anything but a boolean. */
export function parseFlag(json: unknown, member: string): boolean {
  if (typeof json === 'boolean') return json
  throw malformed(member, `expected true or false, got ${show(json)}.`)
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

/** Budget units for one check of a text, and the number of characters that cost another unit. */
const CHECK_COST = 10
const CHARACTERS_A_STEP = 4

type Flags = Readonly<Record<string, boolean>>
type PatternOperator = (
  operand: unknown,
  flags: Flags,
  member: string,
  budget: Budget,
) => Pick<ValuePattern, 'measure' | 'missing'>

const toDistance = (matches: boolean): number => (matches ? 0 : 1)

/** Maximum length of an array with `ignoreArrayOrder`, because matching can take quadratic time. */
const MOST_UNORDERED = 1000

function parseExpectedJson(operand: unknown, flags: Flags, member: string): unknown {
  const expected = parseJsonOperand(operand, member)
  const isTooLong = (value: unknown): boolean =>
    isObject(value) && ((Array.isArray(value) && value.length > MOST_UNORDERED) || Object.values(value).some(isTooLong))
  if (flags.ignoreArrayOrder === true && isTooLong(expected)) {
    throw malformed(
      member,
      `with ignoreArrayOrder, arrays are limited to ${MOST_UNORDERED} elements. Shorten the array.`,
    )
  }
  return expected
}

/** Strings are parsed as JSON text, as in WireMock; other values are used as they are, with all their digits. */
function parseJsonOperand(operand: unknown, member: string): unknown {
  try {
    return parseJson(typeof operand === 'string' ? operand : stringifyJson(operand))
  } catch {
    throw malformed(member, `${show(operand)} is not JSON. Use a JSON value, or a string of JSON text.`)
  }
}

type Compile = (operand: string, member: string, budget: Budget) => (text: string) => boolean

/** An operator that a text either matches or not. Its opposite also matches a missing value. */
const either =
  (compile: Compile, isOpposite = false): PatternOperator =>
  (operand, _flags, member, budget) => {
    const matches = compile(parseText(operand, member), member, budget)
    return { measure: (text) => toDistance(matches(text) !== isOpposite), missing: toDistance(isOpposite) }
  }

const compilePart: Compile = (part) => (text) => text.includes(part)

const operators: ReadonlyMap<string, PatternOperator> = new Map<string, PatternOperator>([
  [
    'equalTo',
    (operand, { caseInsensitive = false }, member) => {
      const fold = (text: string) => (caseInsensitive ? text.toLowerCase() : text)
      const expected = fold(parseText(operand, member))
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
    (operand, flags, member, budget) => {
      const { ignoreArrayOrder = false, ignoreExtraElements = false } = flags
      const options = { ignoreArrayOrder, ignoreExtraElements, budget }
      const expected = parseExpectedJson(operand, flags, member)
      const measure = (text: string): number => {
        const actual = findJson(text)
        return actual === undefined ? 1 : measureJson(expected, actual, options)
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
 * @param budget the budget for matching
 * @throws {Problem} 400 for an invalid pattern.
 */
export function parseValuePattern(json: unknown, member: string, budget: Budget): ValuePattern {
  if (typeof json === 'string')
    throw malformed(member, `expected a pattern, got ${show(json)}. Use {"equalTo": ${show(json)}}.`)
  const source = parseMembers(json, member, [...operators.keys(), ...[...flagNames.values()].flat()])
  const named = Object.keys(source).filter((name) => operators.has(name))
  const [operator] = named
  const create = operators.get(operator ?? '')
  if (operator === undefined || create === undefined || named.length > 1) {
    throw malformed(member, `expected exactly one of ${[...operators.keys()].join(', ')}, got ${show(source)}.`)
  }
  const flags: Record<string, boolean> = {}
  for (const name of Object.keys(source)) {
    if (name === operator) continue
    if (flagNames.get(operator)?.includes(name) !== true)
      throw malformed(member, `"${name}" is not supported with "${operator}".`)
    flags[name] = parseFlag(source[name], `${member}.${name}`)
  }
  const { measure, missing } = create(source[operator], flags, `${member}.${operator}`, budget)
  return {
    source,
    operator,
    measure(text) {
      budget.spend(CHECK_COST + text.length / CHARACTERS_A_STEP)
      return measure(text)
    },
    missing,
  }
}
