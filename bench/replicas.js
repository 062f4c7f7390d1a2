import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findPort, startContender } from './contenders.js'
import { median, readProcessorTime } from './measure.js'
import { draft } from './seed.js'
import { measureSharedSessions } from './shared-sessions.js'

const COLLECTION = '/bench/resource'
const HEADERS = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

/** Requests per round for CPU time measurements, number of concurrent clients, and number of rounds. */
const [REQUESTS, CLIENTS, COST_ROUNDS] = [3000, 16, 9]
const [RACERS, ROUNDS] = [50, 200]
const [REPLICA_KILLS, ENGINE_KILLS, WRITERS] = [30, 10, 8]
const CHANGES = 100_000

async function send(url, method, path, body) {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(url + path, { method, headers: HEADERS, ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

/** Starts a Redis that stores every write before it acknowledges it. */
async function startEngine(folder, port) {
  const flags = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  const child = spawn('redis-server', [...flags, '--appendonly', 'yes', '--appendfsync', 'always'], { stdio: 'ignore' })
  await once(child, 'spawn')
  for (;;) {
    const socket = connect(Number(port), '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return child
    await wait(10)
  }
}

async function kill(child) {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

const startReplica = (store, more = []) => startContender('resource-mock', undefined, ['--store', store, ...more])

/** Creates a resource and returns its path. */
async function create(url, key) {
  const { headers } = await send(url, 'POST', COLLECTION, { ...draft, key })
  return `${COLLECTION}/${headers.get('location').split('/').at(-1)}`
}

const update = (version) => ({ version, actions: [{ action: 'changeSomeProperty', someProperty: 'changed' }] })

/** Microseconds of CPU that a mock uses for a request. */
async function measureCpu({ url, pid }, request) {
  let left = REQUESTS
  const client = async (at) => {
    while (left > 0) {
      left -= 1
      await request(url, at)
    }
  }
  const before = readProcessorTime(pid)
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)))
  return ((readProcessorTime(pid) - before) * 1e6) / REQUESTS
}

/** The requests whose cost is compared; each client updates its own resource. */
async function createRequests(url) {
  const paths = []
  for (let at = 0; at < CLIENTS; at += 1) paths.push(await create(url, `cpu-${at}`))
  const versions = paths.map(() => 1)
  return {
    GET: (target, at) => send(target, 'GET', paths[at]),
    async update(target, at) {
      const { status, text } = await send(target, 'POST', paths[at], update(versions[at]))
      if (status !== 200) throw new Error(`An update was answered ${status}: ${text}`)
      versions[at] += 1
    },
  }
}

async function* measureCost(store) {
  const memory = await startContender('resource-mock')
  const shared = await startReplica(`${store}?prefix=cpu`)
  try {
    const [ofMemory, ofShared] = [await createRequests(memory.url), await createRequests(shared.url)]
    for (const [name, most] of [
      ['GET', 2],
      ['update', 4],
    ]) {
      // In turn, so that a busy moment of the machine does not affect only one mock.
      const rounds = []
      for (let round = 0; round <= COST_ROUNDS; round += 1) {
        rounds.push([await measureCpu(memory, ofMemory[name]), await measureCpu(shared, ofShared[name])])
      }
      // The first round warms both up.
      const [own, other] = [0, 1].map((at) => median(rounds.slice(1).map((round) => round[at])))
      yield {
        title: `CPU of ${name}, in memory and with a store`,
        measured: `${Math.round(own)} and ${Math.round(other)} µs: ${(other / own).toFixed(1)}×`,
        goal: `≤ ${most}×`,
        isReached: other <= most * own,
      }
    }
  } finally {
    await Promise.all([memory.stop(), shared.stop()])
  }
}

async function measureRaces(store) {
  const replicas = await Promise.all([0, 1, 2].map(() => startReplica(`${store}?prefix=races`)))
  const path = await create(replicas[0].url, 'raced')
  let fair = 0
  for (let version = 1; version <= ROUNDS; version += 1) {
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, at) => send(replicas[at % 3].url, 'POST', path, update(version))),
    )
    const winners = answers.filter(({ status }) => status === 200)
    const losers = answers.filter(
      ({ status, text }) => status === 409 && JSON.parse(text).errors[0].currentVersion === version + 1,
    )
    if (winners.length === 1 && losers.length === RACERS - 1) fair += 1
  }
  await Promise.all(replicas.map(({ stop }) => stop()))
  return {
    title: `${RACERS} racers for one version over three replicas, ${ROUNDS} rounds`,
    measured: `${fair} rounds with one winner, all others 409 with the actual version`,
    goal: String(ROUNDS),
    isReached: fair === ROUNDS,
  }
}

