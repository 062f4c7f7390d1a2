import * as z from 'zod'
import { isOperation, endpoints } from '../contract/endpoints.ts'
import { findJson } from '../http/json.ts'
import { toMeta } from './resources.ts'
import { decisions } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import { toJson } from '../http/envelope.ts'
import { isFailedStatus, isUnmatched } from '../journal/record.ts'
import type { JournalEntry } from '../journal/record.ts'
import { findNearMisses } from '../journal/near-misses.ts'
import { explainConflict, findVersions } from './conflict.ts'
import { findEntry } from './requests.ts'
import type { AdminParts, AdminRoutes } from './request.ts'
import type { Session } from '../sessions/sessions.ts'

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
