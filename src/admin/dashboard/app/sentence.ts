import type { OperationId } from '../../../service/contract/endpoints.ts'

/** What an operation or a token request does, for people who do not know the API. */
const DEEDS: Readonly<Record<OperationId | 'oauth token', readonly [present: string, past: string]>> = {
  queryResources: ['List', 'List shown'],
  sortedQuery: ['List', 'List shown'],
  searchResources: ['Search', 'Search answered'],
  checkResources: ['Check', 'Checked'],
  getResourceById: ['Read', 'Item shown'],
  getResourceByKey: ['Read', 'Item shown'],
  createResource: ['Create', 'Created'],
  overwriteResource: ['Save', 'Saved'],
  putResource: ['Save', 'Saved'],
  updateResource: ['Save', 'Saved'],
  deleteResource: ['Delete', 'Deleted'],
  uploadImage: ['Upload', 'Image uploaded'],
  postComplex: ['Submit', 'Submitted'],
  postAction: ['Save', 'Saved'],
  getAction: ['Read', 'Data shown'],
  getActionWithExample: ['Cart', 'Cart shown'],
  getActionWithHeaders: ['Cart', 'Cart shown'],
  'oauth token': ['Sign-in', 'Signed in'],
}

const deeds = new Map(Object.entries(DEEDS))

const AUDIENCE_REASONS: Readonly<Record<number, string>> = {
  0: 'failed: the connection broke',
  400: 'refused: the request was not valid',
  401: 'refused: sign in again',
  403: 'refused: permission is missing',
  404: 'failed: it was not found',
  409: 'refused: someone else was first',
  413: 'refused: the file is too large',
  415: 'refused: this type of file is not supported',
  429: 'delayed: too many requests',
  502: 'failed: the service is not reachable',
  503: 'failed: the service is unavailable',
}

/**
 * A request as a sentence for an audience.
 *
 * @example toAudienceSentence({ operation: 'updateResource', method: 'POST', status: 409 })
 * // 'Save refused: someone else was first'
 */
export function toAudienceSentence(request: {
  readonly operation: string | undefined
  readonly method: string
  readonly status: number
}): string {
  const { operation = '', method, status } = request
  const [deed, done] = deeds.get(operation) ?? [`${method} request`, `${method} request answered`]
  if (status !== 0 && status < 400) return done
  return `${deed} ${AUDIENCE_REASONS[status] ?? 'failed: the service had an error'}`
}
