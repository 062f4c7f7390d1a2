import { admitsType } from '../../service/http/envelope.ts'
import * as z from 'zod'
import { decision } from '../../service/contract/decisions.ts'
import { endpoints, operationIds } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { int64, updateRequest } from '../../service/contract/models.ts'
import {
  checkAllow,
  checkShape,
  findDocumented,
  findViolations,
  isUndocumentedMember,
  showBriefly,
  toViolation,
} from '../../service/contract/check-response.ts'
import type { Answered, ExpectedByRequest, Violation } from '../../service/contract/check-response.ts'
import { Problem } from '../../errors.ts'
import type { ErrorItem } from '../../errors.ts'
import { createHeaderReader } from '../../service/http/request-head.ts'
import type { ReadHeader } from '../../service/http/request-head.ts'
import { compileSort, parsePage } from '../../service/query/list.ts'
import type { Page } from '../../service/query/list.ts'
import { createDecoder } from '../../service/contract/decode.ts'
import type { Decoded, BodyHolder, Decoder } from '../../service/contract/decode.ts'
import { createWarnInto, toPathSegments } from './proxied-request.ts'
import type { ProxyViolation, Incoming, OutgoingRequest } from './proxied-request.ts'
import { checkImage } from '../../service/http/image.ts'
import { parseCartHeaders, parseAction } from '../../service/operations/writes.ts'
import { compileSearch } from '../../service/query/search.ts'
import { compileWhere } from '../../service/query/where.ts'
import { responseHeaders } from '../../service/contract/endpoint.ts'
import type { Endpoint, Parameter, Purpose, ResponseHeader } from '../../service/contract/endpoint.ts'
import { findModel, namesStatus } from '../../service/contract/stated.ts'
import type { DecidedBy } from '../verify/compare/difference.ts'
import type { PathParameters } from '../../service/contract/paths.ts'
import type { Input } from '../../service/contract/types.ts'

const anyUpdate = z.looseObject({ version: int64, actions: z.array(z.unknown()) })

function findRequestedPage({ limit }: Endpoint['query'], query: Decoded['query']): Page | undefined {
  try {
    return limit === undefined ? undefined : parsePage(query)
  } catch (fault) {
    if (fault instanceof Problem) return undefined
    throw fault
  }
}

/** What a request says about its response: the page, and the resource with its version. */
function toAsked(operation: OperationId, { body, query }: Decoded, { id }: PathParameters): ExpectedByRequest {
  const endpoint: Endpoint = endpoints[operation]
  const page = findRequestedPage(endpoint.query, query)
  const facets = z.array(z.string()).safeParse(query['facet']).data ?? []
  // Zod would visit every byte of an image.
  const updated = endpoint.purpose === 'update' ? anyUpdate.safeParse(body).data : undefined
  const { version, actions = [] } = updated ?? { version: int64.safeParse(query['version']).data }
  // An update raises the version by one; without actions it changes nothing (D7). A deleted resource has the requested
  // version (D19).
  const versions: Partial<Record<Purpose, ExpectedByRequest['version']>> = {
    update: [decision('D7'), BigInt(version ?? 0) + (actions.length > 0 ? 1n : 0n)],
    delete: [decision('D19'), version ?? 0],
  }
  return {
    page: page && { ...page, facets: endpoint.query['facet'] && new Set(facets.map((name) => name.trim())) },
    id,
    rejected: version,
    version: version === undefined ? undefined : versions[endpoint.purpose],
  }
}

/** The language of a locale, which may be malformed. */
const toLanguage = (locale: string): string => locale.trim().toLowerCase().split(/[-_]/, 1)[0] ?? ''

/** A localised cart is in the requested language, and is only refused if JSON is not acceptable (D23). */
function checkCart(asked: Decoded, status: number, headers: Headers): readonly Violation[] {
  const { Accept: accept = '', 'Storefront-Locale': locale = '' } = asked.headers
  if (status === 406 && admitsType(accept, 'application/json'))
    return [toViolation('status', `a cart, since Accept: ${accept} admits application/json`, '406', decision('D23'))]
  const answered = headers.get('Content-Language')
  if (status >= 300 || answered === null) return []
  if (answered.split(',').some((one) => toLanguage(one) === toLanguage(locale))) return []
  return [
    toViolation(
      'headers.Content-Language',
      `a locale of the language of ${locale}`,
      showBriefly(answered),
      decision('D23'),
    ),
  ]
}

