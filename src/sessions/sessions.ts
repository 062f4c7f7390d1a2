import { problem } from '../errors.ts'
import type { SessionCoverage } from '../journal/coverage.ts'
import type { Journal } from '../journal/journal.ts'
import type { ScenarioState } from '../scenarios/scenario-state.ts'
import type { Snapshot } from '../state/state-data.ts'
import type { SessionClock } from './session-clock.ts'
import { BoundedMap } from '../util/bounded-map.ts'

/** One isolated copy of everything that changes; what it wrote is the store's. */
export interface Session {
  readonly name: string
  /** Epoch milliseconds. */
  lastUsedAt: number
  readonly clock: SessionClock
  /** Its scenarios. */
  readonly scenarios: ScenarioState
  /** Its last exchanges. */
  readonly journal: Journal
  /** What its requests have met. */
  readonly coverage: SessionCoverage
  /** By name, in the order of their taking. */
  readonly snapshots: ReadonlyMap<string, Snapshot>
  /** Frees what it keeps beside the data. */
  end(): void
}

/** How the parts of a session are made. */
export interface SessionParts {
  readonly createClock: () => SessionClock
  readonly createScenarioState: (session: string, clock: SessionClock) => ScenarioState
  readonly createJournal: () => Journal
  readonly createCoverage: () => SessionCoverage
  readonly snapshots: (session: string) => ReadonlyMap<string, Snapshot>
}

/** A session whose parts are made when they are first asked for, so that one which idles has next to nothing. */
export class LazySession implements Session {
  readonly name: string
  lastUsedAt: number
  readonly #parts: SessionParts
  #clock: SessionClock | undefined
  #scenarios: ScenarioState | undefined
  #journal: Journal | undefined
  #coverage: SessionCoverage | undefined

  constructor(name: string, now: number, parts: SessionParts) {
    this.name = name
    this.lastUsedAt = now
    this.#parts = parts
  }

