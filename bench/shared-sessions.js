import { once } from 'node:events'
import { Redis } from 'ioredis'
import { startContender } from './contenders.js'
import { draft } from './seed.js'

const COLLECTION = '/bench/resource'
const HEADERS = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
const CLIENTS = 16
const [ENDED, READERS, MOST, LOOKED_AT] = [1000, 3000, 50, 8000]

const startReplica = (store, more = [], nodeFlags = []) =>
  startContender('resource-mock', undefined, ['--store', store, ...more], nodeFlags)

async function send(url, method, path, init = {}) {
  const response = await fetch(url + path, { method, headers: HEADERS, ...init })
  await response.text()
  return response.status
}

/** Runs a function for each number below a count, a few at a time. */
async function forEach(count, act) {
  let next = 0
  const work = async () => {
    while (next < count) {
      next += 1
      await act(next - 1)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, work))
}

const TELLS_MEMORY = ['--expose-gc', '--import', new URL('soak/memory.js', import.meta.url).href]

/** Memory that a replica uses, in megabytes. */
async function readMegabytes({ child }) {
  child.send('measure')
  const [{ heapUsed, external }] = await once(child, 'message')
  return (heapUsed + external) / 1024 ** 2
}

/** Sends a write whose body is held back until its session is deleted at the other mock. */
async function endUnderWrite([one, two], name) {
  let release
  const ended = new Promise((resolve) => {
    release = resolve
  })
  const [start, rest] = ['{', JSON.stringify(draft).slice(1)].map((text) => new TextEncoder().encode(text))
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(start)
      await ended
      controller.enqueue(rest)
      controller.close()
    },
  })
  await send(two.url, 'GET', `/@${name}${COLLECTION}`)
  const writing = send(two.url, 'POST', `/@${name}${COLLECTION}`, { body, duplex: 'half' })
  await send(one.url, 'DELETE', `/__admin/sessions/${name}?final=true`)
  release()
  await writing
}

async function measureEnded(store, client) {
  const prefix = 'ended'
  const replicas = [await startReplica(`${store}?prefix=${prefix}`), await startReplica(`${store}?prefix=${prefix}`)]
  await forEach(ENDED, (at) => endUnderWrite(replicas, `ended-${at}`))
  const keys = await client.keys(`${prefix}:*:session:ended-*`)
  const expiries = await Promise.all(keys.map((key) => client.ttl(key)))
  const lasting = expiries.filter((seconds) => seconds === -1).length
  for (const { stop } of replicas) await stop()
  return {
    title: `keys left by ${ENDED.toLocaleString('en')} sessions that were permanently deleted during a write at another replica`,
    measured: `${keys.length.toLocaleString('en')}, ${lasting} of them without expiry`,
    goal: '0 without expiry',
    isReached: lasting === 0,
  }
}

async function measureMost(store, client) {
  const url = `${store}?prefix=most`
  const more = ['--max-sessions', `${MOST}`]
  const replicas = []
  for (let at = 0; at < 3; at += 1) replicas.push(await startReplica(url, more))
  await forEach(READERS, (at) => send(replicas[at % 3].url, 'GET', `/@reader-${at}${COLLECTION}`))
  const sessions = await client.zcard('most:1:sessions')
  const journals = (await client.keys('most:*:journal')).length
  for (const { stop } of replicas) await stop()
  return {
    title: `sessions of ${READERS.toLocaleString('en')} names that read from three replicas, --max-sessions ${MOST}`,
    measured: `${sessions}, with ${journals} journals`,
    goal: `≤ ${MOST}`,
    isReached: Math.max(sessions, journals) <= MOST,
  }
}

async function measureLookedAt(store) {
  const replica = await startReplica(`${store}?prefix=looked`, [], TELLS_MEMORY)
  const look = (from) => (at) => send(replica.url, 'GET', `/@name-${from + at}/__admin/requests`)
  // After the first ones, the code itself needs no more memory.
  await forEach(LOOKED_AT / 4, look(0))
  const before = await readMegabytes(replica)
  await forEach(LOOKED_AT, look(LOOKED_AT))
  const grown = (await readMegabytes(replica)) - before
  await replica.stop()
  return {
    title: `memory after ${LOOKED_AT.toLocaleString('en')} names that only the admin API reads`,
    measured: `${grown < 0 ? '' : '+'}${grown.toFixed(1)} MB`,
    goal: '≤ +1 MB',
    isReached: grown <= 1,
  }
}

/**
 * Measures what sessions leave in a store and in the mocks that share it.
 *
 * @param {string} store its URL
 */
export async function* measureSharedSessions(store) {
  const client = new Redis(store)
  try {
    yield await measureEnded(store, client)
    yield await measureEnded(store, client)
    yield await measureMost(store, client)
    yield await measureLookedAt(store)
  } finally {
    client.disconnect()
  }
}
