import * as z from 'zod'
import { decision } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { int64, updateRequest } from '../contract/models.ts'
import { toDecided, findDocumented, findViolations, checkAllow, versionedResource } from '../contract/check-response.ts'
import type { Violation, Answered } from '../contract/check-response.ts'
import { Problem } from '../errors.ts'
import type { ErrorItem } from '../errors.ts'
import { admitsType, createHeaderReader } from '../http/request-head.ts'
import type { ReadHeader } from '../http/request-head.ts'
import { compileSort, parsePage } from '../query/list.ts'
import type { Page } from '../query/list.ts'
import { createDecoder } from '../contract/decode.ts'
import type { Decoded, BodyHolder, Decoder } from '../contract/decode.ts'
import { createWarnInto, toSteps } from './exchange.ts'
import type { ProxyViolation, Incoming, Outgoing } from './exchange.ts'
import { checkImage } from '../http/image.ts'
import { parseCartHeaders, parseAction } from '../operations/writes.ts'
import { compileSearch } from '../query/search.ts'
import { compileWhere } from '../query/where.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { PathParameters } from '../contract/paths.ts'
import type { Input } from '../contract/types.ts'

/** A request and its response, to be compared. */
interface CheckedExchange {
  readonly operation: OperationId
  readonly parameters: PathParameters
  /** The decoded request. */
  readonly decoded: Decoded
  readonly status: number
  readonly headers: Headers
  /** The parsed response body. */
  readonly json: unknown
}

const page = z.looseObject({
  limit: int64,
  offset: int64,
  total: z.unknown().optional(),
  facets: z.unknown().optional(),
})
const conflict = z.looseObject({ errors: z.tuple([z.looseObject({ currentVersion: int64 })], z.unknown()) })
const update = z.looseObject({ version: int64, actions: z.array(z.unknown()) })

function findPage(query: Decoded['query']): Page | undefined {
  try {
    return parsePage(query)
  } catch (fault) {
    if (fault instanceof Problem) return undefined
    throw fault
  }
}

/** D14: a response has the facets that the request named. */
function compareFacets({ query }: Decoded, facets: unknown): readonly Violation[] {
  const asked = new Set(
    z
      .array(z.string())
      .safeParse(query['facet'])
      .data?.map((name) => name.trim()),
  )
  if (facets === undefined && asked.size === 0) return []
  const answered = Object.keys(z.looseObject({}).safeParse(facets).data ?? {})
  if (answered.length === asked.size && answered.every((name) => asked.has(name))) return []
  return [toDecided(decision('D14'), 'body.facets', 'the facets expected that were asked for, and no others')]
}

function comparePage({ operation, decoded, json }: CheckedExchange): readonly Violation[] {
  const { query }: Endpoint = endpoints[operation]
  const asked = query['limit'] === undefined ? undefined : findPage(decoded.query)
  const { data } = page.safeParse(json)
  if (asked === undefined || data === undefined) return []
  const id = query['limit']?.decision ?? decision('D20')
  const wrong = (['limit', 'offset'] as const).filter((name) => BigInt(data[name]) !== BigInt(asked[name]))
  const { total } = data
  return [
    ...wrong.map((name) => toDecided(id, `body.${name}`, `${asked[name]} expected, as asked for`)),
    ...(asked.withTotal && total === undefined ? [toDecided(id, 'body.total', 'Missing')] : []),
    ...(!asked.withTotal && total !== undefined
      ? [toDecided(id, 'body.total', 'not expected with withTotal=false')]
      : []),
    ...(query['facet'] !== undefined ? compareFacets(decoded, data.facets) : []),
  ]
}

/**
 * An update raises the version by one; without actions it changes nothing (D7). A deleted resource has the requested
 * version (D19).
 */
