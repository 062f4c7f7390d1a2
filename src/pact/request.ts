import { endpoints } from '../contract/endpoints.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { KeptBody } from '../journal/entry.ts'
import { isCorrelationId } from '../pipeline/exchange.ts'
import { findBodyJson } from './exchange.ts'
import type { ReadExchange } from './exchange.ts'
import { toExampleBody, toRule } from './matching-rules.ts'
import type { MatchingRules } from './matching-rules.ts'
import { toVerifiable } from './numbers.ts'
import { isRefusedFor, toTokenScopes } from './scopes.ts'

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

/** Why a request cannot be sent again as it was; undefined where it can. */
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
