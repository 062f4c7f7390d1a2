import { SetupError } from '../errors.ts'
import type { OpenSharedStore, SharedStoreParts } from '../sessions/shared-store.ts'
import { describe, isNotSent, openClient, waitUntilReady } from './connection.ts'
import type { Client, ConnectionOptions } from './connection.ts'
import { openEngine } from './engine.ts'
import { createKeys } from './keys.ts'
import type { Keys } from './keys.ts'
import { openTotal } from './redis-coverage.ts'
import { createRedisLog } from './redis-log.ts'
import { openRedisSession } from './redis-session.ts'

export interface OpenParts extends SharedStoreParts, ConnectionOptions {
  /** The longest that a start waits for the engine, in milliseconds. */
  readonly wait: number
}

/** What a client says whose name or password is wrong. */
const REFUSED = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:Client sent AUTH|invalid password|AUTH))/

/**
 * Waits for the engine.
 *
 * @throws {SetupError} if it refuses the client, or does not answer in time.
 */
async function waitForEngine(client: Client, { address, wait, elapsed, onNotice }: OpenParts): Promise<void> {
  const until = elapsed() + wait
  let refusal = ''
  let reason = 'no connection'
  const note = (fault: unknown): void => {
    if (!isNotSent(fault)) reason = describe(fault)
    if (REFUSED.test(reason)) refusal = reason
  }
  client.on('error', note)
  let isTold = false
  for (;;) {
    await waitUntilReady(client, isTold ? 500 : 250)
    try {
      await client.ping()
      break
    } catch (fault) {
      note(fault)
    }
    if (refusal !== '') {
      const what = refusal.startsWith('NOAUTH') ? 'it wants a password' : refusal.replace(/\.$/, '')
      throw new SetupError(
        `The store ${address.shown} refuses this mock: ${what}. Check the name and password in --store.`,
      )
    }
    if (elapsed() >= until) {
      throw new SetupError(
        `The store ${address.shown} does not answer (${reason}). Start it, or wait longer for it: --store-wait 2m.`,
      )
    }
    if (!isTold) onNotice(`Waiting for the store ${address.shown} (${reason}).`)
    isTold = true
  }
  client.off('error', note)
}

/** @throws {SetupError} if there is no such database: the client would go on in database 0. */
async function expectDatabase(client: Client, { address: { database, shown } }: OpenParts): Promise<void> {
  if (database === 0) return
  try {
    await client.select(database)
  } catch (cause) {
    throw new SetupError(
      `The store ${shown} does not open database ${database} (${describe(cause)}). Use another number, or only a ?prefix= of its own.`,
      { cause },
    )
  }
}

/** Sets a value unless there is one, and returns the one that there is. */
async function setOnce(client: Client, key: string, value: string): Promise<string> {
  await client.set(key, value, 'NX')
  return (await client.get(key)) ?? value
}

/** @throws {SetupError} if mocks of another kind use the store. */
async function join(client: Client, keys: Keys, { identity, address }: OpenParts): Promise<void> {
  const text = await setOnce(client, keys.identity, identity.text)
  if (text === identity.text) return
  throw new SetupError(
    `The store ${address.shown} belongs to mocks that are not like this one: ${identity.describe(text).join('; ')}. Start this one as they were started, or give it keys of its own: --store "${address.shown}?prefix=other".`,
  )
}

/** What people should know of how the engine is set up. */
async function warnOfLoss(client: Client, { address, onNotice }: OpenParts): Promise<void> {
  // An engine that others run may refuse to tell.
  const info = await client.info().catch(() => '')
  const valueOf = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  if (valueOf('aof_enabled') === '0') {
    onNotice(`The store ${address.shown} loses what was written when it restarts: its appendonly is off.`)
  }
  const policy = valueOf('maxmemory_policy') ?? 'noeviction'
  if (policy !== 'noeviction') {
    onNotice(
      `The store ${address.shown} drops data when its memory is full: set maxmemory-policy to noeviction instead of ${policy}.`,
    )
  }
}

/** Hears in which sessions something happens. */
async function hearNews(
  { address, ...options }: ConnectionOptions,
  keys: Keys,
  hear: (session: string) => void,
  onGap: () => void,
): Promise<Client> {
  const client = await openClient({ address, ...options }, 'news')
  client.on('error', () => undefined)
  client.on('message', (_channel: string, session: string) => hear(session))
  client.on('close', onGap)
  await waitUntilReady(client, options.timeout)
  await client.subscribe(keys.news)
  return client
}

function createSecret(): string {
  return crypto.randomUUID() + crypto.randomUUID()
}

/**
 * Opens the store that an engine keeps.
 *
 * @throws {SetupError} if it does not answer, refuses this mock, or belongs to mocks that are not like this one.
 */
export async function openRedisStore(parts: OpenParts): Promise<OpenSharedStore> {
  const { address, onNews } = parts
  const engine = await openEngine(parts)
  const { client } = engine
  const keys = createKeys(address)
  let news: Client | undefined
  const moved = new Set<string>()
  /** Whether news may have been missed. */
  let isBehind = true
  const close = (): void => {
    news?.disconnect()
    engine.close()
  }
  try {
    await waitForEngine(client, parts)
    await expectDatabase(client, parts)
    await join(client, keys, parts)
    await warnOfLoss(client, parts)
    news = await hearNews(
      parts,
      keys,
      (session) => {
        moved.add(session)
        onNews(session)
      },
      () => {
        isBehind = true
      },
    )
  } catch (fault) {
    close()
    throw fault
  }
  const secret = await setOnce(client, keys.secret, createSecret())

  /** Gives back what all mocks have in common to an engine that has lost it, before a new mock sets another. */
  function restoreCommon(): void {
    const common = { [keys.identity]: parts.identity.text, [keys.secret]: secret }
    for (const [key, value] of Object.entries(common)) client.set(key, value, 'NX').catch(() => undefined)
  }
  client.on('ready', restoreCommon)
  /** When the use of each session was noted last. */
  const used = new Map<string, number>()

  async function listSessions(): Promise<ReadonlyMap<string, number>> {
    restoreCommon()
    const flat = await engine.insist('sessions', (one) => one.zrange(keys.sessions, '0', '-1', 'WITHSCORES'))
    return new Map(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, Number(flat[at + 1])] as const] : [])))
  }

  return {
    log: createRedisLog(engine, keys),
    secret,
    sessions: listSessions,
    async moved() {
      // What was published before the answer to this ping came before it.
      if (!address.isCluster && !isBehind) await engine.insist('news', () => (news ?? client).ping())
      const names = new Set(moved)
      moved.clear()
      if (!address.isCluster && !isBehind) return names
      isBehind = address.isCluster
      return new Set((await listSessions()).keys())
    },
    session: (name, passed) => openRedisSession(name, { engine, keys, journal: parts.journal, passed }),
    coverage: openTotal(engine, keys),
    use(name) {
      const now = parts.now()
      if (now - (used.get(name) ?? 0) < parts.useInterval) return
      used.set(name, now)
      engine.ask('use', (one) => one.zadd(keys.sessions, now, name)).catch(() => used.delete(name))
    },
    forget: (name) => void used.delete(name),
    end(name) {
      used.delete(name)
      engine.ask('use', (one) => one.zrem(keys.sessions, name)).catch(() => undefined)
    },
    close: async () => close(),
  }
}
