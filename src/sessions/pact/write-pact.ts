import * as z from 'zod'
import { findDocumented } from '../../service/contract/check-response.ts'
import type { Endpoint, ResponseHeader, ResponseHeaderName } from '../../service/contract/endpoint.ts'
import { endpoints } from '../../service/contract/endpoints.ts'
import { isIntegral } from '../../service/contract/models.ts'
import { writeList } from '../../service/http/json-list.ts'
import { isJsonObject, stringifyJson, valueAt } from '../../service/http/json.ts'
import type { KeptBody } from '../journal/redact.ts'
import type { RedactedExchange } from '../journal/record.ts'
import { isCorrelationId } from '../../service/http/request-head.ts'
import { VERSION } from '../../version.ts'
import { responseHeaders } from '../../service/contract/endpoint.ts'
import {
  createToState,
  findBodyJson,
  findExchange,
  isLaterPage,
  isRefusedFor,
  toTokenScopes,
} from './provider-state.ts'
import type { ReadExchange } from './provider-state.ts'

/** A matcher in the format of Pact version 4. */
type PactMatcher =
  | { readonly match: 'type'; readonly min?: number }
  | { readonly match: 'integer' | 'number' | 'equality' }
  | { readonly match: 'regex'; readonly regex: string }

/** Matchers by body path or header name. */
type MatchingRules = Readonly<Record<string, { readonly combine: 'AND'; readonly matchers: readonly PactMatcher[] }>>

const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$'

const toRule = (matcher: PactMatcher): MatchingRules[string] => ({ combine: 'AND', matchers: [matcher] })

/** Matches exactly one of these strings. */
const toOneOf = (texts: readonly string[]): PactMatcher => ({
  match: 'regex',
  regex: `^(${[...new Set(texts)].map((text) => text.replaceAll(/[^\w]/g, '\\$&')).join('|')})$`,
})

/** Builds a path such as `$.results[*].key`. Other names are quoted in brackets. */
const toMemberPath = (path: string, name: string): string =>
  /^\w+$/.test(name) ? `${path}.${name}` : `${path}['${name.replaceAll(/['\\]/g, '\\$&')}']`

/**
 * The matcher for the pattern of a string schema; undefined if it has none. Some implementations of Pact match the entire
 * value, so an open end is made explicit.
 */
function findPatternMatcher(schema: z.ZodType): PactMatcher | undefined {
  const { pattern } = schema instanceof z.ZodString ? z.toJSONSchema(schema) : {}
  return pattern === undefined
    ? undefined
    : { match: 'regex', regex: pattern.endsWith('$') ? pattern : `${pattern}.*$` }
}

/** The matcher for a scalar. Numbers may lack decimals (749), which Pact's `decimal` matcher rejects. */
function toScalarMatcher(schema: z.ZodType, value: unknown): PactMatcher {
  if (schema instanceof z.ZodISODateTime) return { match: 'regex', regex: DATE_TIME }
  if (schema instanceof z.ZodLiteral) return { match: 'equality' }
  if (schema instanceof z.ZodEnum) return toOneOf(schema.options.map(String))
  const { type } = schema.meta() ?? {}
  if (type === 'integer') return { match: isIntegral(value) ? 'integer' : 'type' }
  return findPatternMatcher(schema) ?? { match: type === 'number' ? 'number' : 'type' }
}

/** Which content a provider may leave out, although the recorded body has it. */
interface Leeway {
  /** Arrays may be empty even if no example array is. */
  readonly mayBeEmpty?: boolean
  /** Optional members may be missing. */
  readonly mayLackOptional?: boolean
}

