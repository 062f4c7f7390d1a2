import { openClient, waitUntilReady } from './connection.ts'
import type { ConnectionOptions, Keys } from './connection.ts'
import type { Engine } from './engine.ts'

/** Reports the sessions that change. */
export interface News {
  /** The sessions that changed since the last call. */
  changed(): Promise<ReadonlySet<string>>
  close(): void
}

/**
 * Subscribes to the news of all sessions, after each new connection, too.
 *
 * @throws what the engine says, if that fails.
 */
export async function openNews(
  options: ConnectionOptions,
  {
    engine,
    keys,
    onChange,
    listAll,
  }: {
    readonly engine: Engine
    readonly keys: Keys
    /** Called with the name of a session that changed. */
    readonly onChange: (session: string) => void
    /** The names of all sessions. */
    readonly listAll: () => Promise<Iterable<string>>
  },
): Promise<News> {
  const { isCluster } = options.address
  const client = await openClient(options, 'news')
  const changed = new Set<string>()
  /** Whether messages may have been missed. */
  let isBehind = true
  let isSubscribed = false
  client.on('error', () => undefined)
  client.on('message', (_channel: string, session: string) => {
    changed.add(session)
    onChange(session)
  })
  client.on('close', () => {
    isBehind = true
    isSubscribed = false
  })
  async function subscribe(): Promise<void> {
    await client.subscribe(keys.news)
    isSubscribed = true
  }

  await waitUntilReady(client, options.timeout)
  try {
    await subscribe()
  } catch (fault) {
    client.disconnect()
    throw fault
  }
  client.on('ready', () => {
    // Reconnect if subscribing failed; a broken connection reconnects by itself.
    subscribe().catch(() => client.status === 'ready' && client.disconnect(true))
  })

  return {
    async changed() {
      // What was published before the answer to this ping came before it.
      if (!isCluster && !isBehind) await engine.sendWithRetry('news', () => client.ping())
      const names = new Set(changed)
      changed.clear()
      if (!isCluster && !isBehind) return names
      isBehind = isCluster || !isSubscribed
      return new Set(await listAll())
    },
    close: () => client.disconnect(),
  }
}
