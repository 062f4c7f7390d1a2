import { eachAlone, get, isSampled, SEARCH_PATH, splitList, splitQuery } from './conversation.ts'
import type { Conversation, ConversationStep, Query, QueryParameter } from './conversation.ts'
import { quoteLiteral } from './grammar.ts'
import type { Grammar, Pool } from './grammar.ts'

const WHOLE_PAGE: QueryParameter = ['limit', '60']

const FACETS = splitList(
  'arrayOfIntExample | arrayOfStringExample | arrayOfFloatExample',
  'arrayOfObjectType.integerExampleInt32 | objectTypeProperty.arrayOfIntExample',
  'arrayOfTwonumbersExample | arrayOfObjectType.integerExample',
)

/** Texts with levels at and above those that their terms allow by their length (D14). */
const LEVELS = splitList(
  'ab kettle, 1 | ketle, 3 | lamp, 2 | kettle lamp, 2 | kettle, -1 | kettle, 0.5 | kettle, 1.0',
  'copper kettles, 2 | lamb, 1 | kettle, x | kettle, 1000000',
)

const OTHER_SEARCHES = splitList(
  'facet=arrayOfIntExample&facet=arrayOfStringExample | text.en=kettle&facet=arrayOfStringExample',
  'staged=true | staged=false',
)

/** Requests that a search refuses, whatever the project holds. */
const REFUSED_SEARCHES = splitList(
  'text.english=a | text.EN=a | facet=nothing | filter=nothing:1 | filter=arrayOfIntExample',
  'filter=arrayOfIntExample:x | staged=x | limit=501 | limit=x | offset=10001',
)

/** A level above the default of any platform (section 8), and two parameters that no section has: names are case-sensitive. */
const HIGHEST_LEVELS = splitList('fuzzyLevel | FuzzyLevel | FuzzyLevels').map((name) =>
  get(SEARCH_PATH, { query: splitQuery(`text.en=kettle&fuzzy=true&${name}=1000000`), topic: 'free answer' }),
)

/** Searches that a service must refuse, for a run that has no resources of its own. */
export const createRefusedSearches = (): readonly Conversation[] => [
  ...eachAlone('fuzzy-search', 'section 8, D14', HIGHEST_LEVELS),
  ...eachAlone(
    'search',
    'D14',
    REFUSED_SEARCHES.map((text) => get(SEARCH_PATH, { query: splitQuery(text) })),
    isSampled,
  ),
]

/** Creates the searches for the resources of a pool. */
export function createSearches(grammar: Grammar, pool: Pool, own: QueryParameter): readonly Conversation[] {
  const { pick, next, many, thin, mistype, anInteger, aDecimal, about } = grammar
  const { strings } = about(pool)
  const search = (...query: Query): ConversationStep => get(SEARCH_PATH, { own: [own, WHOLE_PAGE], query })
  const words = [...new Set(strings.flatMap((text) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []))].filter(
    ({ length }) => length < 50,
  )

  function aTerm(): string {
    const word = pick(words)
    return pick([
      word,
      word,
      word.toUpperCase(),
      word.slice(0, 2),
      word.slice(0, -1),
      word.slice(1),
      word.normalize('NFD'),
      word.normalize('NFC'),
      word.normalize('NFD').replace(/\p{M}/gu, ''),
    ])
  }

  const texts = [
    ...thin(words).map((word) => search(['text.en', word])),
    ...many(40, () => search(['text.en', aTerm()])),
    ...many(25, () => search(['text.de', `${aTerm()}${pick([' ', ', ', '-'])}${aTerm()}`])),
    ...many(10, () => search(['text.en', aTerm()], ['text.de-DE', aTerm()])),
    ...['', '!', '{k} kettle'].map((text) => search(['text.en', text])),
  ]

  const fuzzies = [
    ...many(60, () => {
      const level = splitQuery(pick(['', '', `fuzzyLevel=${pick([0, 1, 2])}`]))
      const word = mistype(pick(words.filter(({ length }) => length > 2)))
      return search(['text.en', word], ['fuzzy', pick(['true', 'true', 'true', 'false'])], ...level)
    }),
    ...thin(
      LEVELS.flatMap((one) => {
        const [text, level] = one.split(', ')
        return ['true', 'false'].map((on) => `text.en=${text}&fuzzy=${on}&fuzzyLevel=${level}`)
      }),
    ).map((text) => search(...splitQuery(text))),
  ]

  const ranged: Readonly<Record<string, () => string>> = {
    arrayOfIntExample: anInteger,
    arrayOfFloatExample: aDecimal,
    arrayOfNumberNoDefaultsExample: aDecimal,
    'arrayOfObjectType.integerExampleInt32': () => pick(['0', '5', '20', '100']),
  }
  const plain = strings.filter((text) => text !== '' && !/["\\\r\n\t]/.test(text))

  function aFilter(): string {
    const name = pick([...Object.keys(ranged), 'arrayOfStringExample', 'arrayOfStringExample'])
    const number = ranged[name]
    const value = number ?? (() => quoteLiteral(pick(plain)))
    const field = `${pick(['', 'objectTypeProperty.'])}${name}`
    if (number === undefined || next() < 0.5) return `${field}:${value()}${pick(['', '', `,${value()}`])}`
    return `${field}:range (${pick([number(), number(), '*'])} to ${number()})`
  }

  const filters = [
    ...many(40, () => search([pick(['filter', 'filter.query']), aFilter()])),
    ...many(12, () => search(['filter', aFilter()], ['filter', aFilter()])),
    ...many(20, () => search([pick(['filter', 'filter.query', 'filter.facets']), aFilter()], ['facet', pick(FACETS)])),
    ...FACETS.map((name) => search(['facet', name])),
    ...OTHER_SEARCHES.map((text) => search(...splitQuery(text))),
    ...['limit=3&facet=arrayOfIntExample', 'limit=0'].map((text) =>
      get(SEARCH_PATH, { own: [own], query: splitQuery(text) }),
    ),
  ]

  return [
    ...createRefusedSearches(),
    ...eachAlone('search', 'D14, D56', texts),
    ...eachAlone('fuzzy-search', 'D14, D56', fuzzies),
    ...eachAlone('filters-and-facets', 'D14, D56', thin(filters)),
  ]
}
