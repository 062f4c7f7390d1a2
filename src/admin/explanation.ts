import * as z from 'zod'
import { isOperation, endpoints } from '../contract/endpoints.ts'
import { findPath } from '../contract/paths.ts'
import type { PathParameters } from '../contract/paths.ts'
import { parseAddress, toBaseUrlName } from '../http/request-head.ts'
import { findJson, isJsonObject } from '../http/json.ts'
import { toSent, toTarget } from '../journal/target.ts'
import { toProjectId } from '../state/project-data.ts'
import type { ProjectName } from '../state/project-data.ts'
import { listVersions, toMeta } from './resources.ts'
import type { WrittenVersion } from './resources.ts'
import { decisions } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import { toJson } from '../http/envelope.ts'
import { isFailedStatus, isUnmatched } from '../journal/record.ts'
import type { JournalEntry } from '../journal/record.ts'
import type { KeptBody } from '../journal/redact.ts'
import { findNearMisses } from '../journal/near-misses.ts'
import { findEntry } from './requests.ts'
import type { AdminParts, AdminRoutes } from './request.ts'
import type { Session } from '../sessions/sessions.ts'

/** Why a client's version was not current. */
export interface Conflict {
  /** `You sent version 3, but version 4 had been current since …, written by …` */
  readonly sentence: string
  /** The journal entry of the request that wrote the current version; undefined if the journal does not have it. */
  readonly writer: JournalEntry | undefined
}

/** The path parameters of the exchange's resource: from its path, or else from its `Location` (D5). */
function findParameters({ request, response }: JournalEntry): PathParameters {
  const { path } = toTarget(request.url)
  const { parameters = {} } = findPath(path) ?? {}
  const { location } = response.headers
  if ('id' in parameters || 'key' in parameters || location === undefined) return parameters
  return { ...findPath(toTarget(location).path)?.parameters, ...parameters }
}

/** Finds a resource's id by its current or a former key. */
function findIdByKey(
  { store }: Pick<AdminParts, 'store'>,
  session: string,
  project: ProjectName,
  key: string,
): string | undefined {
  const present = store.access(session, project).read().findByKey(key)
  return present?.id ?? store.history.findIdByKey(session, toProjectId(project), key)
}

/** The versions of the exchange's resource, newest first; undefined if it has no resource. */
export async function findVersions(
  parts: Pick<AdminParts, 'store' | 'elapsed'>,
  session: Session,
  entry: JournalEntry,
): Promise<readonly WrittenVersion[] | undefined> {
  // An operation matched, so the address is well-formed.
  if (!isOperation(entry.operation)) return undefined
  const { projectKey, id, key } = findParameters(entry)
  if (projectKey === undefined) return undefined
  const project = { baseUrl: toBaseUrlName(parseAddress(entry.request.url).baseUrl), projectKey }
  const named = id ?? (key === undefined ? undefined : findIdByKey(parts, session.name, project, key))
  if (named === undefined) return undefined
  const versions = await listVersions(parts, session, project, named)
  return versions.length === 0 ? undefined : versions
}

const parseBody = (body: KeptBody | undefined): unknown =>
  body?.encoding === 'utf-8' ? findJson(body.text) : undefined

/** A numeric member of an object, as text, which keeps all digits of an int64. */
function findNumber(value: unknown, name: string): string | undefined {
  const member = isJsonObject(value) ? value[name] : undefined
  return typeof member === 'number' || typeof member === 'bigint' ? String(member) : undefined
}

/** Reads the expected and the current version from a conflict, as text. */
function readConflict({ request, response }: JournalEntry): { sent: string; current: string } | undefined {
  const answer = response.status === 409 ? parseBody(response.body) : undefined
  const errors: readonly unknown[] = isJsonObject(answer) && Array.isArray(answer['errors']) ? answer['errors'] : []
  const current = errors.map((error) => findNumber(error, 'currentVersion')).find((one) => one !== undefined)
  if (current === undefined) return undefined
  const sent =
    findNumber(parseBody(request.body), 'version') ??
    new URLSearchParams(toTarget(request.url).search).get('version') ??
    // The journal truncates long bodies.
    / Expected: (\d+) - Actual: /.exec(response.body?.text ?? '')?.[1]
  return sent === undefined || sent === current ? undefined : { sent, current }
}

/**
 * When a version was written, in epoch milliseconds. Records written through the admin API may have any `lastModifiedAt`.
 */
export const timeOf = ({ writer, resource }: WrittenVersion): number =>
  Date.parse(writer?.kind === 'admin' ? writer.time : resource.lastModifiedAt)

/** The version that was current during the exchange. Version numbers can repeat if the admin API writes a resource. */
function findCurrent(
  versions: readonly WrittenVersion[],
  { time, durationMilliseconds }: JournalEntry,
  current: string,
): WrittenVersion | undefined {
  const candidates = versions.filter(({ kind, resource }) => kind !== 'removed' && String(resource.version) === current)
  return candidates.find((version) => timeOf(version) <= time + durationMilliseconds) ?? candidates[0]
}

/** Maximum length of a path in a sentence, in characters. */
const LONGEST_PATH = 200

