import { createStoreMetrics } from './journal/counts.ts'
import type { Journals } from './journal/journal.ts'
import type { KeptMembers } from './journal/record.ts'
import { START } from '../service/state/change.ts'
import type { Change } from '../service/state/change.ts'
import type { Store } from '../service/state/store.ts'
import { createRounds } from '../util/queues.ts'
import type { createArchive } from './archive.ts'
import type { Events } from './events.ts'
import { DEFAULT_SESSION, isName } from './session-names.ts'
import { tooManySessions } from './sessions.ts'
import type { Runs } from './runs.ts'
import type { Session, Sessions } from './sessions.ts'
import { createSharedJournal } from './shared-part.ts'
import type { SharedPart } from './shared-part.ts'
import { createSharedRuns } from './shared-runs.ts'
import { RUNS } from './shared-store.ts'
import type { SharedStore, SharedStoreParts } from './shared-store.ts'

/** In milliseconds. */
const SHORTEST_USE_INTERVAL = 1000
const LONGEST_USE_INTERVAL = 60_000

/** An open store, with the parts of sessions and runs that mocks share. */
type Shared = Awaited<ReturnType<typeof openShared>>

/** @throws {SetupError} if the store cannot be used. */
export async function openShared(
  sharedStore: SharedStore,
  parts: Omit<SharedStoreParts, 'useInterval' | 'metrics'> & { readonly journals: Journals },
) {
  const { journals, journal: capacity, sessionTtl } = parts
  const metrics = createStoreMetrics()
  // A session in use at another mock may appear idle for two intervals.
  const useInterval = Math.min(Math.max(sessionTtl / 3, SHORTEST_USE_INTERVAL), LONGEST_USE_INTERVAL)
  const opened = await sharedStore.open({ ...parts, metrics, useInterval })
  return {
    ...opened,
    metrics,
    useInterval,
    runs: createSharedRuns(opened.archive, journals),
    /** @param passed returns how many milliseconds a test has moved the session's clock forward */
    openPart(name: string, passed: () => number): SharedPart {
      const session = opened.session(name, passed)
      return { ...session, journal: createSharedJournal(name, journals, session, capacity > 0) }
    },
  }
}

export type Sharing = ReturnType<typeof createSharing>

