import * as z from 'zod'
import { findDocumented } from '../contract/check-response.ts'
import type { Endpoint, ResponseHeader, ResponseHeaderName } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import { isIntegral } from '../contract/models.ts'
import { writeList } from '../http/json-list.ts'
import { isJsonObject, stringifyJson } from '../http/json.ts'
import type { KeptBody } from '../journal/redact.ts'
import type { JournalEntry } from '../journal/record.ts'
import { isCorrelationId } from '../pipeline/exchange.ts'
import { VERSION } from '../version.ts'
import { responseHeaders } from '../contract/endpoint.ts'
import {
  createToState,
  findBodyJson,
  findExchange,
  isLaterPage,
  isRefusedFor,
  toTokenScopes,
} from './provider-state.ts'
import type { ReadExchange } from './provider-state.ts'

/** One of Pact's matchers, as a file of version 4 has it. */
type PactMatcher =
  | { readonly match: 'type'; readonly min?: number }
  | { readonly match: 'integer' | 'number' | 'equality' }
  | { readonly match: 'regex'; readonly regex: string }

/** Matchers by the path of a body or the name of a header. */
type MatchingRules = Readonly<Record<string, { readonly combine: 'AND'; readonly matchers: readonly PactMatcher[] }>>

const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$'

const toRule = (matcher: PactMatcher): MatchingRules[string] => ({ combine: 'AND', matchers: [matcher] })

/** One of these texts, and nothing else. */
const toChoice = (texts: readonly string[]): PactMatcher => ({
  match: 'regex',
  regex: `^(${[...new Set(texts)].map((text) => text.replaceAll(/[^\w]/g, '\\$&')).join('|')})$`,
})

/** `$.results[*].key`; other names are quoted in brackets. */
const toMemberPath = (path: string, name: string): string =>
  /^\w+$/.test(name) ? `${path}.${name}` : `${path}['${name.replaceAll(/['\\]/g, '\\$&')}']`

/** The rule for a scalar. A number may come without decimals (749), which Pact's `decimal` refuses. */
function toScalarMatcher(schema: z.ZodType, value: unknown): PactMatcher {
  if (schema instanceof z.ZodISODateTime) return { match: 'regex', regex: DATE_TIME }
  if (schema instanceof z.ZodLiteral) return { match: 'equality' }
  if (schema instanceof z.ZodEnum) return toChoice(schema.options.map(String))
  const { type } = schema.meta() ?? {}
  if (type === 'integer') return { match: isIntegral(value) ? 'integer' : 'type' }
  return { match: type === 'number' ? 'number' : 'type' }
}

/** The rules collected while a body is read. */
interface Collection {
  readonly rules: Map<string, PactMatcher>
  /** Whether arrays may be empty even if no example is. */
  readonly mayBeEmpty: boolean
}

function matchObject(
  schema: z.ZodType,
  all: readonly Readonly<Record<string, unknown>>[],
  path: string,
  collection: Collection,
) {
  const [first = {}, ...others] = all
  // A member that one of many entries lacks is optional.
  const names = Object.keys(first).filter((name) => others.every((other) => Object.hasOwn(other, name)))
  return Object.fromEntries(
    names.map((name) => {
      const values = all.map((one) => one[name])
      return [name, matchValues(memberOf(schema, name), values, toMemberPath(path, name), collection)]
    }),
  )
}

function memberOf(schema: z.ZodType, name: string): z.ZodType {
  // The shapes and the values of the contract's models are schemas of zod's classic kind.
  if (schema instanceof z.ZodObject) return (schema.shape as Record<string, z.ZodType>)[name] ?? z.unknown()
  return schema instanceof z.ZodRecord ? (schema.valueType as z.ZodType) : z.unknown()
}

/** Facets count the found resources, of which a state may have fewer. */
const isCount = (path: string): boolean => path.startsWith('$.facets.') || path.startsWith('$.facets[')

/** Each entry has to match the rules for all of them. The array may be empty only if one of the examples is. */
function matchArray(schema: z.ZodType, all: readonly (readonly unknown[])[], path: string, collection: Collection) {
  const entries = all.flat()
  const mayBeEmpty = collection.mayBeEmpty || isCount(path) || all.some((one) => one.length === 0)
  collection.rules.set(path, { match: 'type', min: mayBeEmpty ? 0 : 1 })
  if (entries.length === 0) return []
  const element = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : z.unknown()
  return [matchValues(element, entries, `${path}[*]`, collection)]
}

/** Returns an example of values at one path, and collects the rules for them. */
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

/** Consumers handle errors by their code, so codes are matched exactly. */
function keepCodes(body: unknown, rules: Collection['rules']): void {
  if (!isJsonObject(body) || !Array.isArray(body['errors'])) return
  const codes = body['errors'].filter(isJsonObject).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  if (codes.length > 0) rules.set('$.errors[*].code', toChoice(codes))
}