function findExpectedVersion({
  operation,
  decoded: { body, query },
}: CheckedExchange): [DecisionId, bigint] | undefined {
  const { purpose } = endpoints[operation]
  const changes = purpose === 'update' ? update.safeParse(body).data : undefined
  if (changes !== undefined) return [decision('D7'), BigInt(changes.version) + (changes.actions.length > 0 ? 1n : 0n)]
  const version = purpose === 'delete' ? int64.safeParse(query['version']).data : undefined
  return version === undefined ? undefined : [decision('D19'), BigInt(version)]
}

function compareResource(exchange: CheckedExchange): readonly Violation[] {
  const { data } = versionedResource.safeParse(exchange.json)
  if (data === undefined) return []
  const { id } = exchange.parameters
  const [by, version] = findExpectedVersion(exchange) ?? []
  return [
    ...(by !== undefined && BigInt(data.version) !== version
      ? [toDecided(by, 'body.version', `${version} expected after this request`)]
      : []),
    ...(id !== undefined && data.id !== undefined && data.id !== id
      ? [toDecided(decision('D5'), 'body.id', 'the id of the path expected')]
      : []),
  ]
}

/** A conflict involves two different versions (specification 7). */
function compareConflict({ decoded: { body, query }, json }: CheckedExchange): readonly Violation[] {
  const current = conflict.safeParse(json).data?.errors[0].currentVersion
  const asked = update.safeParse(body).data?.version ?? query['version']
  const expected = int64.safeParse(asked).data
  if (current === undefined || expected === undefined || BigInt(current) !== BigInt(expected)) return []
  return [
    { path: 'body.errors[0].currentVersion', message: 'a version other than that of the request expected with 409.' },
  ]
}

/** The language of a locale, which may be malformed. */
const toLanguage = (locale: string): string => locale.trim().toLowerCase().split(/[-_]/, 1)[0] ?? ''

/** A localised cart is in the requested language, and is only refused if JSON is not acceptable (D23). */
function compareCart({ decoded, status, headers }: CheckedExchange): readonly Violation[] {
  const { Accept: accept = '', 'Storefront-Locale': asked = '' } = decoded.headers
  if (status === 406) {
    if (!admitsType(accept, 'application/json')) return []
    return [toDecided(decision('D23'), 'status', `406 not expected, since Accept: ${accept} admits application/json`)]
  }
  const answered = headers.get('Content-Language')
  if (status >= 300 || answered === null) return []
  if (answered.split(',').some((one) => toLanguage(one) === toLanguage(asked))) return []
  return [toDecided(decision('D23'), 'headers.Content-Language', `a locale of the language of ${asked} expected`)]
}

/** Checks a response against its request: pages, facets, versions, ids, locales. */
function checkExchange(exchange: CheckedExchange): readonly Violation[] {
  const { status, operation } = exchange
  if (endpoints[operation].purpose === 'localisedCart') return compareCart(exchange)
  if (status === 409) return compareConflict(exchange)
  if (status >= 300) return []
  return [...comparePage(exchange), ...compareResource(exchange)]
}

/** The result of checking a request. */
interface CheckedRequest {
  readonly violations: readonly ProxyViolation[]
  /** Decompressed; undefined if it was not read. */
  readonly body: string | Uint8Array | undefined
  /** Undefined if the request violates the contract. */
  readonly decoded: Decoded | undefined
}

/** Locates an error that a decoder threw. */
function toLocation({ headers, query, families }: Endpoint, { field, message, detailedErrorMessage }: ErrorItem) {
  const parameter = /^Malformed parameter: (\S+): /.exec(message)?.[1]
  const path = typeof field === 'string' ? field : (parameter ?? /^\S+(?=: )/.exec(detailedErrorMessage ?? '')?.[0])
  if (path === undefined) return ['request', 'body'] as const
  if (path === 'Content-Type' || Object.hasOwn(headers, path)) return ['request', 'headers', path] as const
  const isOfFamily = Object.values(families).some(({ prefix }) => path.startsWith(prefix))
  if (isOfFamily || Object.hasOwn(query, path.split('[', 1)[0] ?? '')) return ['request', 'query', path] as const
  return ['request', 'body', ...toSteps(path)] as const
}

