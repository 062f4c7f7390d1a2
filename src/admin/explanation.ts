import { Hono } from 'hono'
import * as z from 'zod'
import { decisions } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import { endpoints, isOperation } from '../contract/endpoints.ts'
import { findJson } from '../http/json.ts'
import { toJson } from '../http/json-response.ts'
import { isUnmatched } from '../journal/entry.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { findNearMisses } from '../journal/near-misses.ts'
import type { Session } from '../sessions/session.ts'
import type { Store } from '../state/store.ts'
import { explainConflict, findVersions } from './conflict.ts'
import type { AdminEnv } from './request.ts'
import { findEntry } from './requests.ts'
import { toMeta } from './versions.ts'

interface ExplanationParts {
  readonly store: Store
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
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

/** What a client does about a failure, by status. */
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

/** Why a request got its response, and what to do about it. */
async function explain(parts: ExplanationParts, session: Session, entry: JournalEntry) {
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
export function createExplanationRoutes(parts: ExplanationParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/requests/:id/explanation', async ({ req, env: { admin } }) =>
    toJson(await explain(parts, admin.session, findEntry(admin, req.param('id')))),
  )
  return routes
}
