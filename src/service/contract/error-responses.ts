import { problem } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import type { Endpoint } from './endpoint.ts'

/** Path parameters of a request. Missing ones keep their template placeholder. */
type ErrorPath = Readonly<Partial<Record<string, string>>>

/** Example errors by status, which endpoints may return in addition to their own responses (decisions, "Errors"). */
const examples: Readonly<Record<number, (endpoint: Endpoint, path: ErrorPath) => Problem>> = {
  400: () => problem.invalidInput('The request was not valid.'),
  401: (_endpoint, { projectKey = '{projectKey}' }) =>
    problem.invalidToken(projectKey, 'The token is not valid. Get one from /oauth/token.'),
  403: ({ scopes }, { projectKey = '{projectKey}' }) =>
    problem.insufficientScope(projectKey, scopes === 'anyToken' ? [] : scopes.map((scope) => `${scope}:${projectKey}`)),
  404: ({ path }, { id = '{id}', key = '{key}' }) =>
    path.includes('{key}') ? problem.resourceNotFound('key', key) : problem.resourceNotFound('ID', id),
  406: () => problem.notAcceptable('text/html', ['application/json']),
  409: (_endpoint, { id = '{id}' }) => problem.versionConflict({ id, expected: 1, actual: 2 }),
  412: (_endpoint, { id = '{id}' }) => problem.preconditionFailed('If-Match: "1"', id, 2),
  413: () => problem.contentTooLarge(10_485_760),
  415: ({ body }) =>
    problem.unsupportedMediaType('text/plain', body?.kind === 'image' ? body.contentTypes : ['application/json']),
  429: () => problem.tooManyRequests(5, 1),
  500: () => problem.internal(),
  502: () => problem.badGateway(),
  503: () => problem.overCapacity('The service is over capacity. Try again.'),
}

/** The error statuses of an endpoint, derived from its scopes, path, body and headers. */
export function errorStatusesOf(endpoint: Endpoint): readonly number[] {
  const { scopes, path, body, headers, responses } = endpoint
  const isIncluded: Readonly<Record<number, boolean>> = {
    403: scopes !== 'anyToken',
    404: path.includes('{id}') || path.includes('{key}') || body?.kind === 'image' || endpoint.method === 'PATCH',
    406: headers.Accept !== undefined,
    409: responses[409] !== undefined,
    412: headers['If-Match'] !== undefined,
    413: body !== undefined,
    415: body !== undefined,
  }
  return Object.keys(examples)
    .map(Number)
    .filter((status) => isIncluded[status] ?? true)
}

/**
 * An example error for an endpoint's status, with the given path parameters; undefined if the endpoint never returns the
 * status.
 */
export const findErrorExample = (endpoint: Endpoint, status: number, path: ErrorPath = {}): Problem | undefined =>
  errorStatusesOf(endpoint).includes(status) ? examples[status]?.(endpoint, path) : undefined

/** The error codes of each status, except those of the token endpoints (decisions, "Errors"). */
export const errorCodes: Readonly<Record<number, readonly [string, ...string[]]>> = {
  400: ['InvalidJsonInput', 'RequiredField', 'InvalidField', 'InvalidInput'],
  401: ['invalid_token'],
  403: ['insufficient_scope'],
  404: ['ResourceNotFound'],
  405: ['MethodNotAllowed'],
  406: ['InvalidInput'],
  409: ['ConcurrentModification'],
  412: ['PreconditionFailed'],
  413: ['ContentTooLarge'],
  415: ['InvalidInput'],
  429: ['TooManyRequests'],
  // ContractViolation only occurs with --check-responses.
  500: ['General', 'ContractViolation'],
  502: ['BadGateway'],
  503: ['OverCapacity'],
}

/** The statuses and error codes of the token endpoints (D31). */
export const tokenResponses = {
  statuses: [200, 400, 401, 429, 503],
  errors: [
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'invalid_scope',
    'unsupported_grant_type',
    'TooManyRequests',
    'OverCapacity',
  ],
} as const

/** The possible response statuses of an operation, in ascending order. */
export const documentedStatuses = (endpoint: Endpoint): readonly number[] =>
  [...new Set([...Object.keys(endpoint.responses).map(Number), ...errorStatusesOf(endpoint)])].toSorted((a, b) => a - b)

/**
 * The possible error codes of an operation, without duplicates. A HEAD response has no body, so clients cannot see its
 * codes.
 */
export function documentedErrors(endpoint: Endpoint): readonly string[] {
  if (endpoint.method === 'HEAD') return []
  const codes = new Set(errorStatusesOf(endpoint).flatMap((status) => errorCodes[status] ?? []))
  // Only the mock returns it, with --check-responses.
  codes.delete('ContractViolation')
  if (endpoint.body?.kind !== 'json') codes.delete('InvalidJsonInput')
  return [...codes]
}
