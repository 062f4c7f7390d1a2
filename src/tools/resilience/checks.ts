import { SetupError } from '../../errors.ts'
import type { Endpoints, OperationId } from '../../service/contract/endpoints.ts'
import { findServicePath } from '../../service/contract/paths.ts'
import { findJson, isJsonObject, showValue, stringifyJson } from '../../service/http/json.ts'
import { parseAddress } from '../../service/http/request-head.ts'
import { toTarget } from '../../sessions/journal/target.ts'
import type { JournalEntry } from '../../sessions/journal/wiremock-json.ts'
import type { ResourceVersion, SessionHandle } from '../../admin/client/session-handle.ts'

/** What the checks read of a session. */
type CheckedSession = Pick<SessionHandle, 'requests' | 'versions'>

const nameOf = ({ method, url }: JournalEntry): string => `${method} ${toTarget(url).path.slice(0, 200)}`

/** The id in a URL of one resource. */
export const findId = (url: string): string | undefined => findServicePath(toTarget(url).path)?.parameters['id']

/** The value that an update with these actions gives `someProperty`. */
function findSomeProperty({ body }: JournalEntry): unknown {
  const update = findJson(body)
  const actions: readonly unknown[] = isJsonObject(update) && Array.isArray(update['actions']) ? update['actions'] : []
  return actions.filter(isJsonObject).findLast(({ action }) => action === 'changeSomeProperty')?.['someProperty']
}

/** The members of a resource that a writer changes. */
const contentOf = ({ resource }: ResourceVersion): Readonly<Record<string, unknown>> => {
  const { version: _version, lastModifiedAt: _time, ...content } = resource ?? {}
  return content
}

const areSame = (one: unknown, other: unknown): boolean => stringifyJson(one) === stringifyJson(other)

/** The members that the other writer changed and that the next version lost, of three versions in a row. */
function listLost(
  before: ResourceVersion,
  others: ResourceVersion,
  next: ResourceVersion,
  refused: JournalEntry,
): readonly string[] {
  const [old, theirs, mine] = [contentOf(before), contentOf(others), contentOf(next)]
  const changed = Object.keys({ ...old, ...theirs }).filter((name) => !areSame(old[name], theirs[name]))
  if (next.kind === 'removed') return changed
  const isOld = (name: string): boolean =>
    areSame(mine[name], old[name]) || (name === 'someProperty' && areSame(mine[name], findSomeProperty(refused)))
  return changed.filter((name) => !areSame(mine[name], theirs[name]) && isOld(name))
}

/**
 * Finds an update or deletion that undid the change of a scenario's other writer: after a 409, the same values were sent
 * with the new version. A merge, and values that the user confirmed, do not count.
 *
 * @param isDecided whether the user decided between two requests; by default, nobody did
 * @returns a sentence; undefined if no change was lost
 */
export async function findLostChange(
  session: CheckedSession,
  isDecided: (refused: JournalEntry, sent: JournalEntry) => boolean = () => false,
): Promise<string | undefined> {
  const requests = await session.requests()
  const refusals = requests.filter(({ response }) => response.status === 409)
  for (const refused of refusals) {
    const id = findId(refused.url)
    if (id === undefined) continue
    const { baseUrl } = parseAddress(refused.absoluteUrl)
    const versions = await session.versions(id, { projectKey: refused.projectKey ?? '', ...baseUrl })
    for (const [at, next] of versions.entries()) {
      const [others, before] = [versions[at + 1], versions[at + 2]]
      if (next.writer?.kind !== 'request' || others?.writer?.kind !== 'scenario' || before === undefined) continue
      const { correlationId, request } = next.writer
      const sent = requests.find((one) => one.id === request || one.correlationId === correlationId)
      if (sent === undefined || requests.indexOf(sent) < requests.indexOf(refused) || isDecided(refused, sent)) continue
      const [lost] = listLost(before, others, next, refused)
      if (lost === undefined) continue
      const theirs = showValue(contentOf(others)[lost])
      return `After the 409 for version ${before.version}, ${nameOf(sent)} sent the old values with version ${others.version}. The other writer's ${lost}, ${theirs}, is lost.`
    }
  }
  return undefined
}

