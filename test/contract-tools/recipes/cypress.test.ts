import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/edges/node/server.ts'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { filesOf } from '../../edges/library/page.ts'
import { findTypeFaults } from './find-type-faults.ts'

const files = filesOf('docs/cypress.md')

type Tasks = Readonly<Record<string, (given: unknown) => Promise<unknown>>>
type Hook = () => void
interface Interceptable {
  readonly headers: Record<string, string>
}

/** Writes the files of the page, with the mock's address in place of the one on the page. */
async function layOut(url: string): Promise<string> {
  const folder = await createTemporaryFolder()
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text.replaceAll('http://localhost:4010', url))
  }
  await symlink(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Imports a file of the page and returns its exports. */
async function load<Exports>(folder: string, path: string): Promise<Exports> {
  const alias = { 'resource-mock': join(import.meta.dirname, '../../../src/index.ts') }
  const outfile = join(folder, `${path}.mjs`)
  await build({
    entryPoints: [join(folder, path)],
    outfile,
    alias,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['cypress'],
  })
  // The exports shown on the page.
  return (await import(/* @vite-ignore */ outfile)) as Exports
}

interface Config {
  readonly e2e: { setupNodeEvents(on: (event: string, tasks: Tasks) => void): void }
}

/** The tasks that the configuration registers with Cypress's own `defineConfig`. */
async function loadTasks(folder: string): Promise<Tasks> {
  const registered: (readonly [event: string, tasks: Tasks])[] = []
  const { default: config } = await load<{ readonly default: Config }>(folder, 'cypress.config.ts')
  config.e2e.setupNodeEvents((event, tasks) => registered.push([event, tasks]))
  expect(config.e2e).not.toHaveProperty('env')
  expect(registered.map(([event]) => event)).toEqual(['task'])
  return registered[0]?.[1] ?? expect.fail('The configuration registers no tasks.')
}

/** Loads the support file with a fake Cypress that, like the real one, copies task arguments as JSON. */
async function loadSupport(folder: string, tasks: Tasks) {
  const commands: Record<string, (...given: readonly unknown[]) => Promise<unknown>> = {}
  const hooks: Record<'beforeEach' | 'afterEach', Hook> = { beforeEach: expect.fail, afterEach: expect.fail }
  const intercepts: { readonly pattern: string; readonly handle: (request: Interceptable) => void }[] = []
  const running: Promise<unknown>[] = []
  const standIn = {
    Cypress: {
      env: () => expect.fail('Cypress.env is deprecated.'),
      Commands: { add: (name: string, run: (typeof commands)[string]) => (commands[name] = run) },
    },
    cy: {
      intercept: (pattern: string, handle: (request: Interceptable) => void) => intercepts.push({ pattern, handle }),
      async task(name: string, given: unknown) {
        const task = tasks[name] ?? expect.fail(`There is no task ${name}.`)
        const result = task(JSON.parse(JSON.stringify(given)))
        running.push(result)
        const text = JSON.stringify(await result) ?? expect.fail(`The task ${name} returned undefined.`)
        return JSON.parse(text) as unknown
      },
    },
    beforeEach: (hook: Hook) => (hooks.beforeEach = hook),
    afterEach: (hook: Hook) => (hooks.afterEach = hook),
  }
  Object.assign(globalThis, standIn)
  onTestFinished(() => Object.keys(standIn).forEach((name) => Reflect.deleteProperty(globalThis, name)))
  await load(folder, 'cypress/support/e2e.ts')
  return { commands, hooks, intercepts, untilDone: () => Promise.all(running) }
}

it('the code in docs/cypress.md passes type checks', async () => {
  expect(await findTypeFaults('docs/cypress.md', ['cypress'])).toBe('')
})

it("the commands in docs/cypress.md use the test's session and delete it afterward", async () => {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const folder = await layOut(server.url)
  const { commands, hooks, intercepts, untilDone } = await loadSupport(folder, await loadTasks(folder))
  hooks.beforeEach()
  expect(intercepts.map(({ pattern }) => pattern)).toEqual([`${server.url}/**`])

  await commands['seedMock']?.([{ id: 'shirt', objectTypeProperty: {} }])
  await commands['useScenarios']?.('conflict-once')
  const headers: Record<string, string> = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
  intercepts[0]?.handle({ headers })
  const body = JSON.stringify({ version: 1, actions: [] })
  const response = await fetch(`${server.url}/acme/resource/shirt`, { method: 'POST', headers, body })
  expect(response.status).toBe(409)
  expect(await commands['mockRequests']?.({ method: 'POST' })).toMatchObject([{ response: { status: 409 } }])
  expect(await server.mock.session('default').requests()).toEqual([])

  hooks.afterEach()
  await untilDone()
  const sessions = await (await fetch(`${server.url}/__admin/sessions`)).text()
  expect(sessions).not.toContain('cypress-')
})
