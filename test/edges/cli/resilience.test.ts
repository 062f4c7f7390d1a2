import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { resilienceOptions } from '../../../src/edges/cli/commands/resilience.ts'
import { resolveOptions } from '../../../src/edges/cli/settings.ts'
import { run, runHere } from './command.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const FAKE_SUITE = fileURLToPath(new URL('./fake-suite.js', import.meta.url))

/** Runs the command in this process on a suite without a browser, in a folder of its own unless one is given. */
async function runOn(
  suite: readonly string[],
  options: readonly string[] = [],
  folder?: string,
  env: Readonly<Record<string, string>> = {},
) {
  const cwd = folder ?? (await createTemporaryFolder())
  const outcome = await runHere(['resilience', ...options, '--', ...suite], { cwd, env })
  return { ...outcome, read: (name: string) => readFileSync(join(cwd, name), 'utf8') }
}

/** Runs the command in a process of its own, whose standard error the suite shares. */
const runApart = async (suite: readonly string[], options: readonly string[] = [], folder?: string) =>
  run(['resilience', ...options, '--', ...suite], {
    cwd: folder ?? (await createTemporaryFolder()),
    env: { SHOW_ARGUMENTS: '1' },
  })

const fake = (kind: 'green' | 'red' | 'stopped' | 'blind') => [process.execPath, FAKE_SUITE, kind]
const NO_TESTS = [process.execPath, '-e', '']

