import { decisions } from '../contract/decisions.ts'
import { endpoints, isOperation } from '../contract/endpoints.ts'
import { SetupError } from '../errors.ts'
import type { JournaledRequest } from '../journal/logged-request.ts'
import { findError, readNewest, readRequest, toSummary } from './exchange.ts'
import type { MockAccess } from './tool.ts'

/** How many requests are searched for the last failure. */
const SEARCHED = 200

const isFailure = ({ response: { status, fault } }: JournaledRequest): boolean => status >= 400 || fault !== undefined

/** What a client does about a failure, by status. */
const REMEDIES: Readonly<Record<number, string>> = {
  400: 'Correct the request as the message says. Do not send it again unchanged.',
  401: 'Get a new token and send the request again, once.',
  403: 'Use a token with the scope that the message names.',
  404: 'Check the path, the project key, and whether this session has the resource: query_resources lists what it has.',
  405: 'Use a method that the header Allow names.',
  409: 'Read the resource, take its version, apply the change to it again, and send that.',
  413: 'Send a smaller body.',
  415: 'Send the Content-Type that the operation documents.',
  429: 'Wait as long as Retry-After says, then send the request again.',
  502: 'Wait, then send the request again a limited number of times.',
  503: 'Wait as long as Retry-After says, then send the request again a limited number of times.',
}

function toRemedy({ scenarios, response: { status, fault } }: JournaledRequest): string | undefined {
  const own =
    fault === undefined
      ? (REMEDIES[status] ?? (status >= 500 ? 'Send the request again a limited number of times.' : undefined))
      : 'The connection broke before the answer was complete: send the request again if it may be repeated.'
  if (scenarios.length === 0) return own
  return `${own ?? ''} The scenario ${scenarios.join(', ')} took part: activate_scenarios with other names switches it off.`.trim()
}

function decisionsOf({ operation, isPassedThrough, warnings }: JournaledRequest) {
  const unmatched: readonly string[] = isPassedThrough === true ? [] : ['D24']
  const own: readonly string[] = isOperation(operation) ? endpoints[operation].decisions : unmatched
  const ids = new Set([...own, ...warnings.map((warning) => warning.split(' ', 1)[0] ?? '')])
  return Object.entries(decisions).flatMap(([id, title]) => (ids.has(id) ? [{ id, title }] : []))
}

/** The versions of the resource that a request names, newest first; undefined for one that names none by id. */
async function findVersions({ admin }: MockAccess, { url, projectKey }: JournaledRequest): Promise<unknown> {
  const [id] = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i.exec(url.split('?', 1)[0] ?? '') ?? []
  if (id === undefined) return undefined
  const query = projectKey === undefined ? '' : `?${new URLSearchParams({ projectKey })}`
  try {
    const { versions } = (await admin.ask('GET', `/resources/${id}/versions${query}`)) as {
      readonly versions: readonly { readonly version: number }[]
    }
    return versions.map(({ ...version }) => ({ ...version, resource: undefined }))
  } catch (fault) {
    // The resource never existed.
    if (fault instanceof SetupError) return undefined
    throw fault
  }
}

async function findNearMisses({ admin }: MockAccess, { operation, ...request }: JournaledRequest): Promise<unknown> {
  if (operation !== undefined) return undefined
  const { method, absoluteUrl, url } = request
  const answer = (await admin.ask('POST', '/requests/near-misses/request', { method, absoluteUrl, url })) as {
    readonly nearMisses: readonly { readonly message: string }[]
  }
  return answer.nearMisses.map(({ message }) => message)
}

/**
 * Explains a request of the journal.
 *
 * @param id default: the last request that failed
 * @throws {SetupError} if there is none.
 */
export async function explainFailure(mock: MockAccess, id: string | undefined): Promise<object> {
  const request = id === undefined ? (await readNewest(mock, SEARCHED)).find(isFailure) : await readRequest(mock, id)
  if (request === undefined) {
    throw new SetupError('No request of this session failed. Name one by its id: list_requests has them.')
  }
  const error = findError(request)
  return {
    ...toSummary(request),
    cause: {
      ...(error === undefined ? {} : { code: error.code, message: error.detailedErrorMessage ?? error.message }),
      scenarios: request.scenarios,
      warnings: request.warnings,
    },
    versions: await findVersions(mock, request),
    nearMisses: await findNearMisses(mock, request),
    decisions: decisionsOf(request),
    remedy: isFailure(request) ? toRemedy(request) : undefined,
  }
}