/** Locates an error that a decoder threw. */
function toLocation({ headers, query, families }: Endpoint, { field, message, detailedErrorMessage }: ErrorItem) {
  const parameter = /^Malformed parameter: (\S+): /.exec(message)?.[1]
  const path = typeof field === 'string' ? field : (parameter ?? /^\S+(?=: )/.exec(detailedErrorMessage ?? '')?.[0])
  if (path === undefined) return ['request', 'body'] as const
  if (path === 'Content-Type' || Object.hasOwn(headers, path)) return ['request', 'headers', path] as const
  const isOfFamily = Object.values(families).some(({ prefix }) => path.startsWith(prefix))
  if (isOfFamily || Object.hasOwn(query, path.split('[', 1)[0] ?? '')) return ['request', 'query', path] as const
  return ['request', 'body', ...toPathSegments(path)] as const
}

/** The decision that a refused request differs from; undefined if it breaks the specification. */
function findRequestDecision(
  endpoint: Endpoint,
  [, part, name = '']: ProxyViolation['location'],
  { code, message }: ErrorItem,
) {
  // The specification does not say which fields of a draft are required.
  if (part === 'body') return code === 'RequiredField' && endpoint.purpose === 'draft' ? decision('D2') : undefined
  if (part !== 'query') return undefined
  const family = Object.values(endpoint.families).find(({ prefix }) => name.startsWith(prefix))
  if (family?.pattern.test(name) === false) return family.othersRefused
  const parameter: Parameter | undefined = endpoint.query[name.split('[', 1)[0] ?? '']
  if (parameter?.decision !== undefined) return parameter.decision
  if (/: takes one value, got /.test(message)) return decision('D9')
  return parameter?.schema instanceof z.ZodObject ? parameter.values?.by : undefined
}

function toRequestViolation(endpoint: Endpoint, item: ErrorItem): ProxyViolation {
  const location = toLocation(endpoint, item)
  return {
    location,
    severity: 'Error',
    code: item.code,
    message: item.detailedErrorMessage ?? item.message,
    decision: findRequestDecision(endpoint, location, item),
  }
}

/** Checks a request against the contract. Reads its body. */
export type CheckRequest = ReturnType<typeof createCheckRequest>

/**
 * Creates a check of requests against the endpoint table. It uses the mock's own decoders.
 *
 * @param limit of bodies, in bytes
 */
export function createCheckRequest(limit: number) {
  const options = { strict: false, maxBody: limit }

  const decoders = new Map<OperationId, Decoder>(operationIds.map((id) => [id, createDecoder(endpoints[id], options)]))

  /**
   * Resolves with the decompressed body, undefined if it was not read, and with the decoded request, undefined if it violates
   * the contract.
   */
  return async function checkRequest(operation: OperationId, request: Request, search: string) {
    const violations: ProxyViolation[] = []
    // Specification 5: every request carries a bearer token.
    if (!/^Bearer +\S/i.test(request.headers.get('Authorization') ?? '')) {
      const message = 'The header Authorization: Bearer <ACCESS_TOKEN> is required.'
      violations.push({
        location: ['request', 'headers', 'Authorization'],
        severity: 'Error',
        code: 'RequiredField',
        message,
      })
    }
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
      violations.push(...fault.errors.map((item) => toRequestViolation(endpoints[operation], item)))
    }
    return { violations, body: holder.requestBody, decoded }
  }
}

/** The decision that a response differs from; undefined if it contradicts the specification, as for `verify`. */
function findResponseDecision(endpoint: Endpoint, status: number, violation: Violation, stated: ReadonlySet<string>) {
  const { path, expected, actual } = violation
  if (violation.decision !== undefined) return violation.decision
  const isShown = findModel(endpoint) !== undefined
  const statuses = Object.keys(endpoint.responses).map(Number)
  const own = endpoint.responses[status]?.decision ?? endpoint.responses[200]?.decision
  if (path.startsWith('headers.') && path !== 'headers.Content-Type') {
    const headers: Readonly<Record<string, ResponseHeader | undefined>> = responseHeaders
    return headers[path.slice('headers.'.length)]?.decision ?? 'Errors'
  }
  // Which condition yields which error is not shown (section 7).
  if (status >= 400) return 'Errors'
  if (path === 'status') return statuses.some((one) => namesStatus(endpoint, one)) ? undefined : own
  // A response that is not shown may be empty, but content is JSON (section 1).
  if (path === 'headers.Content-Type') return isShown || actual !== 'nothing' ? undefined : own
  if (path === 'body') return isShown || expected === 'JSON' ? undefined : own
  if (stated.has(path)) return undefined
  return isUndocumentedMember(violation)
    ? decision('D4')
    : (own ?? (endpoint.purpose === 'query' ? decision('D10') : decision('D5')))
}

