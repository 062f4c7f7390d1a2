import type { Store } from '../state/store.ts'
import { createRounds } from '../util/rounds.ts'
import type { Events } from './events.ts'
import { DEFAULT_SESSION } from './session-name.ts'
import type { Session } from './session.ts'
import { tooManySessions } from './sessions.ts'
import type { Sessions } from './sessions.ts'
import type { OpenSharedStore } from './shared-store.ts'

interface SharedSessionsParts {
  readonly shared: Pick<OpenSharedStore, 'sessions' | 'begin' | 'end' | 'forget'>
  readonly sessions: () => Sessions
  readonly store: () => Pick<Store, 'write' | 'change'>
  readonly events: Events
  /** Takes over what others wrote to a session, its end included. */
  readonly catchUp: (session: string) => Promise<void>
  /** Frees what this mock has of a session apart from its data. */
  readonly forget: (session: string) => void
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly maxSessions: number
  readonly sessionTtl: number
}

/** Which sessions there are, at all mocks together. */
export interface SharedSessions {
  /** Takes over which sessions there are. */
  read(): Promise<void>
  /**
   * Begins a session in the store, if it is not there.
   *
   * @throws {Problem} 503 if there are too many, 400 if it was permanently deleted.
   */
  begin(session: string): Promise<void> | undefined
  /** Takes over that another mock has ended a session. */
  forget(session: string, isFinal: boolean): void
}

/** Creates what keeps the sessions of this mock and those of the store the same. */
export function createSharedSessions(parts: SharedSessionsParts): SharedSessions {
  const { shared, sessions, store, events, catchUp, now, maxSessions, sessionTtl } = parts

  function forget(session: string, isFinal: boolean): void {
    parts.forget(session)
    // A last use of it may have been noted after its end.
    if (isFinal) shared.end(session)
    else shared.forget(session)
    sessions().forget(session, isFinal)
    events.publish({ kind: 'state', session, ended: true, ...(isFinal ? { final: true } : {}) })
    events.end(session)
  }

  /** Ends a session that has been idle for long, unless it was used here since the store was told. */
  async function endIdle(name: string, usedAt: number): Promise<void> {
    const { lastUsedAt } = sessions().find(name) ?? { lastUsedAt: usedAt }
    if (now() - lastUsedAt < sessionTtl) return
    await store().write(name, () => store().change(name, { kind: 'end' }))
    sessions().learn(name, usedAt)
    sessions().end(name)
  }

  const beginInStore = createRounds(async (session) => {
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

  return {
    async read() {
      const askedAt = now()
      const listed = await shared.sessions()
      for (const [name, usedAt] of listed) sessions().learn(name, usedAt)
      const isGone = ({ name, lastUsedAt }: Session): boolean =>
        name !== DEFAULT_SESSION && lastUsedAt < askedAt && !listed.has(name)
      await Promise.all(
        [...sessions().all()].filter(isGone).map(async (session) => {
          // Brings the end, which removes the data.
          await catchUp(session.name)
          if (sessions().find(session.name) === session && isGone(session)) forget(session.name, false)
        }),
      )
    },
    begin: (session) => (sessions().find(session) === undefined ? beginInStore(session) : undefined),
    forget,
  }
}
