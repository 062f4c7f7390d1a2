import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startContender } from './contenders.js'
import { median } from './measure.js'
import { measureStartup } from './startup.js'

const run = promisify(execFile)
const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url))

const IMPORT_ROUNDS = 7
const CREATE_ROUNDS = 5
const START_ROUNDS = 9
const FIXTURE_ROUNDS = 2

/** Runs a script of the folder `waits` in a new process, and returns what it prints as JSON. */
async function runScript(name, ...argv) {
  const { stdout } = await run(process.execPath, [fromHere(`waits/${name}`), ...argv])
  return JSON.parse(stdout)
}

/** A row that compares the mock with something else, by their ratio. */
const toRatioRow = (title, unit, least, mock, goal) => ({
  title,
  measured: `${least.toFixed(0)} and ${mock.toFixed(0)} ${unit}: ${(mock / least).toFixed(2)}×`,
  goal: `≤ ${goal}×`,
  isReached: mock / least <= goal,
})

/** Each entry point, and the import that it is compared with. */
const imports = [
  { name: 'resource-mock', beside: 'msw/node', goal: 1 },
  { name: 'resource-mock/node', beside: 'msw/node', goal: 1.15 },
  { name: 'resource-mock/msw', beside: 'msw/node', goal: 1.6 },
  { name: 'resource-mock/playwright', beside: '@playwright/test', goal: 1.2 },
]

/** Processor time of a process that imports a module, in interleaved rounds. */
async function* measureImports() {
  const seen = new Map(imports.flatMap(({ name, beside }) => [name, beside]).map((name) => [name, []]))
  // The first round fills the caches and does not count.
  for (let round = 0; round <= IMPORT_ROUNDS; round += 1) {
    for (const [name, times] of seen) {
      const time = await runScript('import.js', name)
      if (round > 0) times.push(time)
    }
  }
  for (const { name, beside, goal } of imports) {
    const [least, mock] = [beside, name].map((one) => median(seen.get(one)))
    yield toRatioRow(`import of ${beside} and of ${name}`, 'ms', least, mock, goal)
  }
}

async function* measureCreations() {
  const first = []
  const further = []
  for (let round = 0; round < CREATE_ROUNDS; round += 1) {
    const [one, ...others] = await runScript('create-mocks.js')
    first.push(one)
    further.push(median(others))
  }
  for (const { title, times, goal } of [
    { title: 'first createMock of a process', times: first, goal: 20 },
    { title: 'each further createMock', times: further, goal: 4 },
  ]) {
    const time = median(times)
    yield { title, measured: `${time.toFixed(1)} ms`, goal: `≤ ${goal} ms`, isReached: time <= goal }
  }
}

const listResults = ({ specs, suites = [] }) => [
  ...specs.map(({ title, tests }) => ({ title, ...tests[0].results[0] })),
  ...suites.flatMap(listResults),
]

/** Runs the suite with the `test` of a package, and returns the milliseconds of its tests by kind. */
async function runSuite(folder, mockUrl, from) {
  const report = join(folder, 'report.json')
  const argv = ['test', '-c', fromHere('waits/playwright.config.js'), '--reporter=json', `--output=${folder}/results`]
  await run(process.execPath, [fromHere('../node_modules/@playwright/test/cli.js'), ...argv], {
    env: { ...process.env, MOCK_URL: mockUrl, TEST_FROM: from, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  const results = JSON.parse(await readFile(report, 'utf8')).suites.flatMap(listResults)
  await rm(report)
  // The first test of each kind waits for the worker or the browser.
  return ['request', 'page'].map((kind) =>
    results
      .filter(({ title }) => title.startsWith(kind))
      .slice(1)
      .map(({ duration }) => duration),
  )
}

/** The duration of tests with and without the fixture, as Playwright reports it, on one mock. */
async function* measureFixture(folder) {
  const packages = ['@playwright/test', 'resource-mock/playwright']
  const seen = packages.map(() => [[], []])
  const mock = await startContender('resource-mock')
  try {
    for (let round = 0; round < FIXTURE_ROUNDS; round += 1) {
      for (const [index, from] of packages.entries()) {
        const times = await runSuite(folder, mock.url, from)
        for (const [kind, durations] of times.entries()) seen[index][kind].push(...durations)
      }
    }
  } finally {
    await mock.stop()
  }
  for (const { kind, title, goal } of [
    { kind: 0, title: 'test with request, without and with the fixture', goal: 10 },
    { kind: 1, title: 'test with page, without and with the fixture', goal: 20 },
  ]) {
    const [without, withMock] = seen.map((times) => median(times[kind]))
    const more = withMock - without
    yield {
      title,
      measured: `${without.toFixed(0)} and ${withMock.toFixed(0)} ms: ${more.toFixed(0)} more`,
      goal: `≤ ${goal} ms more`,
      isReached: more <= goal,
    }
  }
}

/**
 * Measures what a person waits for, beside what does the same without the mock: imports, `createMock`, the fixture of
 * Playwright, the start, and a request in the process.
 *
 * @param {string} folder for temporary files
 */
export async function* measureWaits(folder) {
  yield* measureImports()
  yield* measureCreations()
  yield* measureFixture(folder)
  const [bareStart, start] = await measureStartup(['bare node:http', 'resource-mock'], START_ROUNDS)
  yield toRatioRow('spawn of bare node:http and of the command, to the first 200', 'ms', bareStart, start, 2)
  const [bare, inProcess] = await runScript('requests.js')
  yield toRatioRow('GET by id of bare Hono and of createMock, in the process', 'µs', bare, inProcess, 1.5)
}
