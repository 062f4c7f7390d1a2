import type { Cluster, Redis, RedisOptions } from 'ioredis'
import type * as Ioredis from 'ioredis'
import { Problem, SetupError, problem } from '../errors.ts'
import type { StoreAddress } from './address.ts'
import { createScripts } from './scripts.ts'
import type { ScriptMethods } from './scripts.ts'

/** A client with the scripts as methods. */
export type Client = (Redis | Cluster) & ScriptMethods

/** How to connect. */
export interface ConnectionOptions {
  readonly address: StoreAddress
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

/** What the client says of a command that it could not send. */
const NOT_SENT = /^(?:Stream isn't writeable|Connection is closed|None of startup nodes|Cluster isn't ready)/

/** Whether a command was not sent, since there is no connection; why there is none, the client told when it tried to connect. */
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