  get clock(): SessionClock {
    return (this.#clock ??= this.#parts.createClock())
  }

  get scenarios(): ScenarioState {
    return (this.#scenarios ??= this.#parts.createScenarioState(this.name, this.clock))
  }

  get journal(): Journal {
    return (this.#journal ??= this.#parts.createJournal())
  }

  get coverage(): SessionCoverage {
    return (this.#coverage ??= this.#parts.createCoverage())
  }

  get snapshots(): ReadonlyMap<string, Snapshot> {
    return this.#parts.snapshots(this.name)
  }

  end(): void {
    this.#journal?.clear()
  }
}

/** The session of a request that names none. */
export const DEFAULT_SESSION = 'default'

/** So many names of sessions that ended for good are known; a request that comes later than so many others is rare. */
const MOST_RETIRED = 10_000

interface SessionsParts extends SessionParts {
  /**
   * At most this many; past it the one idle longest goes, first of those that never wrote, then of those that have been
   * idle for `ttl`.
   */
  readonly max: number
  /** In milliseconds. */
  readonly ttl: number
  readonly clock: () => number
  /** Names of sessions that are there from before, whatever their number. */
  readonly known?: Iterable<string>
  /** Whether the session of that name has data, scenarios or snapshots of its own. */
  readonly hasWritten: (name: string) => boolean
  /** Called with the name of a session that goes, and whether none begins by that name any more. */
  readonly onEnd: (name: string, isFinal: boolean) => void
}

export interface Sessions {
  /**
   * The session of that name, begun if this is its first mention.
   *
   * @throws {Problem} 400 for an invalid name or a permanently deleted session, 503 if the session limit is reached.
   */
  enter(name: string): Session
  /**
   * The session of that name for a request that only reads: one that has not begun looks like a new one and does not begin,
   * except the default session, which is always there.
   *
   * @throws {Problem} 400 for a name that is none, or whose session ended for good.
   */
  look(name: string): Session
  /** The session of that name, if it has begun; it does not count as used. */
  find(name: string): Session | undefined
  all(): IterableIterator<Session>
  /** Whether there was one to end. */
  end(name: string): boolean
  /** Ends the session that has been idle longest, if it was idle for long enough; tells whether there was one. */
  endIdlest(): boolean
  /**
   * Ends the session of that name for good, whether it has begun or not: none begins by that name any more (D90).
   *
   * @throws {Problem} 400 for a name that is none, and for the default session, which is everyone's.
   */
  retire(name: string): void
}

/** What names a session or a snapshot, as the attribute `pattern` of HTML has it too. */
export const NAME_PATTERN = String.raw`[A-Za-z0-9._\-]{1,64}`

const NAME = new RegExp(`^${NAME_PATTERN}$`)

/**
 * What names a session, and what is kept of one.
 *
 * @param what what it names, for the error message: `session` or `snapshot`
 * @throws {Problem} 400 for an invalid name.
 */
export function expectName(name: string, what: string): void {
  if (NAME.test(name)) return
  throw problem.invalidInput(
    `Invalid ${what} name ${JSON.stringify(name.slice(0, 100))}. Use 1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-".`,
  )
}

/**
 * Expects a session that can end for good.
 *
 * @throws {Problem} 400 for an invalid name, and for the default session, which is everyone's.
 */
export function expectRetirable(name: string): void {
  expectName(name, 'session')
  if (name === DEFAULT_SESSION) {
    throw problem.invalidInput('The session "default" is everyone\'s, and never ends for good. Leave final out.')
  }
}

export function createSessions({ max, ttl, clock, known = [], hasWritten, onEnd, ...parts }: SessionsParts): Sessions {
  const sessions = new Map<string, Session>()
  const retired = new BoundedMap<string, true>(MOST_RETIRED)
  for (const name of known) sessions.set(name, new LazySession(name, clock(), parts))

  function findIdlest(mayGo: (session: Session) => boolean): Session | undefined {
    let idlest: Session | undefined
    for (const session of sessions.values()) {
      // The default session is everyone's: it never goes.
      if (session.name === DEFAULT_SESSION || !mayGo(session)) continue
      if (idlest === undefined || session.lastUsedAt < idlest.lastUsedAt) idlest = session
    }
    return idlest
  }

  /** Returns whether there was one. */
  function forget(name: string): boolean {
    sessions.get(name)?.end()
    return sessions.delete(name)
  }

  function end(name: string): boolean {
    const existed = forget(name)
    if (existed) onEnd(name, false)
    return existed
  }

  function endIdlest(): boolean {
    const idlest = findIdlest((session) => clock() - session.lastUsedAt >= ttl)
    return idlest !== undefined && end(idlest.name)
  }

  function makeRoom(name: string): void {
    if (sessions.size < max || name === DEFAULT_SESSION) return
    // Who only read loses the journal and nothing else: a crawler's thousand names lock nobody out.
    const reader = findIdlest((session) => !hasWritten(session.name))
    if (reader !== undefined) end(reader.name)
    else if (!endIdlest()) {
      throw problem.overCapacity(
        `Session limit (${max}) reached: session "${name}" cannot start, because all others were used in the last ${ttl / 1000} s. Delete one, or start the mock with a larger --max-sessions or a shorter --session-ttl.`,
      )
    }
  }

  function expectOpen(name: string): void {
    if (!retired.has(name)) return
    throw problem.invalidInput(
      `The session "${name}" was permanently deleted (DELETE with final=true). Use another name.`,
    )
  }

  function use(name: string): Session | undefined {
    const known = sessions.get(name)
    if (known !== undefined) known.lastUsedAt = clock()
    return known
  }

  function create(name: string): Session {
    expectName(name, 'session')
    expectOpen(name)
    return new LazySession(name, clock(), parts)
  }

  function enter(name: string): Session {
    const known = use(name)
    if (known !== undefined) return known
    const session = create(name)
    makeRoom(name)
    sessions.set(name, session)
    return session
  }

  return {
    enter,
    look: (name) => (name === DEFAULT_SESSION ? enter(name) : (use(name) ?? create(name))),
    find: (name) => sessions.get(name),
    all: () => sessions.values(),
    end,
    endIdlest,
    retire(name) {
      expectRetirable(name)
      forget(name)
      onEnd(name, true)
      retired.set(name, true)
    },
  }
}
