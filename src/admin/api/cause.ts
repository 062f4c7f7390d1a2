import * as z from 'zod'
import { toFullScopes } from '../../service/auth/authenticate.ts'
import { endpoints, isOperation } from '../../service/contract/endpoints.ts'
import { findJson } from '../../service/http/json.ts'
import { CLIENT_DISCONNECTED, isFailed, findFailureKind } from '../../sessions/journal/failure-kinds.ts'
import { isUnmatched } from '../../sessions/journal/record.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'
import type { NearOperation } from '../../sessions/journal/near-misses.ts'
import { toSentPath } from '../../sessions/journal/target.ts'
import type { Conflict } from './conflict.ts'
import { describeWriter, toClockTime } from './conflict.ts'
import { timeOf } from './resources.ts'
import type { WrittenVersion } from './resources.ts'

const errorBody = z.looseObject({
  message: z.string(),
  errors: z.array(z.looseObject({ code: z.string(), detailedErrorMessage: z.string().optional() })).min(1),
})

/** The first error in a response. */
export interface CausedFailure {
  readonly code: string
  readonly message: string
  readonly detail: string | undefined
}

/** The first error in a response; undefined if it has none. */
export function findFailure({ response }: RedactedExchange): CausedFailure | undefined {
  const { body } = response
  if (!isFailed(response) || body?.encoding !== 'utf-8') return undefined
  const { data } = errorBody.safeParse(findJson(body.text))
  const first = data?.errors[0]
  return data === undefined || first === undefined
    ? undefined
    : { code: first.code, message: data.message, detail: first.detailedErrorMessage }
}

/** Why a request got its response. */
export interface FailureCause {
  readonly kind: string
  readonly sentence: string
  /** Undefined if there is nothing to correct. */
  readonly remedy?: string | undefined
}

/** What a cause is derived from. */
export interface CauseEvidence {
  readonly entry: RedactedExchange
  readonly failure: CausedFailure | undefined
  readonly conflict: Conflict | undefined
  /** Of the request's resource, newest first. */
  readonly versions: readonly WrittenVersion[] | undefined
  readonly nearMisses: readonly NearOperation[]
  /** Epoch milliseconds. */
  readonly now: number
}

type FindCause = (evidence: CauseEvidence) => FailureCause | undefined

/** Maximum length of a path in a sentence, in characters. */
const LONGEST_SHOWN_PATH = 200

/** Without its session, which the reader of an explanation knows. */
const nameOfEntry = ({ request: { method, url } }: RedactedExchange): string =>
  `${method} ${toSentPath(url)
    .replace(/^\/@[^/]+/, '')
    .slice(0, LONGEST_SHOWN_PATH)}`

const nameOfOperation = ({ operation }: NearOperation): string =>
  `${endpoints[operation].method} ${endpoints[operation].path} (${operation})`