/** The rules collected from a body. */
interface Collection extends Leeway {
  readonly rules: Map<string, PactMatcher>
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value

/** No matcher of Pact accepts values of several types, so nothing can be said about them. */
const isMixed = (values: readonly unknown[]): boolean => new Set(values.map(kindOf)).size > 1

function matchObject(
  schema: z.ZodType,
  all: readonly Readonly<Record<string, unknown>>[],
  path: string,
  collection: Collection,
) {
  const [first = {}, ...others] = all
  const names = Object.keys(first).filter(
    (name) =>
      // A member missing from any of several entries is optional.
      others.every((other) => Object.hasOwn(other, name)) &&
      !(collection.mayLackOptional === true && memberSchemaOf(schema, name) instanceof z.ZodOptional) &&
      !isMixed(all.map((one) => one[name])),
  )
  return Object.fromEntries(
    names.map((name) => {
      const values = all.map((one) => one[name])
      return [name, matchValues(memberSchemaOf(schema, name), values, toMemberPath(path, name), collection)]
    }),
  )
}

function memberSchemaOf(schema: z.ZodType, name: string): z.ZodType {
  // The contract uses zod's classic schemas for shapes and values.
  if (schema instanceof z.ZodObject) return (schema.shape as Record<string, z.ZodType>)[name] ?? z.unknown()
  return schema instanceof z.ZodRecord ? (schema.valueType as z.ZodType) : z.unknown()
}

/** Every entry must match the rules derived from all examples. The array may be empty only if an example is. */
function matchArray(schema: z.ZodType, all: readonly (readonly unknown[])[], path: string, collection: Collection) {
  // `flat` copies, which is slow for a long array.
  const entries = all.length === 1 ? (all[0] ?? []) : all.flat()
  // Facets count the results, and a state may have fewer resources.
  const mayBeEmpty =
    collection.mayBeEmpty === true ||
    path.startsWith('$.facets.') ||
    path.startsWith('$.facets[') ||
    all.some((one) => one.length === 0)
  collection.rules.set(path, { match: 'type', min: mayBeEmpty ? 0 : 1 })
  if (entries.length === 0 || isMixed(entries)) return []
  const element = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : z.unknown()
  return [matchValues(element, entries, `${path}[*]`, collection)]
}

/** Returns an example for the values at a path, and collects their rules. */
function matchValues(schema: z.ZodType, values: readonly unknown[], path: string, collection: Collection): unknown {
  if (schema instanceof z.ZodOptional) return matchValues(schema.unwrap() as z.ZodType, values, path, collection)
  const [first] = values
  if (values.every(isJsonObject)) {
    collection.rules.set(path, { match: 'type' })
    return matchObject(schema, values, path, collection)
  }
  if (values.every((value) => Array.isArray(value))) return matchArray(schema, values, path, collection)
  collection.rules.set(path, toScalarMatcher(schema, first))
  return first
}

/** Turns a body into an example with matching rules: types come from the schema, and arrays use `eachLike`. */
function toExampleBody(schema: z.ZodType, body: unknown, leeway: Leeway = {}) {
  const collection: Collection = { rules: new Map(), ...leeway }
  const example = matchValues(schema, [body], '$', collection)
  // The code of the first error is matched exactly, because consumers handle errors by code. A provider may add others.
  const code = valueAt(body, ['errors', 0, 'code'])
  if (typeof code === 'string') collection.rules.set('$.errors[0].code', toOneOf([code]))
  return {
    example,
    rules: Object.fromEntries(Array.from(collection.rules, ([path, matcher]) => [path, toRule(matcher)])),
  }
}

/** The largest 64-bit integer to which JavaScript serializes a double. */
const LARGEST = 9_223_372_036_854_775_000n

/** Rounds an integer as JavaScript does when it parses and serializes it, clamped to 64 bits. */
function toRounded(value: bigint): bigint {
  const rounded = BigInt(String(Number(value)))
  if (rounded > LARGEST) return LARGEST
  return rounded < -LARGEST ? -LARGEST : rounded
}

/**
 * Makes the numbers in a body survive the proxy of Pact's verifier, which parses and reserializes them as doubles: beyond
 * 2^53, a number is only approximate, but stays within 64 bits.
 */
function toVerifiable(value: unknown): unknown {
  if (typeof value === 'bigint') return toRounded(value)
  if (Array.isArray(value)) return value.map(toVerifiable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toVerifiable(member)]))
}

/** The scheme in any case (RFC 9110, section 11.1). */
const BEARER_SCHEME = '[Bb][Ee][Aa][Rr][Ee][Rr]'

/** A token with the mock's payload and an invalid signature (D32). Endpoints that require a token refuse it with 401. */
const REFUSED_TOKEN = 'e30.eyJpc3MiOiJyZXNvdXJjZS1tb2NrIn0.x'

/**
 * Matches any bearer token. The provider chooses the actual token: when it is put into the state, it returns an
 * `accessToken` with the scopes in the state parameter `scopes`. An exchange refused with 401 uses an invalid token.
 */
