import type { StoreAddress } from './address.ts'

/** Another number for keys that this version could not read. */
const FORMAT = 1

/** The keys of one session, all in one slot of a cluster. */
export interface SessionKeys {
  readonly head: string
  readonly log: string
  readonly snap: string
  readonly journal: string
  readonly counters: string
  readonly buckets: string
  readonly starts: string
  readonly counts: string
  readonly failed: string
}

/** The names of all that the mock has in Redis. */
export interface Keys {
  /** Whether those of a session are in another place than all others. */
  readonly isCluster: boolean
  /** What the mocks that share the store are: a text. */
  readonly identity: string
  readonly secret: string
  /** A number: how many mocks have been started. */
  readonly started: string
  /** A sorted set: when each session was last used. */
  readonly sessions: string
  /** A hash: the coverage of all sessions. */
  readonly total: string
  /** A channel of the names of sessions in which something has happened. */
  readonly news: string
  session(name: string): SessionKeys
}

export function createKeys({ prefix, database, isCluster }: StoreAddress): Keys {
  const start = `${prefix}:${FORMAT}`
  return {
    isCluster,
    identity: `${start}:identity`,
    secret: `${start}:secret`,
    started: `${start}:started`,
    sessions: `${start}:sessions`,
    total: `${start}:total`,
    // Channels are common to all databases of an engine.
    news: `${start}:news:${database}`,
    session(name) {
      const own = `${start}:{${name}}`
      return {
        head: `${own}:head`,
        log: `${own}:log`,
        snap: `${own}:snap`,
        journal: `${own}:journal`,
        counters: `${own}:counters`,
        buckets: `${own}:buckets`,
        starts: `${own}:starts`,
        counts: `${own}:counts`,
        failed: `${own}:failed`,
      }
    },
  }
}
