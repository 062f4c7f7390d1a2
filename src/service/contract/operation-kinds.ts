import { isRead } from '../http/request-head.ts'
import type { Endpoint, Purpose } from './endpoint.ts'
import { endpoints, isOperation, operationIds, TOKEN_OPERATION } from './endpoints.ts'
import type { CalledOperation, OperationId } from './endpoints.ts'

/** A new purpose does not compile without an entry. */
const isListing: Readonly<Record<Purpose, boolean>> = {
  query: true,
  search: true,
  check: true,
  read: false,
  draft: false,
  update: false,
  delete: false,
  upload: false,
  complex: false,
  writePayload: false,
  readPayload: false,
  cart: false,
  localisedCart: false,
}

const kinds = {
  reads: { description: 'every GET and HEAD', includes: ({ method }) => isRead(method) },
  writes: { description: 'every other method, uploads included', includes: ({ method }) => !isRead(method) },
  lists: {
    description: 'queries, searches and the HEAD request that checks for results',
    includes: ({ purpose }) => isListing[purpose],
  },
  byId: { description: 'everything with an id in its path', includes: ({ path }) => path.includes('{id}') },
  byKey: { description: 'everything with a key in its path', includes: ({ path }) => path.includes('{key}') },
  uploads: { description: 'everything with an image as its body', includes: ({ body }) => body?.kind === 'image' },
} as const satisfies Readonly<Record<string, { description: string; includes: (endpoint: Endpoint) => boolean }>>

/** A kind of operations, such as `writes`: what they are, so that a new endpoint belongs to its kinds. */
export type OperationKind = keyof typeof kinds

/** What selects operations in a scenario: an operation id, a kind, or the token endpoints. */
export type OperationSelector = CalledOperation | OperationKind

// Object.keys() loses the key type.
export const operationKinds = Object.keys(kinds) as readonly OperationKind[]
export const operationSelectors: readonly OperationSelector[] = [...operationIds, ...operationKinds, TOKEN_OPERATION]

/** Whether an endpoint is of a kind. */
export const isOfKind = (endpoint: Endpoint, kind: OperationKind): boolean => kinds[kind].includes(endpoint)

/** What each kind includes, in a few words. */
export const describeKind = (kind: OperationKind): string => kinds[kind].description

/** The operations of the table that a selector means. */
export function toOperations(selector: OperationSelector): readonly OperationId[] {
  if (selector === TOKEN_OPERATION) return []
  return isOperation(selector) ? [selector] : operationIds.filter((id) => isOfKind(endpoints[id], selector))
}
