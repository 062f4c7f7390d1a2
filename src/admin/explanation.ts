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
import { isUnmatched } from '../journal/record.ts'
import type { JournalEntry } from '../journal/record.ts'
import type { KeptBody } from '../journal/redact.ts'
import { findNearMisses } from '../journal/near-misses.ts'
import { findEntry } from './requests.ts'
import type { AdminParts, AdminRoutes } from './request.ts'
import type { Session } from '../sessions/sessions.ts'

/** Why a client's version was not the current one. */
export interface Conflict {
  /** `You sent version 3. It was 4 since …, written by …` */
  readonly sentence: string
  /** The journal entry of the request that wrote the current version; undefined if the journal does not have it. */
  readonly writer: JournalEntry | undefined
}

/** The path parameters of the resource that an exchange is about: those of its path, else of its `Location` (D5). */
function findParameters({ request, response }: JournalEntry): PathParameters {
  const { path } = toTarget(request.url)
  const { parameters = {} } = findPath(path) ?? {}
  const { location } = response.headers
  if ('id' in parameters || 'key' in parameters || location === undefined) return parameters
  return { ...findPath(toTarget(location).path)?.parameters, ...parameters }
}

/** The id of a resource by its key, which it has now or had before. */
function findIdByKey(
  { store }: Pick<AdminParts, 'store'>,
  session: string,
  project: ProjectName,
  key: string,
): string | undefined {
  const present = store.access(session, project).read().findByKey(key)
  return present?.id ?? store.history.findIdByKey(session, toProjectId(project), key)
}

/** The versions of the resource that an exchange is about, newest first; undefined if it is about none. */
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

/** A member of an object, as text: an int64 keeps its digits. */
function findNumber(value: unknown, name: string): string | undefined {
  const member = isJsonObject(value) ? value[name] : undefined
  return typeof member === 'number' || typeof member === 'bigint' ? String(member) : undefined
}

/** The error of a conflict, as text: the version that was expected, and the current one. */
function readConflict({ request, response }: JournalEntry): { sent: string; current: string } | undefined {
  const answer = response.status === 409 ? parseBody(response.body) : undefined
  const errors: readonly unknown[] = isJsonObject(answer) && Array.isArray(answer['errors']) ? answer['errors'] : []
  const current = errors.map((error) => findNumber(error, 'currentVersion')).find((one) => one !== undefined)
  if (current === undefined) return undefined
  const sent =
    findNumber(parseBody(request.body), 'version') ??
    new URLSearchParams(toTarget(request.url).search).get('version') ??
    // The journal cuts long bodies.
    / Expected: (\d+) - Actual: /.exec(response.body?.text ?? '')?.[1]
  return sent === undefined || sent === current ? undefined : { sent, current }
}

/** When a version was written, in epoch milliseconds: a record that the admin API wrote may name any time. */
export const timeOf = ({ writer, resource }: WrittenVersion): number =>
  Date.parse(writer?.kind === 'admin' ? writer.time : resource.lastModifiedAt)

/** The current version at the time of the exchange: numbers repeat if the admin API writes a resource. */
function findCurrent(
  versions: readonly WrittenVersion[],
  { time, durationMilliseconds }: JournalEntry,
  current: string,
): WrittenVersion | undefined {
  const those = versions.filter(({ kind, resource }) => kind !== 'removed' && String(resource.version) === current)
  return those.find((version) => timeOf(version) <= time + durationMilliseconds) ?? those[0]
}

/** The longest path in a sentence, in characters. */
const LONGEST_PATH = 200

function describeWriter({ kind, writer, entry }: WrittenVersion, session: string): string {
  if (kind === 'fixture') return '; the history of the session starts with that version'
  switch (writer?.kind) {
    case 'admin':
      return `, written through the admin API in the session ${session}`
    case 'scenario':
      return `, written by the scenario ${writer.scenario}, which let another writer come first`
    case 'request':
      return entry === undefined
        ? `, written by a request of the session ${session} that the journal no longer has (correlation id ${writer.correlationId})`
        : `, written by ${entry.request.method} ${toSent(entry.request.url).slice(0, LONGEST_PATH)} of the session ${session} (request ${entry.id})`
    default:
      return ''
  }
}

