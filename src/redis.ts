import './util/supported-node.ts'
import type { RedisOptions } from 'ioredis'
import { parseStoreAddress } from './redis/address.ts'
import { openRedisStore } from './redis/open-store.ts'
import type { SharedStore as Store } from './sessions/shared-store.ts'

// An alias: if this file passed the type itself on, the declarations of `createMock` would name it by this file, and need ioredis.
type SharedStore = Store
export type { SharedStore }

/** Where the store is, and how long to wait for it. */
export interface RedisStoreOptions {
  /** `redis://host:6379/0`, or `rediss://` for TLS; `?prefix=` and `?cluster=true` may follow. */
  readonly url: string
  /** The longest that a start waits for the engine, in milliseconds. Default 30 s. */
  readonly wait?: number
  /** The longest that a request waits for an answer of the engine, in milliseconds; past it, it gets a 503. Default 2 s. */
  readonly timeout?: number
  /** Certificates and the like, for `rediss://`. */
  readonly tls?: RedisOptions['tls']
}

/**
 * A store in Redis or Valkey, for mocks that are one.
 *
 * @throws {SetupError} for a URL that is not one of a store.
 * @example
 * await startServer({ store: redisStore({ url: 'redis://127.0.0.1:6379' }) })
 */
export function redisStore({ url, wait = 30_000, timeout = 2000, tls }: RedisStoreOptions): SharedStore {
  const address = parseStoreAddress(url)
  return {
    open: (parts) => openRedisStore({ ...parts, address, wait, timeout, ...(tls === undefined ? {} : { tls }) }),
  }
}