/**
 * Turns a body into an example with matching rules: types as in the schema, each array `eachLike` its entries.
 *
 * @param mayBeEmpty whether arrays may be empty although the example's are not
 */
function toExampleBody(schema: z.ZodType, body: unknown, mayBeEmpty = false) {
  const collection: Collection = { rules: new Map(), mayBeEmpty }
  const example = matchValues(schema, [body], '$', collection)
  keepCodes(body, collection.rules)
  return {
    example,
    rules: Object.fromEntries(Array.from(collection.rules, ([path, matcher]) => [path, toRule(matcher)])),
  }
}

/** The largest whole number of 64 bits that JavaScript writes in no more than its digits. */
const LARGEST = 9_223_372_036_854_775_000n

/** A whole number after JavaScript has read and written it, kept within 64 bits. */
function toRounded(value: bigint): bigint {
  const rounded = BigInt(String(Number(value)))
  if (rounded > LARGEST) return LARGEST
  return rounded < -LARGEST ? -LARGEST : rounded
}

/**
 * A body whose numbers survive the proxy of Pact's verifier, which reads them as doubles and writes them again: past 2^53
 * a number is only near the one that was sent, and still within 64 bits.
 */
function toVerifiable(value: unknown): unknown {
  if (typeof value === 'bigint') return toRounded(value)
  if (Array.isArray(value)) return value.map(toVerifiable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toVerifiable(member)]))
}

/** A token with the mock's own payload and an invalid signature (D32): refused with 401 wherever a token is needed. */
const REFUSED_TOKEN = 'e30.eyJpc3MiOiJyZXNvdXJjZS1tb2NrIn0.x'

/**
 * Any bearer token matches. The provider chooses the one that is sent: it returns an `accessToken` when it is set to the state,
 * whose parameter `scopes` names the necessary scopes. A token that is refused with 401 is nobody's.
 */
function toCredentials(exchange: ReadExchange) {
  const isUnknown = isRefusedFor(401, exchange)
  if (exchange.entry.request.headers['authorization'] === undefined && isUnknown) {
    return { headers: {}, rules: {}, generators: {} }
  }
  const expression = 'Bearer ${accessToken}'
  const token = isUnknown ? REFUSED_TOKEN : toTokenScopes(exchange).join(',')
  return {
    headers: { Authorization: [`Bearer ${token}`] },
    rules: { Authorization: toRule({ match: 'regex', regex: '^Bearer .+$' }) },
    generators: isUnknown ? {} : { Authorization: { type: 'ProviderState', expression, dataType: 'STRING' } },
  }
}

/** Headers that a response may depend on, spelled as documented. */
function toHeaders({ operation, entry }: ReadExchange): Readonly<Record<string, readonly string[]>> {
  const known = new Set(['Accept', 'Content-Type', 'Prefer', ...Object.keys(endpoints[operation].headers)])
  const { headers } = entry.request
  const found = [...known].flatMap((name) => {
    const value = headers[name.toLowerCase()]
    return value === undefined ? [] : [[name, [value]] as const]
  })
  const correlationId = headers['x-correlation-id']
  // A valid one changes nothing.
  const isBad = correlationId !== undefined && !isCorrelationId(correlationId)
  return { ...Object.fromEntries(found), ...(isBad ? { 'X-Correlation-ID': [correlationId] } : {}) }
}

const isJsonType = (type: string): boolean => /^application\/json\b/i.test(type)

function toBody(body: KeptBody, contentType: string) {
  if (body.encoding === 'base64') return { content: body.text, contentType, encoded: 'base64' }
  const content = isJsonType(contentType) ? toVerifiable(findBodyJson(body)) : body.text
  return { content, contentType, encoded: false }
}

/** Why a request cannot be repeated; undefined if it can. */
function findObstacle({ entry, requestJson }: ReadExchange): string | undefined {
  const { body, headers } = entry.request
  if (body === undefined) return undefined
  if (body.isCut) return 'its body is larger than what the journal keeps'
  const isObject = typeof requestJson === 'object' && requestJson !== null
  const isJson = isJsonType(headers['content-type'] ?? 'application/json')
  return isJson && !isObject
    ? "its body is not a JSON object or array, which the verifier's own proxy refuses"
    : undefined
}

/** The request of an interaction: its secrets are examples, everything else is as it was. */
function toPactRequest(exchange: ReadExchange): object {
  const { entry, operation, path, query, requestJson } = exchange
  const { body, headers, method } = entry.request
  const credentials = toCredentials(exchange)
  const contentType = headers['content-type'] ?? 'application/json'
  const { body: spec }: Endpoint = endpoints[operation]
  const isLiked = body !== undefined && spec?.kind === 'json' && entry.response.status < 400
  return {
    method,
    path,
    ...(query.size === 0 ? {} : { query: Object.fromEntries(query) }),
    headers: { ...toHeaders(exchange), ...credentials.headers },
    ...(body === undefined ? {} : { body: toBody(body, contentType) }),
    matchingRules: {
      header: credentials.rules,
      ...(isLiked ? { body: toExampleBody(spec.schema, requestJson).rules } : {}),
    },
    generators: Object.keys(credentials.generators).length === 0 ? {} : { header: credentials.generators },
  }
}

