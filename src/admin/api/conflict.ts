import { isOperation } from '../../service/contract/endpoints.ts'
import { findServicePath } from '../../service/contract/paths.ts'
import type { PathParameters } from '../../service/contract/paths.ts'
import { findJson, isJsonObject } from '../../service/http/json.ts'
import { parseAddress, toBaseUrlName } from '../../service/http/request-head.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'
import type { KeptBody } from '../../sessions/journal/redact.ts'
import { toSent, toTarget } from '../../sessions/journal/target.ts'
import type { Session } from '../../sessions/sessions.ts'
import type { AdminParts } from './request.ts'
import { findIdByKey, listVersions, timeOf } from './resources.ts'
import type { WrittenVersion } from './resources.ts'

/** The versions of a request that got a 409, as text, which keeps all digits of an int64. */
interface ConflictVersions {
  readonly sent: string
  readonly current: string
}

/** Why a client's version was not current. */
export interface Conflict extends ConflictVersions {
  /** `You sent version 3, but version 4 had been current since …, written by …` */
  readonly sentence: string
  /** The version that was sent; undefined if the history does not have it. */
  readonly sentVersion: WrittenVersion | undefined
  /** The version that was current; undefined if the history does not have it. */
  readonly currentVersion: WrittenVersion | undefined
  /** The versions of the previous attempt, if this one sent the same version again. */
  readonly repeated: ConflictVersions | undefined
}

/** The path parameters of the exchange's resource: from its path, or else from its `Location` (D5). */
function findParameters({ request, response }: RedactedExchange): PathParameters {
  const { path } = toTarget(request.url)
  const { parameters = {} } = findServicePath(path) ?? {}
  const { location } = response.headers
  if ('id' in parameters || 'key' in parameters || location === undefined) return parameters
  return { ...findServicePath(toTarget(location).path)?.parameters, ...parameters }
}

/** The versions of the exchange's resource, newest first; undefined if it has no resource. */
export async function findVersions(
  parts: Pick<AdminParts, 'store'>,
  session: Session,
  entry: RedactedExchange,
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

const parseConflictBody = (body: KeptBody | undefined): unknown =>
  body?.encoding === 'utf-8' ? findJson(body.text) : undefined

/** A numeric member of an object, as text, which keeps all digits of an int64. */
function findNumber(value: unknown, name: string): string | undefined {
  const member = isJsonObject(value) ? value[name] : undefined
  return typeof member === 'number' || typeof member === 'bigint' ? String(member) : undefined
}

/** Reads the expected and the current version from a conflict, as text. */
export function readConflict({ request, response }: RedactedExchange): ConflictVersions | undefined {
  const answer = response.status === 409 ? parseConflictBody(response.body) : undefined
  const errors: readonly unknown[] = isJsonObject(answer) && Array.isArray(answer['errors']) ? answer['errors'] : []
  const current = errors.map((error) => findNumber(error, 'currentVersion')).find((one) => one !== undefined)
  if (current === undefined) return undefined
  const sent =
    findNumber(parseConflictBody(request.body), 'version') ??
    new URLSearchParams(toTarget(request.url).search).get('version') ??
    // The journal truncates long bodies.
    / Expected: (\d+) - Actual: /.exec(response.body?.text ?? '')?.[1]
  return sent === undefined || sent === current ? undefined : { sent, current }
}

/** The version with a number that an exchange met. Numbers can repeat if the admin API writes a resource. */
function findWrittenVersion(
  versions: readonly WrittenVersion[],
  { time, durationMilliseconds }: RedactedExchange,
  number: string,
): WrittenVersion | undefined {
  const candidates = versions.filter(({ kind, resource }) => kind !== 'removed' && String(resource.version) === number)
  return candidates.find((version) => timeOf(version) <= time + durationMilliseconds) ?? candidates[0]
}

/** Maximum length of a path in a sentence, in characters. */
const LONGEST_NAMED_PATH = 200

/** Describes who wrote a version, as the end of a sentence. */
export function describeWriter({ kind, writer, entry, restored }: WrittenVersion, session: string): string {
  if (restored !== undefined) return `, when the snapshot ${restored.snapshot} was restored`
  if (kind === 'fixture') return '; it is the first version in the history of the session'
  const verb = kind === 'removed' ? '' : ', written'
  switch (writer?.kind) {
    case 'admin':
      return `${verb} through the admin API in session ${session}`
    case 'scenario':
      return `${verb} by the scenario ${writer.scenario}, which simulates a concurrent write`
    case 'request':
      return entry === undefined
        ? `${verb} by a request of session ${session} that the journal has dropped (correlation id ${writer.correlationId})`
        : `${verb} by ${entry.request.method} ${toSent(entry.request.url).slice(0, LONGEST_NAMED_PATH)} of session ${session} (request ${entry.id})`
    default:
      return ''
  }
}

/** A time such as `14:03:07.250 UTC`, with the date if it is not that of today. Both are in epoch milliseconds. */
export function toClockTime(time: number, now: number): string {
  const [date = '', clock = ''] = new Date(time).toISOString().split('T')
  const isToday = new Date(now).toISOString().startsWith(date)
  return `${isToday ? '' : `${date} `}${clock.slice(0, -1)} UTC`
}

/**
 * Explains a version conflict: which version was sent, which was current, since when, and who wrote it.
 *
 * @param versions from {@link findVersions}
 * @param now epoch milliseconds
 * @param previous the previous attempt at the same request
 */
export function findConflict(
  entry: RedactedExchange,
  versions: readonly WrittenVersion[] | undefined,
  now: number,
  previous?: RedactedExchange,
): Conflict | undefined {
  const conflict = readConflict(entry)
  if (conflict === undefined) return undefined
  const { sent, current } = conflict
  const currentVersion = findWrittenVersion(versions ?? [], entry, current)
  const before = previous && readConflict(previous)
  return {
    ...conflict,
    sentence:
      currentVersion === undefined
        ? `You sent version ${sent}, but the response reports ${current} as the current version.`
        : `You sent version ${sent}, but version ${current} had been current since ${toClockTime(timeOf(currentVersion), now)}${describeWriter(currentVersion, entry.session)}.`,
    sentVersion: findWrittenVersion(versions ?? [], entry, sent),
    currentVersion,
    repeated: before?.sent === sent ? before : undefined,
  }
}
