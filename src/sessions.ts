import { problem } from './errors.ts'
import type { Stageplay } from './scenarios/director.ts'

/** The session of a request that names none. */
export const DEFAULT_SESSION = 'default'

/** One isolated copy of everything that changes. */
export interface Session {
  readonly name: string
  /** Epoch milliseconds. */
  lastUsedAt: number
  /** Its scenarios. */
  readonly stageplay: Stageplay
}

interface SessionsParts {
  /** At most this many; past it the one idle longest goes, if it has been idle for `ttl`. */
  readonly max: number
  /** In milliseconds. */
  readonly ttl: number
  readonly clock: () => number
  readonly createStageplay: () => Stageplay
  /** Called with the name of a session that goes. */
  readonly onEnd: (name: string) => void
}

export interface Sessions {
  /**
   * The session of that name, begun if this is its first mention.
   *
   * @throws {Problem} 400 for a name that is none, 503 when there is no room for another.
   */
  enter(name: string): Session
  all(): IterableIterator<Session>
  /** Whether there was one to end. */
  end(name: string): boolean
}

const NAME = /^[A-Za-z0-9._-]{1,64}$/

export function createSessions({ max, ttl, clock, createStageplay, onEnd }: SessionsParts): Sessions {
  const sessions = new Map<string, Session>()

  function findIdlest(): Session | undefined {
    let idlest: Session | undefined
    for (const session of sessions.values()) {
      // The default session is everyone's: it never goes.
      if (session.name === DEFAULT_SESSION) continue
      if (idlest === undefined || session.lastUsedAt < idlest.lastUsedAt) idlest = session
    }
    return idlest
  }

  function end(name: string): boolean {
    const existed = sessions.delete(name)
    if (existed) onEnd(name)
    return existed
  }

  function makeRoom(name: string, now: number): void {
    if (sessions.size < max || name === DEFAULT_SESSION) return
    const idlest = findIdlest()
    if (idlest !== undefined && now - idlest.lastUsedAt >= ttl) {
      end(idlest.name)
      return
    }
    throw problem.overCapacity(
      `Session "${name}" cannot begin: there are ${sessions.size} already, which is the most, and none has been idle for ${ttl} ms. End one, or start the mock with a larger --max-sessions or a shorter --session-ttl.`,
    )
  }

  return {
    enter(name) {
      const now = clock()
      const known = sessions.get(name)
      if (known !== undefined) {
        known.lastUsedAt = now
        return known
      }
      if (!NAME.test(name)) {
        throw problem.invalidInput(
          `${JSON.stringify(name.slice(0, 100))} is no name of a session. Use 1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-".`,
        )
      }
      makeRoom(name, now)
      const session: Session = { name, lastUsedAt: now, stageplay: createStageplay() }
      sessions.set(name, session)
      return session
    },
    all: () => sessions.values(),
    end,
  }
}

/** The session that a request names: path prefix, then header, then cookie, then the default one. */
export function toSessionName(fromPath: string | undefined, headers: Headers): string {
  if (fromPath !== undefined) return fromPath
  const fromHeader = headers.get('X-Mock-Session')
  if (fromHeader !== null) return fromHeader
  const cookie = headers.get('Cookie')
  if (cookie === null) return DEFAULT_SESSION
  return /(?:^|;\s*)mock-session="?([^";]*)"?/.exec(cookie)?.[1] ?? DEFAULT_SESSION
}
