import * as z from 'zod'
import { checkStatus } from '../answers.ts'
import {
  compare,
  compareParts,
  findIfStatus,
  findInTurn,
  findOthers,
  findUnless,
  finding,
  memberOf,
} from '../finding.ts'
import { readPage } from '../../../service/contract/results.ts'
import { expectOwn } from '../samples.ts'
import { check, defineSubject, UNEXPECTED } from '../subject.ts'
import { Stop } from '../transport.ts'
import { answered, bearer, findAcceptedQueries, heads, listed, methods, scoped } from './common.ts'
import { queried, unknownParameters } from './parameters.ts'
import { identified, paged } from './pages.ts'
import { findMisselected } from './selection.ts'
import type { Basis, Findings, OperationContext } from '../subject.ts'
import type { ProviderAnswer, RequestQuery, Sending } from '../provider.ts'
import type { Finding } from '../report.ts'
import type { OwnSamples } from '../resources.ts'
import type { SelectionCase } from './selection.ts'

const faceted = z.looseObject({
  facets: z.record(
    z.string(),
    z.looseObject({ type: z.unknown(), dataType: z.unknown(), missing: z.unknown(), terms: z.unknown() }),
  ),
})

const FIELD = 'arrayOfTwonumbersExample'

/** The facet of a field; its name may include the objectTypeProperty prefix. Undefined if there is none. */
function findFacet({ body }: ProviderAnswer, field: string): z.output<typeof faceted>['facets'][string] | undefined {
  const facets = faceted.safeParse(body).data?.facets
  return facets?.[field] ?? facets?.[`objectTypeProperty.${field}`]
}

/** Converts terms to numbers: those of a number field may be strings (D14). */
const toNumbers = (terms: unknown): unknown =>
  Array.isArray(terms)
    ? terms.map((one: unknown) => {
        const [term, count] = [memberOf(one, 'term'), memberOf(one, 'count')]
        return { term: typeof term === 'string' ? Number(term) : term, count }
      })
    : terms

/** Checks the facet of the number array; the three samples have 1 and 2, 2 and 3, 3 and 4. */
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

