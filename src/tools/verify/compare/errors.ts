import { isJsonObject } from '../../../service/http/json.ts'
import { isExactNumber, isSameValue, toDifference, unless } from './difference.ts'
import type { Compared, AnswerDifference } from './difference.ts'

/** The codes of status 400: no document says which condition yields which. */
const BAD_REQUEST = ['InvalidJsonInput', 'RequiredField', 'InvalidField', 'InvalidInput']

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

const entriesOf = (body: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(body['errors']) ? body['errors'].filter(isJsonObject) : []

const isListed = (one: unknown) => BAD_REQUEST.some((known) => known === one)

/** Compares the envelope: status and code count, wording does not (decisions, "Errors"). */
function compareEnvelopes(mock: Readonly<Record<string, unknown>>, service: Readonly<Record<string, unknown>>) {
  const [wanted] = entriesOf(mock)
  const entries = entriesOf(service)
  const [first] = entries
  const { code, currentVersion } = wanted ?? {}
  const hasCode = entries.some((one) => one['code'] === code || (isListed(code) && isListed(one['code'])))
  const hasVersion =
    currentVersion === undefined || entries.some((one) => isSameValue(currentVersion, one['currentVersion']))
  return [
    ...unless(mock['statusCode'] === service['statusCode'], 'statusCode', mock['statusCode'], service['statusCode']),
    ...unless(isText(service['message']), 'message', 'a text', service['message']),
    ...unless(entries.length > 0, 'errors', 'at least one error', service['errors']),
    ...(first === undefined
      ? []
      : [
          ...unless(hasCode, 'errors[0].code', code, first['code']),
          ...unless(isText(first['message']), 'errors[0].message', 'a text', first['message']),
          ...unless(
            first['message'] === service['message'],
            'message',
            'the message of the first error',
            service['message'],
          ),
          ...unless(hasVersion, 'errors[0].currentVersion', currentVersion, first['currentVersion']),
        ]),
  ]
}

/** Authorization errors and those of the token endpoints have the members of OAuth, too. */
function compareOAuth(mock: Readonly<Record<string, unknown>>, service: Readonly<Record<string, unknown>>) {
  const { error, statusCode } = mock
  if (error === undefined || statusCode === 405 || statusCode === 413) return []
  const description = service['error_description']
  return [
    ...unless(error === service['error'], 'error', error, service['error']),
    ...unless(typeof description === 'string', 'error_description', 'a text', description),
  ]
}

/** Compares the bodies of two errors. */
export function compareErrors(mock: unknown, service: unknown, { step }: Compared): readonly AnswerDifference[] {
  if (!isJsonObject(service)) return [toDifference('body', 'the error envelope', service)]
  if (!isJsonObject(mock)) return []
  // Whether a customer is unknown or its request is wrong, each service says in its own way.
  if (step.topic === 'customer') return unless(isText(service['error']), 'error', mock['error'], service['error'])
  return [...compareEnvelopes(mock, service), ...compareOAuth(mock, service)]
}

/** Introspection (RFC 7662): `exp` is in seconds since 1970, which milliseconds exceed by far. */
const compareIntrospection = (mock: Readonly<Record<string, unknown>>, service: Readonly<Record<string, unknown>>) => [
  ...unless(mock['active'] === service['active'], 'active', mock['active'], service['active']),
  ...unless(
    mock['exp'] === undefined || (isExactNumber(service['exp']) && service['exp'] < 100_000_000_000),
    'exp',
    'seconds',
    service['exp'],
  ),
]

/** Compares two answers of the token endpoints: the tokens, their lifetimes and further scopes are the service's own. */
export function compareTokens(mock: unknown, service: unknown): readonly AnswerDifference[] {
  if (!isJsonObject(service)) return [toDifference('body', 'a JSON object', service)]
  if (!isJsonObject(mock)) return []
  if (mock['active'] !== undefined) return compareIntrospection(mock, service)
  const { expires_in: lifetime, scope } = service
  const asked = String(mock['scope'])
    .split(' ')
    .filter((one) => !one.endsWith(':*'))
  const granted = typeof scope === 'string' ? scope.split(' ') : asked
  return [
    ...['access_token', 'refresh_token'].flatMap((name) =>
      unless(mock[name] === undefined || isText(service[name]), name, 'a token', service[name]),
    ),
    ...unless(String(service['token_type']).toLowerCase() === 'bearer', 'token_type', 'Bearer', service['token_type']),
    ...unless(
      isExactNumber(lifetime) && lifetime > 0 && lifetime < 100_000_000,
      'expires_in',
      'a number of seconds',
      lifetime,
    ),
    ...unless(
      asked.every((one) => granted.includes(one)),
      'scope',
      mock['scope'],
      scope,
    ),
  ]
}
