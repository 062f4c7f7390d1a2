import { endpoints, isOperation } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { findJson, stringifyJson } from '../http/json.ts'
import type { JournalEntry } from '../journal/record.ts'
import type { KeptBody } from '../journal/redact.ts'
import { parseRawQuery } from '../http/request-head.ts'
import { REDACTED } from '../journal/redact.ts'
import { toTarget } from '../journal/target.ts'
import { compileMatch, includes } from '../scenarios/match.ts'
import type { Match } from '../scenarios/schema.ts'

/** How much of a request another one must share to be answered like it, the least first. */
export const widths = ['operation', 'path', 'request'] as const
export type Width = (typeof widths)[number]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A secret that the journal does not have, as the globs of a match write any text. */
const toGlob = (text: string): string => text.replaceAll(REDACTED, '*')

/** The JSON of a body; undefined if it is not JSON, or the journal has only part of it. */
const findBody = (body: KeptBody | undefined): unknown =>
  body?.encoding === 'utf-8' && !body.isCut ? findJson(toGlob(body.text)) : undefined

/** The version of an update is left out: the same update has another one the next time. */
function toBodyMatch(entry: JournalEntry): unknown {
  const body = findBody(entry.request.body)
  if (!isObject(body)) return undefined
  const { version: _version, ...rest } = body
  return rest
}

/** A glob has no way to write `*` or `?` as themselves. */
const isGlob = (path: string): boolean => /[*?]/.test(path)

/** The match of requests like this one. */
export function toMatch(entry: JournalEntry, operation: OperationId, width: Width): Match {
  if (width === 'operation') return { operation }
  const { path, search } = toTarget(entry.request.url)
  const place = { operation, ...(isGlob(path) ? {} : { path }) }
  if (width === 'path') return place
  const query = Array.from(parseRawQuery(search), ([name, [value = '']]) => [name, toGlob(value)] as const)
  const body = toBodyMatch(entry)
  return {
    ...place,
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(body === undefined ? {} : { body }),
  }
}

/** The one error of an envelope. */
function findError(body: unknown): object | undefined {
  const errors = isObject(body) && Array.isArray(body['errors']) ? (body['errors'] as readonly unknown[]) : []
  const [first] = errors
  const isError = isObject(first) && typeof first['code'] === 'string' && typeof first['message'] === 'string'
  return errors.length === 1 && isError ? first : undefined
}

/** What brings the response about again: another writer for a conflict, or else the same answer. */
function toEffect({ response, operation }: JournalEntry, path: string): unknown {
  const { status, headers, fault, body: kept } = response
  if (fault !== undefined) return { fault }
  if (status === 409 && operation !== undefined && path.includes('{id}')) return { advanceVersion: 1 }
  const body = findBody(kept)
  const error = findError(body)
  const retryAfter = headers['retry-after']
  return {
    answer: {
      status,
      ...(error === undefined ? {} : { error }),
      ...(error === undefined && body !== undefined ? { body } : {}),
      ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfter } }),
    },
  }
}

/** A scenario that answers requests like this one as it was answered, to be edited. */
export interface AgainScenario {
  readonly name: string
  /** As a scenario file. */
  readonly definition: string
  readonly matches: readonly { readonly width: Width; readonly match: Match }[]
}

/** Undefined for a request that met no operation: scenarios do not see it. */
export function findAgainScenario(entry: JournalEntry, width: Width): AgainScenario | undefined {
  const { request, response, operation } = entry
  if (!isOperation(operation)) return undefined
  const outcome = response.fault ?? response.status
  const description = `Again: ${request.method} ${toTarget(request.url).path} → ${outcome}`
  const rule = { match: toMatch(entry, operation, width), effect: toEffect(entry, endpoints[operation].path) }
  return {
    name: `${operation}-${outcome}`,
    definition: stringifyJson({ description, rules: [rule] }, 2),
    matches: widths.map((one) => ({ width: one, match: toMatch(entry, operation, one) })),
  }
}

/** Whether the match fits a request of the journal. */
function fits({ body, ...rest }: Match): (entry: JournalEntry) => boolean {
  const admits = compileMatch(rest)
  return (entry) => {
    const { request, operation, projectKey = '' } = entry
    const { path, search } = toTarget(request.url)
    if (!isOperation(operation)) return false
    const isAdmitted = admits({
      operation,
      projectKey,
      method: request.method,
      path,
      query: parseRawQuery(search),
      headers: new Headers(),
      body: () => Promise.resolve(undefined),
    })
    return isAdmitted === true && (body === undefined || includes(findBody(request.body), body))
  }
}

/** How many requests each of the matches would have hit. */
export async function countHits(
  matches: readonly Match[],
  entries: AsyncIterable<JournalEntry>,
): Promise<readonly number[]> {
  const counted = matches.map((match) => ({ isHit: fits(match), count: 0 }))
  for await (const entry of entries) for (const one of counted) if (one.isHit(entry)) one.count += 1
  return counted.map(({ count }) => count)
}
