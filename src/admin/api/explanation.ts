import { findViolations } from '../../service/contract/check-response.ts'
import type { Violation } from '../../service/contract/check-response.ts'
import { endpoints, isOperation } from '../../service/contract/endpoints.ts'
import { decisions } from '../../service/contract/decisions.ts'
import type { DecisionId } from '../../service/contract/decisions.ts'
import { readInteger } from '../../service/http/numbers.ts'
import { findNearMisses } from '../../sessions/journal/near-misses.ts'
import type { NearOperation } from '../../sessions/journal/near-misses.ts'
import { isUnmatched } from '../../sessions/journal/record.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'
import { findRecovery, findRetryState } from '../../sessions/journal/summary.ts'
import { findCauseOf, findFailure } from './cause.ts'
import { findConflict, findVersions } from './conflict.ts'
import { toMeta } from './resources.ts'
import type { WrittenVersion } from './resources.ts'
import type { KeptExchange } from '../../sessions/journal/kept-exchange.ts'
import type { Session } from '../../sessions/sessions.ts'
import type { AdminParts } from './request.ts'

/** Whether a response matches the contract. */
export type ContractCheck =
  | { readonly kind: 'holds' }
  | { readonly kind: 'broken'; readonly violations: readonly Violation[] }
  /** Not checked; the sentence says why. */
  | { readonly kind: 'none'; readonly sentence: string }

/** Checks the response of an exchange against the contract. */
export function checkContract({ operation, request, response }: RedactedExchange): ContractCheck {
  if (response.fault !== undefined)
    return { kind: 'none', sentence: 'The connection broke before a response: nothing to check.' }
  if (!isOperation(operation))
    return { kind: 'none', sentence: 'No operation matches: nothing to check against the contract.' }
  if (response.body?.isCut === true)
    return {
      kind: 'none',
      sentence: 'The body is longer than 64 KiB and was not kept in full, so it cannot be checked.',
    }
  const { status, headers, body } = response
  const answered = {
    status,
    headers: new Headers(
      Object.entries(headers).flatMap(([name, value]) =>
        value.split('\n').map((one) => [name, one] as [string, string]),
      ),
    ),
    body: body?.encoding === 'utf-8' ? body.text : undefined,
  }
  const violations = findViolations(endpoints[operation], request.method, answered)
  return violations.length === 0 ? { kind: 'holds' } : { kind: 'broken', violations }
}

/** The decisions behind an exchange: those of its operation, and those named in its warnings. */
export function decisionsOf(entry: RedactedExchange): readonly DecisionId[] {
  const { operation, warnings } = entry
  const unmatched: readonly DecisionId[] = isUnmatched(entry) ? ['D24'] : []
  const own: readonly DecisionId[] = isOperation(operation) ? endpoints[operation].decisions : unmatched
  const warned = warnings.map((warning) => warning.split(' ', 1)[0] ?? '')
  return [...new Set([...own, ...warned])].filter((id): id is DecisionId => Object.hasOwn(decisions, id))
}

/** Passed-through requests are for another service, so only a path that is almost right was meant for the mock. */
const NEARLY = 0.3

/** The operations that an unmatched request, or one that was passed through, was probably meant for. */
export function findNear(entry: RedactedExchange): readonly NearOperation[] {
  if (isUnmatched(entry)) return findNearMisses(entry)
  return entry.isPassedThrough === true ? findNearMisses(entry).filter(({ distance }) => distance < NEARLY) : []
}

/** A request with all that its explanation says. */
export type ExplainedRequest = Awaited<ReturnType<typeof explain>>

/** Explains why a request got its response. */
export async function explain(parts: Pick<AdminParts, 'store' | 'clock'>, session: Session, entry: RedactedExchange) {
  const versions = await findVersions(parts, session, entry)
  const exchange = session.journal.exchanges().find(({ id }) => id === entry.id)
  const failure = findFailure(entry)
  const now = parts.clock()
  const conflict = findConflict(entry, versions, now, exchange?.attempt?.previous?.entry)
  const nearMisses = findNear(entry)
  const cause = findCauseOf({ entry, failure, conflict, versions, nearMisses, now })
  return { entry, failure, cause, conflict, versions, nearMisses, exchange, contract: checkContract(entry) }
}

const toVersionJson = (version: WrittenVersion | undefined, number: string) =>
  version === undefined ? { version: readInteger(number) } : toMeta(version)

const toAttemptJson = ({ entry, time, status }: KeptExchange) => ({
  id: entry.id,
  time: new Date(time).toISOString(),
  status,
})

function toRetryJson(exchange: KeptExchange) {
  const { attempts, previous } = exchange.attempt ?? {}
  if (attempts === undefined) return undefined
  const recovery = findRecovery(exchange)
  return {
    state: findRetryState(exchange),
    ...(previous === undefined ? {} : { retryOf: attempts.first.entry.id, previous: toAttemptJson(previous) }),
    ...(recovery === undefined ? {} : { succeeded: toAttemptJson(recovery) }),
  }
}

/** Converts to the response of the admin API, without members that do not apply. */
export function toExplanationJson({ entry, failure, cause, conflict, versions, ...found }: ExplainedRequest) {
  const { nearMisses, exchange, contract } = found
  return {
    sentence: cause?.sentence,
    cause: {
      kind: cause?.kind,
      ...(failure === undefined ? {} : { code: failure.code, message: failure.detail ?? failure.message }),
      scenarios: entry.scenarios,
      warnings: entry.warnings,
    },
    conflict: conflict && {
      sent: toVersionJson(conflict.sentVersion, conflict.sent),
      current: toVersionJson(conflict.currentVersion, conflict.current),
    },
    versions: versions?.map(toMeta),
    nearMisses:
      nearMisses.length === 0
        ? undefined
        : nearMisses.map(({ operation, message, differences }) => {
            const { method, path } = endpoints[operation]
            return { operation, method, path, message, differences }
          }),
    retry: exchange && toRetryJson(exchange),
    contract,
    decisions: decisionsOf(entry).map((id) => ({ id, title: decisions[id] })),
    remedy: cause?.remedy,
  }
}
