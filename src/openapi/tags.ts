import type { OperationId } from '../contract/endpoints.ts'

/** What the operations are about. */
export const tags = {
  Queries: 'Find resources',
  Resources: 'Read, write and delete one resource',
  Images: 'Images of product variants',
  Actions: 'What a frontend fetches and writes beside resources',
} as const

type Tag = keyof typeof tags

/** Which each operation belongs to. */
export const tagOf: Readonly<Record<OperationId, Tag>> = {
  queryResources: 'Queries',
  searchResources: 'Queries',
  checkResources: 'Queries',
  sortedQuery: 'Queries',
  getResourceById: 'Resources',
  getResourceByKey: 'Resources',
  createResource: 'Resources',
  overwriteResource: 'Resources',
  putResource: 'Resources',
  updateResource: 'Resources',
  deleteResource: 'Resources',
  postComplex: 'Resources',
  uploadImage: 'Images',
  postAction: 'Actions',
  getAction: 'Actions',
  getActionWithExample: 'Actions',
  getActionWithHeaders: 'Actions',
}
