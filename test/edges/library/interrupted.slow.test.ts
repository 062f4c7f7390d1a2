import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { PATIENCE } from '../../support/patience.ts'
import { filesOf, layOut } from './page.ts'

const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs')

const TEST = `
import { expect } from 'vitest'
import { test } from './reported.ts'

test('lists', async ({ session }) => {
  await session.seed([{ key: 'mine', objectTypeProperty: {} }])
  if (process.env.HANGS === 'true') await new Promise(() => setInterval(() => {}, 1000))
  const response = await session.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
  expect((await response.json()).count).toBe(1)
}, 600_000)
`

it('the recipe of docs/vitest-server.md works after a run that was interrupted', async () => {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const pages = [...filesOf('docs/vitest.md'), ...filesOf('docs/vitest-server.md')]
  const { folder, remove } = await layOut(
    new Map([...pages.filter(([path]) => !path.endsWith('.test.ts')), ['test/mine.test.js', TEST]]),
  )
  onTestFinished(remove)

  function start(hangs: boolean) {
    const child = spawn(process.execPath, [vitest, 'run', '--config', 'run.config.ts', '--maxWorkers', '1'], {
      cwd: folder,
      env: { ...process.env, MOCK_URL: server.url, HANGS: String(hangs), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group, so that a signal reaches all processes as Ctrl-C does.
      detached: true,
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    const closed = once(child, 'close')
    return {
      interrupt: () => process.kill(-(child.pid ?? 0), 'SIGINT'),
      read: async () => {
        await closed
        return output
      },
    }
  }

  const first = start(true)
  const countRuns = async () => {
    const response = await fetch(`${server.url}/__admin/runs`)
    // The admin API documents its responses.
    return ((await response.json()) as { readonly runs: readonly unknown[] }).runs.length
  }
  await vi.waitUntil(async () => (await countRuns()) === 1, PATIENCE)
  first.interrupt()
  // All processes have ended: a mock would keep the output open.
  await first.read()
  expect(await start(false).read()).toMatch(/Tests +1 passed \(1\)/)
  expect(await countRuns()).toBe(2)
})
