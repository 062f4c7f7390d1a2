import * as z from 'zod'
import * as values from '../options/option.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import { toJson } from '../http/envelope.ts'
import { expectRetirable } from '../sessions/sessions.ts'
import { parseProjectId } from '../state/change.ts'
import { readSwitch, expectBody } from './request.ts'
import { showValue } from '../http/json.ts'
import type { Session } from '../sessions/session.ts'
import type { Value } from '../options/option.ts'
import type { AdminParts, AdminRoutes } from './routes.ts'

/** Lists and deletes sessions. */
export function createSessionRoutes({ sessions, store, defaults }: AdminParts): AdminRoutes {
  const toSessionJson = ({ name, lastUsedAt, journal, scenarios, snapshots }: Session) => ({
    name,
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    requests: journal.size,
    activeScenarios: scenarios.active ?? defaults,
    projects: Array.from(store.written(name).keys(), parseProjectId).filter(({ projectKey }) => projectKey !== ''),
    snapshots: snapshots.size,
  })

  return {
    'GET /sessions': () => toJson({ sessions: Array.from(sessions.all(), toSessionJson) }),
    // The default session starts again with the next request in it, like any other.
    'DELETE /sessions/:name': async (admin, param) => {
      const name = param('name')
      const isFinal = readSwitch(admin.query, 'final')
      if (!isFinal && sessions.find(name) === undefined) {
        const known = Array.from(sessions.all(), (one) => one.name)
        throw problem.notFound(
          `No session is named ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, known)} GET /__admin/sessions lists all sessions.`,
        )
      }
      if (isFinal) expectRetirable(name)
      await store.write(name, () => store.change(name, { kind: 'end', ...(isFinal ? { isFinal } : {}) }))
      if (isFinal) sessions.retire(name)
      else sessions.end(name)
      return toJson({})
    },
  }
}

const clockBody = z.strictObject({ now: z.unknown().optional(), advance: z.unknown().optional() })

/** The end of the year 9999, the last that ISO 8601 writes with four digits. */
const LATEST = Date.UTC(10_000, 0) - 1

const duration = values.duration({ min: 1, max: LATEST })

/** @throws {Problem} 400 for another value. */
function expectValue<Parsed>(field: string, { schema, expected }: Value<Parsed, unknown>, given: unknown): Parsed {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw problem.invalidField({
    field,
    invalidValue: given,
    message: `"${field}" must be ${expected}, not ${showValue(given)}.`,
  })
}

/** @throws {Problem} 400 for a body that does not say exactly one time. */
function readTime(body: unknown, { clock }: Session): number {
  const { now, advance } = expectBody(clockBody, body)
  if ((now === undefined) === (advance === undefined)) {
    throw problem.invalidInput(
      'Send either {"advance":"2h"} to move the clock of the session forward, or {"now":"2026-01-31T12:00:00Z"} to set it.',
    )
  }
  const time =
    now === undefined
      ? clock.now() + expectValue('advance', duration, advance)
      : Date.parse(expectValue('now', values.dateTime, now))
  if (time <= LATEST) return time
  throw problem.invalidInput('The clock cannot go beyond the year 9999. Advance it by less.')
}

const answer = ({ clock }: Session): Response => toJson({ now: new Date(clock.now()).toISOString() })

/** Reads and sets the clock of the session. */
export function createClockRoutes({ store, events }: AdminParts): AdminRoutes {
  return {
    'GET /clock': (admin) => answer(admin.session),
    'PUT /clock': async (admin) => {
      const { session } = admin
      const body = await admin.readJson()
      await store.write(session.name, () => session.clock.set(readTime(body, session)))
      events.publish({ kind: 'state', session: session.name })
      return answer(session)
    },
    'DELETE /clock': async (admin) => {
      const { session } = admin
      await store.write(session.name, () => session.clock.reset())
      events.publish({ kind: 'state', session: session.name })
      return answer(session)
    },
  }
}