/** Checks the facet of the strings: each occurs once, except the word of all three samples, which comes first. */
function findTextFacetFindings(
  answer: ProviderAnswer,
  { dataType, terms }: Readonly<Record<'dataType' | 'terms', unknown>>,
  own: OwnSamples,
): readonly Finding[] {
  const at = 'facets.arrayOfStringExample'
  const texts = own.flatMap(({ content }) => content.arrayOfStringExample ?? [])
  const expected = [...new Set(texts)].map((term) => ({ term, count: texts.filter((one) => one === term).length }))
  const counted = Array.isArray(terms) ? (terms as readonly unknown[]) : []
  // Collation differs between languages, so ties may be in any order.
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

const SPARSE = 'arrayOfNumberNoDefaultsExample'
const TEXTS = 'arrayOfStringExample'
const KILN = 'arrayOfStringExample:"kiln"'

const fuzzily = (word: string, fuzzyLevel?: string): RequestQuery => ({
  'text.en': word,
  fuzzy: 'true',
  ...(fuzzyLevel === undefined ? {} : { fuzzyLevel }),
})

/** Section 8: levels above the platform's default for the length of the word, and levels that are not whole numbers. */
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

/** A word that only the samples contain. */
const wordOf = ({ run }: OperationContext): string => `${run}s`

/** Restricts a query to the samples. */
const amongOwn = (context: OperationContext, query: RequestQuery): RequestQuery => ({
  ...query,
  // The samples' filter comes last: a faulty provider may read only the first of repeated ones.
  'filter.query': [query['filter.query'] ?? [], `arrayOfStringExample:"${wordOf(context)}"`].flat(),
})

/** Creates a check of which samples a search finds: the first has `Walnut Table`, `kiln` and `ax`, the second `Öltuch`. */
const finds = (says: string, basis: Basis, ...cases: readonly SelectionCase[]) =>
  check(says, basis, (context: OperationContext) =>
    findMisselected(
      context,
      cases.map(([query, places]) => [amongOwn(context, query), places]),
    ),
  )

/** Creates a check of facets over the samples. */
const facets = (
  says: string,
  query: RequestQuery,
  find: (answer: ProviderAnswer, own: OwnSamples) => Findings,
  basis: Basis = 'D14',
) =>
  check(says, basis, async (context: OperationContext) => {
    const own = expectOwn(context)
    return find(await context.send({ query: amongOwn(context, query) }), own)
  })

/** Specification 4.4; D14 defines the response. */
export const searchResources = defineSubject(async (context: OperationContext) => {
  const plain = await context.send()
  checkStatus(context, plain, 200)
  return {
    plain,
    valid: (): Sending => ({}),
    among: (): RequestQuery => (context.own === undefined ? {} : { 'text.en': wordOf(context) }),
    known: () => expectOwn(context),
  }
})({
  ...answered,
  ...bearer,
  ...scoped(),
  ...paged('D14'),
  ...queried('searchResources'),
  ...unknownParameters,
  ...listed,
  head: heads(),
  method: methods(['POST', 'DELETE']),
  languages: check(
    'returns 400 for text.english, text.EN, text.e, text.de-ch, text.de_CH, text.de-CHE and text. without a language',
    'spec 4.4, D14',
    (context) => {
      const languages = ['english', 'EN', 'e', 'de-ch', 'de_CH', 'de-CHE', '']
      return findAcceptedQueries(
        context,
        languages.map((language) => ({ [`text.${language}`]: 'a' })),
      )
    },
  ),
  text: check('returns only resources that contain the word of text.<language>', 'spec 4.4, D14', async (context) => [
    ...findOthers(await context.send({ query: { 'text.en': wordOf(context) } }), expectOwn(context)),
    ...(await findMisselected(context, [
      [amongOwn(context, { 'text.en': 'kiln' }), [0]],
      [amongOwn(context, { 'text.de': 'oakum' }), [1]],
      [amongOwn(context, { 'text.en': 'nothing' }), []],
    ])),
  ]),
  prefix: finds(
    'finds words by prefix, but not by infix',
    'spec 4.4, D14',
    [{ 'text.en': 'waln' }, [0]],
    [{ 'text.en': 'alnut' }, []],
  ),
  case: finds(
    'ignores the case of words, including non-ASCII letters',
    'spec 4.4, D14',
    [{ 'text.en': 'WALNUT' }, [0]],
    [{ 'text.en': 'KILN' }, [0]],
    [{ 'text.de': 'öltuch' }, [1]],
  ),
  words: finds(
    'requires every word of every text.<language>',
    'spec 4.4, D14',
    [{ 'text.en': 'table kiln' }, [0]],
    [{ 'text.en': 'walnut oakum' }, []],
    [{ 'text.en': 'walnut', 'text.de-CH': 'ax' }, [0]],
    [{ 'text.en': 'walnut', 'text.de-CH': 'oakum' }, []],
  ),
  fuzzy: finds(
    'finds words with a changed, added or missing letter only with fuzzy=true, within the limit for their length',
    'spec 4.4, D14',
    [fuzzily('kilm'), [0]],
    [fuzzily('walmit'), [0]],
    [fuzzily('kln'), [0]],
    [fuzzily('kiiln'), [0]],
    [fuzzily('kinl'), []],
    [{ 'text.en': 'walnit', fuzzyLevel: '2' }, []],
    [fuzzily('ay'), []],
    [fuzzily('kimm'), []],
    [fuzzily('wolmit'), []],
    [{ 'text.en': 'kilm' }, []],
    [{ 'text.en': 'kilm', fuzzy: 'false' }, []],
  ),
  'fuzzy-distance': finds(
    'finds no word at a distance above fuzzyLevel',
    'spec 4.4, D14',
    [fuzzily('walnit', '1'), [0]],
    [fuzzily('walmit', '1'), []],
    [fuzzily('walnit', '0'), []],
    [fuzzily('walnit', '1.0'), [0]],
  ),
  'fuzzy-level': check(
    'returns 400 for a fuzzyLevel above the default for 2, 5 and 6 letters, even without fuzzy, and for -1 and 0.5',
    'spec 8, D14',
    (context) => findAcceptedQueries(context, LEVELS),
  ),
  staged: finds(
    'returns resources without a staged projection unchanged with staged=true',
    'D14',
    [{ 'text.en': 'kiln', staged: 'true' }, [0]],
    [{ 'text.en': 'kiln', staged: 'false' }, [0]],
  ),
  filter: finds(
    'returns only resources that match filter; strings are case-sensitive',
    'D14',
    [{ filter: 'arrayOfStringExample:"kiln"' }, [0]],
    [{ filter: 'arrayOfStringExample:"kil"' }, []],
    [{ filter: 'arrayOfStringExample:"KILN"' }, []],
  ),
  'filter-forms': finds(
    'filters by field:value and field:range (a to b) with inclusive bounds, * as an open bound, and the prefix objectTypeProperty.',
    'D14',
    [{ filter: 'arrayOfTwonumbersExample:2' }, [0, 1]],
    [{ filter: 'objectTypeProperty.arrayOfFloatExample:2.5' }, [1]],
    [{ filter: 'arrayOfFloatExample:range (1.5 to 2.5)' }, [0, 1]],
    [{ filter: 'arrayOfFloatExample:range (* to 2.5)' }, [0, 1]],
    [{ filter: 'arrayOfFloatExample:range (2.5 to *)' }, [1, 2]],
    [{ filter: 'arrayOfIntExample:9007199254740992' }, []],
  ),
  'filter-repeated': check(
    'requires every repeated filter, filter.query and filter.facets to match',
    'D9',
    async (context) => {
      const twice = { facet: FIELD, 'filter.facets': ['arrayOfTwonumbersExample:2', KILN] }
      return [
        ...(await findMisselected(context, [
          [amongOwn(context, { filter: ['arrayOfTwonumbersExample:2', 'arrayOfTwonumbersExample:3'] }), [1]],
          [amongOwn(context, { 'filter.query': ['arrayOfTwonumbersExample:3', 'arrayOfTwonumbersExample:4'] }), [2]],
        ])),
        ...findFacetFindings(await context.send({ query: amongOwn(context, twice) }), OF_FIRST),
      ]
    },
  ),
  'filter-refused': check(
    'returns 400 for an unknown field, a string for a number, an unclosed range and a filter other than field:value',
    'D14',
    (context) => findAcceptedQueries(context, UNREADABLE),
  ),
  facet: check('counts the values of a facet, sorted by count, then by term', 'D14', async (context) => {
    expectOwn(context)
    const answer = await context.send({ query: amongOwn(context, { facet: FIELD }) })
    checkStatus(context, answer, 200)
    return findFacetFindings(answer, WHOLE)
  }),
  'facet-text': facets('counts the strings of a facet', { facet: [FIELD, TEXTS] }, (answer, own) => {
    const texts = findFacet(answer, TEXTS)
    if (texts === undefined) throw new Stop(UNEXPECTED)
    return findTextFacetFindings(answer, texts, own)
  }),
  'facet-missing': facets('reports the number of resources without a value as missing', { facet: SPARSE }, (answer) =>
    findIfStatus(answer, 200, () => compare(answer, `facets.${SPARSE}.missing`, 1, findFacet(answer, SPARSE)?.missing)),
  ),
  'facet-prefix': facets(
    'accepts the prefix objectTypeProperty. in a facet',
    { facet: `objectTypeProperty.${FIELD}` },
    (answer) => findFacetFindings(answer, WHOLE),
  ),
  'facet-unasked': check('returns no facets unless facet requests one', 'D14', ({ plain }) => {
    if (plain.status !== 200 || readPage(plain.body) === undefined) throw new Stop(UNEXPECTED)
    return compareParts(plain, { members: { facets: undefined } })
  }),
  'facet-repeated': facets(
    'counts each of two facets',
    { facet: [FIELD, TEXTS] },
    (answer) => [
      ...findFacetFindings(answer, WHOLE),
      ...findUnless(findFacet(answer, TEXTS) !== undefined, answer, `facets.${TEXTS}`, 'a facet', 'nothing'),
    ],
    'D9',
  ),
  'facet-filters': check(
    'applies filter to the results, filter.facets to the facets, and filter.query to both',
    'D14',
    (context) => {
      expectOwn(context)
      const filters = [
        ['filter', 1, WHOLE],
        ['filter.facets', 3, OF_FIRST],
        ['filter.query', 1, OF_FIRST],
      ] as const
      return findInTurn(filters, async ([name, count, terms]) => {
        const answer = await context.send({ query: amongOwn(context, { facet: FIELD, [name]: KILN }) })
        return [...findFacetFindings(answer, terms), ...compareParts(answer, { members: { count } })]
      })
    },
  ),
  ...identified,
})
