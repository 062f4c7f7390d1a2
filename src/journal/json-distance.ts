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
const PAIR_COST = 20

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

/** Whether a value equals all that have its name, and nothing else: it has no placeholder, and leaves nothing out. */
function isPlain(value: unknown, how: JsonComparison): boolean {
  how.effort?.spend(1)
  if (!isObject(value)) return !placeholders.has(value)
  return !how.ignoreExtraElements && Object.values(value).every((member) => isPlain(member, how))
}

/** Names a value so that two have the same name if, and only if, they are equal as {@link countDifferences} has it. */
function toName(value: unknown, how: JsonComparison): string {
  how.effort?.spend(1)
  if (isNumeric(value)) return String(toUniform(value))
  if (!isObject(value)) return JSON.stringify(value)
  if (Array.isArray(value)) {
    const names = value.map((one) => toName(one, how))
    return `[${(how.ignoreArrayOrder ? names.toSorted() : names).join()}]`
  }
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${toName(member, how)}`)
  return `{${members.toSorted().join()}}`
}

/**
 * Pairs as many of `expected` with an equal of `actual` as can be, each with another. Plain values are paired by their names,
 * those that are left by trying (Kuhn, 1955). Returns how many were left without.
 */
function countUnpaired(expected: readonly unknown[], actual: readonly unknown[], how: JsonComparison): number {
  const pairedWith = new Map<number, number>()
  const equal = expected.map(() => new Map<number, boolean>())
  /** Where the values of each name are in `actual`. */
  const places = new Map<string, number[]>()
  const plain = expected.map((one) => (isPlain(one, how) ? toName(one, how) : undefined))
  const wanted = new Set(plain)
  if (plain.some((name) => name !== undefined)) {
    for (const [at, one] of actual.entries()) {
      const name = toName(one, how)
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
    const told = equal[from]?.get(to) ?? countDifferences(expected[from], actual[to], how) === 0
    equal[from]?.set(to, told)
    return told
  }

  function pair(from: number, visited: Set<number>): boolean {
    const own = placesOf(from)
    const count = own?.length ?? actual.length
    for (let step = 0; step < count; step += 1) {
      // What stands in the same place is the likeliest.
      const to = own?.[step] ?? (from + step) % actual.length
      how.effort?.spend(PAIR_COST)
      if (visited.has(to) || (own === undefined && !isEqual(from, to))) continue
      visited.add(to)
      const other = pairedWith.get(to)
      if (other !== undefined && !pair(other, visited)) continue
      pairedWith.set(to, from)
      return true
    }
    return false
  }

  // Values of one name are paired with each other's equals alone, so none of them that is left over here is ever paired.
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
