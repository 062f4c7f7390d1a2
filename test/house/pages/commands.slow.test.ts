import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/edges/node/server.ts'
import { run, start } from '../../edges/cli/command.ts'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { pages, readCommands, ROOT } from './blocks.ts'

/** Pages whose commands other tests run. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/admin.md': 'test/admin/api/commands.test.ts',
  'docs/sessions.md': 'test/admin/api/commands.test.ts',
  'docs/journal.md': 'test/admin/api/commands.test.ts',
  'docs/state.md': 'test/admin/api/commands.test.ts',
  'docs/contract-testing.md': 'test/tools/verify/documentation.slow.test.ts',
  'docs/mock-drift.md': 'test/tools/verify/documentation.slow.test.ts',
  'docs/demo-environments.md': 'test/edges/deploy/documentation.test.ts',
  'docs/openapi.md': 'test/contract-tools/openapi/documentation.test.ts',
  'docs/pact.md': 'test/sessions/pact/pact.test.ts',
  'docs/reverse-proxy.md': 'test/edges/deploy/reverse-proxy.test.ts',
  'docs/proxy.md': 'test/tools/proxy/documentation.test.ts',
  'docs/vite.md': 'test/edges/vite/documentation.browser.test.ts',
}

/** Commands that no test runs here, and why. */
const exceptions: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm ci && npm (start|pack|test)$/, 'continuous integration runs them on a fresh clone'],
  [/^npx playwright install chromium$/, 'downloads a browser'],
  [/^npx vitest run$/, 'test/edges/library/pages.slow.test.ts runs the code of the page with vitest'],
  [/^npx resource-mock --store redis:/, 'needs Redis: test/edges/redis starts mocks this way'],
  [
    /^source <\(resource-mock completion|^resource-mock completion fish/,
    'changes a shell: test/edges/cli/completion.test.ts',
  ],
  [/^npx resource-mock resilience /, 'runs a whole suite: test/tools/resilience/run.browser.test.ts'],
  [/^npx playwright (?:test|merge-reports) /, 'test/edges/reporter/reporter.slow.test.ts runs shards and merges them'],
  [/^(?:bunx?|deno) /, 'needs Bun or Deno: scripts/smoke-runtimes.js'],
  [/^MOCK=\$!$|^kill \$MOCK$/, 'a job of the shell'],
  [/^npm run (?:build|bench|soak)/, 'measures for minutes'],
]

/** Commands that fail by intention, with their exit or HTTP status. */
const failures: readonly (readonly [command: RegExp, status: number])[] = [
  [/X-Mock-Scenario: conflict-once/, 409],
  [/X-Mock-Scenario: unavailable/, 503],
  // After the command that turns `unavailable` on.
  [/^curl "\$M\/acme\/resource" -H "\$AUTH"$/, 503],
  // A new mock has covered nothing.
  [/ coverage .*--min /, 1],
]

const subcommands = /^(?:scenarios|init|openapi|verify|coverage)\b/

/** Packages that the pages install, with those that the tests use. */
const packages = new Set(
  ['.', 'test/contract-tools', 'test/contract-tools/recipes'].flatMap((folder) => {
    const { name, devDependencies } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
      readonly name: string
      readonly devDependencies: Readonly<Record<string, string>>
    }
    return [name, ...Object.keys(devDependencies)]
  }),
)

/** A folder with everything that the commands of the pages name. */
async function createProject(): Promise<string> {
  const folder = await createTemporaryFolder()
  await mkdir(join(folder, 'mine'))
  await mkdir(join(folder, 'public'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

/** Runs one command as its reader would, and returns its exit status, or for curl the HTTP status. */
async function runCommand(command: string, variables: string, url: string, folder: string): Promise<number> {
  const line = command.replaceAll(/http:\/\/127\.0\.0\.1:(?:4010|8080)/g, url)
  const [, args] = /^npx resource-mock ?(.*?)(?: &)?$/.exec(line) ?? []
  if (args !== undefined) {
    const words = args.split(' ').filter((word) => word !== '')
    if (subcommands.test(args)) return Number((await run(words, { cwd: folder })).status)
    const running = start([...words, '--port', '0', '--log', 'silent'], { cwd: folder })
    const { status } = await fetch(`${await running.ready}/__admin/health`)
    await running.stop()
    return status === 200 ? 0 : status
  }
  const [, names] = /^npm (?:i|install) (?:-D|--save-dev)? ?(.*)$/.exec(line) ?? []
  if (names !== undefined) {
    const unknown = names
      .split(' ')
      .map((name) => name.replace(/^.*\/(resource-mock)-[\d.]+\.tgz$/, '$1').replace(/(.)@\d+$/, '$1'))
      .filter((name) => !packages.has(name))
    expect(unknown).toEqual([])
    return 0
  }
  if (line.startsWith('npx msw init ')) {
    const cli = join(ROOT, 'node_modules/msw/cli/index.js')
    await promisify(execFile)(process.execPath, [cli, ...line.split(' ').slice(2)], { cwd: folder })
    return existsSync(join(folder, 'public/mockServiceWorker.js')) ? 0 : 1
  }
  expect(line).toMatch(/^curl /)
  const script = `${variables}\ncurl() { command curl -s -S -m 20 -w '\\n%{http_code}' "$@"; }\n${line}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script.replaceAll('http://127.0.0.1:4010', url)], {
    cwd: folder,
  })
  const status = Number(stdout.trimEnd().split('\n').at(-1))
  return status >= 200 && status < 300 ? 0 : status
}

const hereabouts = pages.filter((page) => readCommands(page).length > 0 && !(page in elsewhere))

describe('the commands', () => {
  it.each(hereabouts)('of %s work, one after the other', async (page) => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const folder = await createProject()
    let variables = ''
    const results: (readonly [command: string, status: number])[] = []
    const expected: (readonly [command: string, status: number])[] = []
    for (const command of readCommands(page)) {
      if (exceptions.some(([one]) => one.test(command))) continue
      if (/^[A-Z]+=/.test(command)) {
        variables += `${command}\n`
        continue
      }
      results.push([command, await runCommand(command, variables, server.url, folder)])
      expected.push([command, failures.find(([one]) => one.test(command))?.[1] ?? 0])
    }
    expect(results).toEqual(expected)
  })

  it.each(Object.entries(elsewhere))('of %s are run by %s', (page, file) => {
    expect(readCommands(page)).not.toEqual([])
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(page.replace('docs/', ''))
  })

  it.each(exceptions)('need the exception %s: %s', (command) => {
    const all = hereabouts.flatMap(readCommands)
    expect(all.filter((one) => command.test(one))).not.toEqual([])
  })
})
