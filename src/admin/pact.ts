import { Hono } from 'hono'
import { problem } from '../errors.ts'
import { readEntries } from '../journal/read-entries.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { toJsonStream } from './json-stream.ts'
import type { AdminEnv } from './request.ts'

interface PactRouteParts {
  readonly fixtures: () => Fixtures
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
}

const MOST_CHARACTERS = 200

/** @throws {Problem} 400 if it is missing or not a valid name. */
function expectParticipant(query: URLSearchParams, name: 'consumer' | 'provider'): string {
  const value = query.get(name)?.trim() ?? ''
  if (value !== '' && value.length <= MOST_CHARACTERS) return value
  throw problem.requiredField(
    name,
    `The parameter ${name} must name the ${name} of the pact, in 1 to ${MOST_CHARACTERS} characters. Ask for /__admin/pact?consumer=storefront&provider=resource-service.`,
  )
}

/** The session's exchanges as a pact. */
export function createPactRoutes({ fixtures, elapsed }: PactRouteParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/pact', async ({ env: { admin } }) => {
    const { journal, scenarios } = admin.session
    const participants = {
      consumer: expectParticipant(admin.query, 'consumer'),
      provider: expectParticipant(admin.query, 'provider'),
    }
    const { writePact } = await import('../pact/write-pact.ts')
    const parts = { fixtures: fixtures().resources, defined: scenarios.defined, elapsed }
    return toJsonStream(writePact(readEntries(journal.exchanges(), elapsed), { ...participants, ...parts }))
  })
  return routes
}
