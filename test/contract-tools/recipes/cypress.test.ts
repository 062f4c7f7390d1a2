import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node/server.ts'
import { filesOf } from '../../library/page.ts'
import { findTypeFaults } from './find-type-faults.ts'

const files = filesOf('docs/cypress.md')

type Tasks = Readonly<Record<string, (given: unknown) => Promise<unknown>>>
type Hook = () => void
interface Interceptable {
  readonly headers: Record<string, string>
}

/** Imports a file of the page and returns its exports. */
async function load(path: string): Promise<Readonly<Record<string, unknown>>> {
  const contents = files.get(path) ?? expect.fail(`docs/cypress.md has no ${path}.`)
  const alias = { 'resource-mock': join(import.meta.dirname, '../../../src/index.ts') }
  const stdin = { contents, loader: 'ts', resolveDir: process.cwd() } as const
  const { outputFiles } = await build({ stdin, alias, bundle: true, format: 'esm', platform: 'node', write: false })
  // The exports shown on the page.
  return (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(`${outputFiles[0]?.text}\n// ${crypto.randomUUID()}`)}`
  )) as Readonly<Record<string, unknown>>
}

/** Loads the support file with a fake Cypress that, like the real one, copies task arguments as JSON. */
async function loadSupport(url: string, tasks: Tasks) {
  const commands: Record<string, (...given: readonly unknown[]) => Promise<unknown>> = {}
  const hooks: Record<'beforeEach' | 'afterEach', Hook> = { beforeEach: expect.fail, afterEach: expect.fail }
  const intercepts: { readonly pattern: string; readonly handle: (request: Interceptable) => void }[] = []
  const running: Promise<unknown>[] = []
  const standIn = {
    Cypress: {
      env: (name: string) => (name === 'MOCK_URL' ? url : undefined),
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
  await load('cypress/support/e2e.ts')
  return { commands, hooks, intercepts, untilDone: () => Promise.all(running) }
}

it('the code in docs/cypress.md passes type checks', async () => {
  expect(await findTypeFaults('docs/cypress.md', ['cypress'])).toBe('')
})

it("the commands in docs/cypress.md use the test's session and delete it afterward", async () => {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const { createMockTasks } = await load('cypress/mock-tasks.ts')
  const tasks = (createMockTasks as (url: string) => Tasks)(server.url)
  const { commands, hooks, intercepts, untilDone } = await loadSupport(server.url, tasks)
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
