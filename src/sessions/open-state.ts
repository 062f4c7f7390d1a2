import { SetupError } from '../errors.ts'
import { createCoverage } from './journal/counts.ts'
import { createJournals } from './journal/journal.ts'
import type { Redactor } from './journal/redact.ts'
import { createRuleRunner } from '../service/scenarios/rule-runner.ts'
import type { Persistence } from '../service/state/kept-state.ts'
import { createMemory } from '../service/state/memory.ts'
import { EVERY_PROJECT, parseProjectId } from '../service/state/project-data.ts'
import { createStore } from '../service/state/store.ts'
import type { Store } from '../service/state/store.ts'
import { createArchive } from './archive.ts'
import { createEvents } from './events.ts'
import { createRuns } from './runs.ts'
import { openSessionLines } from './session-lines.ts'
import { DEFAULT_SESSION } from './session-names.ts'
import { createSessions } from './sessions.ts'
import type { SessionParts } from './sessions.ts'
import type { StoreIdentity, SharedStore } from './shared-store.ts'
import type { Sources } from './sources.ts'

/** The state of a mock that keeps more could be longer than JavaScript's longest string. */
const MOST_PERSISTED = 512 * 1024 * 1024

/** At most this many projects are named in a notice. */
const MOST_NAMED = 10

/** Says which projects were changed over other fixtures; undefined if there are none. */
function describeOldProjects(sessions: ReadonlyMap<string, ReadonlyMap<string, unknown>>): string | undefined {
  const names = [...sessions].flatMap(([session, projects]) =>
    [...projects.keys()]
      .map(parseProjectId)
      .filter(({ projectKey }) => projectKey !== EVERY_PROJECT.projectKey)
      .map(({ baseUrl, projectKey }) => [session === DEFAULT_SESSION ? '' : `@${session}`, baseUrl, projectKey])
      .map((parts) => parts.filter((part) => part !== '').join('/')),
  )
  if (names.length === 0) return undefined
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `The fixtures are not those of the last run. The changes of these projects now apply to the new ones: ${names.slice(0, MOST_NAMED).join(', ')}${more}. To drop the changes, reset their sessions (POST /__admin/reset).`
}

const newId = (): string => crypto.randomUUID()

/**
 * Opens all mutable state of a mock: in memory, restored from `persistence`, or in a store shared by several mocks. Each
 * part is created with those above it.
 *
 * @throws {SetupError} if it cannot be read or reached.
 */
