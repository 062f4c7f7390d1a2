import { createChance } from '../../../util/chance.ts'
import { isSymbol, operators } from '../../../service/query/operators.ts'
import type { Operator } from '../../../service/query/operators.ts'
import { fullContent, ownKey, raw, splitList } from './conversation.ts'
import type { Content, QueryParameter } from './conversation.ts'
import { AWKWARD, LARGE, PROPERTIES } from './values.ts'

/** Resources that queries are about. */
export interface Pool {
  /** The names under which their ids are saved. */
  readonly names: readonly string[]
  /** Their keys, as texts of a step. */
  readonly keys: readonly string[]
  readonly contents: readonly Content[]
  /** Parameters that limit a query, or a search, to these resources; undefined if that is impossible. */
  readonly own: QueryParameter
  readonly ownSearch: QueryParameter | undefined
  /** The name of a resource whose dates lie at least a second from those of most others; undefined if there is none. */
  readonly dated: string | undefined
}

/** The random generator of the conversations: the same seed makes the same ones. */
export type Grammar = ReturnType<typeof createGrammar>

/** From the table of the language, so that a new operator gets queries. */
const OPERATORS = Object.entries(operators)
const COMPARISONS = Object.keys(operators).filter(isSymbol)
const INTEGERS = [0, 1, 2, 7, 10, 42, -1, 100, ...LARGE]
const DECIMALS = [0.1, 0.25, 1.5, 2, 8.4, -3.75, 1e21, 1e-7, 100]
const SMALL = ['0', '5', '20', '100']

/** Half of a character that takes two units, which no URL can contain. */
const withoutHalves = (text: string): string => text.replace(/\p{Surrogate}/gu, '')

/** A literal of the predicate language. */
export const quoteLiteral = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const stringsOf = ({ contents }: Pool): readonly string[] => {
  const all = contents.flatMap(({ arrayOfStringExample: strings }): readonly unknown[] =>
    Array.isArray(strings) ? strings : [],
  )
  // A brace could be read as a placeholder.
  return [...new Set(all)].filter((text): text is string => typeof text === 'string' && !text.includes('{'))
}

/** Makes a list of this many. */
export const repeat = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/**
 * Creates the generator.
 *
 * @param share the share of the generated requests to keep: 1 for all
 */
