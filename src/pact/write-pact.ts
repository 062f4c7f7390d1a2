import * as z from 'zod'
import { endpoints } from '../contract/endpoints.ts'
import { isCorrelationId } from '../pipeline/exchange.ts'
import { toExampleBody, toRule } from './matching-rules.ts'
import type { MatchingRules, PactMatcher } from './matching-rules.ts'
import { findDocumented } from '../contract/check-response.ts'
import { responseHeaders } from '../contract/response-headers.ts'
import type { ResponseHeader, ResponseHeaderName } from '../contract/response-headers.ts'
import {
  createToState,
  findBodyJson,
  findExchange,
  isLaterPage,
  isRefusedFor,
  toTokenScopes,
} from './provider-state.ts'
import type { ProviderStateParts, ReadExchange } from './provider-state.ts'
import { stringifyJson } from '../http/json.ts'
import { writeList } from '../http/json-list.ts'
import { VERSION } from '../version.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { KeptBody } from '../journal/redact.ts'
import type { JournalEntry } from '../journal/record.ts'

/** The largest whole number of 64 bits that JavaScript writes in no more than its digits. */
const LARGEST = 9_223_372_036_854_775_000n

/** A whole number after JavaScript has read and written it, kept within 64 bits. */
function toRounded(value: bigint): bigint {
  const rounded = BigInt(String(Number(value)))
  if (rounded > LARGEST) return LARGEST
  return rounded < -LARGEST ? -LARGEST : rounded
}

/**
 * A body whose numbers outlast the proxy of Pact's verifier, which reads them as doubles and writes them again: past 2^53
 * a number is only near the one that was sent, and still one of 64 bits.
 */
export function toVerifiable(value: unknown): unknown {
  if (typeof value === 'bigint') return toRounded(value)
  if (Array.isArray(value)) return value.map(toVerifiable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toVerifiable(member)]))
}

/** The content of a message, as a pact of version 4 has it. */
export interface PactBody {
  readonly content: unknown
  readonly contentType: string
  readonly encoded: false | 'base64'
}

/** A token with the mock's own payload and an invalid signature (D32): refused with 401 wherever a token is needed. */
const REFUSED_TOKEN = 'e30.eyJpc3MiOiJyZXNvdXJjZS1tb2NrIn0.x'

interface PactCredentials {
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly rules: MatchingRules
  readonly generators: Readonly<Record<string, object>>
}

/**
 * Any bearer token is like any other. The provider says which one is sent: as `accessToken` in what it answers when it is set
 * to the state, whose parameter `scopes` names the scopes that it needs. A token that is refused with 401 is nobody's.
 */
function toCredentials(exchange: ReadExchange): PactCredentials {
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

/** Headers that an answer may depend on, spelled as they are documented. */
function toHeaders({ operation, entry }: ReadExchange): Readonly<Record<string, readonly string[]>> {
  const known = new Set(['Accept', 'Content-Type', 'Prefer', ...Object.keys(endpoints[operation].headers)])
  const { headers } = entry.request
  const found = [...known].flatMap((name) => {
    const value = headers[name.toLowerCase()]
    return value === undefined ? [] : [[name, [value]] as const]
  })
  const correlationId = headers['x-correlation-id']
  // A good one changes nothing.
  const isBad = correlationId !== undefined && !isCorrelationId(correlationId)
  return { ...Object.fromEntries(found), ...(isBad ? { 'X-Correlation-ID': [correlationId] } : {}) }
}

const isJsonType = (type: string): boolean => /^application\/json\b/i.test(type)

function toBody(body: KeptBody, contentType: string): PactBody {
  if (body.encoding === 'base64') return { content: body.text, contentType, encoded: 'base64' }
  const content = isJsonType(contentType) ? toVerifiable(findBodyJson(body)) : body.text
  return { content, contentType, encoded: false }
}

/** Why a request cannot be repeated; undefined if it can. */
export function findObstacle({ entry, requestJson }: ReadExchange): string | undefined {
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
export function toPactRequest(exchange: ReadExchange): object {
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

/** A place is that of some resource of the project, under whatever the provider's base URL is. */
function toPlaceMatcher({ parameters }: ReadExchange): PactMatcher {
  const { projectKey = '' } = parameters
  return { match: 'regex', regex: `^.*/${escape(encodeURIComponent(projectKey))}/resource/[^/]+$` }
}

function toHeaderMatcher(name: ResponseHeaderName, exchange: ReadExchange): PactMatcher {
  if (name === 'Location' || name === 'Content-Location') return toPlaceMatcher(exchange)
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

/** The part of a body that another provider has to answer too. */
const toRequired = (status: number, body: unknown): unknown =>
  status < 400 ? body : (requiredOfErrors.safeParse(body).data ?? body)

/** The response of an interaction: the status as it was, the rest by type. */
export function toPactResponse(exchange: ReadExchange): object {
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

/** Numbers equal descriptions, since a pact distinguishes its interactions by them. */
function createDescribe(): (text: string) => string {
  const counts = new Map<string, number>()
  return function describe(text) {
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    return count === 1 ? text : `${text} (${count})`
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
  parts: ProviderStateParts,
  leftOut: LeftOut[],
): AsyncGenerator<object, void> {
  const toState = createToState(parts)
  const describe = createDescribe()
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
    const text = stringifyJson(content)
    if (known.has(text)) continue
    known.add(text)
    const description = describe(`${exchange.operation} answers ${entry.response.status}`)
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
  parts: ProviderStateParts,
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
