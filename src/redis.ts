import './util/supported-node.ts'
import type { RedisOptions } from 'ioredis'
import { SetupError } from './errors.ts'
import { showValue } from './http/json.ts'
import { duration } from './options/option.ts'
import { parseStoreAddress } from './redis/connection.ts'
import { openRedisStore } from './redis/open-store.ts'
import type { SharedStore as Store } from './sessions/shared-store.ts'

// An alias: if this file passed the type itself on, the declarations of `createMock` would name it by this file, and need ioredis.
type SharedStore = Store
export type { SharedStore }

/** The address of the store, and how long to wait for it. */
export interface RedisStoreOptions {
  /** `redis://host:6379/0`, or `rediss://` for TLS; `?prefix=` and `?cluster=true` may follow. */
  readonly url: string | URL
  /** The longest that a start waits for the engine, in milliseconds or as `'30s'`, up to 1 hour. Default 30 s. */
  readonly wait?: number | string
  /** The longest that a request waits for an answer of the engine, in milliseconds or as `'2s'`; past it, it gets a 503. Default 2 s. */
  readonly timeout?: number | string
  /** Certificates and the like, for `rediss://`. */
  readonly tls?: RedisOptions['tls']
}

const HOUR = 3_600_000
const toWait = duration({ min: 0, max: HOUR, minWritten: 0 })
const toTimeout = duration({ min: 1, max: HOUR })

/** @throws {SetupError} for what is not a time. */
function parseTime(name: string, given: number | string, { schema, expected }: typeof toWait): number {
  const { success, data } = schema.safeParse(given)
  if (success) return data
  throw new SetupError(`The option ${name} of redisStore must be ${expected}, not ${showValue(given)}.`)
}

/**
 * A store in Redis or Valkey, for mocks that are one.
 *
 * @throws {SetupError} for a URL that is not one of a store, and for what is not a time.
 * @example
 * await startServer({ store: redisStore({ url: 'redis://127.0.0.1:6379' }) })
 */
export function redisStore({ url, wait = 30_000, timeout = 2000, tls }: RedisStoreOptions): SharedStore {
  const options = {
    address: parseStoreAddress(String(url)),
    wait: parseTime('wait', wait, toWait),
    timeout: parseTime('timeout', timeout, toTimeout),
    ...(tls === undefined ? {} : { tls }),
  }
  return {
    open: (parts) => openRedisStore(options, parts),
  }
}
