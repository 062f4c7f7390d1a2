import type { Examine } from '../context.ts'
import type { SubjectId } from '../subjects.ts'
import { getAction, getActionWithExample, getActionWithHeaders, postAction } from './actions.ts'
import { anyPath } from './any-path.ts'
import { postComplex } from './complex.ts'
import { deleteResource } from './deletion.ts'
import { checkResources, queryResources, sortedQuery } from './queries.ts'
import { getResourceById, getResourceByKey } from './reads.ts'
import { searchResources } from './search.ts'
import { tokenEndpoints } from './token-endpoints.ts'
import { updateResource } from './update.ts'
import { uploadImage } from './uploads.ts'
import { createResource, overwriteResource, putResource } from './writes.ts'

/** The examiner of each subject: one that is missing does not compile. */
export const examiners: { readonly [Id in SubjectId]: Examine<Id> } = {
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
  anyPath,
  tokenEndpoints,
}
