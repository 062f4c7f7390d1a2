import type * as z from 'zod'
import { decision } from './decisions.ts'
import { errorCodes } from './error-codes.ts'
import { int64 } from './numbers.ts'
import { errorEnvelope } from './results.ts'
import { toDecided } from './violation.ts'
import type { Violation } from './violation.ts'

type Item = z.output<typeof errorEnvelope>['errors'][number]

/** What an error of a code has in addition to its message. */
const memberByCode: Readonly<Partial<Record<string, string>>> = {
  InvalidJsonInput: 'detailedErrorMessage',
  RequiredField: 'field',
  InvalidField: 'field',
}

function checkItem(item: Item, at: number, status: number): readonly Violation[] {
  const path = `body.errors[${at}]`
  const codes = errorCodes[status]
  if (codes !== undefined && !codes.includes(item.code)) {
    const expected = codes.map((code) => JSON.stringify(code)).join(', ')
    return [{ path: `${path}.code`, message: `${expected} expected with status ${status} (decisions, "Errors").` }]
  }
  const member = memberByCode[item.code]
  if (member === undefined || typeof item[member] === 'string') return []
  return [{ path: `${path}.${member}`, message: `JSON String expected with ${item.code} (decisions, "Errors").` }]
}

/** A conflict tells the actual version (specification 7). */
function checkConflict([first]: readonly Item[]): readonly Violation[] {
  if (int64.safeParse(first?.['currentVersion']).success) return []
  return [
    {
      path: 'body.errors[0].currentVersion',
      message: 'the actual version expected, an integer (decisions, "Errors").',
    },
  ]
}

/** Errors of authorization have the members of OAuth, too. */
const checkOAuth = (envelope: Readonly<Record<string, unknown>>): readonly Violation[] =>
  ['error', 'error_description']
    .filter((name) => typeof envelope[name] !== 'string')
    .map((name) => toDecided(decision('D33'), `body.${name}`, 'JSON String expected'))

/** What the envelope says twice it says alike, and each code has its status and its members (decisions, "Errors"). */
export function checkEnvelope(value: unknown, status: number): readonly Violation[] {
  const { success, data } = errorEnvelope.safeParse(value)
  if (!success) return []
  const { statusCode, message, errors } = data
  return [
    ...(statusCode === status ? [] : [{ path: 'body.statusCode', message: `${status} expected, as answered.` }]),
    ...(message === errors[0]?.message
      ? []
      : [{ path: 'body.message', message: 'the message of the first error expected.' }]),
    ...errors.flatMap((item, at) => checkItem(item, at, status)),
    ...(status === 409 ? checkConflict(errors) : []),
    ...(status === 401 || status === 403 ? checkOAuth(data) : []),
  ]
}
