import {
  byId,
  byIdElsewhere,
  COLLECTION,
  eachAlone,
  get,
  head,
  json,
  ownKey,
  OTHER_COLLECTION,
  raw,
  SORTED_QUERY,
  splitList,
  splitQuery,
} from './conversation.ts'
import type { Conversation, ConversationStep, Query, QueryParameter } from './conversation.ts'
import type { Grammar, Pool } from './grammar.ts'

/** More than the resources of the pool. */
const WHOLE_POOL: QueryParameter = ['limit', '60']
const BOTH = [COLLECTION, SORTED_QUERY]
/** Each of its parts is encoded in another way. */
const ENCODED_TEXTS = splitList(
  "a+b | a%2Bb | a%2bb | a,b | a%2Cb | a;b | a%3Bb | 50%2525 | 100%25 | O'Brien | O%27Brien |  | tail+",
  'tail%20 | Caf%C3%A9 | %F0%9F%98%80+smile | a%26b%3Dc | null | %20',
)
const SORTABLE = splitList(
  'version | someProperty | arrayOfIntExample | arrayOfFloatExample | arrayOfStringExample',
  'arrayOfTwonumbersExample | arrayOfNumberNoDefaultsExample',
  'objectTypeProperty.arrayOfUniqueIntExample | arrayOfObjectType.integerExample',
)

/** Values at and beyond the bounds of each parameter. */
const PAGE_BOUNDS = splitList(
  'limit=0 | limit=1 | limit=500 | limit=501 | limit=-1 | limit=20.0 | limit=20.5 | limit=10abc | limit=ten',
  'limit= | limit= 5 | limit=0x10 | offset=10000 | offset=10001 | offset=-1 | offset=3.0 | offset=1,5',
  'withTotal=false | withTotal=true | withTotal=0 | withTotal=yes | withTotal=TRUE | expand=a',
  'expand=a[*].b | where=version > | where=nothing = 1 | where=version = "1" | where=key = :k',
  'where=arrayOfIntExample = 1 | where=version contains any (1) | Limit=1',
)

const REPEATED = splitList(
  'limit=5&limit=6 | integerParameter=1&integerParameter=1 | stringParameter=abc&stringParameter=abc',
  'withTotal=true&withTotal=false',
)

/** Ways to write the parameter that is an object. */
const OBJECTS = splitList(
  'objectParameter[arrayOfString]=abc | objectParameter.arrayOfString=abc',
  'objectParameter={"arrayOfString":["abc"]} | objectParameter={"arrayOfString":"a,b"}',
)

const MALFORMED_NUMBERS = splitList(
  'x |  | 1,5 | 1  |  1 | 0x1 | NaN | Infinity | 1_0 | 2026-02-30T00:00:00Z | 2026-01-01T00:00:00',
  '{"version":1',
)

/**
 * Creates the queries about the resources of a pool.
 *
 * @param isOwn whether the run created them: then no other project has them
 */
