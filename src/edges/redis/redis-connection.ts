import type * as Ioredis from 'ioredis'
import { SetupError, Problem, problem, toSystemMessage } from '../../errors.ts'
import { isDecodable } from '../../service/http/request-head.ts'
import { expectPeer } from '../../util/peer.ts'
import { timeSlices } from '../../util/time-slices.ts'
import { scripts } from './scripts.ts'
import type { ScriptMethods } from './scripts.ts'
import type { Redis, RedisOptions } from 'ioredis'
import type { SharedStoreParts } from '../../sessions/shared-store.ts'

/** The address of a store and its key prefix. */
export interface StoreAddress {
  /** For the client, without the parameters it does not know. */
  readonly url: string
  /** For messages: without credentials. */
  readonly shown: string
  readonly prefix: string
  readonly database: number
}

const PREFIX = /^[A-Za-z0-9._:-]{1,64}$/

const wrong = (what: string): SetupError =>
  new SetupError(
    `--store ${what} Use redis://host:6379, redis://:password@host:6379/1?prefix=team, or rediss:// for TLS.`,
  )

function parseDatabase(path: string): number {
  if (path === '' || path === '/') return 0
  if (/^\/\d{1,5}$/.test(path)) return Number(path.slice(1))
  throw wrong(`has the path ${JSON.stringify(path)}, which is not a database number.`)
}

/** Whether the credentials can be separated from the rest of the URL; otherwise a message would reveal them. */
function isReadable({ username, password, pathname, search, hash }: URL): boolean {
  return hash === '' && !`${pathname}${search}`.includes('@') && isDecodable(`${username}:${password}`)
}

/**
 * Parses the URL of a store: `redis://` or `rediss://`, optionally with `?prefix=`.
 *
 * @throws {SetupError} for anything else.
 */
export function parseStoreAddress(text: string): StoreAddress {
  if (!URL.canParse(text)) throw wrong(`is not a URL: ${JSON.stringify(text.replace(/\/\/.*@/, '//…@'))}.`)
  const url = new URL(text)
  if (!isReadable(url))
    throw wrong('has "%", "#", "/", "?" or "@" in the name or password. Encode them as %25, %23, %2F, %3F or %40.')
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:')
    throw wrong(`has the unsupported protocol ${JSON.stringify(url.protocol)}; only redis: and rediss: are supported.`)
  const { prefix = 'resource-mock', ...others } = Object.fromEntries(url.searchParams)
  const [stranger] = Object.keys(others)
  if (stranger !== undefined) throw wrong(`has the unknown parameter ${JSON.stringify(stranger)}.`)
  if (!PREFIX.test(prefix)) {
    throw wrong(
      `has the invalid prefix ${JSON.stringify(prefix)}; use 1 to 64 of A-Z, a-z, 0-9, ".", "_", ":" and "-".`,
    )
  }
  const database = parseDatabase(url.pathname)
  const shown = `${url.protocol}//${url.host}${database === 0 ? '' : `/${database}`}`
  url.search = ''
  return { url: url.href, shown, prefix, database }
}

/** The key version. Change it when the stored format becomes incompatible. */
const STORE_FORMAT = 1

/** The names of all of the mock's keys in Redis. */
export type Keys = ReturnType<typeof createKeys>

