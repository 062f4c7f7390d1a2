/**
 * Loads the command for a while like a shared mock, and prints the memory of its process (resident set size) each minute
 * after a garbage collection. Ends with the slope of the last half, and fails if memory grows.
 *
 * Run it with: npm run build && npm run soak -- [--minutes 30] [--clients 8] [--streams 0] [--readers 0]
 *
 * `--streams` event streams and `--readers` connections that request a list of 46 MB stay open, and nobody reads them. A
 * connection that the mock cuts off is opened again.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeSeed } from '../seed.js'
import { openUnread } from '../unread.js'
import { createChance, mix } from './mix.js'

/** Megabytes a minute: faster growth fills a small machine in a few weeks. */
const MOST_GROWTH = 1
const SESSIONS = 60
/** One request in this many is the last of its session; another session follows. */
const LIFE = 100
const PAUSE = 5
const SAMPLES_A_MINUTE = 4
/** Less than the default, so that the journals are full, and memory is stable, well before the second half. */
const LIMITS = ['--memory', '64mb']
const MEGABYTE = 1024 * 1024

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    clients: { type: 'string', default: '8' },
    streams: { type: 'string', default: '0' },
    readers: { type: 'string', default: '0' },
  },
})
const [minutes, clients, streams, readers] = [options.minutes, options.clients, options.streams, options.readers].map(
  Number,
)
if (!(minutes > 0 && minutes <= 24 * 60 && clients > 0 && clients <= 100 && streams >= 0 && readers >= 0)) {
  console.error('Use --minutes from 1 to 1440, --clients from 1 to 100, and numbers for --streams and --readers.')
  process.exit(2)
}

const toPath = (path) => fileURLToPath(new URL(path, import.meta.url))

async function start(fixtures) {
  const given = ['--expose-gc', '--import', new URL('memory.js', import.meta.url).href]
  const command = [
    toPath('../../bin/resource-mock.js'),
    '--port',
    '0',
    '--log',
    'json',
    '--fixtures',
    fixtures,
    ...LIMITS,
  ]
  const child = spawn(process.execPath, [...given, ...command], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] })
  const [line] = await once(child.stdout, 'data')
  return { child, url: /\((.+)\)/.exec(String(line))[1] }
}

/** Clients wait for this before they do anything. */
let gate = Promise.resolve()