/** Keeps the sessions and runs of this mock up to date with those of the other mocks. */
export function createSharing(
  shared: Shared,
  parts: {
    readonly store: Store
    readonly sessions: Sessions
    readonly runs: Runs
    readonly archive: Pick<ReturnType<typeof createArchive>, 'load'>
    readonly events: Events
    /** Epoch milliseconds of the system. */
    readonly now: () => number
    readonly maxSessions: number
    readonly sessionTtl: number
    /** The scenarios given on the command line. */
    readonly defaults: readonly string[]
  },
) {
  const { store, sessions, runs, archive, events, now, maxSessions, sessionTtl, defaults } = parts

  const catchUp = createRounds(async (session) => store.catchUp(session))
  const readRuns = createRounds(async () => {
    for (const change of await shared.runs.readChanges()) runs.apply(change)
  })
  /** Reads changes to a session made by other mocks. */
  const read = createRounds(async (name) => {
    await catchUp(name)
    if (sessions.find(name) === undefined) {
      const usedAt = await shared.usedAt(name)
      // Nothing is stored for a session that no mock has started.
      if (usedAt === undefined) return
      sessions.learn(name, usedAt)
    }
    const delta = await sessions.find(name)?.shared?.journal.readDelta()
    if (delta === undefined || !events.hasSubscribers(name)) return
    if (delta.isShorter) events.publish({ kind: 'state', session: name })
    for (const entry of delta.unseen) events.publish({ kind: 'request', session: name, entry })
  })

  /** Ends a session here that another mock has ended. */
  function endHere(name: string, isFinal: boolean): void {
    // A use may have been recorded after its end.
    if (isFinal) shared.end(name)
    else shared.forget(name)
    sessions.endHere(name, isFinal ? 'final' : 'deleted')
  }

  /** Ends an idle session, unless this mock knows of a later use than the store. */
  async function endIdle(name: string, usedAt: number): Promise<void> {
    const { lastUsedAt } = sessions.find(name) ?? { lastUsedAt: usedAt }
    if (now() - lastUsedAt < sessionTtl) return
    await readRuns(RUNS)
    await read(name)
    await sessions.find(name)?.interrupt('ended')
    const captured = sessions.capture(name)
    await captured?.share()
    await store.write(name, () => store.change(name, { kind: 'end' }))
    sessions.learn(name, usedAt)
    sessions.end(name, 'deleted', captured)
  }

  const startInStore = createRounds(async (session) => {
    if (sessions.find(session) !== undefined) return
    sessions.expectOpen(session)
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
    sessions.find(session) === undefined ? startInStore(session) : undefined

  /** Reads which sessions exist. */
  async function readSessions(): Promise<void> {
    const askedAt = now()
    const listed = await shared.sessions()
    for (const [name, usedAt] of listed) sessions.learn(name, usedAt)
    const isGone = ({ name, lastUsedAt }: Session): boolean =>
      name !== DEFAULT_SESSION && lastUsedAt < askedAt && !listed.has(name)
    await Promise.all(
      [...sessions.all()].filter(isGone).map(async (session) => {
        // Reading its end also removes the data.
        await catchUp(session.name)
        if (sessions.find(session.name) === session && isGone(session)) endHere(session.name, false)
      }),
    )
  }

  shared.listen((session) => {
    // The next request reports the error.
    if (session === RUNS) readRuns(RUNS).catch(() => undefined)
    else if (events.hasSubscribers(session)) read(session).catch(() => undefined)
  })
  const timer = setInterval(() => void readSessions().catch(() => undefined), shared.useInterval)
  // Outside Node a timer is a number.
  if (typeof timer === 'object') timer.unref()

  return {
    metrics: shared.metrics,
    /** Signs the tokens of all mocks. */
    secret: shared.secret,
    /** The number of this mock in start order, from 1. */
    number: shared.number,
    /** Resolves once the store has all runs and archived sessions. */
    archived: shared.runs.settled,
    /**
     * Reads changes to a session from other mocks, and starts it in the store; undefined for an invalid name.
     *
     * @throws {Problem} 503 if the session limit is reached.
     */
    catchUp: (session: string): Promise<void> | undefined =>
      isName(session) ? catchUp(session).then(() => start(session)) : undefined,
    start,
    position: store.position,
    /**
     * Records a read, unless other mocks have written to the session since it read: then loads those writes. Returns whether
     * it was recorded.
     */
    async recordRead({ name, shared: part }: Session, exchange: KeptMembers, after = START): Promise<boolean> {
      const missed = await part?.journal.recordRead(exchange, after)
      if (missed !== undefined) await store.catchUp(name, Promise.resolve(missed))
      return missed === undefined
    },
    /**
     * Reads all changes from other mocks: the data, journals and counters of every session, and which sessions exist.
     *
     * @param mayStart whether to start the session if it does not exist
     * @throws {Problem} 503 if it would start but the session limit is reached.
     */
    async look(session: string, mayStart = false): Promise<void> {
      await Promise.all([readSessions(), readRuns(RUNS)])
      const changed = await shared.changed()
      const names = [...changed].filter((name) => sessions.find(name) !== undefined)
      await Promise.all([...new Set([...names, session])].filter(isName).map(read))
      if (mayStart && isName(session)) await start(session)
      else if (sessions.find(session) === undefined) await archive.load(session)
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
            active: store.scenarioSelection(session).active ?? defaults,
          })
        case 'session':
          if (change.data === undefined) void sessions.find(session)?.interrupt('was reset')
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
    async close(): Promise<void> {
      clearInterval(timer)
      // The next mock starts without what could not be stored.
      await shared.runs.settled().catch(() => undefined)
      await shared.close()
    },
  }
}
