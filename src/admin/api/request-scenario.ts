import { endpoints, isCalledOperation, isOperation } from '../../service/contract/endpoints.ts'
import type { CalledOperation } from '../../service/contract/endpoints.ts'
import { isOfKind } from '../../service/contract/operation-kinds.ts'
import { problem } from '../../errors.ts'
import { toJson } from '../../service/http/envelope.ts'
import { findJson, isJsonObject } from '../../service/http/json.ts'
import { parseRawQuery } from '../../service/http/request-head.ts'
import { CLIENT_DISCONNECTED } from '../../sessions/journal/failure-kinds.ts'
import { readEntries } from '../../sessions/journal/record.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'
import type { KeptBody } from '../../sessions/journal/redact.ts'
import { REDACTED } from '../../sessions/journal/redact.ts'
import { toTarget } from '../../sessions/journal/target.ts'
import { compileMatch, includes } from '../../service/scenarios/match.ts'
import type { Match } from '../../service/scenarios/schema.ts'
import type { AdminParts, AdminRequest } from './request.ts'

/** What requests must have in common with this one, least first. */
const widths = ['operation', 'path', 'request'] as const
type Width = (typeof widths)[number]

/** The journal does not have secrets, so the match accepts any text instead. */
const toGlob = (text: string): string => text.replaceAll(REDACTED, '*')

/** The JSON of a body; undefined if it is not JSON, or the journal has only part of it. */
const findMatchedBody = (body: KeptBody | undefined): unknown =>
  body?.encoding === 'utf-8' && !body.isCut ? findJson(toGlob(body.text)) : undefined

/** Omits the version of an update, which differs the next time. */
function toBodyMatch(entry: RedactedExchange): unknown {
  const body = findMatchedBody(entry.request.body)
  if (!isJsonObject(body)) return undefined
  const { version: _version, ...rest } = body
  return rest
}

/** Creates the match for requests like this one. */
function toMatch(entry: RedactedExchange, operation: CalledOperation, width: Width): Match {
  if (width === 'operation') return { operation }
  const { path, search } = toTarget(entry.request.url)
  // Globs cannot escape `*` and `?`.
  const place = { operation, ...(/[*?]/.test(path) ? {} : { path }) }
  if (width === 'path') return place
  const query = Array.from(parseRawQuery(search), ([name, [value = '']]) => [name, toGlob(value)] as const)
  const body = toBodyMatch(entry)
  return {
    ...place,
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(body === undefined ? {} : { body }),
  }
}

/** The effect that causes the same response: a concurrent write for a conflict, otherwise the same answer. */
function toEffect({ response, operation }: RedactedExchange): unknown {
  const { status, headers, fault, body: kept } = response
  // A request without any response lasts until its client leaves.
  if (fault !== undefined) return { fault: fault === CLIENT_DISCONNECTED ? 'TIMEOUT' : fault }
  if (status === 409 && isOperation(operation) && isOfKind(endpoints[operation], 'byId')) return { advanceVersion: 1 }
  const body = findMatchedBody(kept)
  // With several errors, the body is kept as it is.
  const errors = isJsonObject(body) && Array.isArray(body['errors']) ? (body['errors'] as readonly unknown[]) : []
  const [first] = errors
  const isError = isJsonObject(first) && typeof first['code'] === 'string' && typeof first['message'] === 'string'
  const error = errors.length === 1 && isError ? first : undefined
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

/** Creates a predicate for journal entries from a match. */
function fits({ body, ...rest }: Match): (entry: RedactedExchange) => boolean {
  const admits = compileMatch(rest)
  return (entry) => {
    const { request, operation, projectKey = '' } = entry
    const { path, search } = toTarget(request.url)
    if (!isCalledOperation(operation)) return false
    const isAdmitted = admits({
      operation,
      projectKey,
      method: request.method,
      path,
      query: parseRawQuery(search),
      headers: new Headers(),
      body: () => Promise.resolve(undefined),
    })
    return isAdmitted === true && (body === undefined || includes(findMatchedBody(request.body), body))
  }
}

/** Number of newest requests in which hits are counted. */
const COUNTED = 1000

/** @throws {Problem} 400 for an unknown width. */
function readWidth({ query }: AdminRequest): Width {
  const text = query.get('match') ?? 'path'
  const width = widths.find((one) => one === text)
  if (width !== undefined) return width
  throw problem.invalidField({
    field: 'match',
    invalidValue: text,
    allowedValues: widths,
    message: `Malformed parameter: match: ${JSON.stringify(text.slice(0, 100))} is unknown. Use one of ${widths.join(', ')}.`,
  })
}

/**
 * Responds with a scenario that answers requests like this one in the same way, and with how many of the newest requests it
 * would have hit.
 *
 * @throws {Problem} 400 for a request that matched no operation: scenarios do not apply to it.
 */
export async function answerScenario(
  parts: AdminParts,
  admin: AdminRequest,
  entry: RedactedExchange,
): Promise<Response> {
  const { request, response, operation } = entry
  const width = readWidth(admin)
  if (!isCalledOperation(operation)) {
    throw problem.invalidInput(
      'The request matched no operation, so no scenario can answer requests like it. Choose a request to an endpoint of the service.',
    )
  }
  const outcome = response.fault ?? response.status
  const matches = widths.map((one) => toMatch(entry, operation, one))
  const newest = admin.session.journal.exchanges().slice(-COUNTED)
  const counted = matches.map((match) => ({ isHit: fits(match), count: 0 }))
  for await (const entry of readEntries(newest)) for (const one of counted) if (one.isHit(entry)) one.count += 1
  const hits = counted.map(({ count }) => count)
  return toJson({
    name: `${operation}-${outcome}`,
    scenario: {
      description: `Again: ${request.method} ${toTarget(request.url).path} → ${outcome}`,
      rules: [{ match: toMatch(entry, operation, width), effect: toEffect(entry) }],
    },
    matches: widths.map((one, at) => ({ match: one, hits: hits[at] ?? 0 })),
    meta: { of: newest.length },
  })
}