/** The first cause found applies, so specific causes come before those by status. */
const causes: readonly FindCause[] = [
  ({ entry: { response, tookEffect, durationMilliseconds } }) =>
    response.fault === CLIENT_DISCONNECTED
      ? {
          kind: 'client-left',
          sentence: `The client disconnected after ${Math.round(durationMilliseconds)} ms, before the response. ${tookEffect === true ? 'The request took effect all the same.' : 'The request changed nothing.'}`,
          remedy:
            tookEffect === true
              ? 'Read the data again after cancelling a write. If the app did not cancel it, raise its time limit.'
              : undefined,
        }
      : undefined,
  ({ entry: { response } }) =>
    response.fault === undefined
      ? undefined
      : {
          ...findFailureKind(0),
          sentence: `The connection broke before the response was complete (${response.fault}).`,
        },
  // A path that is nearly an endpoint's was probably meant for the mock.
  ({ entry, nearMisses: [nearest] }) =>
    entry.isPassedThrough !== true || nearest === undefined
      ? undefined
      : {
          kind: 'passed-through',
          sentence: `${nameOfEntry(entry)} was passed through because it matches no operation. It is nearly ${nameOfOperation(nearest)}.`,
          remedy: 'If the request was meant for the mock, correct it. Otherwise, there is nothing to do.',
        },
  ({ entry, nearMisses: [nearest] }) => {
    if (!isUnmatched(entry)) return undefined
    const near = nearest === undefined ? '' : ` The nearest operation is ${nameOfOperation(nearest)}.`
    return entry.response.status === 405
      ? {
          kind: 'unknown-method',
          sentence: `No operation has the method of ${nameOfEntry(entry)}.${near}`,
          remedy: 'Use a method listed in the Allow header.',
        }
      : {
          kind: 'unknown-path',
          sentence: `No operation has the path of ${nameOfEntry(entry)}.${near}`,
          remedy: 'Correct the path. Paths start with /{projectKey}/resource.',
        }
  },
  ({ conflict }) => {
    if (conflict === undefined) return undefined
    const { sentence, sent, current, repeated } = conflict
    return repeated === undefined
      ? { ...findFailureKind(409), sentence }
      : {
          kind: 'repeated-version',
          sentence: `The app sent version ${sent} again, although the previous response reported version ${repeated.current}. ${sentence}`,
          remedy: `Read the resource before each retry, reapply the change, and send it with the version just read, not with version ${sent}. The current version was ${current}.`,
        }
  },
  ({ entry, failure }) => {
    const { operation, scenarios, request, response } = entry
    if (response.status !== 401) return undefined
    const sentence = failure?.message ?? 'The request was not authorized.'
    if (!isOperation(operation)) return { kind: 'rejected-client', sentence, remedy: 'Send a client id and secret.' }
    const { authorization } = request.headers
    // A scenario rejects good tokens too.
    if (authorization === undefined && scenarios.length === 0) {
      return {
        kind: 'missing-token',
        sentence: 'The request has no Authorization header.',
        remedy: 'Send "Authorization: Bearer any". With --auth strict, send a token from POST /oauth/token.',
      }
    }
    if (authorization !== undefined && !/^bearer\b/i.test(authorization)) {
      return {
        kind: 'rejected-token',
        sentence: 'The Authorization header does not use the Bearer scheme.',
        remedy: 'Send the token as "Authorization: Bearer <token>".',
      }
    }
    return / expired/.test(sentence)
      ? {
          ...findFailureKind(401),
          kind: 'expired-token',
          sentence,
        }
      : { kind: 'rejected-token', sentence, remedy: 'Send a token from POST /oauth/token.' }
  },
  ({ entry, failure }) => {
    const { operation, projectKey, response } = entry
    if (response.status !== 403 || !isOperation(operation) || projectKey === undefined) return undefined
    const { scopes } = endpoints[operation]
    if (scopes === 'anyToken') return undefined
    const needed = toFullScopes(scopes, projectKey).join(' or ')
    return {
      kind: 'missing-scope',
      sentence:
        entry.scopes === undefined || entry.scenarios.length > 0
          ? (failure?.message ?? `The operation needs one of these scopes: ${needed}.`)
          : `The token has the scope ${entry.scopes.join(', ') || 'of no project'}, but the operation needs ${needed}.`,
      remedy: 'Get a token with a scope of the operation from POST /oauth/token.',
    }
  },
  ({ entry, failure, versions: [newest] = [], now }) => {
    const { operation, response, time, durationMilliseconds } = entry
    if (response.status !== 404 || operation === undefined) return undefined
    if (operation === 'checkResources')
      return { kind: 'no-match', sentence: 'No resource matches the conditions of the query.' }
    if (newest?.kind === 'removed' && timeOf(newest) <= time + durationMilliseconds) {
      return {
        kind: 'deleted',
        sentence: `The resource was deleted at ${toClockTime(timeOf(newest), now)}${describeWriter(newest, entry.session)}.`,
        remedy: 'Treat the resource as gone: remove it from the page, or create it again.',
      }
    }
    return {
      kind: 'not-found',
      sentence: failure?.message ?? 'The resource was not found.',
      remedy: 'Check the id or key, the project key, and whether this session has the resource.',
    }
  },
  ({ entry: { response }, failure }) => {
    const { status } = response
    if (!isFailed(response)) return undefined
    const sentence = failure?.detail ?? failure?.message ?? `The response has the status ${status}.`
    return { ...findFailureKind(status), sentence }
  },
]

/** Finds the cause of a failure, or of a request that probably missed its operation; undefined for other requests. */
export function findCauseOf(evidence: CauseEvidence): FailureCause | undefined {
  for (const find of causes) {
    const cause = find(evidence)
    if (cause === undefined) continue
    const { scenarios } = evidence.entry
    if (scenarios.length === 0) return cause
    const hint = `Scenarios that affected the response: ${scenarios.join(', ')}. Deactivate them to get the normal response.`
    return { ...cause, remedy: cause.remedy === undefined ? hint : `${cause.remedy} ${hint}` }
  }
  return undefined
}
