/**
 * Compares the mock, as its command runs it, with the same routes on bare Hono, and prints a table.
 * It promises nothing: figures hold for the machine that is named above them, ratios travel further.
 *
 * Run it with: npm run bench -- [--rounds 5] [--seconds 5] [--connections 16] [--only get,list,create,update,get-many,startup]
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cases } from './cases.js'
import { signIn, startContender } from './contenders.js'
import { measure } from './measure.js'
import { canPin } from './pin.js'
import { writeSeed } from './seed.js'
import { measureStartup } from './startup.js'

const STARTUP_ROUNDS = 15

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: [...Object.keys(cases), 'startup'].join() },
  },
})
const only = options.only.split(',')
const unknown = only.find((name) => name !== 'startup' && !Object.hasOwn(cases, name))
if (unknown !== undefined) {
  console.error(`There is no case "${unknown}". Cases: ${[...Object.keys(cases), 'startup'].join(', ')}`)
  process.exit(2)
}
const [rounds, seconds, connections] = [options.rounds, options.seconds, options.connections].map(Number)

const toCount = (number) => Math.round(number).toLocaleString('en')
const toPercent = (share) => (Number.isNaN(share) ? '?' : `${Math.round(share * 100)}%`)

/** The contenders' answers have to be the same to the byte, or their speed says nothing. */
async function assertSameAnswers(contenders, headers, { kind, paths, path, body }) {
  const ask = async ({ url }) => {
    const response =
      kind === 'create'
        ? await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
        : await fetch(url + paths[0], { headers })
    return `${response.status} ${await response.text()}`
  }
  const [expected, actual] = await Promise.all(contenders.map(ask))
  assert.equal(actual, expected, 'The contenders answer differently.')
}

async function runCase({ title, resources, load }, folder) {
  const fixtures = join(folder, String(resources))
  await writeSeed(fixtures, resources)
  const contenders = [await startContender('bare Hono', fixtures), await startContender('resource-mock', fixtures)]
  try {
    const headers = await signIn(contenders[1].url)
    const job = { headers, connections, seconds, load: load(connections) }
    await assertSameAnswers(contenders, headers, job.load)
    const [bare, mock] = await measure(contenders, job, rounds)
    const ratio = mock.requestsPerSecond / bare.requestsPerSecond
    console.log(
      `| ${title} | ${toCount(bare.requestsPerSecond)} | ${toCount(mock.requestsPerSecond)} | ${ratio.toFixed(2)} | ${toPercent(bare.busy)}, ${toPercent(mock.busy)} |`,
    )
    return mock.requestsPerSecond
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()))
  }
}

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node};`,
)
console.log(`medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections;`)
console.log(canPin ? 'servers on core 0, load on core 1.\n' : 'servers and load not pinned to cores of their own.\n')

const folder = await mkdtemp(join(tmpdir(), 'resource-mock-bench-'))
try {
  const speeds = {}
  const loaded = Object.keys(cases).filter((name) => only.includes(name))
  if (loaded.length > 0) {
    console.log('| case | bare Hono, requests/s | resource-mock, requests/s | ratio | servers busy |')
    console.log('|---|--:|--:|--:|--:|')
    for (const name of loaded) speeds[name] = await runCase(cases[name], folder)
    console.log()
  }
  if (speeds.get !== undefined && speeds['get-many'] !== undefined) {
    const cost = speeds.get / speeds['get-many']
    console.log(`A GET by id among 100,000 resources costs ${cost.toFixed(2)} times one among 100.\n`)
  }
  if (only.includes('startup')) {
    const [bare, mock] = await measureStartup(['bare node:http', 'resource-mock'], STARTUP_ROUNDS)
    console.log('| case | bare node:http, ms | resource-mock, ms | ratio |')
    console.log('|---|--:|--:|--:|')
    console.log(`| spawn to first 200 | ${toCount(bare)} | ${toCount(mock)} | ${(mock / bare).toFixed(2)} |`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
