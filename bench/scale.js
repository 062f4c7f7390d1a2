import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from './measure.js'
import { COLLECTION, startMock } from './scale-client.js'
import { pickIds, writeSeed } from './seed.js'
import { measureStartup } from './startup.js'

const [FEW, SOME, MANY] = [100, 10_000, 100_000]
/** Number of measurements for a median. */
const TIMES = 15
/** Number of warm-up runs, until the code is compiled. */
const WARM_UP = 5
const SESSIONS = 1000
const WRITERS = 8
const KILLS = 30
/** Interval between pings in milliseconds, even if the last one has no response yet. */
const PING_INTERVAL = 10
const PINGS = 500

const SORTED = `${COLLECTION}/sorted-query-parameters?limit=20&sort=`
const SEARCH = `${COLLECTION}/searchApiPattern?limit=20&text.en=`
const where = (condition) => `${COLLECTION}?limit=20&where=${encodeURIComponent(condition)}`

const show = (value) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))

/** A figure with an upper limit. */
const toRow = (title, value, unit, most) => ({
  title,
  measured: `${show(value)} ${unit}`,
  goal: `≤ ${most} ${unit}`,
  isReached: value <= most,
})

/** A time that may be at most twice another. */
const toRatioRow = (title, least, most) => ({
  title,
  measured: `${show(least)} and ${show(most)} ms: ${(most / least).toFixed(1)}×`,
  goal: '≤ 2×',
  isReached: most <= 2 * least,
})

/** Calls a function with each of two clients in turn, and returns the medians of the milliseconds that it returns. */
async function compareClients(clients, measure, times = TIMES) {
  const seen = clients.map(() => [])
  for (let round = 0; round < WARM_UP + times; round += 1) {
    for (const [at, client] of clients.entries()) {
      const milliseconds = await measure(client, round)
      if (round >= WARM_UP) seen[at].push(milliseconds)
    }
  }
  return seen.map(median)
}

async function timeFirstWrite(client, round) {
  const session = `first-${round}`
  const { status, milliseconds } = await client.create(session)
  if (status !== 201) throw new Error(`The first write was answered ${status}.`)
  await client.time('DELETE', `/__admin/sessions/${session}`)
  return milliseconds
}

async function timeSnapshot(client, round) {
  const session = 'snapshot'
  await client.create(session)
  const path = `/__admin/snapshots/bench-${round}`
  const taken = await client.time('PUT', path, { session }, 201)
  const restored = await client.time('POST', `${path}/restore`, { session })
  await client.time('DELETE', path, { session })
  return taken + restored
}

/** The first time, and the median of the following ones. */
async function timeFirstAndLater(client, toPath) {
  const first = await client.time('GET', toPath(0))
  const later = []
  for (let round = 1; round <= TIMES; round += 1) later.push(await client.time('GET', toPath(round)))
  return { first, later: median(later) }
}

/** The 99th percentile of pings while other requests read everything, one after the other. */
async function measurePings(client) {
  const done = new AbortController()
  async function query() {
    for (let round = 0; !done.signal.aborted; round += 1) {
      await client.time('GET', `${SORTED}key%20${round % 2 === 0 ? 'desc' : 'asc'}`)
      await client.time('GET', `${SEARCH}${encodeURIComponent('resurce numbr')}&fuzzy=true`)
      await client.time('GET', where(`version > ${round} or key = "resource-${round}"`))
    }
  }
  const querying = query()
  const [path] = pickIds(MANY, 1).map((id) => `${COLLECTION}/${id}`)
  const pings = []
  while (pings.length < PINGS) {
    pings.push(client.time('GET', path))
    await wait(PING_INTERVAL)
  }
  const milliseconds = await Promise.all(pings)
  done.abort()
  await querying
  return milliseconds.toSorted((a, b) => a - b)[Math.floor(PINGS * 0.99)]
}

async function* measureQueries([client]) {
  for (const { name, goal, toPath } of [
    { name: 'sort', goal: 20, toPath: (round) => `${SORTED}key%20${round % 2 === 0 ? 'desc' : 'asc'}&offset=${round}` },
    { name: 'search', goal: 500, toPath: (round) => `${SEARCH}${4711 + round}` },
  ]) {
    const { first, later } = await timeFirstAndLater(client, toPath)
    yield toRow(`first ${name} at 100,000 fixtures`, first, 'ms', 500)
    yield toRow(`later ${name} at 100,000 fixtures`, later, 'ms', goal)
  }
  const ids = pickIds(MANY, WARM_UP + TIMES)
  const byId = { time: (round) => client.time('GET', `${COLLECTION}/${ids[round]}`) }
  const byKey = { time: (round) => client.time('GET', where(`key = "resource-${round * 997}"`)) }
  const times = await compareClients([byId, byKey], ({ time }, round) => time(round))
  yield toRatioRow('GET by id, and `where key =`, at 100,000 fixtures', ...times)
  yield toRow('p99 of pings during sorts, fuzzy searches and filters at 100,000', await measurePings(client), 'ms', 20)
}

