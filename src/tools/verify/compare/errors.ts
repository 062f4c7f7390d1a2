import { isJsonObject } from '../../../service/http/json.ts'
import { isSameValue, toDifference, unless } from './difference.ts'
import type { AnswerDifference } from './difference.ts'

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

/** Authorization errors have the members of OAuth, too. */
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
export function compareErrors(mock: unknown, service: unknown): readonly AnswerDifference[] {
  if (!isJsonObject(service)) return [toDifference('body', 'the error envelope', service)]
  if (!isJsonObject(mock)) return []
  return [...compareEnvelopes(mock, service), ...compareOAuth(mock, service)]
}
