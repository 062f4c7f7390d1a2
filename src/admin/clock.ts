import { Hono } from 'hono'
import * as z from 'zod'
import { problem } from '../errors.ts'
import { toJson } from '../http/json-response.ts'
import { showValue } from '../http/show-value.ts'
import * as values from '../options/values.ts'
import type { Value } from '../options/values.ts'
import type { Events } from '../sessions/events.ts'
import type { Session } from '../sessions/session.ts'
import type { Store } from '../state/store.ts'
import { expectBody } from './request.ts'
import type { AdminEnv } from './request.ts'

interface ClockRouteParts {
  readonly store: Store
  readonly events: Events
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

/** The clock of the session: what the time is, and moving it. */
export function createClockRoutes({ store, events }: ClockRouteParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/clock', ({ env: { admin } }) => answer(admin.session))
  routes.put('/clock', async ({ env: { admin } }) => {
    const { session } = admin
    const body = await admin.readJson()
    await store.write(session.name, () => session.clock.set(readTime(body, session)))
    events.publish({ kind: 'state', session: session.name })
    return answer(session)
  })
  routes.delete('/clock', async ({ env: { admin } }) => {
    const { session } = admin
    await store.write(session.name, () => session.clock.reset())
    events.publish({ kind: 'state', session: session.name })
    return answer(session)
  })
  return routes
}