describe('resource-mock resilience', () => {
  it('learns, plans, runs and reports', async () => {
    const { status, stdout, stderr } = await runApart(fake('green'))
    expect(status).toBe(0)
    const [, added] = /^Plan: 10 variants, at least 6 s; .*\n.*\n.*\nFake suite: (.*)\n/m.exec(stderr) ?? []
    expect(added).toBe('["--repeat-each=10","--grep=saves"]')
    expect(stdout).toMatch(/^conflict {10}overwrote\nexpired-token {5}survived\n/m)
    expect(stdout).toContain(
      [
        'overwrote: updateResource under conflict, in shop.spec.ts:3 saves',
        '  It overwrote.',
        `  RESOURCE_MOCK_CELL='updateResource:conflict:1 shop.spec.ts › saves' npx resource-mock resilience -- ${fake('green').join(' ')}`,
      ].join('\n'),
    )
    expect(stdout).toMatch(
      /\nLeft out:\n {2}shop.spec.ts:3 saves under updateResource:reset-before: It did not happen\.\n\n9 variants: 7 survived, 1 told, 1 overwrote\n$/,
    )
  })

  it("repeats a variant with the user's own command", async () => {
    const { stdout } = await runOn([...fake('green'), '-g', 'a b'], ['--told', '.toast p'])
    expect(stdout).toContain(
      `  RESOURCE_MOCK_CELL='updateResource:error:1 shop.spec.ts › saves' npx resource-mock resilience --told '.toast p' -- ${fake('green').join(' ')} -g 'a b'\n`,
    )
  })

  it.each([
    ['that it learns', false],
    ['of a plan', true],
  ])('runs only the variant %s that RESOURCE_MOCK_CELL selects, and writes no files', async (_which, isPlanned) => {
    const folder = await createTemporaryFolder()
    const options = ['--plan', 'plan.json', '--report', 'r.json', '--fail-on', 'told']
    const plan = isPlanned ? (await runOn(fake('green'), ['--plan', 'plan.json'], folder)).read('plan.json') : ''
    const env = { RESOURCE_MOCK_CELL: 'updateResource:error:1 shop.spec.ts › saves' }
    const { status, stdout, read } = await runOn(fake('green'), options, folder, env)
    expect(status).toBe(1)
    expect(stdout).toContain('\n1 variant: 1 told\n')
    expect(existsSync(join(folder, 'r.json'))).toBe(false)
    expect(existsSync(join(folder, 'plan.json')) ? read('plan.json') : '').toBe(plan)
  })

  it('runs variants on all shards, since repetitions change which tests belong to one', async () => {
    const { stderr } = await runApart([...fake('green'), '--shard=1/2'], ['--only', 'updateResource:conflict'])
    expect(stderr).toContain('Fake suite: ["--shard=1/2","--repeat-each=1","--shard=1/1","--grep=saves"]')
  })

  it('says unnoticed of a test that passes whatever the operation returns', async () => {
    const options = [
      '--only',
      'updateResource:slow',
      '--fail-on',
      'unnoticed',
      '--report',
      'r.json',
      '--report',
      'r.xml',
    ]
    const { status, stdout, read } = await runOn(fake('blind'), options)
    expect(status).toBe(1)
    expect(stdout).toMatch(
      /^unnoticed: updateResource under slow, in shop.spec.ts:3 saves\n {2}The test passes whatever updateResource returns, /m,
    )
    expect(stdout).toContain('1 variant: 1 unnoticed\n\n--fail-on: 1 variant unnoticed.\n')
    expect(JSON.parse(read('r.json'))).toMatchObject({ summary: { survived: 0, unnoticed: 1, of: 1 } })
    expect(read('r.xml')).toContain('<skipped message="unnoticed: The test passes whatever updateResource returns')
  })

  it('says why it has nothing to run', async () => {
    const { status, stderr } = await runOn(fake('green'), ['--only', 'getAction:slow'])
    expect(status).toBe(0)
    expect(stderr).toContain('Plan: 0 variants. No test that passes calls an operation to vary: see --only.\n')
  })

  it('writes the reports and the plan into folders that it creates', async () => {
    const files = ['r.json', 'r.xml', 'r.html'].flatMap((name) => ['--report', `out/${name}`])
    const { status, read } = await runOn(fake('green'), [...files, '--plan', 'plans/plan.json'])
    expect(status).toBe(0)
    expect(JSON.parse(read('out/r.json'))).toMatchObject({ summary: { of: 9, survived: 7 }, leftOut: [{}] })
    expect(read('out/r.xml')).toContain('<testsuite name="updateResource" tests="9" failures="2" skipped="0">')
    expect(read('out/r.html')).toContain('<h2>overwrote: updateResource under conflict</h2>')
    expect(JSON.parse(read('plans/plan.json'))).toMatchObject({ variants: { length: 10 } })
  })

  it('runs the rest of an edited plan without learning again, and compares it with an earlier report', async () => {
    const folder = await createTemporaryFolder()
    const { read } = await runOn(fake('green'), ['--plan', 'plan.json', '--report', 'old.json'], folder)
    const lines = read('plan.json').split('\n')
    writeFileSync(join(folder, 'plan.json'), lines.filter((line) => !line.includes('"conflict"')).join('\n'))
    writeFileSync(join(folder, 'old.json'), read('old.json').replace('"verdict": "told"', '"verdict": "broken"'))
    const { status, stdout, stderr } = await runOn(
      fake('green'),
      ['--plan', 'plan.json', '--baseline', 'old.json', '--only', 'updateResource:error'],
      folder,
    )
    expect(status).toBe(0)
    expect(stderr).toMatch(/^Plan: 1 variant, /)
    expect(stdout).toMatch(
      /\n0 worse than in the baseline\n1 better than in the baseline\n {2}updateResource:error: broken → told\n\n1 variant: 1 told\n$/,
    )
  })

  it('stops after the plan on request', async () => {
    const { status, stdout, stderr } = await runOn(fake('green'), ['--plan-only'])
    expect([status, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/Plan: 10 variants, [^]*\n {4}conflict, expired-token, .*reset-after\n$/)
  })

  it.each<readonly [readonly string[], number, string]>([
    [['--min-survived', '80', '--allow', 'told', '--fail-on', 'doubled,broken'], 0, ''],
    [['--min-survived', '80'], 1, '77.7 % of the variants survived, but at least 80 % were asked for.'],
    [['--allow', 'told'], 1, '88.8 % of the variants survived or told, but at least 100 % were asked for.'],
    [['--fail-on', 'doubled,overwrote'], 1, '--fail-on: 1 variant overwrote.'],
    [['--only', 'getAction:slow', '--allow', 'told'], 1, 'No variant was judged, so nothing is known of the app.'],
  ])('ends with %j in status %i', async (options, expected, sentence) => {
    const { status, stdout } = await runOn(fake('green'), options)
    expect(status).toBe(expected)
    expect(stdout).toContain(sentence)
  })

  it('counts what is allowed as passed in JUnit XML', async () => {
    const { read } = await runOn(fake('green'), ['--report', 'r.xml', '--allow', 'told'])
    expect(read('r.xml')).toContain('<testsuites name="resource-mock resilience" tests="9" failures="1" skipped="0">')
  })

  it('writes no plan if all tests fail, so that the next run learns again', async () => {
    const folder = await createTemporaryFolder()
    const { status, stdout } = await runOn(fake('red'), ['--plan', 'plan.json'], folder)
    expect([status, stdout]).toEqual([
      0,
      'Left out:\n  shop.spec.ts:3 saves: failed without any failure\n\n0 variants\n',
    ])
    expect(existsSync(join(folder, 'plan.json'))).toBe(false)
  })

  it('ends after Ctrl-C while it learns, and writes no plan', async () => {
    const folder = await createTemporaryFolder()
    const { status, stderr } = await runApart(fake('stopped'), ['--plan', 'plan.json'], folder)
    expect(status).toBe(130)
    expect(stderr).toContain('Stopped before the suite was learned: there is nothing to report.\n')
    expect(existsSync(join(folder, 'plan.json'))).toBe(false)
  })

  it.each<readonly [name: string, suite: readonly string[], sentence: string]>([
    [
      'without the fixture',
      NO_TESTS,
      '\nNo test of the suite used the mock. The tests need the fixture: import { test }',
    ],
    [
      'that fails before it uses the mock',
      [process.execPath, '-e', 'process.exit(3)'],
      '\nThe suite ended with status 3: see its output. No test of the suite used the mock.',
    ],
    [
      'that does not exist',
      ['no-such-command'],
      '\nno-such-command cannot be run: it does not exist. Correct the command after --.',
    ],
  ])('fails with status 2 for a suite %s', async (_name, suite, sentence) => {
    const { status, stderr } = await runOn(suite)
    expect(status).toBe(2)
    expect(stderr).toContain(sentence)
  })

  it('kills a suite that goes on after SIGINT or SIGTERM', async () => {
    const stop = async (signal: string) => {
      const stubborn = `process.on('SIGINT', () => {}); process.kill(process.ppid, '${signal}'); setInterval(() => {}, 60_000)`
      const { status, stderr } = await runApart([process.execPath, '-e', stubborn])
      expect([signal, status]).toEqual([signal, 130])
      expect(stderr).toContain('Stopped before the suite was learned')
    }
    // At once, because each of them is killed only after ten seconds.
    await Promise.all(['SIGINT', 'SIGTERM'].map(stop))
  })

  it('gives Playwright its arguments through a script of npm', async () => {
    const folder = await createTemporaryFolder()
    const scripts = { e2e: `"${process.execPath}" "${FAKE_SUITE}" green` }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }))
    const { stderr, stdout } = await runApart(
      ['npm', '--silent', 'run', 'e2e'],
      ['--only', 'updateResource:conflict'],
      folder,
    )
    expect(stderr).toContain('Fake suite: ["--repeat-each=1","--grep=saves"]')
    expect(stdout).toContain(' -- npm --silent run e2e\n')
  })

  it('fails with status 2 if the time is over before it has learned the suite', async () => {
    const endless = [process.execPath, '-e', 'setInterval(() => {}, 60_000)']
    const { status, stderr } = await runOn(endless, ['--max-time', '1ms'])
    expect(status).toBe(2)
    expect(stderr).toContain(
      '\n--max-time ended the run before it had learned the suite. Allow more time, such as --max-time 2h.\n',
    )
  })

  it.each<readonly [flag: keyof typeof resilienceOptions, value: unknown, sentence: string]>([
    ['only', ['updateResourc:conflict'], 'Did you mean "updateResource"? The operations are: queryResources, '],
    ['only', ['updateResource:conflit'], 'Did you mean "conflict"? The failures of updateResource are: conflict, '],
    ['only', ['getAction:slow,getAction:conflict'], ' The failures of getAction are: expired-token, '],
    ['only', ['getAction'], ', not "getAction". The failures of getAction are: expired-token, '],
    ['report', ['report.pdf'], '--report must be a file that ends with .json, .xml or .html, not "report.pdf".'],
    ['allow', 'broken', '--allow must be told, not "broken".'],
    ['failOn', 'tolt', 'Did you mean "told"?'],
    ['minSurvived', 'all', '--min-survived must be a percentage from 0 to 100, not "all".'],
    ['perFailure', '0', '--per-failure must be a whole number from 1 to 1000, not 0.'],
    ['maxTime', '0', '--max-time must be a duration above 0'],
    ['maxTime', '25d', '--max-time must be a duration above 0 and up to 7d'],
  ])('refuses the option %s with the value %j', (flag, value, sentence) => {
    expect(() => resolveOptions(resilienceOptions, { flags: { [flag]: value }, env: {}, folder: '/' })).toThrow(
      sentence,
    )
  })

  it.each<readonly [readonly string[], string]>([
    [['--only', 'updateResource:conflit'], '--only must be operations with one of their failures, such as '],
    [['--report', 'broken.json/report.xml'], '--report: broken.json/report.xml cannot be written: '],
    [['--report', '/proc/none/report.xml'], '--report: /proc/none/report.xml cannot be written: '],
    [['--report', 'folder.json'], '--report: folder.json is a folder. Name a file in it.'],
    [['--plan', 'broken.json'], 'broken.json is not JSON. Correct it, or delete it to write a new plan.'],
    [['--plan', 'empty.json'], 'empty.json is not a plan: variants is missing or invalid.'],
    [['--plan', 'folder.json'], 'folder.json", which cannot be read. Use an existing file'],
    [['--baseline', 'none.json'], 'none.json", which cannot be read. Use an existing file'],
    [['--baseline', 'empty.json'], 'empty.json is not a report of this command. Write one with --report '],
  ])('refuses %j before it runs the suite', async (options, sentence) => {
    const folder = await createTemporaryFolder()
    writeFileSync(join(folder, 'broken.json'), '{')
    writeFileSync(join(folder, 'empty.json'), '{}')
    mkdirSync(join(folder, 'folder.json'))
    const { status, stderr } = await runOn(NO_TESTS, options, folder)
    expect(status).toBe(2)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('Learning')
  })

  it.each([
    [['resilience', '--'], 'The argument <command> is missing. See: resource-mock resilience --help\n'],
    [
      ['resilience', 'npx', 'playwright', 'test', '-c', 'e2e'],
      'Unknown option "-c". If it belongs to the command that follows, put -- before that command.',
    ],
  ])('explains what is missing in %j', async (args, sentence) => {
    const { status, stderr } = await runHere(args)
    expect(status).toBe(2)
    expect(stderr).toContain(sentence)
  })
})