export function createGrammar(seed: number, share: number) {
  const { next } = createChance(seed)
  const pick = <T>(list: readonly T[]): T => {
    // The index lies within the list, which is never empty.
    return list[Math.floor(next() * list.length)] as T
  }
  const some = <T>(list: readonly T[], most: number): readonly T[] =>
    Array.from({ length: Math.floor(next() * (most + 1)) }, () => pick(list))
  /** Makes the share of this many. */
  const many = <T>(count: number, make: (index: number) => T): readonly T[] => repeat(Math.ceil(count * share), make)
  /** Keeps the share of a list. */
  const thin = <T>(list: readonly T[]): readonly T[] => (share === 1 ? list : list.filter(() => next() < share))

  /** A text that equals another one for a careless service. */
  const near = (text: string): string =>
    withoutHalves(
      pick([
        text,
        text,
        text,
        text.toUpperCase(),
        text.toLowerCase(),
        `${text} `,
        text.trim(),
        text.normalize('NFD').replace(/\p{M}/gu, ''),
        text.slice(0, -1),
        text.normalize('NFD'),
        text.normalize('NFC'),
        text.replace(/[a-z]/, '_'),
        `${text.slice(0, 2)}%`,
      ]),
    )

  /** A text with one typing error. */
  function mistype(text: string): string {
    const at = Math.floor(next() * text.length)
    const [before, after] = [text.slice(0, at), text.slice(at + 1)]
    const swapped = `${before}${text[at + 1] ?? ''}${text[at] ?? ''}${text.slice(at + 2)}`
    return withoutHalves(pick([before + after, `${before}q${text.slice(at)}`, `${before}q${after}`, swapped]))
  }

  const anInteger = () => String(pick(INTEGERS))
  const aDecimal = () => String(pick([...DECIMALS, 3, 9, 11]))

  /** The content of a resource of the pool. */
  function makeContent(index: number, isStrict: boolean): Content {
    const plain = 'kettle | copper kettle | Copper | Küche | wool-plaid | wo | oak42 table | lamp | lamps'
    const words = [...splitList(plain), ...AWKWARD]
    const word = (at: number) => words[at % words.length] ?? ''
    const objects = repeat(Math.floor(next() * 4), () => ({
      integerExample: pick(INTEGERS),
      integerExampleInt32: pick([0, 1, 5, 20, 100, 2147483647, -2147483648]),
    }))
    const content = {
      arrayOfIntExample: some(INTEGERS, 4),
      arrayOfUniqueIntExample: [raw('{m}'), ...new Set(some(INTEGERS, 2))],
      arrayOfTwonumbersExample: [pick(INTEGERS), pick(INTEGERS)],
      arrayOfFloatExample: some(DECIMALS, 3),
      arrayOfNumberNoDefaultsExample: some([...DECIMALS, 9, 11], 3),
      arrayOfStringExample: ['{k}', word(index), word(index * 7 + 3), ...some(words, 2)],
      arrayOfObjectType: objects,
    }
    if (isStrict || index % 4 !== 3) return fullContent(content)
    const absent = new Set([
      pick(['arrayOfIntExample', 'arrayOfFloatExample', 'arrayOfObjectType']),
      pick(['arrayOfNumberNoDefaultsExample', 'arrayOfTwonumbersExample']),
    ])
    return Object.fromEntries(Object.entries(content).filter(([name]) => !absent.has(name)))
  }

  const dateAtom = (name: string) =>
    `${pick(['createdAt', 'lastModifiedAt'])} ${pick(COMPARISONS)} "{{${name}.${pick(['created', 'modified'])}${pick(['', '|plus2h', '|minus5h', '|next', '|previous'])}}}"`

  /** Atoms that match about half of the resources, without parentheses: their answers show the precedence. */
  function chain(): string {
    const even = splitList(
      'version > 1 | version < 3 | arrayOfIntExample is empty | arrayOfFloatExample is not empty',
      'someProperty is defined | arrayOfObjectType is empty | arrayOfTwonumbersExample is defined',
      'arrayOfObjectType(integerExampleInt32 > 1)',
    )
    const part = (index: number) =>
      `${index === 0 ? '' : ` ${pick(['and', 'or'])} `}${pick(['', '', 'not '])}${pick(even)}`
    return repeat(3 + Math.floor(next() * 2), part).join('')
  }

  /** A field with any operator that takes its kind; ids of two services have no common order. */
  function test(field: string, kind: keyof Operator['on'], value: () => string): string {
    const all = OPERATORS.filter(([, { on, canLookUp }]) => on[kind] && (field !== 'id' || canLookUp))
    const [text, { takes, negation }] = pick(all)
    const spelling = pick([text, ...(negation === undefined ? [] : [negation])])
    if (takes === 'nothing') return `${field} ${spelling}`
    return `${field} ${spelling} ${takes === 'one value' ? value() : `(${pick([value(), `${value()}, ${value()}`])})`}`
  }

  /** A generator of predicates and values for the resources of a pool. */
  function about(pool: Pool) {
    const strings = ['abc', ...stringsOf(pool)]
    const aString = () => near(pick(strings))
    const arrays: Readonly<Record<string, () => string>> = {
      arrayOfIntExample: anInteger,
      arrayOfUniqueIntExample: anInteger,
      arrayOfTwonumbersExample: anInteger,
      arrayOfFloatExample: aDecimal,
      arrayOfNumberNoDefaultsExample: aDecimal,
      arrayOfStringExample: () => quoteLiteral(aString()),
    }
    const members: Readonly<Record<string, () => string>> = {
      key: () => quoteLiteral(pick([pick(pool.keys), pick(pool.keys).toLowerCase(), ownKey('r1')])),
      version: () => pick(['1', '2', '3', '10', '11']),
      someProperty: () => quoteLiteral(near(pick(PROPERTIES))),
      id: () => `"{{${pick(pool.names)}.id${pick(['', '', '|upper'])}}}"`,
    }

    function memberAtom(): string {
      const name = pick(['key', 'version', 'version', 'someProperty', 'someProperty', 'someProperty', 'id'])
      return test(name, 'value', members[name] ?? anInteger)
    }

    function arrayAtom(): string {
      const name = pick([...Object.keys(arrays), 'arrayOfObjectType'])
      const value = arrays[name]
      const inner = test(name, value === undefined ? 'entries' : 'list', value ?? anInteger)
      return pick([inner, inner, `objectTypeProperty(${inner})`, `objectTypeProperty.${inner}`])
    }

    const objectAtom = () =>
      `arrayOfObjectType(integerExample ${pick(COMPARISONS)} ${anInteger()} ${pick(['and', 'or'])} integerExampleInt32 ${pick(COMPARISONS)} ${pick(SMALL)})`

    function atom(): string {
      const kind = next()
      if (kind < 0.35) return memberAtom()
      if (kind < 0.8) return arrayAtom()
      return kind < 0.92 || pool.dated === undefined ? objectAtom() : dateAtom(pool.dated)
    }

    function predicate(depth = 0): string {
      const kind = next()
      if (depth > 2 || kind < 0.4) return atom()
      if (kind < 0.55) return `not ${pick([`(${predicate(depth + 1)})`, atom()])}`
      if (kind < 0.7) return `(${predicate(depth + 1)})`
      return `${predicate(depth + 1)} ${kind < 0.85 ? 'and' : 'or'} ${predicate(depth + 1)}`
    }

    return { strings, aString, atom, predicate, chain }
  }

  return {
    next,
    pick,
    some,
    many,
    thin,
    mistype,
    near,
    anInteger,
    aDecimal,
    makeContent,
    about,
    isQuick: share < 1,
  }
}
