import { getAction, getActionWithExample, getActionWithHeaders, postAction, postComplex } from './subjects/actions.ts'
import { deleteResource } from './subjects/deletion.ts'
import { checkResources, queryResources, sortedQuery } from './subjects/queries.ts'
import { getResourceById, getResourceByKey } from './subjects/reads.ts'
import { searchResources } from './subjects/search.ts'
import { anyPath, tokenEndpoints } from './subjects/service.ts'
import { updateResource } from './subjects/update.ts'
import { uploadImage } from './subjects/uploads.ts'
import { createResource, overwriteResource, putResource } from './subjects/writes.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import type { SubjectContext, OperationContext, Subject } from './subject.ts'

/** The checks of each operation. A missing operation does not compile. */
export const operationSubjects = {
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
} as const satisfies Readonly<Record<OperationId, Subject<OperationContext, string>>>

/** Checks that do not belong to an operation. */
export const otherSubjects = { anyPath, tokenEndpoints } as const satisfies Readonly<
  Record<string, Subject<SubjectContext, string>>
>

/** All checks that `verify` runs against a provider. */
export const subjects = { ...operationSubjects, ...otherSubjects } as const

/** A check id, with its subject: `updateResource/stale-version`. */
export type CheckId = {
  [Id in keyof typeof subjects]: `${Id}/${keyof (typeof subjects)[Id]['checks'] & string}`
}[keyof typeof subjects]