/** The keys of all resources that the writers have created. */
async function readKeys(url) {
  const keys = []
  for (let offset = 0; ; offset += 500) {
    const { status, text } = await send(url, 'GET', `${COLLECTION}?limit=500&offset=${offset}`)
    if (status === 503) {
      await wait(50)
      offset -= 500
      continue
    }
    const { results } = JSON.parse(text)
    keys.push(...results.map(({ key = '' }) => key).filter((key) => key.startsWith('kill-')))
    if (results.length < 500) return keys
  }
}

async function measureKills(folder, port, engine) {
  const store = `redis://127.0.0.1:${port}?prefix=kills`
  const replicas = await Promise.all([startReplica(store), startReplica(store)])
  const acknowledged = []
  const over = new AbortController()
  async function write(writer) {
    for (let at = 0; !over.signal.aborted; at += 1) {
      const key = `kill-${writer}-${at}`
      const answer = await send(replicas[writer % 2].url, 'POST', COLLECTION, { ...draft, key }).catch(() => undefined)
      if (answer?.status === 201) acknowledged.push(key)
    }
  }
  const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer))
  const kills = [...Array(REPLICA_KILLS).fill('replica'), ...Array(ENGINE_KILLS).fill('engine')]
  let running = engine
  for (const [round, what] of kills.entries()) {
    const before = acknowledged.length
    while (acknowledged.length < before + 20) await wait(5)
    if (what === 'engine') {
      await kill(running)
      running = await startEngine(folder, port)
    } else {
      await replicas[round % 2].stop()
      replicas[round % 2] = await startReplica(store)
    }
  }
  over.abort()
  await Promise.all(writing)
  const found = await readKeys(replicas[0].url)
  const kept = new Set(found)
  const lost = acknowledged.filter((key) => !kept.has(key)).length
  const doubled = found.length - kept.size
  await Promise.all(replicas.map(({ stop }) => stop()))
  return {
    row: {
      title: `${REPLICA_KILLS} kills of replicas and ${ENGINE_KILLS} of the engine under eight writers`,
      measured: `${acknowledged.length.toLocaleString('en')} acknowledged, ${lost} lost, ${doubled} duplicated`,
      goal: '0 lost, 0 duplicated',
      isReached: lost === 0 && doubled === 0,
    },
    running,
  }
}

async function measureJoin(store) {
  // In a session of its own: whoever waits for a mock to start sends a request to the default session.
  const first = await startReplica(`${store}?prefix=join`)
  const resources = Array.from({ length: CLIENTS }, () => ({ objectTypeProperty: {} }))
  for (let at = 0; at < CHANGES; at += resources.length) {
    const batch = resources.map((one, nth) =>
      send(`${first.url}/@join`, 'POST', COLLECTION, { ...one, key: `join-${at + nth}` }),
    )
    await Promise.all(batch)
  }
  // It may still be transferring the session to the engine.
  await first.stop()
  const late = await startReplica(`${store}?prefix=join`)
  const start = performance.now()
  const { status } = await send(`${late.url}/@join`, 'GET', `${COLLECTION}/key=join-${CHANGES - 1}`)
  const milliseconds = performance.now() - start
  await late.stop()
  return {
    title: `first request of a replica that joins ${CHANGES.toLocaleString('en')} changes`,
    measured: `${Math.round(milliseconds).toLocaleString('en')} ms, status ${status}`,
    goal: '≤ 2,000 ms',
    isReached: status === 200 && milliseconds <= 2000,
  }
}

/**
 * Measures several mocks that share a store.
 *
 * @param {string} folder for Redis's data
 * @returns {AsyncGenerator<{ title: string, measured: string, goal: string, isReached: boolean }>}
 */
export async function* measureReplicas(folder) {
  const port = await findPort()
  let engine = await startEngine(join(folder), port)
  try {
    const store = `redis://127.0.0.1:${port}`
    yield* measureCost(store)
    yield await measureRaces(store)
    const { row, running } = await measureKills(folder, port, engine)
    engine = running
    yield row
    yield await measureJoin(store)
    yield* measureSharedSessions(store)
  } finally {
    await kill(engine)
  }
}
