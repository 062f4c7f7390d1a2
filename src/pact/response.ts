import * as z from 'zod'
import { findDocumented } from '../contract/check-response.ts'
import { endpoints } from '../contract/endpoints.ts'
import { responseHeaders } from '../contract/response-headers.ts'
import type { ResponseHeader, ResponseHeaderName } from '../contract/response-headers.ts'
import type { ReadExchange } from './exchange.ts'
import { toExampleBody, toRule } from './matching-rules.ts'
import type { PactMatcher } from './matching-rules.ts'
import { isLaterPage } from './state-for.ts'

const JSON_TYPE = '^application/json\\b.*$'

/** Headers of the gateway rather than of what is behind it. */
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

/** What the envelope requires of an error, and what a conflict has to tell; the rest a provider may leave out. */
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
