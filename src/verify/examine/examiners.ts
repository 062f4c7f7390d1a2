import type { OperationId } from '../../contract/endpoints.ts'
import type { Examine } from '../world.ts'
import { getAction, getActionWithExample, getActionWithHeaders, postAction } from './actions.ts'
import { postComplex } from './complex.ts'
import { deleteResource } from './deletion.ts'
import { checkResources, queryResources, sortedQuery } from './queries.ts'
import { getResourceById, getResourceByKey } from './reads.ts'
import { searchResources } from './search.ts'
import { updateResource } from './update.ts'
import { uploadImage } from './uploads.ts'
import { createResource, overwriteResource, putResource } from './writes.ts'

/** The examiner of each operation. */
export const examiners: { readonly [Id in OperationId]: Examine<Id> } = {
  createResource,
  putResource,
  overwriteResource,
  getResourceById,
  getResourceByKey,
  queryResources,
  checkResources,
  searchResources,
  sortedQuery,
  postComplex,
  updateResource,
  uploadImage,
  postAction,
  getAction,
  getActionWithExample,
  getActionWithHeaders,
  deleteResource,
}