function toPactCredentials(exchange: ReadExchange) {
  const isUnknown = isRefusedFor(401, exchange)
  if (exchange.entry.request.headers['authorization'] === undefined && isUnknown)
    return { headers: {}, rules: {}, generators: {} }
  const expression = 'Bearer ${accessToken}'
  const token = isUnknown ? REFUSED_TOKEN : toTokenScopes(exchange).join(',')
  return {
    headers: { Authorization: [`Bearer ${token}`] },
    rules: { Authorization: toRule({ match: 'regex', regex: `^${BEARER_SCHEME} .+$` }) },
    generators: isUnknown ? {} : { Authorization: { type: 'ProviderState', expression, dataType: 'STRING' } },
  }
}

/** Request headers that can affect the response, in their documented spelling. */
function toPactHeaders({ operation, entry }: ReadExchange): Readonly<Record<string, readonly string[]>> {
  const known = new Set(['Accept', 'Content-Type', 'Prefer', ...Object.keys(endpoints[operation].headers)])
  const { headers } = entry.request
  const found = [...known].flatMap((name) => {
    const value = headers[name.toLowerCase()]
    return value === undefined ? [] : [[name, [value]] as const]
  })
  const correlationId = headers['x-correlation-id']
  // A valid one has no effect.
  const isBad = correlationId !== undefined && !isCorrelationId(correlationId)
  return { ...Object.fromEntries(found), ...(isBad ? { 'X-Correlation-ID': [correlationId] } : {}) }
}

const isPactJson = (type: string): boolean => /^application\/json\b/i.test(type)

function toPactBody(body: KeptBody, contentType: string) {
  if (body.encoding === 'base64') return { content: body.text, contentType, encoded: 'base64' }
  const content = isPactJson(contentType) ? toVerifiable(findBodyJson(body)) : body.text
  return { content, contentType, encoded: false }
}

/** Why a request cannot be repeated, or undefined if it can. */
function findPactObstacle({ entry, requestJson }: ReadExchange): string | undefined {
  const { body, headers } = entry.request
  if (body === undefined) return undefined
  if (body.isCut) return 'its body exceeds what the journal keeps'
  const isObject = typeof requestJson === 'object' && requestJson !== null
  const isJson = isPactJson(headers['content-type'] ?? 'application/json')
  return isJson && !isObject ? "its body is not a JSON object or array, which the verifier's proxy rejects" : undefined
}

/** The request of an interaction, as recorded except that secrets become examples. */
function toPactRequest(exchange: ReadExchange): object {
  const { entry, operation, path, query, requestJson } = exchange
  const { body, headers, method } = entry.request
  const credentials = toPactCredentials(exchange)
  const contentType = headers['content-type'] ?? 'application/json'
  const { body: spec }: Endpoint = endpoints[operation]
  const isLiked = body !== undefined && spec?.kind === 'json' && entry.response.status < 400
  return {
    method,
    path,
    ...(query.size === 0 ? {} : { query: Object.fromEntries(query) }),
    headers: { ...toPactHeaders(exchange), ...credentials.headers },
    ...(body === undefined ? {} : { body: toPactBody(body, contentType) }),
    matchingRules: {
      header: credentials.rules,
      ...(isLiked ? { body: toExampleBody(spec.schema, requestJson).rules } : {}),
    },
    generators: Object.keys(credentials.generators).length === 0 ? {} : { header: credentials.generators },
  }
}

const JSON_TYPE_PATTERN = '^application/json\\b.*$'

/** Matches the path of any resource in the project, under any base URL. */
function toPathMatcher({ parameters }: ReadExchange): PactMatcher {
  const { projectKey = '' } = parameters
  const project = encodeURIComponent(projectKey).replaceAll(/[^\w/-]/g, '\\$&')
  return { match: 'regex', regex: `^.*/${project}/resource/[^/]+$` }
}

function toHeaderMatcher(name: ResponseHeaderName, exchange: ReadExchange): PactMatcher {
  if (name === 'Location' || name === 'Content-Location') return toPathMatcher(exchange)
  // It may be one of several challenges (RFC 9110, section 11.6.1).
  if (name === 'WWW-Authenticate') return { match: 'regex', regex: `^(.*, *)?${BEARER_SCHEME}( .*)?$` }
  const { schema }: ResponseHeader = responseHeaders[name]
  return findPatternMatcher(schema) ?? { match: 'type' }
}

