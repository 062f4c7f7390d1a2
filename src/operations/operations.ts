import type { OperationId } from '../contract/endpoints.ts'
import {
  getAction,
  getActionWithExample,
  getActionWithHeaders,
  postAction,
  postComplex,
  uploadImage,
  updateResource,
  createResource,
  deleteResource,
  overwriteResource,
  putResource,
} from './writes.ts'
import type { Operation } from './reads.ts'
import {
  checkResources,
  queryResources,
  searchResources,
  sortedQuery,
  getResourceById,
  getResourceByKey,
} from './reads.ts'

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
