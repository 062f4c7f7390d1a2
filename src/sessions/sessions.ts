import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import { BoundedMap } from '../util/memoize.ts'
import { LazySession } from './session.ts'
import type { Session, SessionParts } from './session.ts'
import type { Scenario } from '../scenarios/schema.ts'

/** The session of a request that names none. */
export const DEFAULT_SESSION = 'default'

/** What names a session or a snapshot, as the attribute `pattern` of HTML has it too. */
export const NAME_PATTERN = String.raw`[A-Za-z0-9._\-]{1,64}`

const NAME = new RegExp(`^${NAME_PATTERN}$`)

/** Whether a text names a session or a snapshot. */
export const isName = (text: string): boolean => NAME.test(text)

/**
 * What names a session, and what is kept of one.
 *
 * @param what what it names, for the error message: `session` or `snapshot`
 * @throws {Problem} 400 for an invalid name.
 */
export function expectName(name: string, what: string): void {
  if (isName(name)) return
  throw problem.invalidInput(
    `Invalid ${what} name ${JSON.stringify(name.slice(0, 100))}. Use 1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-".`,
  )
}

/**
 * Expects a session that can be deleted permanently.
 *
 * @throws {Problem} 400 for an invalid name, and for the default session, which is everyone's.
 */
export function expectRetirable(name: string): void {
  expectName(name, 'session')
  if (name === DEFAULT_SESSION) {
    throw problem.invalidInput(
      'The session "default" is shared by everyone and cannot be deleted permanently. Leave final out.',
    )
  }
}

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
  /** Called with the name of a session that is used. */
  readonly onUse?: ((name: string) => void) | undefined
  /** Called with the name of a session that goes. */
  readonly onEnd: (name: string, cause: EndCause) => void
}

/** The 503 for a session that finds no room. */
export const tooManySessions = (name: string, { max, ttl }: Pick<SessionsParts, 'max' | 'ttl'>): Problem =>
  problem.overCapacity(
    `Session limit (${max}) reached: session "${name}" cannot start, because all others were used in the last ${ttl / 1000} s. Delete one, or start the mock with a larger --max-sessions or a shorter --session-ttl.`,
  )

/** Why a session goes: others need its room, or someone has deleted it, for good or until its next mention. */
export type EndCause = 'idle' | 'deleted' | 'final'

export interface Sessions {
  /**
   * The session of that name, begun if this is its first mention.
   *
   * @throws {Problem} 400 for an invalid name or a permanently deleted session, 503 if the session limit is reached.
   */
  enter(name: string): Session
  /**
   * The session of that name for a request that only reads: one that has not begun looks like a new one and does not start,
   * except the default session, which is always there.
   *
   * @throws {Problem} 400 for a name that is none, or whose session ended for good.
   */
  peek(name: string): Session
  /** @throws {Problem} 400 for a name whose session was permanently deleted. */
  expectOpen(name: string): void
  /** The session of that name, if it has begun; it does not count as used. */
  find(name: string): Session | undefined
  all(): IterableIterator<Session>
  /** Whether there was one to end. */
  end(name: string): boolean
  /** Takes over a session that was used at another mock, in epoch milliseconds. */
  learn(name: string, usedAt: number): void
  /** Forgets a session that another mock has ended, if it is known; if that was for good, none begins by its name any more. */
  forget(name: string, isFinal: boolean): void
  /** Ends the session that has been idle longest, if it was idle for long enough; tells whether there was one. */
  endIdlest(): boolean
  /**
   * Ends the session of that name for good, whether it has begun or not: none begins by that name any more (D90).
   *
   * @throws {Problem} 400 for a name that is none, and for the default session, which is everyone's.
   */
  retire(name: string): void
}

export function createSessions({
  max,
  ttl,
  clock,
  known = [],
  hasWritten,
  onUse,
  onEnd,
  ...parts
}: SessionsParts): Sessions {
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
  function remove(name: string): boolean {
    sessions.get(name)?.end()
    return sessions.delete(name)
  }

  function end(name: string, cause: EndCause = 'deleted'): boolean {
    const existed = remove(name)
    if (existed) onEnd(name, cause)
    return existed
  }

  function endIdlest(): boolean {
    const idlest = findIdlest((session) => clock() - session.lastUsedAt >= ttl)
    return idlest !== undefined && end(idlest.name, 'idle')
  }

  function makeRoom(name: string): void {
    if (sessions.size < max || name === DEFAULT_SESSION) return
    // Who only read loses the journal and nothing else: a crawler's thousand names lock nobody out.
    const reader = findIdlest((session) => !hasWritten(session.name))
    if (reader !== undefined) end(reader.name, 'idle')
    else if (!endIdlest()) {
      throw tooManySessions(name, { max, ttl })
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
    if (known === undefined) return undefined
    known.lastUsedAt = clock()
    onUse?.(name)
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
    onUse?.(name)
    return session
  }

  return {
    enter,
    expectOpen,
    peek: (name) => (name === DEFAULT_SESSION ? enter(name) : (use(name) ?? create(name))),
    find: (name) => sessions.get(name),
    all: () => sessions.values(),
    end,
    endIdlest,
    retire(name) {
      expectRetirable(name)
      remove(name)
      onEnd(name, 'final')
      retired.set(name, true)
    },
    learn(name, usedAt) {
      const known = sessions.get(name)
      if (known !== undefined) known.lastUsedAt = Math.max(known.lastUsedAt, usedAt)
      else if (!retired.has(name)) sessions.set(name, new LazySession(name, usedAt, parts))
    },
    forget(name, isFinal) {
      remove(name)
      if (isFinal) retired.set(name, true)
    },
  }
}

/** Scenarios that a session may define. */
const MAX_DEFINED = 100
/** Characters of all scenarios that a session defined. */
const MAX_SESSION_LENGTH = 8 * 1024 * 1024
/** Characters of all scenarios that all sessions defined. */
const MAX_TOTAL_LENGTH = 64 * 1024 * 1024

type Defined = ReadonlyMap<string, Scenario>

const lengthOf = (defined: Defined): number => [...defined.values()].reduce((sum, { length = 0 }) => sum + length, 0)

/**
 * Expects room for the scenarios that a session defines at run time.
 *
 * @throws {Problem} 503 if they are too many or too long.
 */
export function expectRoomForScenarios(session: Session, defined: Defined, sessions: Sessions): void {
  if (defined.size > MAX_DEFINED) {
    throw problem.overCapacity(
      `A session can define at most ${MAX_DEFINED} scenarios, not ${defined.size}. Delete one first: DELETE /__admin/scenarios/{name}.`,
    )
  }
  const length = lengthOf(defined)
  if (length > MAX_SESSION_LENGTH) {
    throw problem.overCapacity(
      `The scenarios of a session can have at most ${MAX_SESSION_LENGTH} characters together, not ${length}. Delete one first: DELETE /__admin/scenarios/{name}.`,
    )
  }
  const others = Array.from(sessions.all()).filter((other) => other !== session)
  const total = others.reduce((sum, { scenarios }) => sum + lengthOf(scenarios.defined), length)
  if (total > MAX_TOTAL_LENGTH) {
    throw problem.overCapacity(
      `The scenarios of all sessions can have at most ${MAX_TOTAL_LENGTH} characters together, not ${total}. Delete scenarios, or sessions that are no longer used.`,
    )
  }
}
