import type { Effort } from '../query/effort.ts'
import { toUniform } from '../query/scalars.ts'

/** How JSON is compared, as WireMock's `equalToJson` has it. */
export interface JsonComparison {
  readonly ignoreArrayOrder: boolean
  /** Members and array elements that the expected value does not have. */
  readonly ignoreExtraElements: boolean
  /** What every value that is looked at is counted with; absent: nobody counts. */
  readonly effort?: Effort
}

/** What it takes to try a pair, as effort counts it. */
const PAIR_COST = 8

/** What stands for any value of a kind in the expected JSON. */
const placeholders = new Map<unknown, (value: unknown) => boolean>([
  ['${json-unit.ignore}', () => true],
  ['${json-unit.any-string}', (value) => typeof value === 'string'],
  ['${json-unit.any-number}', (value) => isNumeric(value)],
  ['${json-unit.any-boolean}', (value) => typeof value === 'boolean'],
])

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** How many values there are in a value, itself included. */
function countNodes(value: unknown, how: JsonComparison): number {
  how.effort?.spend(1)
  if (!isObject(value)) return 1
  return Object.values(value).reduce((sum: number, member) => sum + countNodes(member, how), 1)
}

/**
 * Pairs as many of `expected` with an equal of `actual` as can be (Kuhn, 1955), each with another.
 * Returns how many were left without.
 */
function countUnpaired(expected: readonly unknown[], actual: readonly unknown[], how: JsonComparison): number {
  const pairedWith = new Map<number, number>()
  const equal = expected.map(() => new Map<number, boolean>())

  function isEqual(from: number, to: number): boolean {
    const told = equal[from]?.get(to) ?? countDifferences(expected[from], actual[to], how) === 0
    equal[from]?.set(to, told)
    return told
  }

  function pair(from: number, visited: Set<number>): boolean {
    for (let step = 0; step < actual.length; step += 1) {
      // What stands in the same place is the likeliest.
      const to = (from + step) % actual.length
      how.effort?.spend(PAIR_COST)
      if (visited.has(to) || !isEqual(from, to)) continue
      visited.add(to)
      const other = pairedWith.get(to)
      if (other !== undefined && !pair(other, visited)) continue
      pairedWith.set(to, from)
      return true
    }
    return false
  }

  return expected.filter((_one, from) => !pair(from, new Set())).length
}

function countArrayDifferences(expected: readonly unknown[], actual: readonly unknown[], how: JsonComparison): number {
  const extra = how.ignoreExtraElements ? 0 : Math.max(0, actual.length - expected.length)
  if (how.ignoreArrayOrder) return countUnpaired(expected, actual, how) + extra
  return expected.reduce(
    (sum: number, one, index) =>
      sum + (index in actual ? countDifferences(one, actual[index], how) : countNodes(one, how)),
    extra,
  )
}

function countDifferences(expected: unknown, actual: unknown, how: JsonComparison): number {
  how.effort?.spend(1)
  const placeholder = placeholders.get(expected)
  if (placeholder !== undefined) return placeholder(actual) ? 0 : 1
  if (isNumeric(expected) && isNumeric(actual)) return toUniform(expected) === toUniform(actual) ? 0 : 1
  if (Array.isArray(expected) && Array.isArray(actual)) return countArrayDifferences(expected, actual, how)
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) || Array.isArray(actual)) {
    return expected === actual ? 0 : Math.max(countNodes(expected, how), countNodes(actual, how))
  }
  const others = new Map(Object.entries(actual))
  const members = Object.entries(expected)
  const extra = how.ignoreExtraElements ? [] : [...others.keys()].filter((name) => !Object.hasOwn(expected, name))
  return members.reduce(
    (sum, [name, member]) =>
      sum + (others.has(name) ? countDifferences(member, others.get(name), how) : countNodes(member, how)),
    extra.length,
  )
}

/** How far a JSON value is from the expected one: 0 where they are equal, at most 1. Whole numbers are exact (D3). */
export function measureJson(expected: unknown, actual: unknown, how: JsonComparison): number {
  return Math.min(
    1,
    countDifferences(expected, actual, how) / Math.max(countNodes(expected, how), countNodes(actual, how)),
  )
}