export function createKeys({ prefix, database }: Pick<StoreAddress, 'prefix' | 'database'>) {
  const start = `${prefix}:${STORE_FORMAT}`
  return {
    /** The settings that mocks sharing the store must have in common, as text. */
    identity: `${start}:identity`,
    secret: `${start}:secret`,
    /** A number: how many mocks have been started. */
    started: `${start}:started`,
    /** A sorted set: when each session was last used. */
    sessions: `${start}:sessions`,
    /** A hash: the coverage of all sessions. */
    total: `${start}:total`,
    /** A channel for the names of changed sessions. Channels are shared by all databases of an engine. */
    news: `${start}:news:${database}`,
    /** A stream: the changes of runs. */
    runs: `${start}:runs`,
    /** A hash: the parts of an archived session. */
    archive: (id: string) => `${start}:archive:${id}`,
    /** The keys of one session. */
    session(name: string) {
      const own = `${start}:session:${name}`
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

/** A client with the scripts as methods. */
export type Client = Redis & ScriptMethods

/** Connection options. */
export interface ConnectionOptions {
  readonly address: StoreAddress
  /** Maximum time to wait for the engine at startup, in milliseconds. */
  readonly wait: number
  /** Command timeout in milliseconds. */
  readonly timeout: number
  /** TLS options such as certificates, for `rediss://`. */
  readonly tls?: RedisOptions['tls']
}

/** Milliseconds until the next connection attempt: short at first, then one second. */
const toReconnectDelay = (attempt: number): number => Math.min(25 * 2 ** Math.min(attempt, 6), 1000)

/** Timeout of one connection attempt, in milliseconds. */
const CONNECT_TIMEOUT = 3000

async function loadClient(): Promise<Pick<typeof Ioredis, 'Redis'>> {
  expectPeer({ entry: '--store', name: 'ioredis', title: 'ioredis', least: '5.0' })
  try {
    return await import('ioredis')
  } catch (cause) {
    throw new SetupError('--store needs the package ioredis, which is not installed. Run: npm install ioredis@6', {
      cause,
    })
  }
}

/** The client's error for a command that it could not send. */
const NOT_SENT = /^(?:Stream isn't writeable|Connection is closed)/

/**
 * Whether a command was not sent because there is no connection. The client reported the cause when it tried to connect.
 */
export const isNotSent = (fault: unknown): boolean => NOT_SENT.test(toSystemMessage(fault))

/** Whether a command failed because the engine is a replica. A primary can become one. */
export const isReadOnly = (fault: unknown): boolean => toSystemMessage(fault).includes('READONLY')

/** Opens a client. It keeps trying to connect, and rejects commands until it succeeds. */
export async function openClient({ address, timeout, tls }: ConnectionOptions, name: string): Promise<Client> {
  const { Redis } = await loadClient()
  const client = new Redis(address.url, {
    connectionName: `resource-mock-${name}`,
    // The engine may have executed a sent command, so only its caller can decide whether to resend it.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    // The client does not handle the promises of its own subscriptions, so a rejection would end the process.
    autoResubscribe: false,
    commandTimeout: timeout,
    connectTimeout: CONNECT_TIMEOUT,
    // The address may resolve to another engine by now.
    reconnectOnError: isReadOnly,
    retryStrategy: toReconnectDelay,
    ...(tls === undefined ? {} : { tls }),
  })
  for (const [command, script] of Object.entries(scripts)) client.defineCommand(command, script)
  // Each request that waits for the engine adds a listener.
  client.setMaxListeners(0)
  // The commands were defined above.
  return client as Client
}

/** Whether a command may or may not have been executed: it was sent, but there was no reply. */
export const isUnknown = (fault: unknown): boolean => !/^[A-Z]{3,}\b/.test(toSystemMessage(fault))

/** Why a command failed, and the remedy; `next` is for errors that the engine may recover from. */
export function toStoreSentence(fault: unknown, shown: string, next: string): string {
  const message = toSystemMessage(fault)
  if (isReadOnly(fault))
    return `The store ${shown} is a read-only replica. Make it the primary, or point --store at the primary.`
  return message.startsWith('OOM')
    ? `The store ${shown} is out of memory, so nothing was written. Delete sessions, or give it more memory.`
    : `The store ${shown} does not respond (${message.replace(/\.$/, '')}). ${next}`
}

/** The 503 for a failed command; the next request tries the store again. */
export function toStoreProblem(fault: unknown, shown: string): Problem {
  if (fault instanceof Problem) return fault
  return problem.overCapacity(toStoreSentence(fault, shown, 'Try again.'), { 'Retry-After': '1' })
}

/** Resolves once the client is ready for commands, or after the timeout. */
export async function waitUntilReady(client: Client, milliseconds: number): Promise<void> {
  // The client may learn only in the next turn of the event loop that its connection is closed.
  await timeSlices.pause()
  if (client.status === 'ready') return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, milliseconds)
    client.once('ready', done)
    function done(): void {
      clearTimeout(timer)
      client.off('ready', done)
      resolve()
    }
  })
}

/** Redis or Valkey. */
export type Engine = Awaited<ReturnType<typeof openEngine>>

/** The default reason for a lost connection. */
const CLOSED = new Error('the connection is closed')

/** Opens a connection to an engine. It reports when the engine disconnects and reconnects. */
export async function openEngine(
  options: ConnectionOptions,
  { elapsed, onNotice, metrics }: Pick<SharedStoreParts, 'elapsed' | 'onNotice' | 'metrics'>,
) {
  const { address, timeout } = options
  const client = await openClient(options, 'main')
  let fault: unknown
  let wasReady = false
  /**
   * Whether the last reply came from a read-only replica. The client keeps reconnecting meanwhile, without reporting it.
   */
  let isReplica = false

  /** Why there is no connection. */
  let broken: unknown = CLOSED
  client.on('error', (cause) => {
    broken = cause
  })
  const toFault = (cause: unknown): Problem => toStoreProblem(isNotSent(cause) ? broken : cause, address.shown)
  function noteLoss(): void {
    fault = toStoreProblem(broken, address.shown)
    if (wasReady && !isReplica)
      onNotice(`The store ${address.shown} is disconnected. Requests get a 503 until it reconnects.`)
    wasReady = false
  }
  client.on('close', noteLoss)
  client.on('ready', () => {
    broken = CLOSED
    if (isReplica) return
    if (fault !== undefined) onNotice(`The store ${address.shown} is connected.`)
    fault = undefined
    wasReady = true
  })

  function noteReplica(): void {
    if (!isReplica) onNotice(`${toStoreProblem(new Error('READONLY'), address.shown).message} Requests get a 503.`)
    isReplica = true
  }

  function noteReply(name: string): void {
    // A replica responds to other commands, too.
    if (isReplica && name !== 'since' && name !== 'read') return
    if (isReplica) onNotice(`The store ${address.shown} is the primary again.`)
    isReplica = false
    fault = undefined
  }

  async function attempt<Reply>(name: string, command: (client: Client) => Promise<Reply>): Promise<Reply> {
    const startedAt = elapsed()
    try {
      const reply = await command(client)
      noteReply(name)
      metrics.observe(name, elapsed() - startedAt)
      return reply
    } catch (cause) {
      fault = toFault(cause)
      if (isReadOnly(cause)) noteReplica()
      throw cause
    }
  }

  return {
    client,
    /**
     * Sends a command.
     *
     * @throws {Problem} 503 if it fails.
     */
    send: <Reply>(name: string, command: (client: Client) => Promise<Reply>): Promise<Reply> =>
      attempt(name, command).catch((cause: unknown) => {
        throw toFault(cause)
      }),
    /**
     * Sends an idempotent command, and resends it after a lost connection until the timeout.
     *
     * @param next what to send once `command` has failed, if that is not idempotent
     * @throws {Problem} 503 if it fails.
     */
    async sendWithRetry<Reply>(
      name: string,
      command: (client: Client) => Promise<Reply>,
      next = command,
    ): Promise<Reply> {
      const startedAt = elapsed()
      for (let current = command; ; current = next) {
        try {
          // oxlint-disable-next-line no-await-in-loop -- retries run in sequence
          return await attempt(name, current)
        } catch (cause) {
          const left = timeout - (elapsed() - startedAt)
          if (left <= 0 || (current === next && !isUnknown(cause))) throw toFault(cause)
          metrics.retry()
          // oxlint-disable-next-line no-await-in-loop -- retries run in sequence
          await waitUntilReady(client, left)
        }
      }
    },
    /** Why the engine is currently unavailable. */
    fault: () => fault,
    close(): void {
      client.off('close', noteLoss)
      client.disconnect()
    },
  }
}
