import { Hono } from 'hono'
import { problem } from '../errors.ts'
import { toJson } from '../http/json-response.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { AdminEnv } from './request.ts'

interface PactRouteParts {
  readonly fixtures: () => Fixtures
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
export function createPactRoutes({ fixtures }: PactRouteParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/pact', async ({ env: { admin } }) => {
    const { journal, scenarios } = admin.session
    const participants = {
      consumer: expectParticipant(admin.query, 'consumer'),
      provider: expectParticipant(admin.query, 'provider'),
    }
    const { toPact } = await import('../pact/to-pact.ts')
    const parts = { fixtures: fixtures().resources, defined: scenarios.defined }
    return toJson(toPact(journal.entries(), { ...participants, ...parts }))
  })
  return routes
}
