import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../edges/cli/temporary-folder.ts'

/** Programs in place of those that `.ci/run` starts: all checks and tests pass. */
const passing = {
  'apt-get': '',
  node: `[ "$1" != -e ] || exec '${process.execPath}' "$@"; echo 'ok      works'`,
  npm: '',
  npx: `echo '{ "numPassedTests": 3, "numFailedTests": 0, "testResults": [] }' >coverage/test-results.json`,
  sleep: '',
  'valkey-server': '',
}

it.each<readonly [string, Partial<typeof passing>, string, number]>([
  ['if everything passes', {}, '9 passed, 0 failed', 0],
  ['if a test fails', { npx: `${passing.npx.replace('": 0', '": 2')}; exit 1` }, '9 passed, 2 failed', 1],
  ['if the tests crash', { npx: 'exit 1' }, '6 passed, 1 failed', 1],
  ['if a check fails', { npm: '[ "$3" != lint ]' }, '8 passed, 1 failed', 1],
  ['if a Node fails', { node: `${passing.node}; echo 'failed  works'; exit 1` }, '9 passed, 1 failed', 1],
  ['if the registry fails once', { npm: '[ "$1" != ci ] || ! mkdir asked' }, '9 passed, 0 failed', 0],
  ['if the registry fails', { npm: '[ "$1" != ci ]' }, '0 passed, 1 failed', 1],
  ['if the tools cannot be installed', { npm: '[ "$3" != install:tools ]' }, '0 passed, 1 failed', 1],
  ['if it is stopped', { npx: 'kill -TERM $PPID' }, '5 passed, 1 failed', 1],
])('continuous integration ends with the counts and the right status %s', async (_when, other, line, status) => {
  const folder = await createTemporaryFolder()
  const programs = join(folder, 'programs')
  cpSync('.ci', join(folder, '.ci'), { recursive: true })
  mkdirSync(programs)
  for (const [name, text] of Object.entries({ ...passing, ...other }))
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const env = { PATH: `${programs}:/usr/bin:/bin` }
  const ended = spawnSync('bash', [join(folder, '.ci/run')], { encoding: 'utf8', env })
  expect([ended.stdout.split('\n').at(-2), ended.status], ended.stderr).toEqual([line, status])
})
