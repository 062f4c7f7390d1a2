import * as z from 'zod'
import { checkAnswer } from '../answers.ts'
import { compare, compareMember, finding, findUnless, findIfStatus, memberOf, findOthers, isPage } from '../finding.ts'
import { expectOwn } from '../samples.ts'
import { examineAccess, examineHead, examineMethods, examineQueries, examineUnknownParameter } from './requests.ts'
import { examineIdentity, examineLimits, examinePages, examineCases } from './selection.ts'
import type { SelectionCase } from './selection.ts'
import type { OperationExamination } from '../examination.ts'
import type { ProviderAnswer, RequestQuery } from '../provider.ts'
import type { Finding } from '../report.ts'
import type { OwnSamples } from '../resources.ts'

const faceted = z.looseObject({
  facets: z.record(
    z.string(),
    z.looseObject({ type: z.unknown(), dataType: z.unknown(), missing: z.unknown(), terms: z.unknown() }),
  ),
})

const FIELD = 'arrayOfTwonumbersExample'

/** The facet of a field, which an answer may name with its prefix; undefined where it has none. */
function findFacet({ body }: ProviderAnswer, field: string): z.output<typeof faceted>['facets'][string] | undefined {
  const facets = faceted.safeParse(body).data?.facets
  return facets?.[field] ?? facets?.[`objectTypeProperty.${field}`]
}

/** Terms of a number field may be written as texts (D14). */
const toNumbers = (terms: unknown): unknown =>
  Array.isArray(terms)
    ? terms.map((one: unknown) => {
        const [term, count] = [memberOf(one, 'term'), memberOf(one, 'count')]
        return { term: typeof term === 'string' ? Number(term) : term, count }
      })
    : terms

/** Faults of the facet over two numbers: 1 and 2, 2 and 3, 3 and 4 in the three samples. */
const findFacetFindings = (
  answer: ProviderAnswer,
  terms: readonly (readonly [term: number, count: number])[],
): readonly Finding[] =>
  findIfStatus(answer, 200, () => {
    const facet = findFacet(answer, FIELD)
    if (facet === undefined) return finding(answer, `facets.${FIELD}`, 'a facet', 'nothing')
    const expected = {
      type: 'terms',
      dataType: 'number',
      missing: 0,
      terms: terms.map(([term, count]) => ({ term, count })),
    } as const
    return (['type', 'dataType', 'missing', 'terms'] as const).flatMap((name) =>
      compare(
        answer,
        `facets.${FIELD}.${name}`,
        expected[name],
        name === 'terms' ? toNumbers(facet.terms) : facet[name],
      ),
    )
  })

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

/** Faults of the facet over the texts: each of them once, but for the word of all three samples, which comes first. */
function findTextFacetFindings(
  answer: ProviderAnswer,
  { dataType, terms }: Readonly<Record<'dataType' | 'terms', unknown>>,
  own: OwnSamples,
): readonly Finding[] {
  const at = 'facets.arrayOfStringExample'
  const texts = own.flatMap(({ content }) => content.arrayOfStringExample ?? [])
  const expected = [...new Set(texts)].map((term) => ({ term, count: texts.filter((one) => one === term).length }))
  const counted = Array.isArray(terms) ? (terms as readonly unknown[]) : []
  // Which of two texts comes first, languages disagree about.
  const byTerm = counted.toSorted((a, b) => placeOf(a) - placeOf(b))
  function placeOf(one: unknown): number {
    return texts.findIndex((text) => text === memberOf(one, 'term'))
  }
  return [
    ...compare(answer, `${at}.dataType`, 'text', dataType),
    ...compare(answer, `${at}.terms`, expected, byTerm),
    ...compare(answer, `${at}.terms[0]`, expected[0], counted[0]),
  ]
}

