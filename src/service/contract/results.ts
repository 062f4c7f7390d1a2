import * as z from 'zod'
import { arrayTestType, resultEntry, named, decimal, int32 } from './models.ts'

/** Response formats that the specification does not show: pages of results, facets, errors. */

const page = {
  limit: int32,
  offset: int32,
  count: int32,
  total: int32.optional(),
  results: z.array(resultEntry).meta(named('ResultEntries', 'The resources of a page', 'D5')),
}

/** The paged result of D20. */
export const pagedResult = z.strictObject(page).meta(named('PagedResult', 'A page of resources', 'D20'))

/** The query result of D10: an ArrayTestType with paging fields. */
export const queryResult = z
  .strictObject({ ...arrayTestType.shape, ...page })
  .meta(named('QueryResult', 'A page of resources, together with the arrays of the first resource', 'D10'))

const facetTerm = z
  .strictObject({ term: z.union([z.string(), decimal]), count: int32 })
  .meta(named('FacetTerm', 'A term, and the number of resources that have it', 'D14'))

export const facetResult = z
  .strictObject({
    type: z.literal('terms'),
    dataType: z.enum(['text', 'number']),
    missing: int32,
    total: int32,
    other: int32,
    terms: z.array(facetTerm),
  })
  .meta(named('TermFacetResult', 'The number of occurrences of each term of a field', 'D14'))
export type TermFacetResult = z.output<typeof facetResult>

/** The search result of D14. */
export const searchResult = z
  .strictObject({ ...page, facets: z.record(z.string(), facetResult).optional() })
  .meta(named('SearchResult', 'A page of search results, and facets', 'D14'))

/** Any page of another implementation: its shape is not checked. */
const anyPage = z.looseObject({
  limit: z.unknown().optional(),
  offset: z.unknown().optional(),
  count: z.unknown().optional(),
  total: z.unknown().optional(),
  facets: z.unknown().optional(),
  results: z.array(z.looseObject({ id: z.unknown().optional() }).catch({})),
})

/** Reads a body as a page; undefined if it has no results. Results that are not objects become empty ones. */
export const readPage = (body: unknown): z.output<typeof anyPage> | undefined => anyPage.safeParse(body).data

/** The error envelope (decisions, "Errors"). */
export const errorEnvelope = z
  .looseObject({
    statusCode: int32,
    message: z.string(),
    errors: z.array(z.looseObject({ code: z.string(), message: z.string() })).min(1),
  })
  .meta(named('ErrorEnvelope', 'The body of every error response; `message` is the message of the first of `errors`'))

/** Limits and defaults of the paging parameters (D10). */
export const pageBounds = {
  limit: { least: 0, most: 500, standard: 20 },
  offset: { least: 0, most: 10_000, standard: 0 },
} as const