/** Measures while no request is in flight: temporary memory of a request is not growth. */
async function measure(child) {
  let open
  gate = new Promise((resolve) => {
    open = resolve
  })
  while (counts.active > 0) await sleep(PAUSE)
  child.send('measure')
  const [memory] = await once(child, 'message')
  open()
  return memory
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Megabytes a minute, by least squares. */
function toSlope(samples) {
  const [time, size] = [mean(samples.map(({ minute }) => minute)), mean(samples.map(({ rss }) => rss))]
  const above = samples.reduce((sum, { minute, rss }) => sum + (minute - time) * (rss - size), 0)
  const below = samples.reduce((sum, { minute }) => sum + (minute - time) ** 2, 0)
  return above / below / MEGABYTE
}

const deck = mix.flatMap(([weight, act]) => Array.from({ length: weight }, () => act))
const counts = { active: 0, unread: 0, requests: 0, sessions: SESSIONS, broken: 0, failed: 0 }
const names = Array.from({ length: SESSIONS }, (_, at) => `soak-${at}`)

async function drain(body) {
  for await (const _chunk of body);
}

/** The actions of a client in one session. */
function createVisit(url, name, chance) {
  const toOptions = ({ headers = {}, body }) => ({
    headers: { Authorization: 'Bearer any', 'X-Mock-Session': name, ...headers },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  return {
    chance,
    async send(method, path, given = {}) {
      counts.requests += 1
      try {
        const response = await fetch(url + path, { method, ...toOptions(given) })
        await drain(response.body ?? [])
        if (response.status === 500 && given.headers?.['X-Mock-Scenario'] === undefined) counts.failed += 1
        return response
      } catch {
        counts.broken += 1
        return undefined
      }
    },
    async listen(path, milliseconds) {
      counts.requests += 1
      const gone = new AbortController()
      try {
        const response = await fetch(url + path, { ...toOptions({}), signal: gone.signal })
        // Half of the readers never read.
        if (milliseconds % 2 === 0) drain(response.body).catch(() => undefined)
        await sleep(milliseconds)
      } catch {
        counts.broken += 1
      }
      gone.abort()
    },
  }
}

async function runClient(url, seed, until) {
  const chance = createChance(seed)
  const below = (bound) => Math.floor(chance() * bound)
  while (Date.now() < until) {
    await gate
    counts.active += 1
    const at = below(SESSIONS)
    const visit = createVisit(url, names[at], chance)
    if (below(LIFE) === 0) {
      counts.sessions += 1
      const ended = names[at]
      names[at] = `soak-${counts.sessions}`
      await visit.send('DELETE', `/__admin/sessions/${ended}`)
    } else await deck[below(deck.length)](visit)
    counts.active -= 1
    await sleep(PAUSE)
  }
}

/** The session whose events and lists nobody reads, and the resources in its list. */
const UNREAD = 'soak-unread'
const LISTED = 500
const LISTED_TEXT = 'x'.repeat(92 * 1024)
/** Between two connections, and between two events for the streams, in milliseconds. */
const CONNECTION_PAUSE = 50
const EVENT_PAUSE = 1000

/** Keeps a connection open that nobody reads, until `until`. */
async function keepUnread(url, path, until) {
  while (Date.now() < until) {
    const socket = await openUnread(url, path, { 'X-Mock-Session': UNREAD })
    counts.unread += 1
    const cut = once(socket, 'close')
    await Promise.race([cut, sleep(until - Date.now(), undefined, { ref: false })])
    socket.destroy()
    await sleep(EVENT_PAUSE)
  }
}

/** Opens the connections that nobody reads, and creates a resource each second, whose events they get. */
async function runUnread(url, until) {
  if (streams + readers === 0) return
  const visit = createVisit(url, UNREAD, createChance(1))
  const create = (text) =>
    visit.send('POST', '/shop/resource', {
      headers: { 'Content-Type': 'application/json' },
      body: { objectTypeProperty: { arrayOfStringExample: [text] } },
    })
  if (readers > 0) for (let at = 0; at < LISTED; at += 1) await create(LISTED_TEXT)
  const paths = [
    ...Array.from({ length: streams }, () => '/__admin/events'),
    ...Array.from({ length: readers }, () => `/shop/resource?limit=${LISTED}`),
  ]
  const kept = []
  for (const path of paths) {
    kept.push(keepUnread(url, path, until))
    await sleep(CONNECTION_PAUSE)
  }
  while (Date.now() < until) {
    await gate
    await create('')
    await sleep(EVENT_PAUSE)
  }
  await Promise.all(kept)
}

const toMegabytes = (bytes) => (bytes / MEGABYTE).toFixed(1)
const folder = await mkdtemp(join(tmpdir(), 'resource-mock-soak-'))
await writeSeed(folder, 200)
const { child, url } = await start(folder)
const samples = []
try {
  console.log(
    `Node ${process.versions.node}, ${clients} clients, ${SESSIONS} sessions at a time, ${minutes} minutes.\n`,
  )
  console.log(
    '| minute | RSS, MB | heap, MB | buffers, MB | requests | sessions |\n| --: | --: | --: | --: | --: | --: |',
  )
  const begin = Date.now()
  const until = begin + minutes * 60_000
  const loads = Array.from({ length: clients }, (_, at) => runClient(url, at + 1, until))
  loads.push(runUnread(url, until))
  for (let sample = 1; sample <= minutes * SAMPLES_A_MINUTE; sample += 1) {
    await sleep(Math.max(0, begin + (sample * 60_000) / SAMPLES_A_MINUTE - Date.now()))
    const { rss, heapUsed, external } = await measure(child)
    const minute = sample / SAMPLES_A_MINUTE
    samples.push({ minute, rss })
    if (Number.isInteger(minute)) {
      const cells = [minute, ...[rss, heapUsed, external].map(toMegabytes), counts.requests, counts.sessions]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
  await Promise.all(loads)
} finally {
  child.kill()
  await rm(folder, { recursive: true, force: true })
}
const slope = toSlope(samples.slice(samples.length / 2))
console.log(`\n${counts.broken} connections broke, as the faults want it; ${counts.failed} answers were 500.`)
if (streams + readers > 0) console.log(`${counts.unread} connections that nobody read were opened.`)
console.log(`Slope of the last half: ${slope.toFixed(2)} MB a minute; wanted: at most ${MOST_GROWTH}.`)
if (slope > MOST_GROWTH || counts.failed > 0) process.exitCode = 1
