import { checkIntegers, findDocumented } from '../../../service/contract/check-response.ts'
import { endpoints, isOperation } from '../../../service/contract/endpoints.ts'
import { nameId } from '../side.ts'
import type { SideAnswer } from '../side.ts'
import { findWait } from '../transport.ts'
import { compareExactly, compareResources, compareShapes } from './bodies.ts'
import { toDifference } from './difference.ts'
import type { Compared, AnswerDifference } from './difference.ts'
import { compareErrors, compareTokens } from './errors.ts'
import { compareHeaders } from './headers.ts'
import { isTolerated } from './tolerances.ts'
import type { SubjectId } from '../subjects.ts'

/** Maximum number of differences that are reported for an answer: more of them usually have one cause. */
const MOST = 3

function compareBodies(mock: SideAnswer, service: SideAnswer, compared: Compared): readonly AnswerDifference[] {
  const { step, operation } = compared
  if (step.method === 'HEAD') return []
  if (!service.isJson) return mock.isJson ? [toDifference('body', 'JSON', service.text.slice(0, 100))] : []
  if (mock.status >= 400) return compareErrors(mock.body, service.body, compared)
  if (operation === 'tokenEndpoints') return compareTokens(mock.body, service.body)
  if (step.topic === 'free body') return []
  if (operation === 'getAction' || operation === 'postAction') return compareExactly(mock.body, service.body)
  if (operation === 'postComplex' || operation.startsWith('getActionWith'))
    return compareShapes(mock.body, service.body)
  if (step.save !== undefined) {
    nameId(mock, compared.mock, step.save)
    nameId(service, compared.service, step.save)
  }
  return compareResources(mock.body, service.body, compared)
}

/** Integers of the specification that no request could have written as decimals; those of arrays are D9's. */
const WRITTEN_BY_SERVICE = /(?:^version|\]\.version|centAmount|fractionDigits|lineItems\[\d+\]\.count)$/

/** Integers that are written as decimals, such as `12900.0`: clients with typed integers refuse them. */
function compareNotation({ status, text }: SideAnswer, operation: SubjectId): readonly AnswerDifference[] {
  const endpoint = isOperation(operation) ? endpoints[operation] : undefined
  const schema = endpoint === undefined || status >= 400 ? undefined : findDocumented(endpoint, status)?.schema
  if (schema === undefined || text === '') return []
  return checkIntegers(schema, text)
    .map(({ path, expected, actual }) => toDifference(path.replace(/^body\./, ''), expected, actual))
    .filter(({ at }) => WRITTEN_BY_SERVICE.test(at))
}

/** Whether a service was too busy to answer, as it may be. */
export const isRefusal = (mock: SideAnswer, service: SideAnswer): boolean =>
  mock.status !== service.status && findWait(service) !== undefined

/** Compares two answers to one request. Differences that the contract leaves free are left out. */
export function compareAnswers(mock: SideAnswer, service: SideAnswer, compared: Compared): readonly AnswerDifference[] {
  if (service.broken !== undefined) return [toDifference('connection', mock.status, service.broken)]
  const differences =
    mock.status === service.status
      ? [
          ...compareHeaders(mock, service, compared),
          ...compareBodies(mock, service, compared),
          ...(service.isJson ? compareNotation(service, compared.operation) : []),
        ]
      : [toDifference('status', mock.status, service.status)]
  return differences.filter((one) => !isTolerated(one, compared)).slice(0, MOST)
}
