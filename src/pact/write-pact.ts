import { stringifyJson } from '../http/json.ts'
import { writeList } from '../http/json-list.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { Scenario } from '../scenarios/schema.ts'
import type { StoredResource } from '../state/resource.ts'
import { VERSION } from '../version.ts'
import { findExchange } from './exchange.ts'
import { createToState } from './provider-state.ts'
import { findObstacle, toPactRequest } from './request.ts'
import { toPactResponse } from './response.ts'

/** Who has asked, and who has answered. */
export interface Pacticipants {
  readonly consumer: string
  readonly provider: string
}

interface PactParts extends Pacticipants {
  /** What every project starts with. */
  readonly fixtures: readonly StoredResource[]
  /** Scenarios that the session has defined. */
  readonly defined: ReadonlyMap<string, Scenario>
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
}

/** Numbers descriptions that are the same, since a pact tells its interactions apart by them. */
function createDescribe(): (text: string) => string {
  const counts = new Map<string, number>()
  return function describe(text) {
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    return count === 1 ? text : `${text} (${count})`
  }
}

/** A request that cannot be sent again. */
interface LeftOut {
  readonly request: string
  readonly reason: string
}

/** The interactions of a pact; what cannot be sent again is added to a list. */
async function* toInteractions(
  entries: AsyncIterable<JournalEntry>,
  parts: Omit<PactParts, keyof Pacticipants>,
  leftOut: LeftOut[],
): AsyncGenerator<object, void> {
  const toState = createToState(parts)
  const describe = createDescribe()
  const known = new Set<string>()
  for await (const entry of entries) {
    const exchange = findExchange(entry)
    if (exchange === undefined) continue
    const { method } = entry.request
    const state = await toState(exchange)
    const obstacle = findObstacle(exchange) ?? (state === undefined ? 'what it found cannot be told' : undefined)
    if (obstacle !== undefined) {
      leftOut.push({ request: `${method} ${exchange.path}`, reason: obstacle })
      continue
    }
    const content = {
      providerStates: [state],
      request: toPactRequest(exchange),
      response: toPactResponse(exchange),
    }
    const text = stringifyJson(content)
    if (known.has(text)) continue
    known.add(text)
    const description = describe(`${exchange.operation} answers ${entry.response.status}`)
    yield { type: 'Synchronous/HTTP', description, pending: false, ...content }
  }
}

/**
 * Writes the exchanges of a session as a pact, version 4: what was asked, and answers like those that were given. An exchange
 * that happened twice in the same state appears once; what cannot be sent again is named in the metadata.
 *
 * @param entries oldest first
 */
export function writePact(
  entries: AsyncIterable<JournalEntry>,
  { consumer, provider, ...parts }: PactParts,
): AsyncGenerator<string, void> {
  const leftOut: LeftOut[] = []
  return writeList(
    'interactions',
    toInteractions(entries, parts, leftOut),
    (interaction) => interaction,
    () => ({
      consumer: { name: consumer },
      provider: { name: provider },
      metadata: {
        pactSpecification: { version: '4.0' },
        'resource-mock': { version: VERSION, ...(leftOut.length === 0 ? {} : { leftOut }) },
      },
    }),
  )
}