/** D14: what is counted, and what narrows the count. */
export async function examineFacets(
  exam: OperationExamination,
  search: (query: RequestQuery) => Promise<ProviderAnswer>,
): Promise<void> {
  const counted = await search({ facet: FIELD })
  checkAnswer(exam, counted, 200)
  exam.add('facet', findFacetFindings(counted, WHOLE))
  exam.add('facet-prefix', findFacetFindings(await search({ facet: `objectTypeProperty.${FIELD}` }), WHOLE))
  const other = 'arrayOfStringExample'
  const both = await search({ facet: [FIELD, other] })
  const texts = findFacet(both, other)
  exam.add('facet-repeated', [
    ...findFacetFindings(both, WHOLE),
    ...findUnless(texts !== undefined, both, `facets.${other}`, 'a facet', 'nothing'),
  ])
  if (texts !== undefined) exam.add('facet-text', findTextFacetFindings(both, texts, expectOwn(exam)))
  const sparse = 'arrayOfNumberNoDefaultsExample'
  const counting = await search({ facet: sparse })
  exam.add(
    'facet-missing',
    findIfStatus(counting, 200, () =>
      compare(counting, `facets.${sparse}.missing`, 1, findFacet(counting, sparse)?.missing),
    ),
  )
  const twice = await search({
    facet: FIELD,
    'filter.facets': ['arrayOfTwonumbersExample:2', 'arrayOfStringExample:"kiln"'],
  })
  exam.add('filter-repeated', findFacetFindings(twice, OF_FIRST))
  for (const [name, count, terms] of [
    ['filter', 1, WHOLE],
    ['filter.facets', 3, OF_FIRST],
    ['filter.query', 1, OF_FIRST],
  ] as const) {
    const answer = await search({ facet: FIELD, [name]: 'arrayOfStringExample:"kiln"' })
    exam.add('facet-filters', [...findFacetFindings(answer, terms), ...compareMember(answer, 'count', count)])
  }
}

const fuzzily = (word: string, fuzzyLevel?: string): RequestQuery => ({
  'text.en': word,
  fuzzy: 'true',
  ...(fuzzyLevel === undefined ? {} : { fuzzyLevel }),
})

/** What a search finds of the three samples (D14): the first has `Walnut Table`, `kiln` and `ax`, the second `Öltuch`. */
const cases: readonly SelectionCase[] = [
  ['text', { 'text.en': 'kiln' }, [0]],
  ['text', { 'text.de': 'oakum' }, [1]],
  ['text', { 'text.en': 'nothing' }, []],
  ['prefix', { 'text.en': 'waln' }, [0]],
  ['prefix', { 'text.en': 'alnut' }, []],
  ['case', { 'text.en': 'WALNUT' }, [0]],
  ['case', { 'text.en': 'KILN' }, [0]],
  ['case', { 'text.de': 'öltuch' }, [1]],
  ['words', { 'text.en': 'table kiln' }, [0]],
  ['words', { 'text.en': 'walnut oakum' }, []],
  ['words', { 'text.en': 'walnut', 'text.de-CH': 'ax' }, [0]],
  ['words', { 'text.en': 'walnut', 'text.de-CH': 'oakum' }, []],
  ['fuzzy', fuzzily('kilm'), [0]],
  ['fuzzy', fuzzily('walmit'), [0]],
  ['fuzzy', fuzzily('kln'), [0]],
  ['fuzzy', fuzzily('kiiln'), [0]],
  ['fuzzy', fuzzily('kinl'), []],
  ['fuzzy', { 'text.en': 'walnit', fuzzyLevel: '2' }, []],
  ['fuzzy', fuzzily('ay'), []],
  ['fuzzy', fuzzily('kimm'), []],
  ['fuzzy', fuzzily('wolmit'), []],
  ['fuzzy', { 'text.en': 'kilm' }, []],
  ['fuzzy', { 'text.en': 'kilm', fuzzy: 'false' }, []],
  ['fuzzy-distance', fuzzily('walnit', '1'), [0]],
  ['fuzzy-distance', fuzzily('walmit', '1'), []],
  ['fuzzy-distance', fuzzily('walnit', '0'), []],
  ['fuzzy-distance', fuzzily('walnit', '1.0'), [0]],
  ['staged', { 'text.en': 'kiln', staged: 'true' }, [0]],
  ['staged', { 'text.en': 'kiln', staged: 'false' }, [0]],
  ['filter', { filter: 'arrayOfStringExample:"kiln"' }, [0]],
  ['filter', { filter: 'arrayOfStringExample:"kil"' }, []],
  ['filter', { filter: 'arrayOfStringExample:"KILN"' }, []],
  ['filter-forms', { filter: 'arrayOfTwonumbersExample:2' }, [0, 1]],
  ['filter-forms', { filter: 'objectTypeProperty.arrayOfFloatExample:2.5' }, [1]],
  ['filter-forms', { filter: 'arrayOfFloatExample:range (1.5 to 2.5)' }, [0, 1]],
  ['filter-forms', { filter: 'arrayOfFloatExample:range (* to 2.5)' }, [0, 1]],
  ['filter-forms', { filter: 'arrayOfFloatExample:range (2.5 to *)' }, [1, 2]],
  ['filter-forms', { filter: 'arrayOfIntExample:9007199254740992' }, []],
  ['filter-repeated', { filter: ['arrayOfTwonumbersExample:2', 'arrayOfTwonumbersExample:3'] }, [1]],
  ['filter-repeated', { 'filter.query': ['arrayOfTwonumbersExample:3', 'arrayOfTwonumbersExample:4'] }, [2]],
]

