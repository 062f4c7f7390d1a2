import { checkIntegers, checkShape } from '../../../service/contract/check-response.ts'
import { endpoints, isOperation } from '../../../service/contract/endpoints.ts'
import type { Endpoint } from '../../../service/contract/endpoint.ts'
import { decision } from '../../../service/contract/decisions.ts'
import { findModel, sectionOf } from '../../../service/contract/stated.ts'
import { isJsonObject } from '../../../service/http/json.ts'
import { ONLY_HERE } from '../conversations/conversation.ts'
import { fillIn, inJson } from '../placeholders.ts'
import { nameId } from '../side.ts'
import type { SideAnswer } from '../side.ts'
import { findWait, isSuccessStatus } from '../transport.ts'
import { compareExactly, compareResources } from './bodies.ts'
import { decided, lastOf, toDifference, toPosition, violation } from './difference.ts'
import type { AnswerDifference, Compared, Ground, JudgedDifference } from './difference.ts'
import { compareErrors } from './errors.ts'
import { compareHeaders } from './headers.ts'
import { judge, judgeStatus } from './judge.ts'

/** Maximum number of violations that are reported for an answer: more of them usually have one cause. */
const MOST = 4

/** Compares what the specification leaves open, so that the mock's answer rests on decisions and on earlier requests. */
function compareBodies(mock: SideAnswer, service: SideAnswer, compared: Compared): readonly AnswerDifference[] {
  const { step, operation } = compared
  if (step.method === 'HEAD') return []
  if (!service.isJson) return mock.isJson ? [toDifference('body', 'JSON', service.text.slice(0, 100))] : []
  if (mock.status >= 400) return compareErrors(mock.body, service.body)
  if (step.topic === 'free answer') return []
  if (operation === 'getAction' || operation === 'postAction') return compareExactly(mock.body, service.body)
  if (operation === 'postComplex' || operation.startsWith('getActionWith')) return []
  if (step.save !== undefined) {
    nameId(mock, compared.mock, step.save)
    nameId(service, compared.service, step.save)
  }
  return compareResources(mock.body, service.body, compared)
}

/** What the name of a text promises beyond its type (section 2). */
function checkText(at: string, value: unknown): readonly AnswerDifference[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => checkText(`${at}[${index}]`, one))
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, one]) => checkText(at === '' ? name : `${at}.${name}`, one))
  const name = lastOf(at)
  if (name === '_url' && /^(?:[a-z]+:)?\/\//i.test(String(value))) return [toDifference(at, 'a relative path', value)]
  if (name === 'currencyCode' && !/^[A-Z]{3}$/i.test(String(value))) return [toDifference(at, 'a currency code', value)]
  return []
}

/** Integers of the specification that no request could have written as decimals; those of arrays are D9's. */
const WRITTEN_BY_SERVICE = /(?:^version|\]\.version|centAmount|fractionDigits|lineItems\[\d+\]\.count)$/

const toFound =
  (ground: Ground) =>
  (one: AnswerDifference): JudgedDifference => ({ ...one, ground })

const toPlace = (path: string): string => path.replace(/^body\.?/, '') || 'body'

/** Checks an answer on its own: the body is of the model that the specification shows. */
function checkModel(
  { body, text, isJson, status }: SideAnswer,
  { operation, sent }: Compared,
): readonly JudgedDifference[] {
  if (!isOperation(operation) || !isSuccessStatus(status) || sent.method === 'HEAD') return []
  const endpoint: Endpoint = endpoints[operation]
  const model = findModel(endpoint)
  const section = sectionOf(endpoint)
  if (!isJson && (model !== undefined || (text !== '' && endpoint.purpose !== 'upload')))
    return [{ ...toDifference('body', 'JSON', text.slice(0, 100)), ground: violation('1', section) }]
  if (model === undefined) return []
  const wrong = checkShape(model, body).violations
  return [
    ...wrong
      .map(({ path, expected, actual }) => toDifference(toPlace(path), expected.replace(/^JSON /, 'a JSON '), actual))
      .map(toFound(violation('2', section))),
    ...(operation.startsWith('getActionWith') ? checkText('', body) : []).map(toFound(violation('2', section))),
    ...(wrong.length > 0 ? [] : checkIntegers(model, text))
      .map(({ path, expected, actual }) => toDifference(toPlace(path), expected, actual))
      .filter(({ at }) => WRITTEN_BY_SERVICE.test(at))
      .map(toFound(decided(decision('D3')))),
  ]
}

/** Whether an answer about one project shows a resource of the other one. */
const checkProject = ({ status, text }: SideAnswer, { step, service }: Compared): readonly JudgedDifference[] =>
  step.path.startsWith('/{o}') && isSuccessStatus(status) && text.includes(fillIn(ONLY_HERE, service, inJson))
    ? [{ ...toDifference('body', 'nothing of another project', text.slice(0, 100)), ground: violation('1') }]
    : []

/** Whether a service was too busy to answer, as it may be. */
export const isRefusal = (mock: SideAnswer, service: SideAnswer): boolean =>
  mock.status !== service.status && findWait(service) !== undefined

/** All violations up to a number, and one difference of each decision. */
function keepSome(all: readonly JudgedDifference[]): readonly JudgedDifference[] {
  const violations = all.filter(({ ground }) => ground.kind === 'violation')
  const decisions = new Set<string>()
  const others = all.filter(({ ground }) => {
    if (ground.kind === 'violation' || decisions.has(ground.decision)) return false
    decisions.add(ground.decision)
    return true
  })
  return [...violations.slice(0, MOST), ...others]
}

/**
 * Compares two answers to one request: status, headers and every member of the body. Each difference says what it
 * contradicts.
 */
export function compareAnswers(mock: SideAnswer, service: SideAnswer, compared: Compared): readonly JudgedDifference[] {
  if (service.broken !== undefined) {
    const ground = judgeStatus(mock.status, 0, compared)
    return [{ ...toDifference('connection', mock.status, service.broken), ground }]
  }
  // A condition that is not limited to the run's resources may match others.
  const isFree = (status: number): boolean =>
    compared.operation === 'checkResources' && compared.step.topic === 'free answer' && [200, 404].includes(status)
  const isSame = mock.status === service.status || (isFree(mock.status) && isFree(service.status))
  const isAlike = isSuccessStatus(mock.status) === isSuccessStatus(service.status)
  const own = [...checkProject(service, compared), ...checkModel(service, compared)]
  const places = new Set(own.map(({ at }) => toPosition(at)))
  const compareBoth = (): readonly (AnswerDifference & { readonly ground?: Ground })[] => [
    ...compareHeaders(mock, service, compared),
    ...compareBodies(mock, service, compared),
  ]
  return keepSome([
    ...(isSame
      ? []
      : [
          {
            ...toDifference('status', mock.status, service.status),
            ground: judgeStatus(mock.status, service.status, compared),
          },
        ]),
    ...own,
    ...(isAlike ? compareBoth() : [])
      .filter(({ at }) => !places.has(toPosition(at)))
      .map((one) => ({ ...one, ground: one.ground ?? judge(one, compared, mock) })),
  ])
}
