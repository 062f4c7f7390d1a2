import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { HttpMethod } from '../contract/endpoint.ts'
import { findPath } from '../contract/paths.ts'
import type { PathParameters } from '../contract/paths.ts'
import type { ProxyViolation } from './violation.ts'

/** What the contract has for a request. */
export type FoundOperation =
  | { readonly kind: 'operation'; readonly operation: OperationId; readonly parameters: PathParameters }
  /** A token endpoint or OPTIONS, whose shapes the contract does not document. */
  | { readonly kind: 'undocumented' }
  | { readonly kind: 'unknown'; readonly violation: ProxyViolation }

const isMethod = (method: string): method is HttpMethod =>
  Object.values(endpoints).some((endpoint) => endpoint.method === method)

function toUnknown(part: 'path' | 'method', code: string, message: string): FoundOperation {
  return { kind: 'unknown', violation: { location: ['request', part], severity: 'Error', code, message } }
}

/** What a path is that the contract does not have. */
export const toUnknownPath = (path: string): FoundOperation =>
  toUnknown('path', 'UnknownPath', `The contract has no path ${path.slice(0, 200)}.`)

/** Finds the operation of a request by the service's own path; HEAD is the GET's where it has none of its own (D9). */
export function findOperation(method: string, path: string): FoundOperation {
  const route = findPath(path)
  if (route === undefined) {
    if (path === '/oauth' || path.startsWith('/oauth/')) return { kind: 'undocumented' }
    return toUnknownPath(path)
  }
  const { operations, allowed } = route.path
  const named = isMethod(method) ? operations.get(method) : undefined
  const operation = named ?? (method === 'HEAD' ? operations.get('GET') : undefined)
  if (operation !== undefined) return { kind: 'operation', operation, parameters: route.parameters }
  if (method === 'OPTIONS') return { kind: 'undocumented' }
  return toUnknown('method', 'UnknownMethod', `The contract has no ${method} there. It has ${allowed.join(', ')}.`)
}
