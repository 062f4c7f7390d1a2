import type { OperationId } from '../contract/endpoints.ts'
import { getAction, getActionWithExample, getActionWithHeaders, postAction } from './actions.ts'
import { postComplex } from './complex.ts'
import { uploadImage } from './images.ts'
import type { Operation } from './operation.ts'
import { checkResources, queryResources, searchResources, sortedQuery } from './queries.ts'
import { getResourceById, getResourceByKey } from './reads.ts'
import { updateResource } from './update.ts'
import { createResource, deleteResource, overwriteResource, putResource } from './writes.ts'

/** The handler of every operation; one that lacks a handler does not compile. */
export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  queryResources,
  getResourceById,
  getResourceByKey,
  searchResources,
  checkResources,
  createResource,
  overwriteResource,
  putResource,
  postComplex,
  updateResource,
  deleteResource,
  sortedQuery,
  uploadImage,
  postAction,
  getAction,
  getActionWithExample,
  getActionWithHeaders,
}