const toViolation = (endpoint: Endpoint, item: ErrorItem): ProxyViolation => ({
  location: toLocation(endpoint, item),
  severity: 'Error',
  code: item.code,
  message: item.detailedErrorMessage ?? item.message,
})

/** Specification 5: every request carries a bearer token. */
function checkAuthorization(headers: Headers): readonly ProxyViolation[] {
  if (/^Bearer +\S/i.test(headers.get('Authorization') ?? '')) return []
  const message = 'The header Authorization: Bearer <ACCESS_TOKEN> is required.'
  return [{ location: ['request', 'headers', 'Authorization'], severity: 'Error', code: 'RequiredField', message }]
}

/** Checks a request against the contract. Reads its body. */
export type CheckRequest = (operation: OperationId, request: Request, search: string) => Promise<CheckedRequest>

/**
 * Creates a check of requests against the endpoint table. It uses the mock's own decoders.
 *
 * @param limit of bodies, in bytes
 */
export function createCheckRequest(limit: number): CheckRequest {
  const options = { strict: false, maxBody: limit }

  const decoders = new Map<OperationId, Decoder>(operationIds.map((id) => [id, createDecoder(endpoints[id], options)]))

  return async function checkRequest(operation, request, search) {
    const violations = [...checkAuthorization(request.headers)]
    const header = createHeaderReader(request)
    const holder: BodyHolder = { request, header, requestBody: undefined }
    let decoded: Decoded | undefined
    try {
      const warn = createWarnInto(violations)
      const decoder = decoders.get(operation)
      const head = decoder?.decodeHead(search, warn, header)
      // All or nothing: a request that fails halfway has no decoded body to inspect.
      decoded = head && ((await decoder?.decodeBody?.(head, warn, holder)) ?? head)
    } catch (fault) {
      if (!(fault instanceof Problem)) throw fault
      violations.push(...fault.errors.map((item) => toViolation(endpoints[operation], item)))
    }
    return { violations, body: holder.requestBody, decoded }
  }
}

const toCode = ({ path, decision }: Violation): string => {
  if (path === 'status') return decision === undefined ? 'UndocumentedStatus' : 'UnexpectedStatus'
  return path.startsWith('headers.') ? 'UnexpectedHeader' : 'UnexpectedBody'
}

/** The specification does not show response headers and error bodies: these rest on decisions alone. */
function toSeverity({ path, message, decision }: Violation, status: number): ProxyViolation['severity'] {
  if (decision !== undefined) return 'Warning'
  const isDecided = path.startsWith('headers.') && path !== 'headers.Content-Type'
  const isUnknownMember = message === 'is not documented.'
  return path !== 'status' && (isDecided || isUnknownMember || status >= 400) ? 'Warning' : 'Error'
}

/** Converts violations of a response to the proxy's format. */
const toViolations = (broken: readonly Violation[], status: number): readonly ProxyViolation[] =>
  broken.map((one) => {
    const { path, message } = one
    const [part = '', ...rest] = path.startsWith('headers.') ? ['headers', path.slice(8)] : toSteps(path)
    return { location: ['response', part, ...rest], severity: toSeverity(one, status), code: toCode(one), message }
  })

/** The request that the upstream responds to. */
interface SentRequest {
  readonly method: string
  /** The proxy's own id of the exchange, for clients that send none. */
  readonly correlationId: string
  /** Reads a header of the client's request. */
  readonly header: ReadHeader
}

const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** A rate-limited client is told the limit (decisions, "Errors"). */
const checkRateLimit = ({ status, headers }: Answered): readonly Violation[] =>
  rateLimitHeaders
    .filter((name) => status === 429 && !headers.has(name))
    .map((name) => ({ path: `headers.${name}`, message: 'Missing with status 429 (decisions, "Errors").' }))

