import { createCoverage } from '../journal/counts.ts'
import type { Coverage } from '../journal/counts.ts'
import { createJournals } from '../journal/journal.ts'
import type { Journals } from '../journal/journal.ts'
import type { Redactor } from '../journal/redact.ts'
import type { Catalog } from '../scenarios/engine.ts'
import { createRuleRunner } from '../scenarios/rule-runner.ts'
import type { ProjectData } from '../state/project-data.ts'
import type { Persistence } from '../state/kept-state.ts'
import { createStore } from '../state/store.ts'
import type { Store, StoreParts } from '../state/store.ts'
import { toStateLimits } from '../state/limits.ts'
import { createEvents } from './events.ts'
import type { Events } from './events.ts'
import { createSessionClock, createScenarioState } from './session.ts'
import { createSessions } from './sessions.ts'
import type { Sessions } from './sessions.ts'
import type { Identity, SharedStore } from './shared-store.ts'
import type { Sharing } from './sharing.ts'

/** The options that are about what sessions keep. */
interface StateOptions {
  readonly seed: number
  readonly persistence?: Persistence | undefined
  readonly store?: SharedStore | undefined
  readonly onNotice?: ((sentence: string) => void) | undefined
  readonly imageBytes: number
  readonly journal: number
  readonly journalBytes: number
  readonly maxSessions: number
  readonly sessionTtl: number
}

interface StateParts {
  /** What every project starts with, now. */
  readonly seed: () => ProjectData
  readonly catalog: Catalog
  /** The scenarios of the command line. */
  readonly defaults: readonly string[]
  readonly redactor: Redactor
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
  /** Which other mocks are like this one. */
  readonly identify: () => Promise<Identity>
  readonly onFault: (fault: unknown, correlationId: string) => void
}

/** Everything that changes while a mock runs. */
export interface State {
  readonly coverage: Coverage
  readonly events: Events
  readonly journals: Journals
  readonly sessions: Sessions
  readonly store: Store
  /** Absent for a mock that shares nothing. */
  readonly sharing: Sharing | undefined
  /** Ends all event streams, and resolves once everything is kept. */
  close(): Promise<void>
}

const newId = (): string => crypto.randomUUID()

/**
 * Opens the state: in memory, over what `persistence` has kept, or in a store that mocks share.
 *
 * @throws {SetupError} if that cannot be read or reached.
 */
export async function openState(options: StateOptions, parts: StateParts): Promise<State> {
  const { persistence, seed } = options
  const { catalog, clock, elapsed, onFault } = parts
  const events = createEvents()
  const journals = createJournals({
    redactor: parts.redactor,
    capacity: options.journal,
    maxBytes: options.journalBytes,
    // What reads a journal must not change what a seed makes.
    newId,
  })

  async function share(sharedStore: SharedStore): Promise<Sharing> {
    const { openSharing } = await import('./sharing.ts')
    return openSharing(sharedStore, options, {
      identity: await parts.identify(),
      now: Date.now,
      elapsed,
      store: () => store,
      sessions: () => sessions,
      journals,
      events,
      defaults: parts.defaults,
    })
  }

  const sharing = options.store && (await share(options.store))
  const coverage = sharing?.coverage ?? createCoverage()
  const storeParts: StoreParts = {
    fixtures: parts.seed,
    // One that went while a request in it was under way begins again, so that no data are without a session.
    enterSession: (session) => void sessions.enter(session),
    limits: toStateLimits(options.imageBytes, persistence !== undefined),
    freeMemory: () => sessions.endIdlest(),
    onWrite: events.noteWrite,
  }

  async function openStore(): Promise<Store> {
    // Loaded only if needed, for a quicker start.
    if (persistence !== undefined) {
      const { openPersistedStore } = await import('../state/persisted-store.ts')
      return openPersistedStore({ ...storeParts, persistence, newId })
    }
    if (sharing === undefined) return createStore(storeParts)
    const { createLoggedStore } = await import('../state/logged-store.ts')
    return createLoggedStore({ ...storeParts, log: sharing.log, onForeign: sharing.publish })
  }

  const store = await openStore()
  const sessions = createSessions({
    // Those of all mocks are counted in the store that they share.
    max: sharing === undefined ? options.maxSessions : Infinity,
    ttl: options.sessionTtl,
    // Sessions idle by the real time, however the mock's own stands.
    clock: Date.now,
    known: store.sessions(),
    createClock: (name) =>
      createSessionClock({
        clock,
        elapsed,
        read: () => store.clock(name),
        move: (move) => store.change(name, { kind: 'clock', ...move }),
      }),
    createScenarioState: (name, own) =>
      createScenarioState(
        () => store.scenarioSelection(name),
        () => createRuleRunner({ seed, elapsed: own.elapsed, counters: sharing?.countersOf(name) }),
      ),
    createJournal: sharing?.createJournal ?? journals.open,
    createCoverage: coverage.openSession,
    snapshots: store.snapshots,
    settled: sharing?.settled,
    hasWritten: store.has,
    onUse: sharing?.use,
    onEnd(name, cause) {
      const isFinal = cause === 'final'
      sharing?.end(name)
      // A session that only read has left requests and counts in a store that mocks share.
      if (store.has(name) || (sharing !== undefined && cause === 'idle')) store.change(name, { kind: 'end' })
      events.publish({ kind: 'state', session: name, ended: true, ...(isFinal ? { final: true } : {}) })
      events.end(name)
    },
  })
  const keepJournals =
    persistence?.journal === undefined
      ? undefined
      : await (await import('./session-lines.ts')).openSessionLines(persistence.journal, sessions, catalog, elapsed)

  return {
    coverage,
    events,
    journals,
    sessions,
    store,
    sharing,
    async close() {
      events.end()
      await store.close()
      await sharing?.close()
      // The data are saved already, so the mock closes even if the journals cannot be saved.
      await keepJournals?.().catch((fault: unknown) => onFault(fault, 'close'))
    },
  }
}
