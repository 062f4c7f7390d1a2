import { isRead } from '../../../service/http/request-head.ts'
import { createBodies } from './bodies.ts'
import { createComplex } from './complex.ts'
import type { Conversation } from './conversation.ts'
import { createGrammar } from './grammar.ts'
import type { Pool } from './grammar.ts'
import { createLifecycles, createSequences } from './lifecycles.ts'
import { createParameters } from './parameters.ts'
import { createQueries } from './queries.ts'
import { createPool, storeValues } from './resources.ts'
import { createRefusedSearches, createSearches } from './searches.ts'
import { createMethods, createServiceReads } from './service.ts'
import { createScopes, createWrongAuthorizations } from './tokens.ts'

/** Conversations that may be held at the same time; groups are held one after the other. */
export type ConversationGroup = readonly Conversation[]

/** The share of the generated requests that a quick run sends, and that of steps that are alike. */
const QUICK_SHARE = 0.04
const SAMPLE = 0.2

const isReading = ({ steps }: Conversation): boolean => steps.every(({ method }) => isRead(method))

/**
 * Creates all conversations of a run. The same settings make the same ones.
 *
 * @param settings.isStrict the service rejects what others only warn about
 * @param settings.found the resources to read, if the run may not create any
 * @param settings.given the name of a resource to read, if its id was given
 * @param settings.hasToken both sides have issued a token
 */
export function createConversations(settings: {
  readonly seed: number
  readonly isQuick: boolean
  readonly isStrict: boolean
  readonly found: Pool | undefined
  readonly given?: string | undefined
  readonly hasToken: boolean
}): readonly ConversationGroup[] {
  const { seed, isQuick, isStrict, found, given, hasToken } = settings
  const grammar = createGrammar(seed, isQuick ? QUICK_SHARE : 1)
  const { pool: made, creation } = createPool(grammar, isStrict)
  const pool = found ?? made
  const searches =
    pool.ownSearch === undefined ? createRefusedSearches() : createSearches(grammar, pool, pool.ownSearch)
  const queries = pool.names.length === 0 ? [] : createQueries(grammar, pool, found === undefined)
  const scopes = createScopes(grammar, found, given)
  const parameters = createParameters(grammar, given ?? found?.names[0])
  /** Leaves out steps whose values no other step needs: both sides miss the same ones. */
  const sample = (one: Conversation): Conversation =>
    one.isSampled === true
      ? { ...one, steps: one.steps.filter((step) => step.save !== undefined || grammar.next() < SAMPLE) }
      : one
  const writes = [
    ...createLifecycles(grammar, isStrict),
    ...createComplex(grammar, isStrict),
    ...storeValues(grammar, isStrict),
    ...createBodies(grammar, isStrict),
    ...createMethods(),
  ]
  const others = [
    ...writes,
    ...parameters,
    ...createServiceReads(),
    ...scopes,
    ...createWrongAuthorizations(hasToken),
    ...queries,
    ...searches,
  ]
  const groups =
    found === undefined ? [[creation], ...createSequences().map((one) => [one]), others] : [others.filter(isReading)]
  return isQuick ? groups.map((group) => group.map(sample).filter(({ steps }) => steps.length > 0)) : groups
}