/** Writes once in each of many sessions; a mock without room for all of them rejects the others. */
async function* measureSessions([client]) {
  await client.create('warm-up')
  const idle = await client.readMemory()
  let written = 0
  for (let at = 0; at < SESSIONS; at += 1) if ((await client.create(`s-${at}`)).status === 201) written += 1
  const grown = (await client.readMemory()) - idle
  const row = toRow('memory of 1,000 sessions that wrote once at 10,000 fixtures', grown, 'MB', 50)
  if (written === SESSIONS) yield row
  else yield { ...row, measured: `${row.measured}, ${written} sessions written`, isReached: false }
}

/** Creates resources until the mock is killed, which happens after this many were acknowledged. */
async function writeUntilKilled(client, round, acknowledged) {
  const last = acknowledged.size + 10 + 2 * round
  async function write(writer) {
    for (let count = 0; ; count += 1) {
      const key = `kill-${round}-${writer}-${count}`
      const answer = await client.create(undefined, key).catch(() => undefined)
      if (answer === undefined) return
      if (answer.status === 201) acknowledged.add(key)
      if (acknowledged.size >= last) await client.stop()
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
}

async function measureKills(folder) {
  const flags = ['--persist', join(folder, 'killed.json')]
  const acknowledged = new Set()
  for (let round = 0; round < KILLS; round += 1) {
    await writeUntilKilled(await startMock(undefined, flags), round, acknowledged)
  }
  const client = await startMock(undefined, flags)
  let lost = 0
  for (const key of acknowledged) {
    const { status } = await client.send('GET', `${COLLECTION}/key=${key}`)
    if (status !== 200) lost += 1
  }
  await client.stop()
  return {
    title: `${KILLS} kills -9 under eight writers with --persist`,
    measured: `${acknowledged.size.toLocaleString('en')} acknowledged, ${lost} lost`,
    goal: '0 lost',
    isReached: lost === 0,
  }
}

/**
 * Yields the results of a function that is called with clients of new mocks, and then stops the mocks.
 *
 * @param {readonly { fixtures: string, flags?: readonly string[] }[]} planned
 */
async function* withMocks(planned, measure) {
  const clients = []
  try {
    for (const { fixtures, flags } of planned) clients.push(await startMock(fixtures, flags))
    yield* measure(clients)
  } finally {
    await Promise.all(clients.map((client) => client.stop()))
  }
}

async function* measureChanges(clients) {
  const writes = await compareClients(clients, timeFirstWrite)
  yield toRatioRow('first write of a session at 100 and 100,000 fixtures', ...writes)
  const snapshots = await compareClients(clients, timeSnapshot)
  yield toRatioRow('snapshot and restore at 100 and 100,000 fixtures', ...snapshots)
}

async function* measureCreates(clients) {
  const creates = await compareClients(clients, async (client) => (await client.create()).milliseconds)
  yield toRatioRow('create with --persist at 100 and 100,000 fixtures', ...creates)
}

/**
 * Measures figures that must not depend on the number of resources or sessions.
 *
 * @param {string} folder for fixtures and states
 * @returns {AsyncGenerator<{ title: string, measured: string, goal: string, isReached: boolean }>}
 */
export async function* measureScale(folder) {
  const plan = async (count, flags) => {
    const fixtures = join(folder, `fixtures-${count}`)
    await writeSeed(fixtures, count)
    return { fixtures, flags }
  }
  const few = await plan(FEW)
  const many = await plan(MANY)
  yield* withMocks([many], measureQueries)
  yield* withMocks([few, many], measureChanges)
  yield* withMocks(
    [few, many].map(({ fixtures }) => ({ fixtures, flags: ['--persist', `${fixtures}.json`] })),
    measureCreates,
  )
  yield* withMocks([await plan(SOME, ['--journal', '0', '--max-sessions', String(SESSIONS + 10)])], measureSessions)
  yield await measureKills(folder)
  const [start] = await measureStartup(['resource-mock'], 3, ['--generate', String(MANY)])
  yield toRow('start to first answer with --generate 100000', start, 'ms', 500)
}
