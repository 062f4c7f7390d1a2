import * as z from 'zod'
import type { Scenario } from '../scenarios/schema.ts'
import { endpoints } from '../contract/endpoints.ts'
import { parseJson } from '../http/json.ts'
import { resourceRecord, toResourceText } from '../state/resource-record.ts'
import type { ResourceRecord } from '../state/resource-record.ts'
import type { StoredResource } from '../state/resource.ts'
import { inSlices } from '../util/pause.ts'
import { findMatch } from './head-match.ts'
import type { ReadExchange } from './exchange.ts'
import { findSeen, stateFor } from './state-for.ts'
import type { RequiredState } from './state-for.ts'
import { toTokenScopes } from './scopes.ts'

/** The name of the state of an exchange that no scenario acted on; any other name is that of scenarios. */
export const PLAIN_STATE = 'a project with these resources'

/** What a provider state carries, so that ids and versions of its interaction are there whatever came before. */
export const stateParameters = z.looseObject({
  projectKey: z.string().optional(),
  /** The full scopes that its token needs, such as `manage_test:acme`; absent where no token is sent, or one that is refused. */
  scopes: z.array(z.string()).optional(),
  /** Records as fixtures have them: all that the project holds. */
  resources: z.array(z.unknown()).optional(),
  /** Names of what was posted before (D16). */
  posted: z.array(z.string()).optional(),
  /** JSON text of the action payload (D22). */
  action: z.string().optional(),
  /** What the scenarios made of the exchange. */
  status: z.int().optional(),
  /** Scenarios that no file has, by name. */
  definitions: z.record(z.string(), z.unknown()).optional(),
})
export type StateParameters = z.output<typeof stateParameters>

export interface ProviderState {
  readonly name: string
  readonly params: StateParameters
}

/** Tells what has to be there for an exchange; undefined where that cannot be told. */
export type ToState = (exchange: ReadExchange) => Promise<ProviderState | undefined>

interface ProviderStateParts {
  /** What every project starts with. */
  readonly fixtures: readonly StoredResource[]
  /** Scenarios that the session has defined. */
  readonly defined: ReadonlyMap<string, Scenario>
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
}

/** The scenarios that have to be brought along, as the admin API takes them. */
function toDefinitions(
  names: readonly string[],
  defined: ProviderStateParts['defined'],
): Pick<StateParameters, 'definitions'> {
  const found = names.flatMap((name) => {
    const scenario = defined.get(name)
    return scenario === undefined ? [] : [[name, { description: scenario.description, rules: scenario.rules }] as const]
  })
  return found.length === 0 ? {} : { definitions: Object.fromEntries(found) }
}

/** What a file would have of a resource. */
const toRecord = (resource: StoredResource): ResourceRecord => resourceRecord.parse(parseJson(toResourceText(resource)))

/** Creates what tells the states of a session's exchanges, to be asked in the order in which they happened. */
export function createToState({ fixtures, defined, elapsed }: ProviderStateParts): ToState {
  const seen: ResourceRecord[] = []

  function* listKnown(): Generator<ResourceRecord> {
    yield* seen
    for (const resource of fixtures) yield toRecord(resource)
  }

  async function findState(exchange: ReadExchange): Promise<RequiredState | undefined> {
    const { operation, entry } = exchange
    if (endpoints[operation].purpose !== 'check' || entry.response.status !== 200) return stateFor(exchange)
    const match = await findMatch(exchange, inSlices(listKnown(), elapsed))
    return match === undefined ? undefined : { resources: [match] }
  }

  return async function toState(exchange) {
    const { entry, parameters } = exchange
    const found = await findState(exchange)
    seen.push(...findSeen(exchange))
    if (found === undefined) return undefined
    const isBent = entry.scenarios.length > 0
    const scopes = toTokenScopes(exchange)
    return {
      name: isBent ? entry.scenarios.join(', ') : PLAIN_STATE,
      params: {
        projectKey: parameters['projectKey'],
        ...(scopes.length === 0 ? {} : { scopes: [...scopes] }),
        resources: [...found.resources],
        ...(found.posted === undefined ? {} : { posted: [...found.posted] }),
        ...(found.action === undefined ? {} : { action: found.action }),
        ...(isBent ? { status: entry.response.status, ...toDefinitions(entry.scenarios, defined) } : {}),
      },
    }
  }
}
