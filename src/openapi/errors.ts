import * as z from 'zod'
import { decision } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { errorCodes } from '../contract/error-codes.ts'
import { errorStatusesOf, findErrorExample } from '../contract/error-responses.ts'
import { named } from '../contract/named.ts'
import { int32, int64 } from '../contract/numbers.ts'
import { errorHeaders } from '../contract/response-headers.ts'
import { toEnvelope } from '../http/envelope.ts'
import { stringifyJson } from '../http/json.ts'
import { toDecisions } from './decisions.ts'
import type { Reference, ResponseObject } from './document-types.ts'
import { toHeaderReferences } from './headers.ts'
import type { Schemas } from './schemas.ts'

interface ErrorFacts {
  /** What a response is called that many operations share. */
  readonly name: string
  readonly description: string
  readonly decision?: DecisionId
}

const facts: Readonly<Record<number, ErrorFacts>> = {
  400: { name: 'BadRequest', description: 'The request is not valid', decision: decision('D9') },
  401: { name: 'Unauthorized', description: 'The token is missing, malformed or expired', decision: decision('D33') },
  403: { name: 'Forbidden', description: 'The token lacks the scope', decision: decision('D33') },
  404: { name: 'NotFound', description: 'The resource does not exist' },
  406: { name: 'NotAcceptable', description: 'The header Accept admits no JSON', decision: decision('D23') },
  409: { name: 'Conflict', description: 'The version is not the actual one' },
  413: { name: 'ContentTooLarge', description: 'The body is too large' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is of a type that is not taken',
    decision: decision('D9'),
  },
  429: { name: 'TooManyRequests', description: 'Requests come too quickly' },
  500: { name: 'InternalServerError', description: 'The service failed' },
  502: { name: 'BadGateway', description: 'A gateway got no valid answer from the service' },
  503: { name: 'ServiceUnavailable', description: 'The service is over capacity' },
}

const nameOf = (status: number): string => facts[status]?.name ?? String(status)

function toErrorSchema(status: number, codes: readonly [string, ...string[]]): z.ZodType {
  const code = z.enum(codes)
  const entry = z.looseObject({
    code,
    message: z.string(),
    // What the next try has to name.
    ...(status === 409 ? { currentVersion: int64 } : {}),
  })
  const isOfToken = status === 401 || status === 403
  return z
    .looseObject({
      statusCode: int32.meta({ type: 'integer', format: 'int32', enum: [status] }),
      message: z.string(),
      errors: z.array(entry).min(1),
      ...(isOfToken ? { error: code, error_description: z.string() } : {}),
    })
    .meta(named(`${nameOf(status).replace(/Error$/, '')}Error`, `The error envelope of status ${status}`))
}

/** The error envelope of each status: its codes, and what its entries carry in addition to their message. */
const errorSchemas: ReadonlyMap<number, z.ZodType> = new Map(
  Object.entries(errorCodes).map(([status, codes]) => [Number(status), toErrorSchema(Number(status), codes)]),
)

type Responses = Readonly<Record<string, ResponseObject>>

/** The errors of a document's operations. */
export interface ErrorResponses {
  /** By status, in addition to those responses that the endpoint has of its own. */
  of(endpoint: Endpoint): Readonly<Record<string, ResponseObject | Reference>>
  /** Those that are the same for every operation that has them. */
  readonly shared: Responses
}

function toErrorResponse(
  endpoint: Endpoint,
  status: number,
  path: Readonly<Record<string, string>>,
  { toSchema }: Schemas,
): ResponseObject {
  const { description = '', decision: rests } = facts[status] ?? {}
  const own = endpoint.responses[status]
  const example = findErrorExample(endpoint, status, path)
  const schema = errorSchemas.get(status)
  return {
    description: own?.description ?? description,
    headers: toHeaderReferences(['X-Correlation-ID', ...(errorHeaders[status] ?? [])]),
    // HEAD never has a body (RFC 9110, section 9.3.2).
    ...(endpoint.method === 'HEAD' || example === undefined || schema === undefined
      ? {}
      : { content: { 'application/json': { schema: toSchema(schema), example: toEnvelope(example) } } }),
    ...toDecisions([own === undefined ? rests : own.decision]),
  }
}

/** Creates the error responses of the endpoints: shared ones appear once. */
export function createErrorResponses(
  endpoints: readonly Endpoint[],
  path: Readonly<Record<string, string>>,
  schemas: Schemas,
): ErrorResponses {
  const variants = new Map<number, Map<string, ResponseObject>>()
  for (const endpoint of endpoints.filter(({ method }) => method !== 'HEAD')) {
    for (const status of errorStatusesOf(endpoint)) {
      const response = toErrorResponse(endpoint, status, path, schemas)
      variants.set(
        status,
        (variants.get(status) ?? new Map<string, ResponseObject>()).set(stringifyJson(response), response),
      )
    }
  }
  const shared = [...variants].filter(([, { size }]) => size === 1)
  const isShared = new Set(shared.map(([status]) => status))

  return {
    of(endpoint) {
      const responses = errorStatusesOf(endpoint).map((status): [string, ResponseObject | Reference] => [
        String(status),
        isShared.has(status) && endpoint.method !== 'HEAD'
          ? { $ref: `#/components/responses/${nameOf(status)}` }
          : toErrorResponse(endpoint, status, path, schemas),
      ])
      return Object.fromEntries(responses)
    },
    shared: Object.fromEntries(
      shared.flatMap(([status, all]) => [...all.values()].map((one) => [nameOf(status), one])),
    ),
  }
}