function describeWriter({ kind, writer, entry }: WrittenVersion, session: string): string {
  if (kind === 'fixture') return '; it is the first version in the history of the session'
  switch (writer?.kind) {
    case 'admin':
      return `, written through the admin API in session ${session}`
    case 'scenario':
      return `, written by the scenario ${writer.scenario}, which simulates a concurrent write`
    case 'request':
      return entry === undefined
        ? `, written by a request of session ${session} that is no longer in the journal (correlation id ${writer.correlationId})`
        : `, written by ${entry.request.method} ${toSent(entry.request.url).slice(0, LONGEST_PATH)} of session ${session} (request ${entry.id})`
    default:
      return ''
  }
}

/**
 * Explains a version conflict: which version was sent, which was current, since when, and who wrote it.
 *
 * @param versions from {@link findVersions}
 */
export function explainConflict(
  entry: JournalEntry,
  versions: readonly WrittenVersion[] | undefined,
): Conflict | undefined {
  const conflict = readConflict(entry)
  if (conflict === undefined) return undefined
  const { sent, current } = conflict
  const version = findCurrent(versions ?? [], entry, current)
  if (version === undefined) {
    return {
      sentence: `You sent version ${sent}, but the response reports ${current} as the current version.`,
      writer: undefined,
    }
  }
  const since = new Date(timeOf(version)).toISOString()
  return {
    sentence: `You sent version ${sent}, but version ${current} had been current since ${since}${describeWriter(version, entry.session)}.`,
    writer: version.entry,
  }
}

const envelope = z.looseObject({
  message: z.string(),
  errors: z.array(z.looseObject({ code: z.string(), detailedErrorMessage: z.string().optional() })).min(1),
})

/** The first error in a response. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly detail: string | undefined
}

/** The first error in a response; undefined if it has none. */
export function findFailure({ response: { body } }: JournalEntry): Failure | undefined {
  if (body?.encoding !== 'utf-8') return undefined
  const { data } = envelope.safeParse(findJson(body.text))
  const first = data?.errors[0]
  return data === undefined || first === undefined
    ? undefined
    : { code: first.code, message: data.message, detail: first.detailedErrorMessage }
}

/** The decisions behind an exchange: those of its operation, and those named in its warnings. */
export function decisionsOf({ operation, isPassedThrough, warnings }: JournalEntry): readonly DecisionId[] {
  const unmatched: readonly DecisionId[] = isPassedThrough === true ? [] : ['D24']
  const own: readonly DecisionId[] = isOperation(operation) ? endpoints[operation].decisions : unmatched
  const warned = warnings.map((warning) => warning.split(' ', 1)[0] ?? '')
  return [...new Set([...own, ...warned])].filter((id): id is DecisionId => Object.hasOwn(decisions, id))
}

/** Remedies by status. */
const REMEDIES: Readonly<Record<number, string>> = {
  400: 'Correct the request as described in the message. Do not send it again unchanged.',
  401: 'Get a new token and retry once.',
  403: 'Use a token with the scope named in the message.',
  404: 'Check the path, the project key, and whether this session has the resource.',
  405: 'Use a method listed in the Allow header.',
  409: 'Read the resource, reapply the change, and send it with the version just read.',
  413: 'Send a smaller body.',
  415: 'Send the Content-Type documented for the operation.',
  429: 'Wait as long as Retry-After says, then retry.',
  502: 'Wait, then retry a limited number of times.',
  503: 'Wait as long as Retry-After says, then retry a limited number of times.',
}

function toRemedy({ scenarios, response: { status, fault } }: JournalEntry): string | undefined {
  const own =
    fault === undefined
      ? (REMEDIES[status] ?? (status >= 500 ? 'Retry a limited number of times.' : undefined))
      : 'The connection broke before the response was complete. Retry if it is safe to repeat the request.'
  if (scenarios.length === 0) return own
  return `${own ?? ''} Scenarios that affected the response: ${scenarios.join(', ')}. Deactivate them to get the normal response.`.trim()
}

/** Explains the response to a request and suggests a remedy. */
async function explain(parts: AdminParts, session: Session, entry: JournalEntry) {
  const { scenarios, warnings } = entry
  const isFailed = isFailedStatus(entry.response.status)
  const failure = isFailed ? findFailure(entry) : undefined
  const versions = await findVersions(parts, session, entry)
  return {
    cause: {
      ...(failure === undefined ? {} : { code: failure.code, message: failure.detail ?? failure.message }),
      conflict: explainConflict(entry, versions)?.sentence,
      scenarios,
      warnings,
    },
    versions: versions?.map(toMeta),
    nearMisses: isUnmatched(entry) ? findNearMisses(entry).map(({ message }) => message) : undefined,
    decisions: decisionsOf(entry).map((id) => ({ id, title: decisions[id] })),
    remedy: isFailed ? toRemedy(entry) : undefined,
  }
}

export function createExplanationRoutes(parts: AdminParts): AdminRoutes {
  return {
    'GET /requests/:id/explanation': async (admin, param) =>
      toJson(await explain(parts, admin.session, findEntry(admin, param('id')))),
  }
}