/** The operations that write; the compiler asks for a new one below. */
type WriteOperation = {
  [Id in OperationId]: Endpoints[Id]['method'] extends 'GET' | 'HEAD' ? never : Id
}[OperationId]

const hasNoEffect = (): boolean => false

/** Whether sending a request again, with the same body, has an effect again. */
const doublers: Readonly<Record<WriteOperation, (again: JournalEntry) => boolean>> = {
  // A draft with a key overwrites what the first one created (D15).
  createResource({ body }) {
    const draft = findJson(body)
    return isJsonObject(draft) && draft['key'] === undefined
  },
  // 200 for a body id that was posted before (D16).
  postComplex: ({ response }) => response.status === 201,
  postAction: () => true,
  uploadImage: () => true,
  // Drafts with the same key, and a resource that is gone.
  overwriteResource: hasNoEffect,
  putResource: hasNoEffect,
  deleteResource: hasNoEffect,
  // Its version has changed (D7).
  updateResource: hasNoEffect,
}

const doublersByName = new Map<string | undefined, (again: JournalEntry) => boolean>(Object.entries(doublers))

/** Whether the response to a request was lost after the operation. */
export const isLostResponse = ({ response }: JournalEntry): boolean =>
  response.fault === 'CONNECTION_RESET_AFTER_OPERATION'

const hasEffect = (request: JournalEntry): boolean =>
  isLostResponse(request) ||
  request.tookEffect === true ||
  (request.response.status >= 200 && request.response.status < 300)

/**
 * Finds a request that created or posted the same twice.
 *
 * @param requests oldest first
 * @param isFirst limits the requests that may not be followed by the same one
 * @returns a sentence; undefined if everything was created once
 */
export function findDoubled(
  requests: readonly JournalEntry[],
  isFirst: (request: JournalEntry) => boolean = hasEffect,
): string | undefined {
  for (const [at, first] of requests.entries()) {
    const doubles = doublersByName.get(first.operation)
    if (doubles === undefined || !isFirst(first)) continue
    const again = requests
      .slice(at + 1)
      .filter(
        ({ method, url, bodyAsBase64 }) =>
          method === first.method && url === first.url && bodyAsBase64 === first.bodyAsBase64,
      )
      .find((request) => hasEffect(request) && doubles(request))
    if (again !== undefined) {
      const how = isLostResponse(first) ? 'took effect, although its response was lost, and' : 'took effect, and'
      return `${nameOf(first)} ${how} the same was sent again: it was done twice.`
    }
  }
  return undefined
}

/** A session, or a mock, whose default session is meant. */
type Checked = CheckedSession | { session(name: string): CheckedSession }

/** @throws {SetupError} for anything else. */
function expectSession(matcher: string, value: unknown): CheckedSession {
  if (typeof value === 'object' && value !== null) {
    // The value may be a mock of another copy of this package, so its class does not help.
    const checked = value as Checked
    if ('requests' in checked && 'versions' in checked) return checked
    if ('session' in checked) return checked.session('default')
  }
  throw new SetupError(`${matcher} expects a mock or a session. Write: await expect(session).${matcher}()`)
}

/** The result of a matcher, for vitest, jest and Playwright. */
export interface CheckResult {
  readonly pass: boolean
  readonly message: () => string
}

const toResult = (found: string | undefined, otherwise: string): CheckResult => ({
  pass: found === undefined,
  message: () => found ?? otherwise,
})

/**
 * Matchers for `expect.extend`, for mocks and sessions.
 *
 * @example
 * expect.extend(resilienceMatchers)
 * await expect(session).toHaveKeptOtherChanges()
 */
export const resilienceMatchers = {
  /** Passes unless the app undid the change of another writer: after a 409, it sent the same values with the new version. */
  async toHaveKeptOtherChanges(mock: unknown): Promise<CheckResult> {
    const found = await findLostChange(expectSession('toHaveKeptOtherChanges', mock))
    return toResult(found, 'The changes of other writers were kept.')
  },
  /** Passes unless the app created or posted the same twice, such as after a lost response. */
  async toHaveCreatedOnce(mock: unknown): Promise<CheckResult> {
    const requests = await expectSession('toHaveCreatedOnce', mock).requests()
    return toResult(findDoubled(requests), 'Nothing was created or posted twice.')
  },
}
