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
}

/** The names of all that the mock has in Redis. */
export interface Keys {
  /** What the mocks that share the store are: a text. */
  readonly identity: string
  readonly secret: string
  /** A sorted set: when each session was last used. */
  readonly sessions: string
  /** A channel of the names of sessions in which something has happened. */
  readonly news: string
  session(name: string): SessionKeys
}

/**
 * @param prefix what the names of all keys begin with
 * @param database channels are common to all databases of an engine
 */
export function createKeys(prefix: string, database: number): Keys {
  const start = `${prefix}:${FORMAT}`
  return {
    identity: `${start}:identity`,
    secret: `${start}:secret`,
    sessions: `${start}:sessions`,
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
      }
    },
  }
}
