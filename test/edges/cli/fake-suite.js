// A suite that needs no browser: it exchanges the files of the fixture `mock` with `resource-mock resilience`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['RESOURCE_MOCK_RESILIENCE'] ?? ''
const { turns } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))
mkdirSync(join(folder, 'results'), { recursive: true })

let written = 0
const write = (result) => writeFileSync(join(folder, 'results', `${(written += 1)}.json`), JSON.stringify(result))

const learned = { affected: [], position: 1, worker: 0, retry: 0, said: [], errors: [], isBusy: false }
const [, , kind, ...added] = process.argv
const saves = { title: ['saves'], file: 'shop.spec.ts', line: 3 }

/** Standard error may show what the command adds to the suite's command. */
if (process.env['SHOW_ARGUMENTS'] !== undefined) process.stderr.write(`Fake suite: ${JSON.stringify(added)}\n`)

const verdicts = { conflict: 'overwrote', error: 'told' }

if (turns === undefined) {
  if (kind === 'stopped') process.kill(process.ppid, 'SIGINT')
  const status = kind === 'red' ? 'failed' : 'passed'
  write({ learned: { ...learned, test: saves, status, duration: 20, calls: ['updateResource'] } })
} else {
  for (const variant of Object.values(turns).flat()) {
    const { operation, failure, call, test, isControl } = variant
    const verdict = kind === 'blind' ? 'survived' : (verdicts[failure] ?? 'survived')
    const isQuiet = verdict === 'survived'
    if (isControl) write({ variant, isNoticed: kind !== 'blind' })
    else if (failure === 'reset-before')
      write({ variant, leftOut: { test, operation, failure, why: 'It did not happen.' } })
    else {
      const cell = { operation, failure, call, verdict, why: `It ${verdict}.`, test, session: 'saves' }
      write({ variant, cell, isQuiet })
    }
  }
}
