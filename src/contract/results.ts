import * as z from 'zod'
import { arrayTestType, resultEntry } from './models.ts'
import { decimal, int32 } from './numbers.ts'

/** The shapes of answers that the specification does not show: pages of results, facets, errors. */

const page = {
  limit: int32,
  offset: int32,
  count: int32,
  total: int32.optional(),
  results: z.array(resultEntry),
}

/** The paged result of D20. */
export const pagedResult = z.strictObject(page).meta({ id: 'PagedResult' })

/** The query result of D10: an ArrayTestType with paging fields. */
export const queryResult = z.strictObject({ ...arrayTestType.shape, ...page }).meta({ id: 'QueryResult' })

const facetTerm = z.strictObject({ term: z.union([z.string(), decimal]), count: int32 })

export const facetResult = z
  .strictObject({
    type: z.literal('terms'),
    dataType: z.enum(['text', 'number']),
    missing: int32,
    total: int32,
    other: int32,
    terms: z.array(facetTerm),
  })
  .meta({ id: 'TermFacetResult' })
export type TermFacetResult = z.output<typeof facetResult>

/** The search result of D14. */
export const searchResult = z
  .strictObject({ ...page, facets: z.record(z.string(), facetResult).optional() })
  .meta({ id: 'SearchResult' })

/** The error envelope (decisions, "Errors"). */
export const errorEnvelope = z
  .looseObject({
    statusCode: int32,
    message: z.string(),
    errors: z.array(z.looseObject({ code: z.string(), message: z.string() })).min(1),
  })
  .meta({ id: 'ErrorEnvelope' })
