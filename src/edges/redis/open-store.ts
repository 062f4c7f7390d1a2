import { SetupError, toSystemMessage } from '../../errors.ts'
import type { StoreIdentity, OpenSharedStore, SharedStoreParts } from '../../sessions/shared-store.ts'
import type { StoreAddress, Client, ConnectionOptions, Keys, Engine } from './redis-connection.ts'
import { isNotSent, toStoreSentence, waitUntilReady, createKeys, openEngine, openClient } from './redis-connection.ts'
import { openRedisArchive } from './redis-archive.ts'
import { createRedisLog } from './redis-log.ts'
import { openRedisSession, openTotal } from './redis-session.ts'
import { DEFAULT_SESSION } from '../../sessions/session-names.ts'

/** The reply of an engine to invalid credentials. */
const WRONG_PASSWORD = /^(?:WRONGPASS|ERR (?:Client sent AUTH|invalid password|AUTH))/

const toCluster = (shown: string): string =>
  `The store ${shown} is a cluster, which is not supported. Use one engine, with or without replicas.`

/** An error that waiting cannot resolve, with the remedy; undefined for any other error. */
function toRefusal(reason: string, { shown, prefix }: StoreAddress): string | undefined {
  const refuses = `The store ${shown} refuses this mock:`
  const what = reason.replace(/\.$/, '')
  if (reason.startsWith('NOAUTH')) return `${refuses} it requires a password. Check the name and password in --store.`
  if (WRONG_PASSWORD.test(reason)) return `${refuses} ${what}. Check the name and password in --store.`
  if (reason.startsWith('NOPERM'))
    return `${refuses} ${what}. Give its user access to all keys and channels that start with "${prefix}:", and to the commands for them.`
  if (/^(?:MOVED|CROSSSLOT)/.test(reason)) return toCluster(shown)
  return undefined
}

/** The error for a failed startup. */
export function toStoreError(cause: unknown, address: StoreAddress): SetupError {
  if (cause instanceof SetupError) return cause
  const next = 'Start it, or increase the wait: --store-wait 2m.'
  return new SetupError(toRefusal(toSystemMessage(cause), address) ?? toStoreSentence(cause, address.shown, next), {
    cause,
  })
}

/** Waits until the engine accepts this mock, or until the timeout. */
async function waitForEngine(
  client: Client,
  { address, wait }: ConnectionOptions,
  { elapsed, onNotice }: SharedStoreParts,
  join: () => Promise<void>,
): Promise<void> {
  const until = elapsed() + wait
  let reason: unknown = 'no connection'
  let isRefused = false
  const note = (fault: unknown): void => {
    if (isRefused || isNotSent(fault)) return
    reason = fault
    isRefused = toRefusal(toSystemMessage(fault), address) !== undefined
  }
  client.on('error', note)
  let isReported = false
  for (;;) {
    await waitUntilReady(client, isReported ? 500 : 250)
    try {
      await join()
      break
    } catch (fault) {
      if (fault instanceof SetupError) throw fault
      note(fault)
    }
    if (isRefused || elapsed() >= until) throw toStoreError(reason, address)
    if (!isReported) onNotice(`Waiting for the store ${address.shown} (${toSystemMessage(reason)}).`)
    isReported = true
  }
  client.off('error', note)
}

/** @throws {SetupError} if the database does not exist; the client would otherwise use database 0. */
export async function expectDatabase(client: Client, { database, shown }: StoreAddress): Promise<void> {
  if (database === 0) return
  try {
    await client.select(database)
  } catch (cause) {
    if (!toSystemMessage(cause).startsWith('ERR')) throw cause
    throw new SetupError(
      `The store ${shown} does not open database ${database} (${toSystemMessage(cause)}). Use another number, or database 0 with a separate ?prefix=.`,
      { cause },
    )
  }
}

/** Sets a value unless one exists, and returns the stored value. */
async function setOnce(client: Client, key: string, value: string): Promise<string> {
  await client.set(key, value, 'NX')
  return (await client.get(key)) ?? value
}

/** @throws {SetupError} if mocks with other settings use the store. */
export async function joinStore(
  client: Client,
  keys: Keys,
  { shown }: StoreAddress,
  identity: StoreIdentity,
): Promise<void> {
  const text = await setOnce(client, keys.identity, identity.text)
  if (text === identity.text) return
  throw new SetupError(
    `The store ${shown} is used by mocks with other settings: ${identity.describe(text).join('; ')}. Start this mock with the same settings, or give it a separate prefix: --store "${shown}?prefix=other".`,
  )
}

/**
 * Reports engine settings that may lose data.
 *
 * @throws {SetupError} if it is a cluster.
 */
async function reportSettings(
  client: Client,
  address: StoreAddress,
  onNotice: (sentence: string) => void,
): Promise<void> {
  // Hosted engines may not allow INFO.
  const info = await client.info().catch(() => '')
  const valueOf = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  if (valueOf('cluster_enabled') === '1') throw new SetupError(toCluster(address.shown))
  if (valueOf('aof_enabled') === '0')
    onNotice(`The store ${address.shown} loses its data on restart: set appendonly to yes.`)
  const policy = valueOf('maxmemory_policy') ?? 'noeviction'
  if (policy !== 'noeviction') {
    onNotice(
      `The store ${address.shown} evicts data when its memory is full: set maxmemory-policy to noeviction instead of ${policy}.`,
    )
  }
}

