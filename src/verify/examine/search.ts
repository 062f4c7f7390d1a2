import * as z from 'zod'
import { checkAnswer, findStatusFaults } from '../answers.ts'
import type { CheckName } from '../checks.ts'
import type { Examine } from '../context.ts'
import { compare, fault } from '../fault.ts'
import { findOthers } from '../pages.ts'
import type { RequestQuery } from '../pages.ts'
import type { ProviderAnswer } from '../provider.ts'
import { memberOf } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import { OWNLESS } from '../samples.ts'
import { examineAccess } from './access.ts'
import { examineIdentity, examineLimits, examinePages } from './paging.ts'
import { examineHead, examineMethods, examineQueries, examineUnknownParameter } from './requests.ts'
import { findOtherPlaces } from './selection.ts'
import type { Places } from './selection.ts'

type SearchCheckName = CheckName<'searchResources'>
type SearchCase = readonly [name: SearchCheckName, query: RequestQuery, places: Places]

const fuzzily = (word: string, level?: string): RequestQuery => [
  ['text.en', word],
  ['fuzzy', 'true'],
  ...(level === undefined ? [] : [['fuzzyLevel', level] as const]),
]

/** What a search finds of the three samples (D14): the first has `Walnut Table`, `kiln` and `ax`, the second `Öltuch`. */
const cases: readonly SearchCase[] = [
  ['text', [['text.en', 'kiln']], [0]],
  ['text', [['text.de', 'oakum']], [1]],
  ['text', [['text.en', 'nothing']], []],
  ['prefix', [['text.en', 'waln']], [0]],
  ['prefix', [['text.en', 'alnut']], []],
  ['case', [['text.en', 'WALNUT']], [0]],
  ['case', [['text.en', 'KILN']], [0]],
  ['case', [['text.de', 'öltuch']], [1]],
  ['words', [['text.en', 'table kiln']], [0]],
  ['words', [['text.en', 'walnut oakum']], []],
  [
    'words',
    [
      ['text.en', 'walnut'],
      ['text.de-CH', 'ax'],
    ],
    [0],
  ],
  [
    'words',
    [
      ['text.en', 'walnut'],
      ['text.de-CH', 'oakum'],
    ],
    [],
  ],
  ['fuzzy', fuzzily('kilm'), [0]],
  ['fuzzy', fuzzily('walmit'), [0]],
  ['fuzzy', fuzzily('ay'), []],
  ['fuzzy', fuzzily('kimm'), []],
  ['fuzzy', fuzzily('wolmit'), []],
  ['fuzzy', [['text.en', 'kilm']], []],
  [
    'fuzzy',
    [
      ['text.en', 'kilm'],
      ['fuzzy', 'false'],
    ],
    [],
  ],
  ['fuzzy-distance', fuzzily('walnit', '1'), [0]],
  ['fuzzy-distance', fuzzily('walmit', '1'), []],
  ['fuzzy-distance', fuzzily('walnit', '0'), []],
  [
    'staged',
    [
      ['text.en', 'kiln'],
      ['staged', 'true'],
    ],
    [0],
  ],
  [
    'staged',
    [
      ['text.en', 'kiln'],
      ['staged', 'false'],
    ],
    [0],
  ],
  ['filter', [['filter', 'arrayOfStringExample:"kiln"']], [0]],
  ['filter', [['filter', 'arrayOfStringExample:"kil"']], []],
  ['filter-forms', [['filter', 'arrayOfTwonumbersExample:2']], [0, 1]],
  ['filter-forms', [['filter', 'objectTypeProperty.arrayOfFloatExample:2.5']], [1]],
  ['filter-forms', [['filter', 'arrayOfFloatExample:range (1.5 to 2.5)']], [0, 1]],
  ['filter-forms', [['filter', 'arrayOfFloatExample:range (* to 2.5)']], [0, 1]],
  ['filter-forms', [['filter', 'arrayOfFloatExample:range (2.5 to *)']], [1, 2]],
  ['filter-forms', [['filter', 'arrayOfIntExample:9007199254740992']], []],
  [
    'filter-repeated',
    [
      ['filter', 'arrayOfTwonumbersExample:2'],
      ['filter', 'arrayOfTwonumbersExample:3'],
    ],
    [1],
  ],
  [
    'filter-repeated',
    [
      ['filter.query', 'arrayOfTwonumbersExample:3'],
      ['filter.query', 'arrayOfTwonumbersExample:4'],
    ],
    [2],
  ],
]

/** Section 8: a level above the one that the platform chooses for a word of that length; levels are whole. */
const LEVELS: readonly RequestQuery[] = [
  fuzzily('ax', '1'),
  fuzzily('table', '2'),
  fuzzily('walnut', '3'),
  [
    ['text.en', 'walnut'],
    ['fuzzyLevel', '3'],
  ],
  fuzzily('walnut', '-1'),
  fuzzily('walnut', '0.5'),
]

const UNREADABLE: readonly RequestQuery[] = ['filter', 'filter.query', 'filter.facets'].flatMap((name) => [
  [[name, 'noSuchField:1']],
  [[name, 'arrayOfIntExample:abc']],
  [[name, 'kiln']],
])