export async function openState(
  options: {
    readonly seed: number
    readonly persistence?: Persistence | undefined
    readonly store?: SharedStore | undefined
    readonly onNotice?: ((sentence: string) => void) | undefined
    readonly journal: number
    readonly memory: number
    readonly maxSessions: number
    readonly sessionTtl: number
  },
  parts: {
    readonly sources: Pick<Sources, 'initial' | 'catalog'>
    /** The scenarios given on the command line. */
    readonly defaults: readonly string[]
    readonly redactor: Redactor
    /** Epoch milliseconds by the mock's clock. */
    readonly clock: () => number
    /** Epoch milliseconds of the system. */
    readonly now: () => number
    /** Milliseconds of a monotonic clock. */
    readonly elapsed: () => number
    /** Identifies the mocks that may share a store. */
    readonly identify: () => Promise<StoreIdentity>
    /** Identifies the fixtures, including generated resources. */
    readonly identifyFixtures: () => Promise<string>
    readonly onFault: (fault: unknown, correlationId: string) => void
  },
) {
  // oxlint-disable-next-line no-console -- the documented default of MockOptions
  const { persistence, seed, maxSessions, sessionTtl, onNotice = console.warn } = options
  const { sources, redactor, clock, now, elapsed, onFault, defaults } = parts
  const { catalog } = sources
  if (persistence !== undefined && options.memory > MOST_PERSISTED) {
    throw new SetupError(
      `The option memory (--memory) is ${options.memory}, but a persisted state is limited to ${MOST_PERSISTED} bytes (512mb). Lower it, or remove --persist.`,
    )
  }
  if (persistence !== undefined && options.store !== undefined)
    throw new SetupError('store and persistence are mutually exclusive. Remove one of them.')

  const events = createEvents(redactor.url)
  const memory = createMemory(options.memory)
  // Ids are not from the seed: reading a journal must not change the ids generated from it.
  const journals = createJournals({ redactor, capacity: options.journal, memory, newId })
  const createRunner: SessionParts['createRuleRunner'] = (elapsedInSession, counters) =>
    createRuleRunner({ seed, elapsed: elapsedInSession, counters })

  // What a mock needs only sometimes is loaded on demand, for a faster startup.
  const shares = options.store && (await import('./sharing.ts'))
  const shared =
    options.store &&
    (await shares?.openShared(options.store, {
      identity: await parts.identify(),
      now,
      elapsed,
      journals,
      journal: options.journal,
      maxSessions,
      sessionTtl,
      onNotice,
    }))

  async function openStore(): Promise<Store> {
    const storeParts = { sources, memory, onWrite: events.noteWrite }
    if (persistence !== undefined) {
      const { openPersistedStore } = await import('../service/state/persisted-store.ts')
      return openPersistedStore({
        ...storeParts,
        persistence,
        onFault: (fault) => onFault(fault, 'persist'),
        fixtures: await parts.identifyFixtures(),
        onOtherFixtures(kept) {
          const notice = describeOldProjects(kept)
          if (notice !== undefined) onNotice(notice)
        },
      })
    }
    if (shared === undefined) return createStore(storeParts)
    const { createLoggedStore } = await import('../service/state/logged-store.ts')
    return createLoggedStore({ ...storeParts, log: shared.log })
  }

  const store = await openStore()
  const runs = createRuns({ events, now, memory, shared: shared?.runs })
  const archive = createArchive({
    runs,
    store,
    catalog,
    clock,
    elapsed,
    createRuleRunner: createRunner,
    shared: shared?.runs,
  })
  const coverage = createCoverage()
  const sessions = createSessions({
    store,
    clock,
    elapsed,
    now,
    // A shared store counts the sessions of all mocks.
    max: shared === undefined ? maxSessions : Infinity,
    ttl: sessionTtl,
    createRuleRunner: createRunner,
    createJournal: journals.open,
    createCoverage: coverage.openSession,
    findTest: runs.ofSession,
    archive,
    events,
    shared,
  })
  const sharing =
    shared &&
    shares?.createSharing(shared, { store, sessions, runs, archive, events, now, maxSessions, sessionTtl, defaults })
  // A write restarts a session that ended during its request, so that its data still belong to a session.
  store.listen({ enterSession: sessions.enter, onForeign: sharing?.publish })
  memory.freeInOrder({
    all: [runs.evictOldest, journals.dropOldest, store.history.dropOldest, runs.forgetOldest, sessions.endIdlest],
    // The tests and the archive belong to no session.
    one: [journals.dropOldest, store.history.dropOldest],
  })
  const keepJournals = persistence?.journal && (await openSessionLines(persistence.journal, sessions, catalog))

  return {
    coverage: shared?.coverage ?? coverage,
    events,
    journals,
    memory,
    runs,
    sessions,
    store: archive.withArchived(store),
    /** Absent if the mock shares nothing. */
    sharing,
    /** Ends all event streams, and resolves once everything is stored. */
    async close(): Promise<void> {
      events.end()
      await store.close()
      await sharing?.close()
      // The data is saved already, so the mock closes even if the journals cannot be saved.
      await keepJournals?.().catch(async (fault: unknown) => {
        const { toJournalError } = await import('../service/state/kept-state.ts')
        onFault(toJournalError(persistence ?? {}, fault), 'close')
      })
    },
  }
}