/** Required members of errors and conflicts. Providers may omit all others. */
const requiredOfErrors = z.object({
  statusCode: z.number(),
  message: z.string(),
  errors: z.array(z.object({ code: z.string(), message: z.string(), currentVersion: z.unknown().optional() })),
})

/** The response of an interaction: the exact status, everything else matched by type. */
function toPactResponse(exchange: ReadExchange): object {
  const { entry, operation, responseJson } = exchange
  const { status, headers, body } = entry.response
  const documented = findDocumented(endpoints[operation], status)
  // Headers added by the gateway, not by the service behind it.
  const names = (documented?.headers ?? []).filter(
    (name) => !(name.startsWith('X-') || name.startsWith('RateLimit')) && headers[name.toLowerCase()] !== undefined,
  )
  const isJson = responseJson !== undefined
  const { purpose } = endpoints[operation]
  // The content of a cart is the provider's own.
  const isCart = purpose === 'cart' || purpose === 'localisedCart'
  // The part of a body that all providers must return.
  const required = status < 400 ? responseJson : (requiredOfErrors.safeParse(responseJson).data ?? responseJson)
  const { example, rules } = toExampleBody(documented?.schema ?? z.unknown(), required, {
    mayBeEmpty: isCart || isLaterPage(exchange),
    mayLackOptional: isCart,
  })
  return {
    status,
    headers: {
      ...(isJson ? { 'Content-Type': [headers['content-type']] } : {}),
      ...Object.fromEntries(names.map((name) => [name, [headers[name.toLowerCase()]]])),
    },
    // Accept any body if the recorded one is truncated or not JSON.
    ...(isJson && body !== undefined
      ? { body: { content: example, contentType: 'application/json', encoded: false } }
      : {}),
    matchingRules: {
      header: {
        ...(isJson ? { 'Content-Type': toRule({ match: 'regex', regex: JSON_TYPE_PATTERN }) } : {}),
        ...Object.fromEntries(names.map((name) => [name, toRule(toHeaderMatcher(name, exchange))])),
      },
      ...(isJson ? { body: rules } : {}),
    },
  }
}

/** A request that cannot be repeated. */
interface UnrepeatedRequest {
  readonly request: string
  readonly reason: string
}

/** Creates the interactions of a pact and adds requests that cannot be repeated to a list. */
async function* toInteractions(
  entries: AsyncIterable<RedactedExchange>,
  parts: Parameters<typeof createToState>[0],
  leftOut: UnrepeatedRequest[],
): AsyncGenerator<object, void> {
  const toState = createToState(parts)
  const counts = new Map<string, number>()
  const known = new Set<string>()
  for await (const entry of entries) {
    const exchange = findExchange(entry)
    if (exchange === undefined) continue
    const { method } = entry.request
    const state = await toState(exchange)
    const obstacle = findPactObstacle(exchange) ?? (state === undefined ? 'the state it needs is unknown' : undefined)
    if (obstacle !== undefined) {
      leftOut.push({ request: `${method} ${exchange.path}`, reason: obstacle })
      continue
    }
    const content = {
      providerStates: [state],
      request: toPactRequest(exchange),
      response: toPactResponse(exchange),
    }
    const json = stringifyJson(content)
    if (known.has(json)) continue
    known.add(json)
    // Pact identifies interactions by their descriptions.
    const text = `${exchange.operation} answers ${entry.response.status}`
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    const description = count === 1 ? text : `${text} (${count})`
    yield { type: 'Synchronous/HTTP', description, pending: false, ...content }
  }
}

/**
 * Writes the exchanges of a session as a pact, version 4. Repeated exchanges in the same state appear only once; requests
 * that cannot be repeated are listed in the metadata.
 *
 * @param entries oldest first
 */
export function writePact(
  entries: AsyncIterable<RedactedExchange>,
  { consumer, provider }: Readonly<Record<'consumer' | 'provider', string>>,
  parts: Parameters<typeof createToState>[0],
): AsyncGenerator<string, void> {
  const leftOut: UnrepeatedRequest[] = []
  return writeList(
    'interactions',
    toInteractions(entries, parts, leftOut),
    (interaction) => interaction,
    () => ({
      consumer: { name: consumer },
      provider: { name: provider },
      metadata: {
        pactSpecification: { version: '4.0' },
        'resource-mock': { version: VERSION, ...(leftOut.length === 0 ? {} : { leftOut }) },
      },
    }),
  )
}