const JSON_TYPE = '^application/json\\b.*$'

/** Headers of the gateway rather than of the service behind it. */
const isOfGateway = (name: ResponseHeaderName): boolean => name === 'X-Correlation-ID' || name.startsWith('RateLimit')

const escape = (text: string): string => text.replaceAll(/[^\w/-]/g, '\\$&')

/** The path of any resource of the project, below any base URL. */
function toPathMatcher({ parameters }: ReadExchange): PactMatcher {
  const { projectKey = '' } = parameters
  return { match: 'regex', regex: `^.*/${escape(encodeURIComponent(projectKey))}/resource/[^/]+$` }
}

function toHeaderMatcher(name: ResponseHeaderName, exchange: ReadExchange): PactMatcher {
  if (name === 'Location' || name === 'Content-Location') return toPathMatcher(exchange)
  const { schema }: ResponseHeader = responseHeaders[name]
  const [pattern] = schema instanceof z.ZodString ? [...(schema._zod.bag.patterns ?? [])] : []
  return pattern === undefined ? { match: 'type' } : { match: 'regex', regex: pattern.source }
}

/** The members that errors and conflicts must have; a provider may leave out the others. */
const requiredOfErrors = z.object({
  statusCode: z.number(),
  message: z.string(),
  errors: z.array(z.object({ code: z.string(), message: z.string(), currentVersion: z.unknown().optional() })),
})

/** The part of a body that every provider must return. */
const toRequired = (status: number, body: unknown): unknown =>
  status < 400 ? body : (requiredOfErrors.safeParse(body).data ?? body)

/** The response of an interaction: the status as it was, the rest by type. */
function toPactResponse(exchange: ReadExchange): object {
  const { entry, operation, responseJson } = exchange
  const { status, headers, body } = entry.response
  const documented = findDocumented(endpoints[operation], status)
  const names = (documented?.headers ?? []).filter(
    (name) => !isOfGateway(name) && headers[name.toLowerCase()] !== undefined,
  )
  const isJson = responseJson !== undefined
  const { example, rules } = toExampleBody(
    documented?.schema ?? z.unknown(),
    toRequired(status, responseJson),
    isLaterPage(exchange),
  )
  return {
    status,
    headers: {
      ...(isJson ? { 'Content-Type': [headers['content-type']] } : {}),
      ...Object.fromEntries(names.map((name) => [name, [headers[name.toLowerCase()]]])),
    },
    // Any body will do for one that was cut or is not JSON.
    ...(isJson && body !== undefined
      ? { body: { content: example, contentType: 'application/json', encoded: false } }
      : {}),
    matchingRules: {
      header: {
        ...(isJson ? { 'Content-Type': toRule({ match: 'regex', regex: JSON_TYPE }) } : {}),
        ...Object.fromEntries(names.map((name) => [name, toRule(toHeaderMatcher(name, exchange))])),
      },
      ...(isJson ? { body: rules } : {}),
    },
  }
}

/** A request that cannot be sent again. */
interface LeftOut {
  readonly request: string
  readonly reason: string
}

/** The interactions of a pact; requests that cannot be repeated are added to a list. */
async function* toInteractions(
  entries: AsyncIterable<JournalEntry>,
  parts: Parameters<typeof createToState>[0],
  leftOut: LeftOut[],
): AsyncGenerator<object, void> {
  const toState = createToState(parts)
  const counts = new Map<string, number>()
  const known = new Set<string>()
  for await (const entry of entries) {
    const exchange = findExchange(entry)
    if (exchange === undefined) continue
    const { method } = entry.request
    const state = await toState(exchange)
    const obstacle = findObstacle(exchange) ?? (state === undefined ? 'the state that it needs is unknown' : undefined)
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
    // A pact distinguishes its interactions by their descriptions.
    const text = `${exchange.operation} answers ${entry.response.status}`
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    const description = count === 1 ? text : `${text} (${count})`
    yield { type: 'Synchronous/HTTP', description, pending: false, ...content }
  }
}

/**
 * Writes the exchanges of a session as a pact, version 4. An exchange
 * that happened twice in the same state appears once; requests that cannot be repeated are listed in the metadata.
 *
 * @param entries oldest first
 */
export function writePact(
  entries: AsyncIterable<JournalEntry>,
  { consumer, provider }: Readonly<Record<'consumer' | 'provider', string>>,
  parts: Parameters<typeof createToState>[0],
): AsyncGenerator<string, void> {
  const leftOut: LeftOut[] = []
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
