import { distance } from 'fastest-levenshtein'
import { findJson, parseJson, stringifyJson } from '../http/json.ts'
import type { Effort } from '../query/effort.ts'
import { compileExpression } from './expressions.ts'
import { measureJson } from './json-distance.ts'
import { malformed, parseFlag, parseMembers, parseText, show } from './pattern-json.ts'

/** What one value of a request is held against. Distances are 0 where it matches, else more, at most 1. */
export interface ValuePattern {
  /** The JSON that it was parsed from. */
  readonly source: Readonly<Record<string, unknown>>
  readonly operator: string
  /** Of a text that is there. */
  readonly measure: (text: string) => number
  /** Where there is nothing. */
  readonly missing: number
}

/** Texts are told apart by their beginnings: a distance is a hint, not worth more. */
const COMPARED_CHARACTERS = 200

/** How far two texts are apart, as a share of the longer one; more than 0 for any two that differ. */
export function measureText(a: string, b: string): number {
  if (a === b) return 0
  const [from, to] = [a.slice(0, COMPARED_CHARACTERS), b.slice(0, COMPARED_CHARACTERS)]
  return Math.max(0.01, distance(from, to) / Math.max(from.length, to.length, 1))
}

/** What it takes to hold a text against a pattern, as effort counts it; and for so many of its characters one more. */
const CHECK_COST = 10
const CHARACTERS_A_STEP = 4

type Flags = Readonly<Record<string, boolean>>
type Operator = (
  operand: unknown,
  flags: Flags,
  member: string,
  effort: Effort,
) => Pick<ValuePattern, 'measure' | 'missing'>

const toDistance = (matches: boolean): number => (matches ? 0 : 1)

/** Where `ignoreArrayOrder` finds pairs, it takes a time of the square of this. */
const MOST_UNORDERED = 1000

function parseExpectedJson(operand: unknown, flags: Flags, member: string): unknown {
  const expected = parseJsonOperand(operand, member)
  const isTooLong = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    ((Array.isArray(value) && value.length > MOST_UNORDERED) || Object.values(value).some(isTooLong))
  if (flags.ignoreArrayOrder === true && isTooLong(expected)) {
    throw malformed(member, `with ignoreArrayOrder an array may have at most ${MOST_UNORDERED} elements. Shorten it.`)
  }
  return expected
}

/** A string is JSON text, as WireMock has it; any other value is itself, taken over without a digit lost. */
function parseJsonOperand(operand: unknown, member: string): unknown {
  try {
    return parseJson(typeof operand === 'string' ? operand : stringifyJson(operand))
  } catch {
    throw malformed(member, `${show(operand)} is not JSON. Use a JSON value, or a string of JSON text.`)
  }
}

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  [
    'equalTo',
    (operand, { caseInsensitive = false }, member) => {
      const fold = (text: string) => (caseInsensitive ? text.toLowerCase() : text)
      const expected = fold(parseText(operand, member))
      return { measure: (text) => measureText(expected, fold(text)), missing: 1 }
    },
  ],
  [
    'contains',
    (operand, _flags, member) => {
      const part = parseText(operand, member)
      return { measure: (text) => toDistance(text.includes(part)), missing: 1 }
    },
  ],
  [
    'doesNotContain',
    (operand, _flags, member) => {
      const part = parseText(operand, member)
      return { measure: (text) => toDistance(!text.includes(part)), missing: 0 }
    },
  ],
  [
    'matches',
    (operand, _flags, member, effort) => {
      const matches = compileExpression(parseText(operand, member), member, effort)
      return { measure: (text) => toDistance(matches(text)), missing: 1 }
    },
  ],
  [
    'doesNotMatch',
    (operand, _flags, member, effort) => {
      const matches = compileExpression(parseText(operand, member), member, effort)
      return { measure: (text) => toDistance(!matches(text)), missing: 0 }
    },
  ],
  [
    'absent',
    (operand, _flags, member) => {
      const isAbsent = parseFlag(operand, member)
      return { measure: () => toDistance(!isAbsent), missing: toDistance(isAbsent) }
    },
  ],
  [
    'equalToJson',
    (operand, flags, member, effort) => {
      const { ignoreArrayOrder = false, ignoreExtraElements = false } = flags
      const expected = parseExpectedJson(operand, flags, member)
      return {
        measure(text) {
          const actual = findJson(text)
          return actual === undefined
            ? 1
            : measureJson(expected, actual, { ignoreArrayOrder, ignoreExtraElements, effort })
        },
        missing: 1,
      }
    },
  ],
])

/** Flags that an operator may have, by the operator's name. */
const flagNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['equalTo', ['caseInsensitive']],
  ['equalToJson', ['ignoreArrayOrder', 'ignoreExtraElements']],
])

/**
 * Parses `{"equalTo": "x"}` and its like.
 *
 * @param member the pattern's path, for the sentence of a fault.
 * @param effort what everything that is looked at is counted with.
 * @throws {Problem} 400 for what is not such a pattern.
 */
export function parseValuePattern(json: unknown, member: string, effort: Effort): ValuePattern {
  if (typeof json === 'string') throw malformed(member, `write {"equalTo": ${show(json)}} for ${show(json)}.`)
  const source = parseMembers(json, member, [...operators.keys(), ...[...flagNames.values()].flat()])
  const named = Object.keys(source).filter((name) => operators.has(name))
  const [operator] = named
  const create = operators.get(operator ?? '')
  if (operator === undefined || create === undefined || named.length > 1) {
    throw malformed(member, `expected one of ${[...operators.keys()].join(', ')}, got ${show(source)}.`)
  }
  const flags: Record<string, boolean> = {}
  for (const name of Object.keys(source)) {
    if (name === operator) continue
    if (flagNames.get(operator)?.includes(name) !== true)
      throw malformed(member, `"${name}" does not go with "${operator}".`)
    flags[name] = parseFlag(source[name], `${member}.${name}`)
  }
  const { measure, missing } = create(source[operator], flags, `${member}.${operator}`, effort)
  return {
    source,
    operator,
    measure(text) {
      effort.spend(CHECK_COST + text.length / CHARACTERS_A_STEP)
      return measure(text)
    },
    missing,
  }
}