/** Converts violations of a response to the proxy's format. */
function toViolations(
  broken: readonly Violation[],
  status: number,
  findDecision: (violation: Violation) => DecidedBy | undefined,
): readonly ProxyViolation[] {
  return broken.map((one) => {
    const { path, message } = one
    const isHeader = path.startsWith('headers.')
    const [part = '', ...rest] = isHeader ? ['headers', path.slice(8)] : toPathSegments(path)
    const code = path === 'status' ? 'UndocumentedStatus' : isHeader ? 'UnexpectedHeader' : 'UnexpectedBody'
    const location = ['response', part, ...rest] as const
    return { location, severity: 'Error', code, message, decision: findDecision(one) }
  })
}

/** The request that the upstream responds to. */
interface CheckedRequestHead {
  readonly method: string
  /** The proxy's own id of the exchange, for clients that send none. */
  readonly correlationId: string
  /** Reads a header of the client's request. */
  readonly header: ReadHeader
  /** The path of a URL on the proxy; undefined for other hosts. */
  readonly findPath: (location: string) => string | undefined
}

/** A client that follows the location of a resource to another host leaves the proxy. */
const checkHost = ({ status, headers }: Answered, { findPath }: CheckedRequestHead): readonly Violation[] =>
  ['Location', 'Content-Location'].flatMap((name) => {
    const location = headers.get(name)
    if (status >= 300 || location === null || findPath(location) !== undefined || !/^(?:[a-z]+:)?\/\//i.test(location))
      return []
    return [toViolation(`headers.${name}`, 'a path, or a URL of the service', showBriefly(location), decision('D5'))]
  })

/** Versions and counts, which the mock keeps as JavaScript numbers, and the specification does not limit. */
const COUNTS = /\.(?:version|limit|offset|count|total|missing|other)$/

const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** A service echoes the correlation id of the request (decisions, "Errors"). */
function checkCorrelationId(
  { headers }: Answered,
  { correlationId, header }: CheckedRequestHead,
): readonly Violation[] {
  const echoed = headers.get('X-Correlation-ID')
  const asked = header('x-correlation-id')
  // The proxy adds its own id to a response that has none.
  if (echoed === (asked ?? correlationId) || (echoed === null && asked === undefined)) return []
  return [
    toViolation(
      'headers.X-Correlation-ID',
      `${showBriefly(asked ?? correlationId)}, as in the request`,
      showBriefly(echoed ?? undefined),
    ),
  ]
}

/** Headers that make a request conditional (RFC 9110, section 13.1). */
const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']

/** Finds violations of a response, except for statuses that depend on the kind of request. */
function findBrokenRules(
  operation: OperationId,
  answered: Answered,
  { method, header }: CheckedRequestHead,
  asked: ExpectedByRequest | undefined,
): readonly Violation[] {
  const endpoint: Endpoint = endpoints[operation]
  const { status } = answered
  if (findDocumented(endpoint, status) === undefined) {
    // A HEAD may return 404 even if its GET does not document it (D9, D12).
    if (status === 404 && method === 'HEAD') return []
    const isConditional = CONDITIONS.some((name) => header(name) !== undefined)
    if (isConditional && (status === 304 || status === 412))
      return [toViolation('status', 'an unconditional response', String(status), decision('D5'))]
  }
  return findViolations(endpoint, method, answered, asked)
}

function expectSearch({ query, families }: Decoded): void {
  const search = query as Input<'searchResources'>['query']
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

/**
 * Finds what the mock refuses after decoding, with a 400, by the parameters and body of an endpoint. What `expect` gets is the
 * output of the endpoint's own decoder.
 */
function findExpectation({ query: parameters, headers: known, body: spec }: Endpoint) {
  if (parameters['facet'] !== undefined)
    return {
      decision: decision('D14'),
      expect: expectSearch,
      // Higher than any level that a platform chooses.
      isStated: ({ query }: Decoded) => Number(query['fuzzyLevel']) > 1000,
    }
  if (parameters['where'] !== undefined)
    return {
      decision: parameters['where'].decision ?? decision('D20'),
      expect({ query, families }: Decoded) {
        const { where, sort, ...rest } = query as Input<'sortedQuery'>['query']
        parsePage(rest)
        if (where !== undefined) compileWhere(where, families['var'] ?? new Map())
        if (sort !== undefined) compileSort(sort)
      },
    }
  if (spec?.kind === 'image')
    return {
      decision: decision('D21'),
      expect({ headers, body }: Decoded) {
        const declared = headers['Content-Type']?.split(';')[0]?.trim().toLowerCase()
        const type = endpoints.uploadImage.body.contentTypes.find((one) => one === declared)
        if (type !== undefined && body instanceof Uint8Array) checkImage(body, type)
      },
      isStated: ({ body }: Decoded) =>
        body instanceof Uint8Array && !/^(?:\x89PNG|\xff\xd8|GIF8)/.test(String.fromCharCode(...body.subarray(0, 4))),
    }
  if (spec?.schema === updateRequest)
    return {
      decision: decision('D18'),
      expect({ body }: Decoded) {
        const { actions } = body as Input<'updateResource'>['body']
        for (const [at, action] of actions.entries()) parseAction(action, at, () => undefined)
      },
    }
  if (known['Storefront-Locale'] === undefined) return undefined
  return {
    decision: decision('D23'),
    expect: ({ headers }: Decoded) => void parseCartHeaders(headers as Input<'getActionWithHeaders'>['headers']),
  }
}

/** Finds what the service accepted although a decision refuses it. */
function checkAccepted(operation: OperationId, asked: Decoded): readonly ProxyViolation[] {
  const expectation = findExpectation(endpoints[operation])
  try {
    expectation?.expect(asked)
    return []
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    // Section 8 limits fuzzyLevel and the formats of images.
    const by = expectation?.isStated?.(asked) === true ? undefined : expectation?.decision
    return fault.errors.map((item) => {
      const violation = toRequestViolation(endpoints[operation], item)
      const message = `The service accepted what ${by ?? 'section 8'} refuses: ${violation.message}`
      return { ...violation, message, decision: by }
    })
  }
}

/** Checks a response against the contract and against its request. */
export function checkExchange(
  incoming: Omit<Incoming, 'violations'>,
  { found, decoded: asked }: OutgoingRequest,
  sent: CheckedRequestHead,
): readonly ProxyViolation[] {
  const { status, headers } = incoming
  if (found.kind === 'undocumented') return []
  if (found.kind === 'unknown') return toViolations(checkAllow(status, headers), status, (one) => one.decision)
  const { operation, parameters } = found
  // If the body is not JSON, only its type is checked.
  const body = incoming.body instanceof ReadableStream ? new Uint8Array() : incoming.decoded
  const answered = { status, headers, body: sent.method === 'HEAD' ? undefined : body }
  const broken = findBrokenRules(operation, answered, sent, asked && toAsked(operation, asked, parameters))
  // A rate-limited client gets the limit (decisions, "Errors").
  const violations = [
    ...broken.filter(
      (one) => one.path !== 'headers.X-Correlation-ID' && !(COUNTS.test(one.path) && /^\d{10,19}$/.test(one.actual)),
    ),
    ...checkHost(answered, sent),
    ...rateLimitHeaders
      .filter((name) => answered.status === 429 && !answered.headers.has(name))
      .map((name) => toViolation(`headers.${name}`, 'a value with status 429', 'nothing')),
    ...checkCorrelationId(answered, sent),
    ...(asked && endpoints[operation].purpose === 'localisedCart' ? checkCart(asked, status, headers) : []),
  ]
  const accepted = asked && status < 300 ? checkAccepted(operation, asked) : []
  // The paths of the body that contradict the model which the specification shows for it.
  const model = findModel(endpoints[operation])
  const stated = new Set(model === undefined ? [] : checkShape(model, incoming.json).violations.map(({ path }) => path))
  const findDecision = (one: Violation) => findResponseDecision(endpoints[operation], status, one, stated)
  return [...toViolations(violations, status, findDecision), ...accepted]
}
