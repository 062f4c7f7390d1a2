import type { RedisOptions } from 'ioredis'
import { SetupError } from '../../errors.ts'
import { showValue } from '../../service/http/json.ts'
import { duration } from '../../app/options/option.ts'
import { parseStoreAddress } from './redis-connection.ts'
import { openRedisStore } from './open-store.ts'
import type { SharedStore } from '../../sessions/shared-store.ts'

// An alias: re-exporting the type would make the declarations of `createMock` reference this file, and so require ioredis.
export type RedisSharedStore = SharedStore

/** The address of the store, and its timeouts. */
export interface RedisStoreOptions {
  /** `redis://host:6379/0`, or `rediss://` for TLS; optionally with `?prefix=`. */
  readonly url: string | URL
  /** Maximum time to wait for the engine at startup, in milliseconds or as `'30s'`, up to 1 hour. Default 30 s. */
  readonly wait?: number | string
  /**
   * Maximum time a request waits for a reply from the engine, in milliseconds or as `'2s'`; then it gets a 503. Default 2
   * s.
   */
  readonly timeout?: number | string
  /** TLS options such as certificates, for `rediss://`. */
  readonly tls?: RedisOptions['tls']
}

const MOST_WAIT = 3_600_000
const toWait = duration({ min: 0, max: MOST_WAIT, minWritten: 0 })
const toTimeout = duration({ min: 1, max: MOST_WAIT })

/** @throws {SetupError} for an invalid duration. */
function parseStoreTime(name: string, input: number | string, { schema, expected }: typeof toWait): number {
  const { success, data } = schema.safeParse(input)
  if (success) return data
  throw new SetupError(`The option ${name} of redisStore must be ${expected}, not ${showValue(input)}.`)
}

/**
 * A Redis or Valkey store, shared by several mocks that act as one.
 *
 * @throws {SetupError} for an invalid store URL or duration.
 * @example
 * await startServer({ store: redisStore({ url: 'redis://127.0.0.1:6379' }) })
 */
export function redisStore({ url, wait = 30_000, timeout = 2000, tls }: RedisStoreOptions): RedisSharedStore {
  const options = {
    address: parseStoreAddress(String(url)),
    wait: parseStoreTime('wait', wait, toWait),
    timeout: parseStoreTime('timeout', timeout, toTimeout),
    ...(tls === undefined ? {} : { tls }),
  }
  return {
    open: (parts) => openRedisStore(options, parts),
  }
}
