import { SetupError } from '../errors.ts'
import { createStoreMetrics } from '../journal/counts.ts'
import type { Coverage } from '../journal/counts.ts'
import type { Journal, Journals } from '../journal/journal.ts'
import type { Change } from '../state/change.ts'
import type { Persistence } from '../state/kept-state.ts'
import type { Store } from '../state/store.ts'
import { createRounds } from '../util/turns.ts'
import type { Events } from './events.ts'
import { DEFAULT_SESSION, isName, tooManySessions } from './sessions.ts'
import type { Session, Sessions } from './sessions.ts'
import type { JournalDelta, SharedSession, SharedStore, SharedStoreParts } from './shared-store.ts'

/** A journal that other mocks write to, too. It shows what it had at the last read. */
interface SharedJournal extends Journal {
  /** Reads what is new, and returns it. */
  readDelta(): Promise<JournalDelta>
}

/** Creates the journal of a session that mocks share. A journal of this mock keeps what was read of it. */
function createSharedJournal({ open, read }: Journals, shared: SharedSession): SharedJournal {
  const known = open()
  let total = 0
  return {
    record(record) {
      const exchange = read(record)
      shared.record(exchange.entry)
      return exchange
    },
    restore: known.restore,
    exchanges: known.exchanges,
    find: known.find,
    clear() {
      known.clear()
      total = 0
      shared.clear()
    },
    release: known.clear,
    remove(ids) {
      const removed = known.remove(ids)
      shared.remove(removed.map(({ id }) => id))
      return removed
    },
    get size() {
      return known.size
    },
    get dropped() {
      return Math.max(0, total - known.size)
    },
    async readDelta() {
      const delta = await shared.readDelta()
      if (delta.isNew) known.clear()
      for (const { entry, characters, recordedAt } of delta.entries) known.restore(entry, characters, recordedAt)
      total = delta.total
      return delta
    },
  }
}

/** In milliseconds. */
const SHORTEST_USE_INTERVAL = 1000
const LONGEST_USE_INTERVAL = 60_000

/**
 * Connects the sessions of this mock to a store that others use, too, so that they are the same at all mocks.
 *
 * @throws {SetupError} if the store cannot be used.
 */
