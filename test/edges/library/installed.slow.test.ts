import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']

/** A folder for the tarball and the projects that tests share. */
let shared: string
let tarball: string

beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'resource-mock-installed-'))
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', shared], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  })
  // npm documents its output.
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }]
  tarball = join(shared, filename)
})

afterAll(() => rm(shared, { recursive: true, force: true }))

/** Installs the package into a project, beside other packages. */
async function install(packages: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(shared, 'project-'))
  await writeFile(join(folder, 'package.json'), '{ "name": "project", "private": true }')
  await run('npm', [...INSTALL, '--save-dev', ...packages, tarball], { cwd: folder })
  return folder
}

/** A project for all tests that need it, installed for the first. */
function shareProject(...packages: readonly string[]): () => Promise<string> {
  let project: Promise<string> | undefined
  return () => (project ??= install(packages))
}

const alone = shareProject('typescript@5.0.4', '@types/node@20.19.43')
/** Supported versions that are older than those of this repository. */
const older = shareProject('ioredis@5.11.1', 'vite@4.5.14', '@playwright/test@1.45.3')
const tooOld = shareProject('ioredis@4.28.5', 'vite@3.2.11', '@playwright/test@1.40.1', 'msw@1.3.5')

interface Outcome {
  readonly stdout: string
  readonly stderr: string
}

/** Runs a Node script in a project, whether or not it succeeds. */
const runIn = (cwd: string, ...args: readonly string[]): Promise<Outcome> =>
  run(process.execPath, args, { cwd }).catch((fault: Outcome) => fault)