/** Section 8: a level above the one that the platform chooses for a word of that length; levels are whole. */
const LEVELS: readonly RequestQuery[] = [
  fuzzily('ax', '1'),
  fuzzily('table', '2'),
  fuzzily('walnut', '3'),
  { 'text.en': 'walnut', fuzzyLevel: '3' },
  fuzzily('walnut', '-1'),
  fuzzily('walnut', '0.5'),
]

const UNREADABLE: readonly RequestQuery[] = [
  ...['filter', 'filter.query', 'filter.facets'].flatMap((name) =>
    ['noSuchField:1', 'arrayOfIntExample:abc', 'arrayOfIntExample:range (1 to', 'kiln'].map((value) => ({
      [name]: value,
    })),
  ),
  { facet: 'noSuchField' },
]

/** Specification 4.4, whose answer is D14's. */
export async function searchResources(exam: OperationExamination): Promise<void> {
  const plain = await exam.send()
  if (checkAnswer(exam, plain, 200)) {
    if (isPage(plain)) exam.add('facet-unasked', compareMember(plain, 'facets', undefined))
    await examineHead(exam, {}, plain)
  }
  await examineQueries(exam, 'refused', [{ fuzzy: 'perhaps' }, { fuzzyLevel: 'abc' }, { staged: 'perhaps' }])
  const flag = ['true', 'false']
  await examineQueries(exam, 'single-valued', [
    { fuzzy: flag },
    { fuzzyLevel: ['0', '0'] },
    { staged: flag },
    { limit: ['1', '2'] },
    { offset: ['1', '2'] },
    { 'text.en': ['a', 'b'] },
  ])
  await examineUnknownParameter(exam)
  const languages = ['text.english', 'text.EN', 'text.e', 'text.de-ch', 'text.de_CH', 'text.de-CHE', 'text.']
  const named = languages.map((name) => ({ [name]: 'a' }))
  await examineQueries(exam, 'languages', named)
  await examineQueries(exam, 'fuzzy-level', LEVELS)
  await examineQueries(exam, 'filter-refused', UNREADABLE)
  await examineLimits(exam)
  await examineMethods(exam, ['POST', 'DELETE'])
  await examineAccess(exam)
  const word = `${exam.run}s`
  const all = { 'text.en': word }
  await examinePages(exam, exam.own === undefined ? {} : all)

  const own = expectOwn(exam)
  await examineIdentity(exam, all, own)
  exam.add('text', findOthers(await exam.send({ query: all }), own))
  const among = `arrayOfStringExample:"${word}"`
  const amongOwn = (query: RequestQuery): RequestQuery => ({
    ...query,
    // The samples' own filter comes last: of a repeated one a faulty provider may read the first alone.
    'filter.query': [query['filter.query'] ?? [], among].flat(),
  })
  await examineCases(
    exam,
    cases.map(([name, query, places]) => [name, amongOwn(query), places]),
  )
  await examineFacets(exam, (query) => exam.send({ query: amongOwn(query) }))
}
