import type { Problem } from '../errors.ts'
import { isNotSent, isReadOnly, isUnknown, openClient, toProblem, waitUntilReady } from './connection.ts'
import type { Client, ConnectionOptions } from './connection.ts'
import type { StoreMetrics } from '../journal/counts.ts'

export interface EngineParts extends ConnectionOptions {
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
  /** Called when the engine disconnects and when it is back. */
  readonly onNotice: (sentence: string) => void
  readonly metrics: Pick<StoreMetrics, 'observe' | 'retry'>
}

/** Redis or Valkey. */
export interface Engine {
  /**
   * Sends a command.
   *
   * @throws {Problem} 503 if it fails.
   */
  send<Reply>(name: string, send: (client: Client) => Promise<Reply>): Promise<Reply>
  /**
   * Sends an idempotent command, again if the connection was lost, until the timeout.
   *
   * @throws {Problem} 503 if it fails.
   */
  sendWithRetry<Reply>(name: string, send: (client: Client) => Promise<Reply>): Promise<Reply>
  /** Why the engine cannot be used now. */
  fault(): unknown
  readonly client: Client
  close(): void
}

/** Why there is no connection, if the client gave no reason. */
const CLOSED = new Error('the connection is closed')

/** Opens a connection to an engine. */
export async function openEngine({ elapsed, onNotice, metrics, ...options }: EngineParts): Promise<Engine> {
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
    send: (name, command) =>
      attempt(name, command).catch((cause: unknown) => {
        throw toFault(cause)
      }),
    async sendWithRetry(name, command) {
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
    fault: () => fault,
    close() {
      client.off('close', noteLoss)
      client.disconnect()
    },
  }
}