it.each([
  ['no package that it works with', alone],
  ['older versions of ioredis, Vite and Playwright', older],
  ['versions of ioredis, Vite, Playwright and MSW that are too old', tooOld],
])('installs beside %s, and its command runs', async (_what, project) => {
  const { stdout } = await run(join(await project(), 'node_modules/.bin/resource-mock'), ['--version'])
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it.each([
  [
    'resource-mock/msw',
    'resource-mock/msw needs MSW 2.7 or newer; this project has 1.3.5. Run: npm install --save-dev msw@latest',
  ],
  ['resource-mock/vite', 'resource-mock/vite needs Vite 4.0 or newer; this project has 3.2.11.'],
  ['resource-mock/playwright', 'resource-mock/playwright needs Playwright 1.45 or newer; this project has 1.40.1.'],
])('%s says at its import which version it needs and which it found', async (entry, sentence) => {
  const folder = await tooOld()
  expect((await runIn(folder, '--input-type=module', '-e', `import '${entry}'`)).stderr).toContain(sentence)
  expect((await runIn(folder, '-e', `require('${entry}')`)).stderr).toContain(sentence)
})

it('--store says which version of ioredis it needs and which it found', async () => {
  const folder = await tooOld()
  const command = join(folder, 'node_modules/resource-mock/bin/resource-mock.js')
  const { stderr } = await runIn(folder, command, '--port', '0', '--store', 'redis://127.0.0.1:1')
  expect(stderr).toContain('--store needs ioredis 5.0 or newer; this project has 4.28.5.')
})

const VITE = `
import { createServer } from 'vite'
import { resourceMock } from 'resource-mock/vite'
const server = await createServer({
  configFile: false,
  logLevel: 'silent',
  server: { port: 0, host: '127.0.0.1' },
  plugins: [resourceMock({ prefix: '/api', auth: 'off' })],
})
await server.listen()
console.log((await fetch('http://127.0.0.1:' + server.httpServer.address().port + '/api/acme/resource')).status)
await server.close()
`

it('serves the mock under the dev server of Vite 4', async () => {
  const folder = await older()
  await writeFile(join(folder, 'serve.mjs'), VITE)
  expect(await runIn(folder, 'serve.mjs')).toMatchObject({ stdout: '200\n' })
})

const PLAYWRIGHT = `
import { test, expect } from 'resource-mock/playwright'

test('has a session', async ({ mock, request }) => {
  await mock.use('unavailable')
  const answer = await request.get(mock.url + '/acme/resource', { headers: { Authorization: 'Bearer any' } })
  expect(answer.status()).toBe(503)
  await expect(mock).toHaveReceived({ method: 'GET' })
})
`

it('is a fixture of Playwright 1.45', async () => {
  const folder = await older()
  await writeFile(join(folder, 'mine.spec.mjs'), PLAYWRIGHT)
  expect((await runIn(folder, 'node_modules/@playwright/test/cli.js', 'test')).stdout).toContain('1 passed')
})

const ENTRIES = ['', '/node', '/playwright', '/msw', '/vite', '/redis', '/ssr', '/reporter', '/resilience']

/** Compiles a file of a project with the project's own TypeScript; returns its errors, by place. */
async function findTypeErrors(folder: string, file: string, code: string, options: object): Promise<string> {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    strict: true,
    types: ['node'],
    noEmit: true,
    // Skips the declarations of other packages.
    skipLibCheck: true,
    ...options,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  await writeFile(join(folder, file), code)
  const { stdout } = await runIn(folder, 'node_modules/typescript/bin/tsc', '-p', '.')
  return stdout.match(/\S+: error TS\d+/g)?.join() ?? ''
}

it('has types for moduleResolution node, as TypeScript 5 with CommonJS resolves', async () => {
  const folder = await install([
    'typescript@5.9.3',
    '@types/node@20.19.43',
    '@playwright/test@1.65.1',
    'ioredis@5.11.1',
    'msw@2.9.0',
    'vite@5',
  ])
  const imports = ENTRIES.map((entry, at) => `import * as e${at} from 'resource-mock${entry}'\n`)
  const uses =
    'const mock: Promise<e0.Mock> = e0.createMock()\nexport const wrong: number = e0.createMock\nexport default mock\n'
  const options = { module: 'commonjs', moduleResolution: 'node' }
  expect(await findTypeErrors(folder, 'main.ts', imports.join('') + uses, options)).toBe('main.ts(11,14): error TS2322')
})

it('has types for TypeScript 5.0, the oldest that the docs name', async () => {
  const lines = [
    "import { createMock } from 'resource-mock'",
    "import type { Mock, ResourceDraft } from 'resource-mock'",
    "import { startServer } from 'resource-mock/node'",
    "import { failuresOf } from 'resource-mock/resilience'",
    "export const mock: Promise<Mock> = createMock({ scenario: 'conflict' })",
    "export const draft: ResourceDraft = { key: 'a', objectTypeProperty: {} }",
    'export const server = startServer({ port: 0 })',
    "export const names = failuresOf('updateResource').map(({ name }) => name)",
    'export const wrong: number = createMock',
  ]
  const errors = await findTypeErrors(await alone(), 'main.mts', lines.join('\n'), { module: 'node16' })
  expect(errors).toBe('main.mts(9,14): error TS2322')
})

it('is found by resolvers that do not read exports', async () => {
  const folder = await alone()
  const installed = join(folder, 'node_modules/resource-mock')
  const { main } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as { readonly main: string }
  const { stdout } = await runIn(folder, '-p', `typeof require(${JSON.stringify(join(installed, main))}).createMock`)
  expect(stdout).toBe('function\n')
})

/** Starts the command through a package manager in a project, in a group of its own. */
async function startThrough(manager: readonly string[], cwd: string, args: readonly string[]) {
  const child = spawn(process.execPath, [...manager, 'resource-mock', '--port', '0', '--log', 'silent', ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  let hasClosed = false
  const closed = once(child, 'close').then(() => (hasClosed = true))
  onTestFinished(() => {
    // The whole group: the mock may have survived.
    if (child.pid !== undefined && !hasClosed) process.kill(-child.pid, 'SIGKILL')
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await vi.waitUntil(() => output.includes('\n'), PATIENCE)
  return {
    url: /\((.+)\)/.exec(output)?.[1] ?? '',
    /** Kills the package manager. Resolves once the mock, which holds its output open, has ended, too. */
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
  }
}

/** Installs a package manager, and with it the package into a new project. */
async function installThrough(name: string, script: string, args: readonly string[]) {
  const tools = await createTemporaryFolder({ 'package.json': '{ "private": true }' })
  await run('npm', [...INSTALL, name], { cwd: tools })
  const manager = [join(tools, 'node_modules', script)]
  const folder = await createTemporaryFolder({ 'package.json': '{ "name": "project", "private": true }' })
  // The boundary of the project for Yarn.
  await writeFile(join(folder, 'yarn.lock'), '')
  await run(process.execPath, [...manager, ...args], { cwd: folder })
  return { manager, folder }
}

it('ends with pnpm', async () => {
  const { manager, folder } = await installThrough('pnpm@10.34.9', 'pnpm/bin/pnpm.cjs', ['add', tarball])
  await (await startThrough(manager, folder, [])).kill()
})

it("ends with Yarn, and keeps state in a file under Plug'n'Play", async () => {
  const script = '@yarnpkg/cli-dist/bin/yarn.js'
  const { manager, folder } = await installThrough('@yarnpkg/cli-dist@4.18.1', script, [
    'add',
    `resource-mock@file:${tarball}`,
  ])
  const first = await startThrough(manager, folder, ['--persist', 'state.json'])
  const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
  const body = '{ "key": "mine", "objectTypeProperty": {} }'
  expect((await fetch(`${first.url}/acme/resource`, { method: 'POST', headers, body })).status).toBe(201)
  await first.kill()
  const second = await startThrough(manager, folder, ['--persist', 'state.json'])
  expect((await fetch(`${second.url}/acme/resource/key=mine`, { headers })).status).toBe(200)
  await second.kill()
})
