import { SetupError } from '../errors.ts'
import type { Coverage, StoreMetrics } from '../journal/counts.ts'
import type { Journal, Journals } from '../journal/journal.ts'
import { createStoreMetrics } from '../journal/counts.ts'
import type { RuleCounters } from '../scenarios/rule-runner.ts'
import type { ChangeLog, Change } from '../state/change.ts'
import type { Persistence } from '../state/kept-state.ts'
import type { Store } from '../state/store.ts'
import { createRounds } from '../util/queue.ts'
import type { Events } from './events.ts'
import { isName } from './sessions.ts'
import type { Sessions } from './sessions.ts'
import { createSharedJournal, createSharedSessions } from './shared-store.ts'
import type { SharedJournal, SharedSession, SharedStore, SharedStoreParts } from './shared-store.ts'

/** In milliseconds. */
const SHORTEST_USE_INTERVAL = 1000
const LONGEST_USE_INTERVAL = 60_000

type StoreOptions = 'maxSessions' | 'sessionTtl' | 'journal'

interface SharingParts extends Omit<
  SharedStoreParts,
  StoreOptions | 'onChange' | 'onNotice' | 'metrics' | 'useInterval'
> {
  readonly store: () => Store
  readonly sessions: () => Sessions
  readonly journals: Journals
  readonly events: Events
  /** The scenarios of the command line. */
  readonly defaults: readonly string[]
}

/** The options that are about sharing. */
interface SharingOptions {
  readonly persistence?: Persistence | undefined
  readonly journal: number
  readonly maxSessions: number
  readonly sessionTtl: number
  readonly onNotice?: ((sentence: string) => void) | undefined
}

/** What makes the sessions of several mocks those of one. */
export interface Sharing {
  readonly log: ChangeLog
  readonly metrics: StoreMetrics
  /** Signs the tokens of all mocks. */
  readonly secret: string
  /** This mock is the first that was started, or the second, and so on. */
  readonly number: number
  readonly coverage: Coverage
  countersOf(session: string): RuleCounters
  createJournal(session: string): Journal
  /**
   * Takes over what others wrote to a session, and begins it in the store; undefined for what names none.
   *
   * @throws {Problem} 503 if there are too many sessions.
   */
  catchUp(session: string): Promise<void> | undefined
  /**
   * Reads all that others have changed: the data, journals and counters of every session, and which sessions there are.
   *
   * @param isBeginning whether the session begins, if it is not there
   * @throws {Problem} 503 if it should and there are too many.
   */
  look(session: string, isBeginning?: boolean): Promise<void>
  /**
   * Resolves once the store has what a session has handed to it; undefined if there is nothing to wait for. Called at the end of
   * each request: what was made for a session that has not begun goes.
   */
  settled(session: string): Promise<void> | undefined
  /** Publishes a change that another mock made. */
  publish(session: string, change: Change): void
  /** Notes that a session is used. */
  use(session: string): void
  /** Notes that a session has ended. */
  end(session: string): void
  /** @throws {SetupError} always: other mocks would go on with other fixtures. */
  refuseReload(): never
  close(): Promise<void>
}

/**
 * Connects the sessions of this mock to a store that others use, too.
 *
 * @throws {SetupError} if the store cannot be used.
 */
export async function openSharing(
  sharedStore: SharedStore,
  options: SharingOptions,
  parts: SharingParts,
): Promise<Sharing> {
  const { store, sessions, journals, events, defaults, now } = parts
  // oxlint-disable-next-line no-console -- the default that MockOptions promises
  const { journal: capacity, maxSessions, sessionTtl, onNotice = console.warn } = options
  if (options.persistence !== undefined) {
    throw new SetupError(
      'Both store and persistence are given. The state can be kept in one place only: remove one of them.',
    )
  }
  // A session that another mock uses may look idle for two intervals.
  const useInterval = Math.min(Math.max(sessionTtl / 3, SHORTEST_USE_INTERVAL), LONGEST_USE_INTERVAL)
  const metrics = createStoreMetrics()
  const opened = new Map<string, SharedSession>()
  const journalsBySession = new Map<string, SharedJournal>()

  const catchUp = createRounds(async (session) => store().catchUp(session))
  const look = createRounds(async (session) => {
    await catchUp(session)
    if (sessions().find(session) === undefined) {
      const usedAt = await shared.usedAt(session)
      // Nothing is kept for a name that has begun nowhere.
      if (usedAt === undefined) return
      sessions().learn(session, usedAt)
    }
    const { unseen, isShorter } = await journalOf(session).readDelta()
    if (!events.hasSubscribers(session)) return
    if (isShorter) events.publish({ kind: 'state', session })
    for (const entry of unseen) events.publish({ kind: 'request', session, entry })
  })
  const shared = await sharedStore.open({
    ...parts,
    metrics,
    useInterval,
    journal: capacity,
    maxSessions,
    sessionTtl,
    onNotice,
    onChange(session) {
      // The next request reports the error.
      if (events.hasSubscribers(session)) look(session).catch(() => undefined)
    },
  })

  function sessionOf(session: string): SharedSession {
    const known = opened.get(session)
    if (known !== undefined) return known
    const one = shared.session(session, () => store().clock(session).passed)
    opened.set(session, one)
    return one
  }

  function journalOf(session: string): SharedJournal {
    const known = journalsBySession.get(session)
    if (known !== undefined) return known
    const journal = createSharedJournal(journals, sessionOf(session))
    journalsBySession.set(session, journal)
    return journal
  }

  function forget(session: string): void {
    opened.delete(session)
    journalsBySession.delete(session)
  }

  const directory = createSharedSessions({
    shared,
    sessions,
    store,
    events,
    catchUp,
    forget,
    now,
    maxSessions,
    sessionTtl,
  })
  const timer = setInterval(() => void directory.read().catch(() => undefined), useInterval)
  // Outside of Node a timer is a number.
  if (typeof timer === 'object') timer.unref()

  return {
    log: shared.log,
    metrics,
    secret: shared.secret,
    number: shared.number,
    coverage: { ...shared.coverage, openSession: (session) => sessionOf(session).coverage },
    countersOf: (session) => sessionOf(session).counters,
    createJournal: (session) => (capacity > 0 ? journalOf(session) : journals.open()),
    catchUp: (session) => (isName(session) ? catchUp(session).then(() => directory.begin(session)) : undefined),
    async look(session, isBeginning = false) {
      await directory.read()
      const changed = await shared.changed()
      const names = [...changed].filter((name) => sessions().find(name) !== undefined)
      await Promise.all([...new Set([...names, session])].filter(isName).map(look))
      if (isBeginning && isName(session)) await directory.begin(session)
    },
    settled(session) {
      const settled = opened.get(session)?.settled()
      if (sessions().find(session) === undefined) forget(session)
      return settled
    },
    publish(session, change) {
      switch (change.kind) {
        case 'end':
          return directory.forget(session, change.isFinal === true)
        case 'active':
        case 'scenario':
          return events.publish({
            kind: 'scenario',
            session,
            active: store().scenarioSelection(session).active ?? defaults,
          })
        case 'project':
        case 'session':
        case 'snapshot':
        case 'restore':
        case 'clock':
          return events.publish({ kind: 'state', session })
        default:
          return undefined
      }
    },
    use: shared.use,
    end(session) {
      forget(session)
      shared.end(session)
    },
    refuseReload() {
      throw new SetupError(
        'Mocks that share a store keep the fixtures and scenarios that they began with. Start them again, with another ?prefix= in --store.',
      )
    },
    close() {
      clearInterval(timer)
      return shared.close()
    },
  }
}
