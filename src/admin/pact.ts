import { problem } from '../errors.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { toJson } from './route.ts'
import type { Routes } from './route.ts'

interface PactParts {
  readonly fixtures: () => Fixtures
}

const MOST_CHARACTERS = 200

/** @throws {Problem} 400 where there is none, or it is no name. */
function expectParticipant(query: URLSearchParams, name: 'consumer' | 'provider'): string {
  const value = query.get(name)?.trim() ?? ''
  if (value !== '' && value.length <= MOST_CHARACTERS) return value
  throw problem.requiredField(
    name,
    `The parameter ${name} must name the ${name} of the pact, in 1 to ${MOST_CHARACTERS} characters. Ask for /__admin/pact?consumer=storefront&provider=resource-service.`,
  )
}

/** The session's exchanges as a pact. */
export function createPactRoutes({ fixtures }: PactParts): Routes {
  return {
    '/pact': {
      async GET({ session: { journal, scenarios }, query }) {
        const participants = {
          consumer: expectParticipant(query, 'consumer'),
          provider: expectParticipant(query, 'provider'),
        }
        const parts = { fixtures: fixtures().resources, defined: scenarios.defined }
        const { toPact } = await import('../pact/to-pact.ts')
        return toJson(toPact(journal.entries(), { ...participants, ...parts }))
      },
    },
  }
}
