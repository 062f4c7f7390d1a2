import type * as Ioredis from 'ioredis'
import { SetupError, Problem, problem } from '../errors.ts'
import { createScripts } from './scripts.ts'
import type { ScriptMethods } from './scripts.ts'
import type { Cluster, Redis, RedisOptions } from 'ioredis'
import type { SharedStoreParts } from '../sessions/shared-store.ts'

/** The address of a store, and the prefix of its keys. */
export interface StoreAddress {
  /** For the client, without what it does not know. */
  readonly url: string
  /** For sentences: without name and password. */
  readonly shown: string
  readonly prefix: string
  readonly database: number
  readonly isCluster: boolean
}

const PREFIX = /^[A-Za-z0-9._:-]{1,64}$/

const wrong = (what: string): SetupError =>
  new SetupError(
    `--store ${what} Use redis://host:6379, redis://:password@host:6379/1?prefix=team, or rediss:// for TLS.`,
  )

function parseDatabase(path: string): number {
  if (path === '' || path === '/') return 0
  if (/^\/\d{1,5}$/.test(path)) return Number(path.slice(1))
  throw wrong(`has the path ${JSON.stringify(path)}, which is not the number of a database.`)
}

/** Whether name and password can be separated from the rest: otherwise a sentence would show them. */
function isReadable({ username, password, pathname, search, hash }: URL): boolean {
  if (hash !== '' || `${pathname}${search}`.includes('@')) return false
  try {
    decodeURIComponent(`${username}:${password}`)
    return true
  } catch {
    return false
  }
}

/**
 * Parses the URL of a store: `redis://` or `rediss://`, then `?prefix=` and `?cluster=true`.
 *
 * @throws {SetupError} for anything else.
 */
export function parseStoreAddress(text: string): StoreAddress {
  if (!URL.canParse(text)) throw wrong(`is not a URL: ${JSON.stringify(text.replace(/\/\/.*@/, '//…@'))}.`)
  const url = new URL(text)
  if (!isReadable(url)) {
    throw wrong(
      'has a name or password with "%", "#", "/", "?" or "@" in it. Write %25, %23, %2F, %3F or %40 for them.',
    )
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') {
    throw wrong(`begins with ${JSON.stringify(url.protocol)}, and only redis: and rediss: are known.`)
  }
  const { prefix = 'resource-mock', cluster = 'false', ...others } = Object.fromEntries(url.searchParams)
  const [stranger] = Object.keys(others)
  if (stranger !== undefined) throw wrong(`has the unknown parameter ${JSON.stringify(stranger)}.`)
  if (!PREFIX.test(prefix)) {
    throw wrong(
      `has the prefix ${JSON.stringify(prefix)}, but 1 to 64 of A-Z, a-z, 0-9, ".", "_", ":" and "-" are expected.`,
    )
  }
  const database = parseDatabase(url.pathname)
  if (cluster !== 'true' && cluster !== 'false') {
    throw wrong(`has the value ${JSON.stringify(cluster)} for cluster, but true or false is expected.`)
  }
  const isCluster = cluster === 'true'
  if (isCluster && database !== 0) throw wrong('names a database, but a cluster has only database 0.')
  const shown = `${url.protocol}//${url.host}${database === 0 ? '' : `/${database}`}`
  url.search = ''
  return { url: url.href, shown, prefix, database, isCluster }
}

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

/** A client with the scripts as methods. */
export type Client = (Redis | Cluster) & ScriptMethods

/** How to connect. */
export interface ConnectionOptions {
  readonly address: StoreAddress
  /** The longest that a start waits for the engine, in milliseconds. */
  readonly wait: number
  /** Milliseconds that the engine may take for a command. */
  readonly timeout: number
  /** Certificates and the like, for `rediss://`. */
  readonly tls?: RedisOptions['tls']
}

/** Milliseconds until the next attempt to connect: quickly at first, then once a second. */
const toPause = (attempt: number): number => Math.min(25 * 2 ** Math.min(attempt, 6), 1000)

/** The longest that one attempt to connect may take, in milliseconds. */
const CONNECT_TIMEOUT = 3000

async function loadClient(): Promise<Pick<typeof Ioredis, 'Redis' | 'Cluster'>> {
  try {
    return await import('ioredis')
  } catch (cause) {
    throw new SetupError('--store needs the package ioredis, which is not installed. Run: npm install ioredis@6', {
      cause,
    })
  }
}

/** What was wrong, in the words of the engine or the system. */
export function describe(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  // A host name with several addresses, none of which can be reached.
  if (fault instanceof AggregateError && fault.errors.length > 0) return describe(fault.errors[0])
  // A cluster, none of whose nodes answers.
  if ('lastNodeError' in fault && fault.lastNodeError !== undefined) return describe(fault.lastNodeError)
  return fault.message
}

/** The client's error for a command that it could not send. */
const NOT_SENT = /^(?:Stream isn't writeable|Connection is closed|None of startup nodes|Cluster isn't ready)/

/** Whether a command was not sent because there is no connection. The client reported the cause when it tried to connect. */
export const isNotSent = (fault: unknown): boolean => NOT_SENT.test(describe(fault))

/** Whether a command failed since the engine is a replica, as one that was a primary may become. */
export const isReadOnly = (fault: unknown): boolean => describe(fault).includes('READONLY')

