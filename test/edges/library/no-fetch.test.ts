import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const SENTENCE = expect.stringMatching(/^SetupError: This process has no fetch\. [^\n]+$/)

/** Runs JavaScript in a process whose globals lack fetch, and returns the JSON it prints. */
async function runWithoutFetch(code: string, type: 'module' | 'commonjs'): Promise<unknown> {
  const without = "for (const name of ['fetch', 'Headers', 'Request', 'Response']) delete globalThis[name]"
  const input = [`--input-type=${type}`, '-e', `${without}\n${code}`]
  return JSON.parse((await promisify(execFile)(process.execPath, input, { cwd: root })).stdout)
}

/** Without those of Playwright and MSW, which themselves fail to load. */
const entries = ['', '/node', '/vite', '/redis', '/ssr', '/resilience', '/reporter'].map(
  (entry) => `resource-mock${entry}`,
)

it.each([
  ['import', 'module', 'await import(entry)'],
  ['require', 'commonjs', 'require(entry)'],
] as const)('loads without fetch by %s', async (_way, type, load) => {
  const code = `for (const entry of ${JSON.stringify(entries)}) ${load}\nconsole.log(true)`
  expect(await runWithoutFetch(code, type)).toBe(true)
})

it('says in one sentence that the process has no fetch', async () => {
  const code = `
    import { connectMock, createMock } from 'resource-mock'
    import { startServer } from 'resource-mock/node'
    import { resourceMock } from 'resource-mock/vite'
    const logger = { error() {}, warn() {} }
    const calls = [
      () => createMock(),
      () => connectMock('http://127.0.0.1:9'),
      () => startServer({ port: 0 }),
      () => startServer({ port: 0, passthrough: 'http://127.0.0.1:9' }),
      () => resourceMock().configurePreviewServer({ config: { logger, root: '.', preview: {} } }),
    ]
    const said = await Promise.allSettled(calls.map(async (call) => call()))
    console.log(JSON.stringify(said.map(({ reason }) => String(reason))))`
  expect(await runWithoutFetch(code, 'module')).toEqual([SENTENCE, SENTENCE, SENTENCE, SENTENCE, SENTENCE])
})
