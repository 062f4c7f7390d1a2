import { SetupError } from '../errors.ts'
import { createStoreMetrics } from './journal/counts.ts'
import type { Coverage } from './journal/counts.ts'
import type { Journal, Journals } from './journal/journal.ts'
import type { KeptExchange } from './journal/kept-exchange.ts'
import type { Change } from '../service/state/change.ts'
import type { Persistence } from '../service/state/kept-state.ts'
import type { Store } from '../service/state/store.ts'
import { createRounds } from '../util/queues.ts'
import type { Events } from './events.ts'
import { DEFAULT_SESSION, isName } from './session-names.ts'
import { tooManySessions } from './sessions.ts'
import type { Runs } from './runs.ts'
import type { Session, Sessions } from './sessions.ts'
import { createSharedRuns } from './shared-runs.ts'
import { RUNS } from './shared-store.ts'
import type { JournalDelta, SharedSession, SharedStore, SharedStoreParts } from './shared-store.ts'

/** A journal that other mocks write to as well. It shows its state at the last read. */
interface SharedJournal extends Journal {
  /** Reads and returns new entries. */
  readDelta(): Promise<JournalDelta>
}

/** Creates the journal of a session shared by several mocks. Entries that were read are stored in a local journal. */
function createSharedJournal(session: string, { open, read }: Journals, shared: SharedSession): SharedJournal {
  const known = open(session)
  let total = 0
  let onLate: ((exchange: KeptExchange) => void) | undefined
  return {
    record(record) {
      const exchange = read(record)
      if (onLate === undefined) shared.record(exchange.entry)
      else onLate(exchange)
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
    release(keep) {
      onLate = keep ?? onLate ?? (() => undefined)
      known.clear()
    },
    remove(ids) {
      const removed = known.remove(ids)
      shared.remove(removed.map(({ id }) => id))
      return removed
    },
    seen: () => ({ ...known.seen(), requests: Math.max(total, known.size) }),
    periods: known.periods,
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
 * Connects the sessions of this mock to a shared store, so that all its mocks have the same sessions.
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
    readonly runs: () => Pick<Runs, 'apply'>
    readonly loadArchived: (session: string) => Promise<void>
    readonly journals: Journals
    readonly events: Events
    /** The scenarios given on the command line. */
    readonly defaults: readonly string[]
  },
) {
  const { identity, now, elapsed, store, sessions, journals, events, defaults, loadArchived } = parts
  // oxlint-disable-next-line no-console -- the documented default of MockOptions
  const { journal: capacity, maxSessions, sessionTtl, onNotice = console.warn } = options
  if (options.persistence !== undefined)
    throw new SetupError('store and persistence are mutually exclusive. Remove one of them.')
  // A session in use at another mock may appear idle for two intervals.
  const useInterval = Math.min(Math.max(sessionTtl / 3, SHORTEST_USE_INTERVAL), LONGEST_USE_INTERVAL)
  const metrics = createStoreMetrics()
  const opened = new Map<string, SharedSession>()
  const journalsBySession = new Map<string, SharedJournal>()

  const catchUp = createRounds(async (session) => store().catchUp(session))
  /** Reads changes to a session made by other mocks. */
  const read = createRounds(async (session) => {
    await catchUp(session)
    if (sessions().find(session) === undefined) {
      const usedAt = await shared.usedAt(session)
      // Nothing is stored for a session that no mock has started.
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
      if (session === RUNS) runs.read(RUNS).catch(() => undefined)
      else if (events.hasSubscribers(session)) read(session).catch(() => undefined)
    },
  })
  const runs = createSharedRuns(shared.archive, { apply: (change) => parts.runs().apply(change), journals })

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
    const journal = createSharedJournal(session, journals, sessionOf(session))
    journalsBySession.set(session, journal)
    return journal
  }

  /** Frees everything of a session except its data. */
  function release(session: string): void {
    opened.delete(session)
    journalsBySession.delete(session)
  }

  /** Ends a session here that another mock has ended. */
  function endHere(session: string, isFinal: boolean): void {
    release(session)
    // A use may have been recorded after its end.
    if (isFinal) shared.end(session)
    else shared.forget(session)
    sessions().endHere(session, isFinal ? 'final' : 'deleted')
    events.publish({ kind: 'state', session, ended: true, ...(isFinal ? { final: true } : {}) })
    events.end(session)
  }

  /** Ends an idle session, unless this mock knows of a later use than the store. */
  async function endIdle(name: string, usedAt: number): Promise<void> {
    const { lastUsedAt } = sessions().find(name) ?? { lastUsedAt: usedAt }
    if (now() - lastUsedAt < sessionTtl) return
    await runs.read(RUNS)
    await read(name)
    await sessions().find(name)?.interrupt('ended')
    const captured = sessions().capture(name)
    await captured?.share()
    await store().write(name, () => store().change(name, { kind: 'end' }))
    sessions().learn(name, usedAt)
    sessions().end(name, 'deleted', captured)
  }

  const startInStore = createRounds(async (session) => {
    if (sessions().find(session) !== undefined) return
    sessions().expectOpen(session)
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- retries run in sequence
      const admission = await shared.begin(session)
      if (admission.kind === 'begun') return
      if (admission.kind === 'full') throw tooManySessions(session, { max: maxSessions, ttl: sessionTtl })
      // oxlint-disable-next-line no-await-in-loop -- retries run in sequence
      await endIdle(admission.name, admission.usedAt)
    }
  })

  /**
   * Starts a session in the store, if this mock does not know it.
   *
   * @throws {Problem} 503 if the session limit is reached, 400 if it was permanently deleted.
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
        // Reading its end also removes the data.
        await catchUp(session.name)
        if (sessions().find(session.name) === session && isGone(session)) endHere(session.name, false)
      }),
    )
  }

  const timer = setInterval(() => void readSessions().catch(() => undefined), useInterval)
  // Outside Node a timer is a number.
  if (typeof timer === 'object') timer.unref()

  return {
    log: shared.log,
    metrics,
    /** Signs the tokens of all mocks. */
    secret: shared.secret,
    /** The number of this mock in start order, from 1. */
    number: shared.number,
    coverage: { ...shared.coverage, openSession: (session) => sessionOf(session).coverage } satisfies Coverage,
    countersOf: (session: string) => sessionOf(session).counters,
    createJournal: (session: string): Journal => (capacity > 0 ? journalOf(session) : journals.open(session)),
    /**
     * Reads changes to a session from other mocks, and starts it in the store; undefined for an invalid name.
     *
     * @throws {Problem} 503 if the session limit is reached.
     */
    catchUp: (session: string): Promise<void> | undefined =>
      isName(session) ? catchUp(session).then(() => start(session)) : undefined,
    /**
     * Reads all changes from other mocks: the data, journals and counters of every session, and which sessions exist.
     *
     * @param mayStart whether to start the session if it does not exist
     * @throws {Problem} 503 if it would start but the session limit is reached.
     */
    async look(session: string, mayStart = false): Promise<void> {
      await Promise.all([readSessions(), runs.read(RUNS)])
      const changed = await shared.changed()
      const names = [...changed].filter((name) => sessions().find(name) !== undefined)
      await Promise.all([...new Set([...names, session])].filter(isName).map(read))
      if (mayStart && isName(session)) await start(session)
      else if (sessions().find(session) === undefined) await loadArchived(session)
    },
    /**
     * Resolves once the store has everything of a session; undefined if there is nothing to wait for. Called at the end of
     * each request; frees everything created for a session that has not started.
     */
    settled(session: string): Promise<void> | undefined {
      const settled = opened.get(session)?.settled()
      if (sessions().find(session) === undefined) release(session)
      return settled
    },
    /** Publishes a change from another mock. */
    publish(session: string, change: Change): void {
      switch (change.kind) {
        case 'end':
          return endHere(session, change.isFinal === true)
        case 'active':
        case 'scenario':
          return events.publish({
            kind: 'scenario',
            session,
            active: store().scenarioSelection(session).active ?? defaults,
          })
        case 'session':
          if (change.data === undefined) void sessions().find(session)?.interrupt('was reset')
          return events.publish({ kind: 'state', session })
        case 'project':
        case 'snapshot':
        case 'restore':
        case 'clock':
          return events.publish({ kind: 'state', session })
        default:
          return undefined
      }
    },
    /** Records a use of a session. */
    use: shared.use,
    /** Records that a session has ended. */
    end(session: string): void {
      release(session)
      shared.end(session)
    },
    /** @throws {SetupError} always: the other mocks would keep their old fixtures. */
    refuseReload(): never {
      throw new SetupError(
        'Mocks that share a store cannot reload fixtures and scenarios. Restart them with another ?prefix= in --store.',
      )
    },
    runs,
    async close(): Promise<void> {
      clearInterval(timer)
      // The next mock starts without what could not be stored.
      await runs.settled().catch(() => undefined)
      await shared.close()
    },
  }
}