export async function openSharing(
  sharedStore: SharedStore,
  options: Pick<SharedStoreParts, 'journal' | 'maxSessions' | 'sessionTtl'> & {
    readonly persistence?: Persistence | undefined
    readonly onNotice?: ((sentence: string) => void) | undefined
  },
  parts: Pick<SharedStoreParts, 'identity' | 'now' | 'elapsed'> & {
    readonly store: () => Store
    readonly sessions: () => Sessions
    readonly journals: Journals
    readonly events: Events
    /** The scenarios of the command line. */
    readonly defaults: readonly string[]
  },
) {
  const { identity, now, elapsed, store, sessions, journals, events, defaults } = parts
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
  /** Reads what others have changed in a session. */
  const read = createRounds(async (session) => {
    await catchUp(session)
    if (sessions().find(session) === undefined) {
      const usedAt = await shared.usedAt(session)
      // Nothing is kept for a session that no mock has started.
      if (usedAt === undefined) return
      sessions().learn(session, usedAt)
    }
    const { unseen, isShorter } = await journalOf(session).readDelta()
    if (!events.hasSubscribers(session)) return
    if (isShorter) events.publish({ kind: 'state', session })
    for (const entry of unseen) events.publish({ kind: 'request', session, entry })
  })
  const shared = await sharedStore.open({
    identity,
    now,
    elapsed,
    metrics,
    useInterval,
    journal: capacity,
    maxSessions,
    sessionTtl,
    onNotice,
    onChange(session) {
      // The next request reports the error.
      if (events.hasSubscribers(session)) read(session).catch(() => undefined)
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

  /** Frees everything of a session except its data. */
  function release(session: string): void {
    opened.delete(session)
    journalsBySession.delete(session)
  }

  /** Forgets a session that another mock has ended. */
  function forget(session: string, isFinal: boolean): void {
    release(session)
    // A last use of it may have been noted after its end.
    if (isFinal) shared.end(session)
    else shared.forget(session)
    sessions().forget(session, isFinal)
    events.publish({ kind: 'state', session, ended: true, ...(isFinal ? { final: true } : {}) })
    events.end(session)
  }

  /** Ends an idle session, unless it was used here after the use that the store knows. */
  async function endIdle(name: string, usedAt: number): Promise<void> {
    const { lastUsedAt } = sessions().find(name) ?? { lastUsedAt: usedAt }
    if (now() - lastUsedAt < sessionTtl) return
    await store().write(name, () => store().change(name, { kind: 'end' }))
    sessions().learn(name, usedAt)
    sessions().end(name)
  }

  const startInStore = createRounds(async (session) => {
    if (sessions().find(session) !== undefined) return
    sessions().expectOpen(session)
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      const admission = await shared.begin(session)
      if (admission.kind === 'begun') return
      if (admission.kind === 'full') throw tooManySessions(session, { max: maxSessions, ttl: sessionTtl })
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      await endIdle(admission.name, admission.usedAt)
    }
  })

  /**
   * Starts a session in the store, if this mock does not know it.
   *
   * @throws {Problem} 503 if there are too many, 400 if it was permanently deleted.
   */
  const start = (session: string): Promise<void> | undefined =>
    sessions().find(session) === undefined ? startInStore(session) : undefined

  /** Reads which sessions exist. */
  async function readSessions(): Promise<void> {
    const askedAt = now()
    const listed = await shared.sessions()
    for (const [name, usedAt] of listed) sessions().learn(name, usedAt)
    const isGone = ({ name, lastUsedAt }: Session): boolean =>
      name !== DEFAULT_SESSION && lastUsedAt < askedAt && !listed.has(name)
    await Promise.all(
      [...sessions().all()].filter(isGone).map(async (session) => {
        // Reads its end, which removes the data.
        await catchUp(session.name)
        if (sessions().find(session.name) === session && isGone(session)) forget(session.name, false)
      }),
    )
  }

  const timer = setInterval(() => void readSessions().catch(() => undefined), useInterval)
  // Outside of Node a timer is a number.
  if (typeof timer === 'object') timer.unref()

  return {
    log: shared.log,
    metrics,
    /** Signs the tokens of all mocks. */
    secret: shared.secret,
    /** This mock is the first that was started, or the second, and so on. */
    number: shared.number,
    coverage: { ...shared.coverage, openSession: (session) => sessionOf(session).coverage } satisfies Coverage,
    countersOf: (session: string) => sessionOf(session).counters,
    createJournal: (session: string): Journal => (capacity > 0 ? journalOf(session) : journals.open()),
    /**
     * Reads what others wrote to a session, and starts it in the store; undefined for an invalid name.
     *
     * @throws {Problem} 503 if there are too many sessions.
     */
    catchUp: (session: string): Promise<void> | undefined =>
      isName(session) ? catchUp(session).then(() => start(session)) : undefined,
    /**
     * Reads all that others have changed: the data, journals and counters of every session, and which sessions exist.
     *
     * @param mayStart whether to start the session if it does not exist
     * @throws {Problem} 503 if it would start and there are too many.
     */
    async look(session: string, mayStart = false): Promise<void> {
      await readSessions()
      const changed = await shared.changed()
      const names = [...changed].filter((name) => sessions().find(name) !== undefined)
      await Promise.all([...new Set([...names, session])].filter(isName).map(read))
      if (mayStart && isName(session)) await start(session)
    },
    /**
     * Resolves once the store has everything of a session; undefined if there is nothing to wait for. Called at the end of each
     * request: it frees what was created for a session that has not started.
     */
    settled(session: string): Promise<void> | undefined {
      const settled = opened.get(session)?.settled()
      if (sessions().find(session) === undefined) release(session)
      return settled
    },
    /** Publishes a change that another mock made. */
    publish(session: string, change: Change): void {
      switch (change.kind) {
        case 'end':
          return forget(session, change.isFinal === true)
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
    /** Notes that a session is used. */
    use: shared.use,
    /** Notes that a session has ended. */
    end(session: string): void {
      release(session)
      shared.end(session)
    },
    /** @throws {SetupError} always: other mocks would continue with other fixtures. */
    refuseReload(): never {
      throw new SetupError(
        'Mocks that share a store keep the fixtures and scenarios that they started with. Start them again, with another ?prefix= in --store.',
      )
    },
    close(): Promise<void> {
      clearInterval(timer)
      return shared.close()
    },
  }
}