/**
 * Opens a store in Redis or Valkey.
 *
 * @throws {SetupError} if the engine does not respond, refuses this mock, or is used by mocks with other settings.
 */
export async function openRedisStore(options: ConnectionOptions, parts: SharedStoreParts): Promise<OpenSharedStore> {
  const { address } = options
  const engine = await openEngine(options, parts)
  const { client } = engine
  const keys = createKeys(address)
  let news: Awaited<ReturnType<typeof openNews>> | undefined
  let secret = ''
  let number = 0
  const close = (): void => {
    news?.close()
    engine.close()
  }
  try {
    await waitForEngine(client, options, parts, async () => {
      await expectDatabase(client, address)
      await joinStore(client, keys, address, parts.identity)
      secret = await setOnce(client, keys.secret, crypto.randomUUID() + crypto.randomUUID())
    })
    await reportSettings(client, address, parts.onNotice)
    number = await client.incr(keys.started)
    news = await openNews(options, engine, keys, async () => (await listSessions()).keys())
  } catch (fault) {
    close()
    throw toStoreError(fault, address)
  }

  /** Restores the shared values in an engine that has lost them, before a new mock sets others. */
  function restoreCommon(): void {
    const common = { [keys.identity]: parts.identity.text, [keys.secret]: secret }
    for (const [key, value] of Object.entries(common)) client.set(key, value, 'NX').catch(() => undefined)
  }
  client.on('ready', restoreCommon)
  const log = createRedisLog(engine, keys)
  /** When the use of each session was last recorded. */
  const used = new Map<string, number>()

  async function listSessions(): Promise<ReadonlyMap<string, number>> {
    restoreCommon()
    const flat = await engine.sendWithRetry('sessions', (one) => one.zrange(keys.sessions, '0', '-1', 'WITHSCORES'))
    return new Map(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, Number(flat[at + 1])] as const] : [])))
  }

  return {
    log,
    secret,
    number,
    sessions: listSessions,
    changed: news.changed,
    listen: news.listen,
    async usedAt(name) {
      const score = await engine.sendWithRetry('sessions', (one) => one.zscore(keys.sessions, name))
      return score === null ? undefined : Number(score)
    },
    async begin(name) {
      const now = parts.now()
      const [kind, idlest = '', usedAt = ''] = await engine.sendWithRetry('begin', (one) =>
        one.mockBegin(keys.sessions, name, now, parts.maxSessions, parts.sessionTtl, DEFAULT_SESSION),
      )
      if (kind === 'begun') used.set(name, now)
      return kind === 'idle' ? { kind, name: idlest, usedAt: Number(usedAt) } : { kind }
    },
    session: (name, passed) => openRedisSession(name, engine, keys, parts.journal, passed, log),
    coverage: openTotal(engine, keys),
    archive: openRedisArchive(engine, keys, number),
    use(name) {
      const now = parts.now()
      if (now - (used.get(name) ?? 0) < parts.useInterval) return
      used.set(name, now)
      engine.send('use', (one) => one.zadd(keys.sessions, now, name)).catch(() => used.delete(name))
    },
    forget: (name) => void used.delete(name),
    end(name) {
      used.delete(name)
      engine.send('use', (one) => one.zrem(keys.sessions, name)).catch(() => undefined)
    },
    close: async () => close(),
  }
}

/**
 * Subscribes to changes in all sessions, and resubscribes after each reconnect.
 *
 * @param listAll lists the names of all sessions
 * @throws the engine's error if subscribing fails.
 */
async function openNews(
  options: ConnectionOptions,
  engine: Engine,
  keys: Keys,
  listAll: () => Promise<Iterable<string>>,
) {
  const client = await openClient(options, 'news')
  const changed = new Set<string>()
  /** Whether messages may have been missed. */
  let isBehind = true
  let isSubscribed = false
  let onChange: ((session: string) => void) | undefined
  client.on('error', () => undefined)
  client.on('message', (_channel: string, session: string) => {
    changed.add(session)
    onChange?.(session)
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
    // Reconnect if subscribing failed; a broken connection reconnects automatically.
    subscribe().catch(() => client.status === 'ready' && client.disconnect(true))
  })

  return {
    /** The sessions that changed since the last call. */
    async changed(): Promise<ReadonlySet<string>> {
      // Messages published before the reply to this ping arrive before it.
      if (!isBehind) await engine.sendWithRetry('news', () => client.ping())
      const names = new Set(changed)
      changed.clear()
      if (!isBehind) return names
      isBehind = !isSubscribed
      return new Set(await listAll())
    },
    listen(listener: (session: string) => void): void {
      onChange = listener
    },
    close: () => client.disconnect(),
  }
}
