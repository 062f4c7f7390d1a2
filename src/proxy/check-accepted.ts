import type { Decoded } from '../contract/decode.ts'
import { decision } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Input } from '../contract/handler.ts'
import { updateRequest } from '../contract/models.ts'
import { Problem } from '../errors.ts'
import { checkImage } from '../http/image.ts'
import { parseCartHeaders } from '../operations/actions.ts'
import { parseAction } from '../operations/update.ts'
import { parsePage } from '../query/page.ts'
import { compileSearch } from '../query/search.ts'
import { compileSort } from '../query/sort.ts'
import { compileWhere } from '../query/where.ts'
import { toViolation } from './check-request.ts'
import type { ProxyViolation } from './violation.ts'

/** What the mock would refuse of a request apart from what its decoder refuses; throws the 400. */
interface Expectation {
  readonly decision: DecisionId
  readonly expect: (asked: Decoded) => void
}

// Each is given what the decoder of its own endpoint made.
type PageQuery = Input<'sortedQuery'>['query']
type Search = Input<'searchResources'>['query']
type Update = Input<'updateResource'>['body']
type CartHeaders = Input<'getActionWithHeaders'>['headers']

function expectQuery({ query, families }: Decoded): void {
  const { where, sort, ...rest } = query as PageQuery
  parsePage(rest)
  if (where !== undefined) compileWhere(where, families['var'] ?? new Map())
  if (sort !== undefined) compileSort(sort)
}

function expectSearch({ query, families }: Decoded): void {
  const search = query as Search
  parsePage(search)
  compileSearch({
    texts: [...(families['text']?.values() ?? [])].flat(),
    fuzzy: search.fuzzy,
    fuzzyLevel: search.fuzzyLevel,
    filter: search.filter,
    filterQuery: search['filter.query'],
    filterFacets: search['filter.facets'],
    facet: search.facet,
  })
}

function expectImage({ headers, body }: Decoded): void {
  const declared = headers['Content-Type']?.split(';')[0]?.trim().toLowerCase()
  const type = endpoints.uploadImage.body.contentTypes.find((one) => one === declared)
  if (type !== undefined && body instanceof Uint8Array) checkImage(body, type)
}

function expectActions({ body }: Decoded): void {
  for (const [at, action] of (body as Update).actions.entries()) parseAction(action, at, () => undefined)
}

/** Returns what is expected of the requests of an endpoint, found by what it takes. */
function findExpectation({ query, headers, body }: Endpoint): Expectation | undefined {
  const { where, facet } = query
  if (facet !== undefined) return { decision: decision('D14'), expect: expectSearch }
  if (where !== undefined) return { decision: where.decision ?? decision('D20'), expect: expectQuery }
  if (body?.kind === 'image') return { decision: decision('D21'), expect: expectImage }
  if (body?.schema === updateRequest) return { decision: decision('D18'), expect: expectActions }
  if (headers['Storefront-Locale'] === undefined) return undefined
  return { decision: decision('D23'), expect: (asked) => void parseCartHeaders(asked.headers as CartHeaders) }
}

/** Finds what a request asked for that the service answered with success, though a decision refuses it. */
export function checkAccepted(operation: OperationId, asked: Decoded): readonly ProxyViolation[] {
  const expectation = findExpectation(endpoints[operation])
  try {
    expectation?.expect(asked)
    return []
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    return fault.errors
      .map((item) => toViolation(endpoints[operation], item))
      .map((violation) => ({
        ...violation,
        severity: 'Warning',
        message: `The service accepted what ${expectation?.decision} refuses: ${violation.message}`,
      }))
  }
}