/** Opens a client. It connects by itself, again and again, and refuses commands meanwhile. */
export async function openClient({ address, timeout, tls }: ConnectionOptions, name: string): Promise<Client> {
  const { Cluster, Redis } = await loadClient()
  const common: RedisOptions = {
    connectionName: `resource-mock-${name}`,
    // A command that was sent may have been carried out: only who sent it knows whether it may be sent again.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    // The client leaves the promises of what it subscribes to by itself to nobody, so one that fails ends the process.
    autoResubscribe: false,
    commandTimeout: timeout,
    connectTimeout: CONNECT_TIMEOUT,
    // The address may lead to another engine by now.
    reconnectOnError: isReadOnly,
    ...(tls === undefined ? {} : { tls }),
  }
  const client = address.isCluster
    ? new Cluster([address.url], {
        enableAutoPipelining: true,
        enableOfflineQueue: false,
        clusterRetryStrategy: toPause,
        redisOptions: common,
      })
    : new Redis(address.url, { ...common, enableAutoPipelining: true, retryStrategy: toPause })
  for (const [command, { numberOfKeys, lua }] of Object.entries(createScripts(address.isCluster ? 1 : 2))) {
    client.defineCommand(command, { numberOfKeys, lua })
  }
  // Each request that waits for the engine listens.
  client.setMaxListeners(0)
  // The commands were just defined.
  return client as Client
}

/** Whether it is unknown if a command was carried out: it was sent, and no answer came. */
export const isUnknown = (fault: unknown): boolean => !/^[A-Z]{3,}\b/.test(describe(fault))

const toReadOnly = (shown: string): string =>
  `The store ${shown} is a read-only replica. Make it the primary, or let --store name the primary.`

/** Why a command failed, and what to do; `next` is for what the engine may get over by itself. */
export function toSentence(fault: unknown, shown: string, next: string): string {
  const message = describe(fault)
  if (isReadOnly(fault)) return toReadOnly(shown)
  return message.startsWith('OOM')
    ? `The store ${shown} is out of memory, so nothing was written. Delete sessions, or give it more memory.`
    : `The store ${shown} does not answer (${message.replace(/\.$/, '')}). ${next}`
}

/** The 503 for a command that failed; the store is asked again with the next request. */
export function toProblem(fault: unknown, shown: string): Problem {
  if (fault instanceof Problem) return fault
  return problem.overCapacity(toSentence(fault, shown, 'Try again.'), { 'Retry-After': '1' })
}

/** Resolves once the client can take commands, or when the time is over. */
export function waitUntilReady(client: Client, milliseconds: number): Promise<void> {
  if (client.status === 'ready') return Promise.resolve()
  return new Promise((resolve) => {
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

/** Why there is no connection, if the client gave no reason. */
const CLOSED = new Error('the connection is closed')

/** Opens a connection to an engine. It reports when the engine disconnects and when it is back. */
export async function openEngine(
  options: ConnectionOptions,
  { elapsed, onNotice, metrics }: Pick<SharedStoreParts, 'elapsed' | 'onNotice' | 'metrics'>,
) {
  const { address, timeout } = options
  const client = await openClient(options, 'main')
  let fault: unknown
  let wasReady = false
  /** Whether a read-only replica answered last. The client keeps reconnecting meanwhile, which is not reported. */
  let isReplica = false

  /** Why there is no connection. */
  let broken: unknown = CLOSED
  client.on('error', (cause) => {
    broken = cause
  })
  const toFault = (cause: unknown): Problem => toProblem(isNotSent(cause) ? broken : cause, address.shown)
  function noteLoss(): void {
    fault = toProblem(broken, address.shown)
    if (wasReady && !isReplica) onNotice(`The store ${address.shown} is gone: requests get a 503 until it is back.`)
    wasReady = false
  }
  client.on('close', noteLoss)
  client.on('ready', () => {
    broken = CLOSED
    if (isReplica) return
    if (fault !== undefined) onNotice(`The store ${address.shown} is there.`)
    fault = undefined
    wasReady = true
  })

  function noteReplica(): void {
    if (!isReplica) onNotice(`${toProblem(new Error('READONLY'), address.shown).message} Requests get a 503.`)
    isReplica = true
  }

  function noteReply(name: string): void {
    // A replica answers other commands, too.
    if (isReplica && name !== 'since') return
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
     * Sends an idempotent command, again if the connection was lost, until the timeout.
     *
     * @throws {Problem} 503 if it fails.
     */
    async sendWithRetry<Reply>(name: string, command: (client: Client) => Promise<Reply>): Promise<Reply> {
      const startedAt = elapsed()
      for (;;) {
        try {
          // oxlint-disable-next-line no-await-in-loop -- one try after the other
          return await attempt(name, command)
        } catch (cause) {
          const left = timeout - (elapsed() - startedAt)
          if (left <= 0 || !isUnknown(cause)) throw toFault(cause)
          metrics.retry()
          // oxlint-disable-next-line no-await-in-loop -- one try after the other
          await waitUntilReady(client, left)
        }
      }
    },
    /** Why the engine cannot be used now. */
    fault: () => fault,
    close(): void {
      client.off('close', noteLoss)
      client.disconnect()
    },
  }
}
