// Makes many small changes to the sources of folders, and reports how many of them a test detects:
//
//   npm run mutate -- auth                  every change to src/service/auth
//   npm run mutate -- --share 20 auth http  a twentieth of the changes to two folders
//   npm run mutate -- --share 20            a twentieth of every folder that must reach 85 %
//   npm run mutate -- --static auth         changes to tables and schemas too; each runs the whole suite
//
// It uses Stryker, which is installed separately: npm run install:mutation. Exit status 1 below 85 %.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const TOOLS = join(ROOT, 'test/house/mutation/node_modules/@stryker-mutator')
const FOLDERS = ['auth', 'contract', 'http', 'operations', 'scenarios', 'state']
const LEAST_SCORE = 85
/** Lines that are sampled together, so that changes of several lines are tried too. */
const BLOCK = 12
const OPTIONS = { share: { type: 'string' }, static: { type: 'boolean' } }

function fail(sentence) {
  console.error(sentence)
  process.exit(2)
}

/** The sampled blocks of a file: every share-th, counted across files. */
function createPicker(share) {
  let count = 0
  return function pick(file) {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n').length
    const ranges = []
    for (let from = 1; from <= lines; from += BLOCK) {
      count += 1
      if (count % share === 0) ranges.push(`${file}:${from}-${Math.min(from + BLOCK - 1, lines)}`)
    }
    return ranges
  }
}

function parseCommand() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS })
    const { share = 1, static: isStatic = false } = values
    return { share: Number(share), isStatic, folders: positionals.length === 0 ? FOLDERS : positionals }
  } catch (fault) {
    return fail(fault.message)
  }
}

const { share, isStatic, folders } = parseCommand()
if (!Number.isInteger(share) || share < 1)
  fail('--share must be a whole number from 1: 20 tries a twentieth of the changes.')
for (const folder of folders) {
  if (!existsSync(join(ROOT, 'src/service', folder)))
    fail(`There is no folder src/service/${folder}. Name folders of src/service, such as: auth`)
}
if (!existsSync(TOOLS)) fail('Stryker is not installed. Install it with: npm run install:mutation')

const pick = createPicker(share)
const files = folders.flatMap((folder) =>
  readdirSync(join(ROOT, 'src/service', folder))
    // The build writes these.
    .filter((name) => name.endsWith('.ts') && !name.startsWith('builtin-'))
    .map((name) => `src/service/${folder}/${name}`),
)
const config = join(ROOT, 'coverage/stryker.json')
writeFileSync(
  config,
  JSON.stringify({
    testRunner: 'vitest',
    plugins: [join(TOOLS, 'vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'test/house/mutation/vitest.config.ts' },
    mutate: share === 1 ? files : files.flatMap(pick),
    coverageAnalysis: 'perTest',
    ignoreStatic: !isStatic,
    concurrency: 2,
    // A guard: a busy machine takes ten times as long as a quiet one for the first run of all tests.
    dryRunTimeoutMinutes: 30,
    tempDirName: 'coverage/stryker',
    // TypeScript 7 has no API for Stryker to rewrite the configuration, and nothing here needs that.
    tsconfigFile: 'none.json',
    ignorePatterns: [
      'bench',
      'coverage',
      'dist',
      'docs/images',
      'examples',
      'test/contract-tools',
      'test/house/mutation/node_modules',
    ],
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { reportTests: false, allowColor: false },
    thresholds: { high: 95, low: LEAST_SCORE, break: LEAST_SCORE },
  }),
)
const { status } = spawnSync(process.execPath, [join(TOOLS, 'core/bin/stryker.js'), 'run', config], {
  cwd: ROOT,
  stdio: 'inherit',
})
rmSync(config)
process.exit(status ?? 1)
