/**
 * Compares the `resource-mock` command with the same routes on bare Hono, and prints tables. The figures apply only to the
 * machine named above them; ratios are more portable.
 *
 * Run it with: npm run bench -- [--rounds 5] [--seconds 5] [--connections 16] [--only
 * get,list,create,update,rival,many,journal,sessions,waits,scale,replicas,slow-readers,paint,held]
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cases } from './cases.js'
import { compare } from './compare.js'
import { isInstalled, RIVAL } from './contenders.js'
import { measureHeld, GOAL } from './held.js'
import { canPin } from './pin.js'
import { measureReplicas } from './replicas.js'
import { measureScale } from './scale.js'
import { measureSlowReaders } from './slow-readers.js'
import { measureWaits } from './waits.js'

const names = [...Object.keys(cases), 'waits', 'scale', 'replicas', 'slow-readers', 'paint', 'held']
/** Cases that need no wrk. */
const WITHOUT_LOAD = new Set(['waits', 'scale', 'replicas', 'slow-readers', 'paint', 'held'])

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: names.join() },
  },
})
const rivals = Object.keys(cases).filter((name) => cases[name].table === 'rival')
const only = options.only.split(',').flatMap((name) => (name === 'rival' ? rivals : [name]))
const unknown = only.find((name) => !names.includes(name))
if (unknown !== undefined) {
  console.error(`There is no case "${unknown}". Cases: ${names.join(', ')}`)
  process.exit(2)
}
if (only.some((name) => !WITHOUT_LOAD.has(name)) && spawnSync('wrk', ['-v']).error !== undefined) {
  console.error('The load comes from wrk, which is not there. Install it: apt-get install wrk, or brew install wrk')
  process.exit(1)
}
if (only.some((name) => cases[name]?.table === 'rival') && !isInstalled(RIVAL)) {
  console.error(`${RIVAL} is not installed. Run npm run install:rival, or leave the cases rival-… out with --only.`)
  process.exit(1)
}
const [rounds, seconds, connections] = [options.rounds, options.seconds, options.connections].map(Number)

const toCount = (number) => Math.round(number).toLocaleString('en')
const toTenths = (number) => number.toFixed(1)
const toPercent = (share) => (Number.isNaN(share) ? '?' : `${Math.round(share * 100)}%`)
const printRow = (...cells) => console.log(`| ${cells.join(' | ')} |`)
const printHead = (...cells) => {
  printRow(...cells)
  printRow(...cells.map((_, index) => (index === 0 ? '---' : '--:')))
}

const folder = await mkdtemp(join(tmpdir(), 'resource-mock-bench-'))

/** @param {(ratio: number) => number} show converts the ratio of the second entrant to the first for the table */
async function runTable(table, head, show) {
  const chosen = Object.entries(cases).filter(([name, one]) => only.includes(name) && one.table === table)
  if (chosen.length === 0) return
  printHead('case', ...head, 'p99, ms', 'servers busy')
  for (const [, one] of chosen) {
    const { speeds, p99, busy, ratio } = await compare(one.entrants(), { folder, connections, rounds, seconds })
    printRow(
      one.title,
      ...speeds.map(toCount),
      show(ratio).toFixed(2),
      p99.map(toTenths).join(', '),
      busy.map(toPercent).join(', '),
    )
  }
  console.log()
}

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node};`,
)
console.log(
  `medians of ${rounds} interleaved rounds of ${seconds} s, each with new servers, ${connections} connections;`,
)
console.log(canPin ? 'servers on core 0, load on core 1.\n' : 'servers and load not pinned to separate cores.\n')

try {
  await runTable('baseline', ['bare Hono, requests/s', 'resource-mock, requests/s', 'ratio'], (ratio) => ratio)
  await runTable('rival', ['commercetools-mock, requests/s', 'resource-mock, requests/s', 'ratio'], (ratio) => ratio)
  await runTable('many', ['of 100, requests/s', 'of 100,000, requests/s', 'cost'], (ratio) => 1 / ratio)
  await runTable('cost', ['without, requests/s', 'with, requests/s', 'cost'], (ratio) => 1 / ratio)
  for (const [name, measure] of [
    ['waits', measureWaits],
    ['scale', measureScale],
    ['replicas', measureReplicas],
    ['slow-readers', measureSlowReaders],
  ]) {
    if (!only.includes(name)) continue
    printHead('figure', 'measured', 'goal', 'reached')
    for await (const { title, measured, goal, isReached } of measure(folder)) {
      printRow(title, measured, goal, isReached ? 'yes' : 'no')
    }
    console.log()
  }
  if (only.includes('paint')) {
    // Playwright takes a while to load.
    const { measureDashboard } = await import('./paint.js')
    printHead('case', 'minimum, ms', 'dashboard, ms', 'goal, ms')
    for (const { title, least, dashboard, goal } of await measureDashboard(rounds)) {
      printRow(title, toCount(least), toCount(dashboard), goal)
    }
  }
  if (only.includes('held')) {
    console.log()
    printHead('request', 'status', 'bytes', `blocked, ms (goal ${GOAL})`)
    for await (const { title, status, bytes, milliseconds } of measureHeld()) {
      printRow(title, status, toCount(bytes), toCount(milliseconds))
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
