import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ArrayTestType } from '../../../src/service/contract/models.ts'
import { compileWhere } from '../../../src/service/query/where.ts'
import type { StoredResource } from '../../../src/service/state/resource.ts'
import { catchProblem, createSample } from './samples.ts'
import { runs } from '../../support/thorough.ts'

/** A predicate in two forms: as text, and as a model. */
interface Known {
  readonly text: string
  readonly holds: (resource: StoredResource) => boolean
}

const LONG = 2n ** 63n - 1n
const toStored = (value: bigint) => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value)

// Few values, so that predicates match about half the time; two of them differ only past 2^53.
const integer = fc.constantFrom(1n, 2n, 3n, LONG - 1n, LONG)
const word: fc.Arbitrary<string> = fc.constantFrom('', 'a', 'b', '"', '\\', 'ä b')
const operator = fc.constantFrom('=', '!=', '<>', '<', '>', '<=', '>=')
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 })

const quote = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

function compare<T extends string | bigint>(a: T | undefined, sign: string, b: T): boolean {
  if (a === undefined) return sign === '!=' || sign === '<>'
  if (sign === '=') return a === b
  if (sign === '!=' || sign === '<>') return a !== b
  return (sign.startsWith('<') ? a < b : a > b) || (sign.endsWith('=') && a === b)
}

const toBigInts = (values: readonly (number | bigint)[] = []) => values.map(BigInt)

const leaf: fc.Arbitrary<Known> = fc.oneof(
  fc.tuple(operator, integer).map(([sign, value]) => ({
    text: `version ${sign} ${value}`,
    holds: ({ version }: StoredResource) => compare(BigInt(version), sign, value),
  })),
  fc.tuple(operator, word).map(([sign, value]) => ({
    text: `someProperty${sign}${quote(value)}`,
    holds: ({ someProperty }: StoredResource) => compare(someProperty, sign, value),
  })),
  fc.tuple(some(word), fc.boolean()).map(([values, isNot]) => ({
    text: `someProperty ${isNot ? 'NOT ' : ''}in (${values.map(quote).join(', ')})`,
    holds: ({ someProperty }: StoredResource) =>
      (someProperty !== undefined && values.includes(someProperty)) !== isNot,
  })),
  some(integer).map((values) => ({
    text: `arrayOfIntExample contains any (${values.join(',')})`,
    holds: ({ objectTypeProperty }: StoredResource) =>
      toBigInts(objectTypeProperty.arrayOfIntExample).some((one) => values.includes(one)),
  })),
  some(integer).map((values) => ({
    text: `objectTypeProperty(arrayOfIntExample contains all (${values.join(' , ')}))`,
    holds: ({ objectTypeProperty }: StoredResource) => {
      const found = toBigInts(objectTypeProperty.arrayOfIntExample)
      return values.every((one) => found.includes(one))
    },
  })),
  fc.tuple(operator, integer, integer).map(([sign, long, short]) => ({
    text: `arrayOfObjectType(integerExample ${sign} ${long} and integerExampleInt32 = ${short})`,
    holds: ({ objectTypeProperty }: StoredResource) =>
      (objectTypeProperty.arrayOfObjectType ?? []).some(
        ({ integerExample: a, integerExampleInt32: b }) =>
          compare(a === undefined ? undefined : BigInt(a), sign, long) && b !== undefined && BigInt(b) === short,
      ),
  })),
  fc.boolean().map((isNot) => ({
    text: `arrayOfIntExample is ${isNot ? 'not ' : ''}empty`,
    holds: ({ objectTypeProperty }: StoredResource) =>
      ((objectTypeProperty.arrayOfIntExample ?? []).length === 0) !== isNot,
  })),
  fc.boolean().map((isNot) => ({
    text: `someProperty is ${isNot ? 'not ' : ''}defined`,
    holds: ({ someProperty }: StoredResource) => (someProperty !== undefined) !== isNot,
  })),
)

/** Written with the fewest parentheses that precedence allows: an `or` inside an `and`, a chain inside a `not`. */
const { predicate } = fc.letrec<{ predicate: Known; conjunction: Known; negation: Known; group: Known }>((tie) => ({
  predicate: some(tie('conjunction')).map((parts) => ({
    text: parts.map(({ text }) => text).join(' or '),
    holds: (resource: StoredResource) => parts.some(({ holds }) => holds(resource)),
  })),
  conjunction: some(tie('negation')).map((parts) => ({
    text: parts.map(({ text }) => text).join(' and '),
    holds: (resource: StoredResource) => parts.every(({ holds }) => holds(resource)),
  })),
  negation: fc.tuple(fc.boolean(), tie('group')).map(([isNot, { text, holds }]) => ({
    text: isNot ? `not ${text}` : text,
    holds: (resource: StoredResource) => holds(resource) !== isNot,
  })),
  group: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    tie('predicate').map(({ text, holds }) => ({ text: `(${text})`, holds })),
  ),
}))

const stored = integer.map(toStored)
const property: fc.Arbitrary<ArrayTestType> = fc.record(
  {
    arrayOfIntExample: fc.array(stored, { maxLength: 3 }),
    arrayOfObjectType: fc.array(
      fc.record({ integerExample: stored, integerExampleInt32: fc.constantFrom(1, 2) }, { requiredKeys: [] }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
)
const resource = fc
  .tuple(property, fc.constantFrom(1, 2, 3), fc.option(word, { nil: undefined }))
  .map(([objectTypeProperty, version, someProperty]) =>
    createSample('one', objectTypeProperty, { version, ...(someProperty === undefined ? {} : { someProperty }) }),
  )

it('holds exactly if its meaning is true', () => {
  fc.assert(
    fc.property(predicate, resource, ({ text, holds }, resource) => {
      // A query is limited to 100 conditions.
      fc.pre(text.split(/ and | or /).length <= 100)
      expect(compileWhere([text], new Map()).holds(resource)).toBe(holds(resource))
    }),
    { numRuns: runs(500) },
  )
})

it('compares any two 64-bit integers exactly', () => {
  const int64 = fc.bigInt(-(2n ** 63n), LONG)
  const near = fc.tuple(int64, fc.constantFrom(0n, 1n)).map(([a, step]) => [a, a - step] as const)
  fc.assert(
    fc.property(near, ([a, b]) => {
      const one = createSample('one', { arrayOfObjectType: [{ integerExample: a }] })
      expect(compileWhere([`arrayOfObjectType(integerExample = ${b})`], new Map()).holds(one)).toBe(a === b)
      expect(compileWhere([`arrayOfObjectType(integerExample in (${b}))`], new Map()).holds(one)).toBe(a === b)
      expect(compileWhere([`arrayOfObjectType(integerExample > ${b})`], new Map()).holds(one)).toBe(a > b)
    }),
  )
})

const words = 'and or not in contains any all is defined empty true key version createdAt objectTypeProperty'
const others = 'arrayOfIntExample arrayOfObjectType integerExample ( ) , . = <> 1 -1.5e3 "a" " \\ :x : ` 😀 \uD800 \n'
const token = fc.constantFrom(...words.split(' '), ...others.split(' '))
const noise = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(' ')),
)

it('parses a text or refuses it with a 400', () => {
  fc.assert(
    fc.property(noise, (text) => {
      try {
        compileWhere([text], new Map([['x', ['1', '2']]]))
      } catch {
        expect(catchProblem(() => compileWhere([text], new Map([['x', ['1', '2']]]))).status).toBe(400)
      }
    }),
    { numRuns: runs(2000) },
  )
})
