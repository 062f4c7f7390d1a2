import type { DecisionId } from '../../service/contract/decisions.ts'
import type { Endpoint, HttpMethod } from '../../service/contract/endpoint.ts'
import { endpoints, isOperation, operationIds } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'

/** What verify checks: an operation, all paths, or the token endpoints. */
export type SubjectId = OperationId | 'anyPath' | 'tokenEndpoints'

/** The description of a subject for reports. */
export interface SubjectDescription {
  /** The default section of the specification for its checks. */
  readonly section: string
  /** The default decision for its checks: the one that adds the endpoint. */
  readonly decision?: DecisionId
  readonly summary: string
  readonly method: HttpMethod
  readonly path: string
}

const others = {
  anyPath: { section: '4', summary: 'Any path of the service', method: 'GET', path: '/{projectKey}/…' },
  tokenEndpoints: { section: '5', summary: 'Get tokens', method: 'POST', path: '/oauth/…' },
} as const satisfies Record<Exclude<SubjectId, OperationId>, SubjectDescription>

/** All subjects in report order. */
export const subjectIds: readonly SubjectId[] = [...operationIds, 'anyPath', 'tokenEndpoints']

export function describeSubject(id: SubjectId): SubjectDescription {
  if (!isOperation(id)) return others[id]
  const { number, summary, method, path }: Endpoint = endpoints[id]
  const basis = typeof number === 'number' ? { section: `4.${number}` } : { section: '4', decision: number }
  return { ...basis, summary, method, path }
}

/** Whether a subject can be checked without writing a resource, an image or an action payload. */
export const isReading = (id: SubjectId): boolean =>
  id === 'tokenEndpoints' || ['GET', 'HEAD'].includes(describeSubject(id).method)
