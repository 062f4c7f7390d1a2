import type { OperationId } from '../../contract/endpoints.ts'
import type { Examination, OperationExamination } from '../examination.ts'
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

/**
 * The examiner of each operation: it tries everything that the operation's checks ask for. One that is missing does not
 * compile. Each throws a {@link Stop} when it cannot go on.
 */
export const examiners: Readonly<Record<OperationId, (exam: OperationExamination) => Promise<void>>> = {
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

/** The examiners of what belongs to no operation. */
export const otherExaminers = { anyPath, tokenEndpoints } as const satisfies Readonly<
  Record<string, (exam: Examination) => Promise<void>>
>
