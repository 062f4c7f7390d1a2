import * as z from 'zod'
import { checkAnswer } from '../answers.ts'
import type { OperationExamination } from '../examination.ts'
import { compare, compareMember, fault, faultUnless, findFaultsIf } from '../fault.ts'
import type { ProviderAnswer, RequestQuery } from '../provider.ts'
import { memberOf } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import type { OwnSamples } from '../resources.ts'
import { expectOwn } from '../samples.ts'

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
const findFacetFaults = (
  answer: ProviderAnswer,
  terms: readonly (readonly [term: number, count: number])[],
): readonly Fault[] =>
  findFaultsIf(answer, 200, () => {
    const facet = findFacet(answer, FIELD)
    if (facet === undefined) return fault(answer, `facets.${FIELD}`, 'a facet', 'nothing')
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
function findTextFacetFaults(
  answer: ProviderAnswer,
  { dataType, terms }: Readonly<Record<'dataType' | 'terms', unknown>>,
  own: OwnSamples,
): readonly Fault[] {
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
  exam.add('facet', findFacetFaults(counted, WHOLE))
  exam.add('facet-prefix', findFacetFaults(await search({ facet: `objectTypeProperty.${FIELD}` }), WHOLE))
  const other = 'arrayOfStringExample'
  const both = await search({ facet: [FIELD, other] })
  const texts = findFacet(both, other)
  exam.add('facet-repeated', [
    ...findFacetFaults(both, WHOLE),
    ...faultUnless(texts !== undefined, both, `facets.${other}`, 'a facet', 'nothing'),
  ])
  if (texts !== undefined) exam.add('facet-text', findTextFacetFaults(both, texts, expectOwn(exam)))
  const sparse = 'arrayOfNumberNoDefaultsExample'
  const counting = await search({ facet: sparse })
  exam.add(
    'facet-missing',
    findFaultsIf(counting, 200, () =>
      compare(counting, `facets.${sparse}.missing`, 1, findFacet(counting, sparse)?.missing),
    ),
  )
  const twice = await search({
    facet: FIELD,
    'filter.facets': ['arrayOfTwonumbersExample:2', 'arrayOfStringExample:"kiln"'],
  })
  exam.add('filter-repeated', findFacetFaults(twice, OF_FIRST))
  for (const [name, count, terms] of [
    ['filter', 1, WHOLE],
    ['filter.facets', 3, OF_FIRST],
    ['filter.query', 1, OF_FIRST],
  ] as const) {
    const answer = await search({ facet: FIELD, [name]: 'arrayOfStringExample:"kiln"' })
    exam.add('facet-filters', [...findFacetFaults(answer, terms), ...compareMember(answer, 'count', count)])
  }
}