/**
 * Explains a version conflict: the sent version, the current one, since when, and who wrote it.
 *
 * @param versions those of {@link findVersions}
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
    return { sentence: `You sent version ${sent}. The response says that it was ${current}.`, writer: undefined }
  }
  const since = new Date(timeOf(version)).toISOString()
  return {
    sentence: `You sent version ${sent}. It was ${current} since ${since}${describeWriter(version, entry.session)}.`,
    writer: version.entry,
  }
}

const envelope = z.looseObject({
  message: z.string(),
  errors: z.array(z.looseObject({ code: z.string(), detailedErrorMessage: z.string().optional() })).min(1),
})

/** The first error of a response. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly detail: string | undefined
}

/** Whether a response is an error, or a fault broke the connection. */
const isFailed = ({ response: { status, fault } }: JournalEntry): boolean => status >= 400 || fault !== undefined

/** The first error of a response; undefined for one without. */
export function findFailure({ response: { body } }: JournalEntry): Failure | undefined {
  if (body?.encoding !== 'utf-8') return undefined
  const { data } = envelope.safeParse(findJson(body.text))
  const first = data?.errors[0]
  return data === undefined || first === undefined
    ? undefined
    : { code: first.code, message: data.message, detail: first.detailedErrorMessage }
}

/** The decisions behind an exchange: those of its operation, and those in its warnings. */
export function decisionsOf({ operation, isPassedThrough, warnings }: JournalEntry): readonly DecisionId[] {
  const unmatched: readonly DecisionId[] = isPassedThrough === true ? [] : ['D24']
  const own: readonly DecisionId[] = isOperation(operation) ? endpoints[operation].decisions : unmatched
  const warned = warnings.map((warning) => warning.split(' ', 1)[0] ?? '')
  return [...new Set([...own, ...warned])].filter((id): id is DecisionId => Object.hasOwn(decisions, id))
}

/** The remedy for a failure, by status. */
const REMEDIES: Readonly<Record<number, string>> = {
  400: 'Correct the request as the message says. Do not send it again unchanged.',
  401: 'Get a new token and send the request again, once.',
  403: 'Use a token with the scope that the message names.',
  404: 'Check the path, the project key, and whether this session has the resource.',
  405: 'Use a method that the header Allow names.',
  409: 'Read the resource, take its version, apply the change to it again, and send that.',
  413: 'Send a smaller body.',
  415: 'Send the Content-Type that the operation documents.',
  429: 'Wait as long as Retry-After says, then send the request again.',
  502: 'Wait, then send the request again a limited number of times.',
  503: 'Wait as long as Retry-After says, then send the request again a limited number of times.',
}

function toRemedy({ scenarios, response: { status, fault } }: JournalEntry): string | undefined {
  const own =
    fault === undefined
      ? (REMEDIES[status] ?? (status >= 500 ? 'Send the request again a limited number of times.' : undefined))
      : 'The connection broke before the response was complete: send the request again if it may be repeated.'
  if (scenarios.length === 0) return own
  return `${own ?? ''} The scenario ${scenarios.join(', ')} took part: activate others to switch it off.`.trim()
}

/** Explains the response to a request, with a remedy. */
async function explain(parts: AdminParts, session: Session, entry: JournalEntry) {
  const { scenarios, warnings } = entry
  const failure = isFailed(entry) ? findFailure(entry) : undefined
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
    remedy: isFailed(entry) ? toRemedy(entry) : undefined,
  }
}

/** The explanation of a request of the journal. */
export function createExplanationRoutes(parts: AdminParts): AdminRoutes {
  return {
    'GET /requests/:id/explanation': async (admin, param) =>
      toJson(await explain(parts, admin.session, findEntry(admin, param('id')))),
  }
}
