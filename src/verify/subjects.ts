import type { DecisionId } from '../contract/decisions.ts'
import type { Endpoint, HttpMethod } from '../contract/endpoint.ts'
import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'

/** What is examined: each operation, and what no operation holds: every path, and the token endpoints. */
export type SubjectId = OperationId | 'anyPath' | 'tokenEndpoints'

/** A subject as a report shows it. */
export interface SubjectDescription {
  /** The section of the specification that a check rests on unless it names another. */
  readonly section: string
  /** The decision that a check rests on unless it names another: that which adds the endpoint. */
  readonly decision?: DecisionId
  readonly summary: string
  readonly method: HttpMethod
  readonly path: string
}

const others = {
  anyPath: { section: '4', summary: 'Any path of the service', method: 'GET', path: '/{projectKey}/…' },
  tokenEndpoints: { section: '5', summary: 'Get tokens', method: 'POST', path: '/oauth/…' },
} as const satisfies Record<Exclude<SubjectId, OperationId>, SubjectDescription>

/** Every subject, in the order of a report. */
export const subjectIds: readonly SubjectId[] = [...operationIds, 'anyPath', 'tokenEndpoints']

/** Finds out what a subject is. */
export function describeSubject(id: SubjectId): SubjectDescription {
  if (id === 'anyPath' || id === 'tokenEndpoints') return others[id]
  const { number, summary, method, path }: Endpoint = endpoints[id]
  const basis = typeof number === 'number' ? { section: `4.${number}` } : { section: '4', decision: number }
  return { ...basis, summary, method, path }
}

/** Whether a subject is examined without writing a resource, an image or an action payload. */
export const isReading = (id: SubjectId): boolean =>
  id === 'tokenEndpoints' || ['GET', 'HEAD'].includes(describeSubject(id).method)