export function createQueries(grammar: Grammar, pool: Pool, isOwn: boolean): readonly Conversation[] {
  const { pick, many, thin, anInteger, aDecimal, about, isQuick } = grammar
  const { aString, strings, atom, predicate, chain } = about(pool)
  const own = [pool.own]
  const byKeys: QueryParameter = ['where', `key in (${pool.keys.map((one) => `"${one}"`).join(', ')})`]
  const wholePool = [...own, WHOLE_POOL]
  const ask = (...query: Query): ConversationStep => get(pick(BOTH), { own: wholePool, query })

  function predicates(): readonly ConversationStep[] {
    const alone = many(230, (index): ConversationStep => {
      const limits = index % 10 === 0 && pool.ownSearch !== undefined ? [byKeys] : own
      return { ...ask(['where', index < 150 ? atom() : predicate()]), own: [...limits, WHOLE_POOL] }
    })
    const joined = many(30, () =>
      get(pick(BOTH), { own: [WHOLE_POOL], query: [['where', `${pool.own[1]} and (${predicate()})`]] }),
    )
    return [...many(16, () => ask(['where', chain()])), ...alone, ...joined]
  }

  const values: Readonly<Record<string, () => string>> = {
    stringParameter: aString,
    arrayOfString: aString,
    arrayOfStringWithDescription: aString,
    floatParameter: aDecimal,
    integerParameter: anInteger,
    withMarkdownDescription: aDecimal,
    unionParameter: () => pick([anInteger, aDecimal, anInteger])(),
  }

  function aParameter(): QueryParameter {
    const name = pick(['stringParameter', 'stringParameter', ...Object.keys(values)])
    return [name, values[name]?.() ?? '']
  }

  /** Queries by the parameters of 4.1, a third of them as HEAD, too. */
  function parameters(): readonly ConversationStep[] {
    const texts = strings.flatMap((text) => ['stringParameter', 'arrayOfString'].map((name) => [name, text] as const))
    const aText = (): QueryParameter => ['arrayOfString', pick(strings)]
    const numbers = splitList('0 | -1 | 7 | 42 | 9007199254740993 | 9007199254740992').flatMap((number) =>
      splitList(
        `integerParameter=${number} | unionParameter=${number} | stringParameter=${number} in arrayOfIntExample`,
      ),
    )
    const dates = (pool.dated === undefined ? [] : ['', '|plus2h', '|minus5h', '|next', '|previous']).map(
      (change) => `unionParameter={{${pool.dated}.modified${change}}}`,
    )
    const wholes = [0, 5, 20].flatMap((index): Query => {
      const [name, content] = [pool.names[index], pool.contents[index]]
      if (name === undefined || content === undefined) return []
      return [['unionParameter', json({ version: raw(`{{${name}.version}}`), objectTypeProperty: content })]]
    })
    const queries: readonly Query[] = [
      ...thin(texts).map((one) => [one]),
      ...many(60, () => [aParameter()]),
      ...many(25, () => [aParameter(), aParameter()].filter(([name], at, all) => at === 0 || name !== all[0]?.[0])),
      ...many(12, () => [aText(), aText()]),
      ...thin([...numbers, ...dates].map(splitQuery)),
      ...wholes.map((one) => [one]),
      ...OBJECTS.map(splitQuery),
    ]
    const heads = thin(queries.filter((_, index) => index % 3 === 0)).map((query) => head(COLLECTION, { own, query }))
    return [...queries.map((query) => get(COLLECTION, { own: wholePool, query })), ...heads]
  }

  const heads = many(25, () => {
    const page = splitQuery(pick(['', 'offset=3&limit=0', 'offset=9000']))
    return head(COLLECTION, { own, query: [['where', atom()], ...page] })
  })

  const encodings = ENCODED_TEXTS.flatMap((text) =>
    ['stringParameter', 'arrayOfString'].map((name) =>
      get(COLLECTION, {
        search: `where=${encodeURIComponent(pool.own[1]).replace(/%7B/g, '{').replace(/%7D/g, '}')}&${name}=${text}&limit=60`,
      }),
    ),
  )

  /** Sorts with the key at the end: the order of equal resources is free. */
  const sorted = (...all: readonly string[]) => ask(...all.map((one): QueryParameter => ['sort', one]))
  const direction = () => pick(['asc', 'desc'])
  function sorts(): readonly ConversationStep[] {
    return [
      ...['key asc', 'key desc', 'nothing asc', 'arrayOfObjectType asc', 'key up'].map((one) => sorted(one)),
      ...SORTABLE.flatMap((path) => [sorted(`${path} asc`, 'key asc'), sorted(`${path} desc`, 'key asc')]),
      ...many(30, () => {
        const first = pick(SORTABLE)
        const second = pick(SORTABLE.filter((path) => path !== first))
        return sorted(`${first} ${direction()}`, `${second} ${direction()}`, `key ${direction()}`)
      }),
    ]
  }

  const pages = ['', 'sort=version asc&sort=key asc&', 'sort=someProperty desc&sort=key asc&'].flatMap((order) =>
    BOTH.flatMap((path) =>
      [0, 7, 14, 28, 35, 70].map((offset) => get(path, { own, query: splitQuery(`${order}limit=7&offset=${offset}`) })),
    ),
  )

  const nobody: QueryParameter = ['where', `key = "${ownKey('nobody')}"`]
  const bounds = [
    ...PAGE_BOUNDS.map(splitQuery).flatMap((query) => BOTH.map((path) => get(path, { own, query }))),
    ...BOTH.flatMap((path) => [get(path, { own }), get(path, { own: [nobody] })]),
    ...REPEATED.map((text) => get(COLLECTION, { own, query: splitQuery(text) })),
  ]

  const malformed = ['floatParameter', 'integerParameter', 'withMarkdownDescription', 'unionParameter'].flatMap(
    (name) => MALFORMED_NUMBERS.map((value) => ({ ...get(COLLECTION, { own, query: [[name, value]] }), about: name })),
  )

  /** HEAD takes no unionParameter (D11). */
  const unions = ['99999', json({ version: 1, objectTypeProperty: {} })].map((value) =>
    head(COLLECTION, { own, query: [['unionParameter', value]] }),
  )

  const key = (index: number) => pool.keys[index] ?? ownKey('nobody')
  const variables = [
    `where=key = :k1&var.k1=${key(3)}`,
    `where=key in :ks&var.ks=${key(3)}&var.ks=${key(5)}`,
    `where=key in (:ks, :ks)&var.ks=${key(4)}`,
    `where=key = :ks&var.ks=${key(3)}&var.ks=${key(5)}`,
    'where=arrayOfIntExample contains any :xs&var.xs=1&var.xs=42',
    ...splitList('where=someProperty = :s&var.s=b | where=someProperty = :s&var.s= | where=version > :v&var.v=1'),
    "where=arrayOfStringExample contains any :t&var.t=O'Brien&var.t=100%",
    'where=arrayOfStringExample contains any :t&var.t=say "hi"',
  ].flatMap((text) => BOTH.map((path) => get(path, { own: wholePool, query: splitQuery(text) })))

  const first = pool.names[0] ?? ''
  const elsewhere = [
    get(`${OTHER_COLLECTION}/sorted-query-parameters`, { own: [['where', `id = "{{${first}.id|elsewhere}}"`]] }),
    get(byIdElsewhere(first)),
  ]

  const reads = pool.names
    .slice(0, 4)
    .flatMap((name, at) => [get(byId(name)), head(byId(name)), get(`${COLLECTION}/key=${pool.keys[at] ?? ''}`)])

  return [
    ...eachAlone('reads', 'section 4.2, D5', reads),
    ...eachAlone('encodings', 'section 4.1, RFC 3986', thin(encodings)),
    ...eachAlone('sort', 'D20, D54', thin(sorts())),
    ...eachAlone('pages', 'D10, D20', thin(pages)),
    ...eachAlone('bounds', 'D10', thin(bounds)),
    ...eachAlone('wrong-values', 'D9', thin(malformed)),
    ...eachAlone('variables', 'section 4.12, D53', isQuick ? variables.slice(0, 4) : variables),
    ...eachAlone('where', 'D20, D53', predicates()),
    ...eachAlone('parameters', 'D11', parameters()),
    ...eachAlone('heads', 'D12', [...heads, ...unions]),
    ...(isOwn ? eachAlone('other-project', 'section 1', elsewhere) : []),
  ]
}
