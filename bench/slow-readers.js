import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { startContender } from './contenders.js'
import { openUnread } from './unread.js'

const MEMORY = ['--expose-gc', '--import', new URL('soak/memory.js', import.meta.url).href]
const MEGABYTE = 1024 * 1024

const STREAMS = 1000
const REQUESTS = 60
/** Size of each request that the streams report, in bytes. */
const BODY = 54 * 1024

const READERS = 15
/** Resources in the list, which has 46 MB. */
const RESOURCES = 500
const TEXT = 92 * 1024
/** Time between two readers, in milliseconds: all at once would wait for each other's lists. */
const APART = 200
/** After this time, in milliseconds, sent data has reached the system. */
const REST = 3000

const JSON_HEADERS = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

const toDraft = (length) => ({ objectTypeProperty: { arrayOfStringExample: ['x'.repeat(length)] } })

async function create(url, draft) {
  const response = await fetch(`${url}/bench/resource`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify(draft),
  })
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`A resource was answered ${response.status}.`)
}

/** Megabytes of the process after a garbage collection. */
async function readMemory({ child }) {
  child.send('read')
  const [{ rss }] = await once(child, 'message')
  return rss / MEGABYTE
}

async function tellStreams(url) {
  const sockets = []
  for (let at = 0; at < STREAMS; at += 1) sockets.push(await openUnread(url, '/__admin/events'))
  await wait(REST)
  const draft = toDraft(BODY)
  for (let at = 0; at < REQUESTS; at += 1) await create(url, draft)
  return sockets
}

async function seedList(url) {
  const draft = toDraft(TEXT)
  for (let at = 0; at < RESOURCES; at += 1) await create(url, draft)
}

async function listWithoutReading(url) {
  const sockets = []
  for (let at = 0; at < READERS; at += 1) {
    sockets.push(await openUnread(url, `/bench/resource?limit=${RESOURCES}`))
    await wait(APART)
  }
  return sockets
}

const cases = [
  {
    title: '1,000 event streams that nobody reads, and 60 requests of 54 KB',
    act: tellStreams,
    goal: 100,
  },
  {
    title: '15 clients that do not read a list of 46 MB',
    seed: seedList,
    act: listWithoutReading,
    goal: 300,
  },
]

/** How much clients that do not read increase a mock's memory, each kind with its own mock. */
export async function* measureSlowReaders() {
  for (const { title, seed, act, goal } of cases) {
    const mock = await startContender('resource-mock', undefined, [], MEMORY)
    try {
      await seed?.(mock.url)
      const before = await readMemory(mock)
      const sockets = await act(mock.url)
      await wait(REST)
      const growth = (await readMemory(mock)) - before
      for (const socket of sockets) socket.destroy()
      yield { title, measured: `${Math.round(growth)} MB`, goal: `≤ ${goal} MB`, isReached: growth <= goal }
    } finally {
      await mock.stop()
    }
  }
}