/** Specification 4.4, whose answer is D14's. */
export const searchResources: Examine<'searchResources'> = async (results, context) => {
  const operation = 'searchResources'
  const { provider, own, run } = context
  const plain = await provider.send(operation)
  if (checkAnswer(results, operation, plain, 200)) await examineHead(results, operation, {}, plain, context)
  const mistyped = [[['fuzzy', 'perhaps']], [['fuzzyLevel', 'abc']], [['staged', 'perhaps']]] as const
  await examineQueries(results, 'refused', operation, mistyped, context)
  const doubled = [
    ['fuzzy', 'true', 'false'],
    ['staged', 'true', 'false'],
    ['text.en', 'a', 'b'],
  ].map(([name = '', one = '', other = '']): RequestQuery => [
    [name, one],
    [name, other],
  ])
  await examineQueries(results, 'single-valued', operation, doubled, context)
  await examineUnknownParameter(results, operation, {}, context)
  const languages = ['text.english', 'text.EN', 'text.e', 'text.de-ch', 'text.de-CHE']
  const named = languages.map((name) => [[name, 'a'] as const])
  await examineQueries(results, 'languages', operation, named, context)
  await examineQueries(results, 'fuzzy-level', operation, LEVELS, context)
  await examineQueries(results, 'filter-refused', operation, [...UNREADABLE, [['facet', 'noSuchField']]], context)
  await examineLimits(results, operation, context)
  await examineMethods(results, operation, ['POST', 'DELETE'], {}, context)
  await examineAccess(results, operation, {}, context)
  const word = `${run}s`
  await examinePages(results, operation, own === undefined ? [] : [['text.en', word]], context)

  if (own === undefined) {
    for (const [name] of cases) results.skip(name, OWNLESS)
    for (const name of ['facet', 'facet-repeated', 'facet-filters', 'identity'] as const) results.skip(name, OWNLESS)
    return
  }
  await examineIdentity(results, operation, [['text.en', word]], own, context)
  const among: RequestQuery = [['filter.query', `arrayOfStringExample:"${word}"`]]
  const ask = (query: RequestQuery) => provider.send(operation, { query })
  const whole = await ask([['text.en', word]])
  results.add('text', whole.status === 200 ? findOthers(whole, own) : findStatusFaults(whole, 200))
  // Of a repeated filter.query, the one that is repeated may be all that a faulty provider reads.
  const answers = await Promise.all(cases.map(([, query]) => ask([...query, ...among])))
  for (const [at, answer] of answers.entries()) {
    const one = cases[at]
    if (one !== undefined) results.add(one[0], findOtherPlaces(answer, own, one[2]))
  }
  await examineFacets(results, (query) => ask([...query, ...among]))
}

const faceted = z.looseObject({
  facets: z.record(
    z.string(),
    z.looseObject({ type: z.unknown(), dataType: z.unknown(), missing: z.unknown(), terms: z.unknown() }),
  ),
})

const FIELD = 'arrayOfTwonumbersExample'

/** Faults of the facet over two numbers: 1 and 2, 2 and 3, 3 and 4 in the three samples. */
function findFacetFaults(
  answer: ProviderAnswer,
  terms: readonly (readonly [term: number, count: number])[],
): readonly Fault[] {
  if (answer.status !== 200) return findStatusFaults(answer, 200)
  const facet = faceted.safeParse(answer.body).data?.facets[FIELD]
  if (facet === undefined) return fault(answer, `facets.${FIELD}`, 'a facet', 'nothing')
  return [
    ...compare(answer, `facets.${FIELD}.type`, 'terms', facet.type),
    ...compare(answer, `facets.${FIELD}.dataType`, 'number', facet.dataType),
    ...compare(answer, `facets.${FIELD}.missing`, 0, facet.missing),
    ...compare(
      answer,
      `facets.${FIELD}.terms`,
      terms.map(([term, count]) => ({ term, count })),
      facet.terms,
    ),
  ]
}

const WHOLE = [
  [2, 2],
  [3, 2],
  [1, 1],
  [4, 1],
] as const
const OF_FIRST = [
  [1, 1],
  [2, 1],
] as const

type SearchPage = (query: RequestQuery) => Promise<ProviderAnswer>

/** D14: what is counted, and what narrows the count. */
async function examineFacets(results: Parameters<Examine<'searchResources'>>[0], ask: SearchPage): Promise<void> {
  const facet = ['facet', FIELD] as const
  const counted = await ask([facet])
  checkAnswer(results, 'searchResources', counted, 200)
  results.add('facet', findFacetFaults(counted, WHOLE))
  const both = await ask([facet, ['facet', 'arrayOfStringExample']])
  const named = faceted.safeParse(both.body).data?.facets ?? {}
  results.add('facet-repeated', [
    ...findFacetFaults(both, WHOLE),
    ...('arrayOfStringExample' in named ? [] : fault(both, 'facets.arrayOfStringExample', 'a facet', 'nothing')),
  ])
  for (const [name, count, terms] of [
    ['filter', 1, WHOLE],
    ['filter.facets', 3, OF_FIRST],
    ['filter.query', 1, OF_FIRST],
  ] as const) {
    const answer = await ask([facet, [name, 'arrayOfStringExample:"kiln"']])
    results.add('facet-filters', [
      ...findFacetFaults(answer, terms),
      ...compare(answer, 'count', count, memberOf(answer.body, 'count')),
    ])
  }
}
