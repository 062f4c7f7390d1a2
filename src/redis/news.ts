import { openClient, waitUntilReady } from './connection.ts'
import type { ConnectionOptions, Keys } from './connection.ts'
import type { Engine } from './engine.ts'

interface NewsParts {
  readonly engine: Engine
  readonly keys: Keys
  /** Called with the name of a session in which something has happened. */
  readonly onNews: (session: string) => void
  /** The names of all sessions. */
  readonly listAll: () => Promise<Iterable<string>>
}

/** Hears in which sessions something happens. */
export interface News {
  /** The sessions of which there were news since this was last called, and before now. */
  moved(): Promise<ReadonlySet<string>>
  close(): void
}

/**
 * Subscribes to the news of all sessions, after each new connection, too.
 *
 * @throws what the engine says, if that fails.
 */
export async function openNews(
  options: ConnectionOptions,
  { engine, keys, onNews, listAll }: NewsParts,
): Promise<News> {
  const { isCluster } = options.address
  const client = await openClient(options, 'news')
  const moved = new Set<string>()
  /** Whether news may have been missed. */
  let isBehind = true
  let isHearing = false
  client.on('error', () => undefined)
  client.on('message', (_channel: string, session: string) => {
    moved.add(session)
    onNews(session)
  })
  client.on('close', () => {
    isBehind = true
    isHearing = false
  })
  async function subscribe(): Promise<void> {
    await client.subscribe(keys.news)
    isHearing = true
  }

  await waitUntilReady(client, options.timeout)
  try {
    await subscribe()
  } catch (fault) {
    client.disconnect()
    throw fault
  }
  client.on('ready', () => {
    // A connection that hears nothing is given up; one that has broken meanwhile is made anew anyway.
    subscribe().catch(() => client.status === 'ready' && client.disconnect(true))
  })

  return {
    async moved() {
      // What was published before the answer to this ping came before it.
      if (!isCluster && !isBehind) await engine.insist('news', () => client.ping())
      const names = new Set(moved)
      moved.clear()
      if (!isCluster && !isBehind) return names
      isBehind = isCluster || !isHearing
      return new Set(await listAll())
    },
    close: () => client.disconnect(),
  }
}
