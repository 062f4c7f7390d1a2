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

/** The built-in scenarios for people who do not know the API. */
const AUDIENCE_SCENARIOS: ReadonlyMap<string, string> = new Map([
  ['conflict', 'Someone else always saves first'],
  ['conflict-once', 'Someone else saves first, once'],
  ['custom1', 'A submission gets the first special answer'],
  ['custom2', 'A submission gets the second special answer'],
  ['empty', 'Lists and searches find nothing'],
  ['expired-token', 'The sign-in expires, once'],
  ['flaky', 'Some requests fail'],
  ['gateway-html', 'The gateway answers with a web page'],
  ['large-catalog', 'There are 2,000 more items'],
  ['login-rejected', 'Signing in is refused'],
  ['missing-scope', 'Permissions are missing'],
  ['not-found', 'Items cannot be found'],
  ['offline', 'The connection is lost'],
  ['rate-limited', 'Too many requests are refused'],
  ['read-only', 'Nothing can be changed'],
  ['slow', 'Everything is slow'],
  ['token-service-down', 'Signing in does not work'],
  ['truncated', 'Responses break off halfway'],
  ['unauthorized', 'Everyone is signed out'],
  ['unavailable', 'The service is down'],
  ['unavailable-twice', 'The service is down for two requests'],
  ['upload-corrupt', 'Images are damaged'],
  ['upload-rejected', 'Images of this type are refused'],
  ['upload-too-large', 'Images are too large'],
])

/** What a scenario does, for an audience: those that users write have a description of their own. */
export const toAudienceScenario = (scenario: { readonly name: string; readonly description: string }): string =>
  AUDIENCE_SCENARIOS.get(scenario.name) ?? scenario.description