/** A service echoes the correlation id of the request (decisions, "Errors"). */
function checkCorrelationId({ headers }: Answered, { correlationId, header }: SentRequest): readonly Violation[] {
  const echoed = headers.get('X-Correlation-ID')
  const asked = header('x-correlation-id')
  // The proxy adds its own id to a response that has none.
  if (echoed === (asked ?? correlationId) || (echoed === null && asked === undefined)) return []
  const message = `${JSON.stringify(asked ?? correlationId)} expected, as the request has it (decisions, "Errors").`
  return [{ path: 'headers.X-Correlation-ID', message }]
}

/** Headers that make a request conditional (RFC 9110, section 13.1). */
const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']

/** Finds violations of a response, except for statuses that depend on the kind of request. */
function findBroken(operation: OperationId, answered: Answered, { method, header }: SentRequest): readonly Violation[] {
  const endpoint: Endpoint = endpoints[operation]
  const { status } = answered
  if (findDocumented(endpoint, status) === undefined) {
    // A HEAD may return 404 even if its GET does not document it (D9, D12).
    if (status === 404 && method === 'HEAD') return []
    const isConditional = CONDITIONS.some((name) => header(name) !== undefined)
    if (isConditional && (status === 304 || status === 412)) {
      return [
        toDecided(decision('D5'), 'status', `${status} not expected, since conditions of requests change nothing`),
      ]
    }
  }
  return findViolations(endpoint, method, answered)
}

/** Checks an upstream response against the contract. */
function checkResponse(operation: OperationId, answered: Answered, sent: SentRequest): readonly ProxyViolation[] {
  const broken = findBroken(operation, answered, sent)
  const others = broken.filter(({ path }) => path !== 'headers.X-Correlation-ID')
  return toViolations([...others, ...checkRateLimit(answered), ...checkCorrelationId(answered, sent)], answered.status)
}

/** What the mock refuses after decoding; throws the 400. */
interface Expectation {
  readonly decision: DecisionId
  readonly expect: (asked: Decoded) => void
}

// Each function gets the output of its own endpoint's decoder.
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

/** Finds the expectation for an endpoint by the parameters and body it takes. */
function findExpectation({ query, headers, body }: Endpoint): Expectation | undefined {
  const { where, facet } = query
  if (facet !== undefined) return { decision: decision('D14'), expect: expectSearch }
  if (where !== undefined) return { decision: where.decision ?? decision('D20'), expect: expectQuery }
  if (body?.kind === 'image') return { decision: decision('D21'), expect: expectImage }
  if (body?.schema === updateRequest) return { decision: decision('D18'), expect: expectActions }
  if (headers['Storefront-Locale'] === undefined) return undefined
  return { decision: decision('D23'), expect: (asked) => void parseCartHeaders(asked.headers as CartHeaders) }
}

/** Finds what the service accepted although a decision refuses it. */
function checkAccepted(operation: OperationId, asked: Decoded): readonly ProxyViolation[] {
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

/** A HEAD has no body; if the body is not JSON, only its type is checked. */
function toCheckedBody({ body, decoded }: Omit<Incoming, 'violations'>, method: string): Uint8Array | undefined {
  if (method === 'HEAD') return undefined
  return body instanceof ReadableStream ? new Uint8Array() : decoded
}

/** Checks a response against the contract and against its request. */
export function checkAnswer(
  incoming: Omit<Incoming, 'violations'>,
  { found, decoded: asked }: Outgoing,
  sent: SentRequest,
): readonly ProxyViolation[] {
  const { status, headers, json } = incoming
  if (found.kind === 'undocumented') return []
  if (found.kind === 'unknown') return toViolations(checkAllow(status, headers), status)
  const { operation, parameters } = found
  const body = toCheckedBody(incoming, sent.method)
  const violations = checkResponse(operation, { status, headers, body }, sent)
  if (asked === undefined) return violations
  const exchanged = checkExchange({ operation, parameters, decoded: asked, status, headers, json })
  const accepted = status < 300 ? checkAccepted(operation, asked) : []
  return [...violations, ...toViolations(exchanged, status), ...accepted]
}
