import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { pick } from '../../support/thorough.ts'
import { start } from './command.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGUSR2'] as const

const FOREVER = 'await new Promise(() => setInterval(() => {}, 1_000_000))'

/** Writes a configuration that prints "read", and then runs this code. */
async function writeConfig(code: string): Promise<string> {
  const file = join(await createTemporaryFolder(), 'resource-mock.config.mjs')
  await writeFile(file, `console.error('read')\n${code}`)
  return file
}

/** What a mock waits for before it listens: its arguments, and what it prints then. */
const waits = {
  async 'a configuration'() {
    return { args: ['--config', await writeConfig(FOREVER)], sign: 'read' }
  },
  async 'a lock'() {
    const persist = join(await createTemporaryFolder(), 'state.json')
    await start(['--port', '0', '--persist', persist]).ready
    return { args: ['--config', await writeConfig(`export default ${JSON.stringify({ persist })}`)], sign: 'read' }
  },
  async 'a store'() {
    return { args: ['--store', 'redis://127.0.0.1:1', '--store-wait', '1h'], sign: 'Waiting for the store' }
  },
} as const
const WAITS = ['a store', 'a lock', 'a configuration'] as const

it.each(pick<readonly NodeJS.Signals[]>(SIGNALS, ['SIGUSR2']))(
  '%s ends a running mock with status 0',
  async (signal) => {
    const mock = start(['--port', '0'])
    await mock.ready
    mock.process.kill(signal)
    expect(await mock.ended).toBe(0)
  },
)

it.each(
  pick(
    SIGNALS.flatMap((signal) => WAITS.map((wait) => [signal, wait] as const)),
    SIGNALS.map((signal, at) => [signal, WAITS[at] ?? 'a store'] as const),
  ),
)('%s ends a mock that waits for %s with status 0', async (signal, wait) => {
  const { args, sign } = await waits[wait]()
  const mock = start(['--port', '0', ...args])
  await vi.waitUntil(() => mock.output.stderr.includes(sign), PATIENCE)
  mock.process.kill(signal)
  expect(await mock.ended).toBe(0)
})

it('a mock without a terminal, as after nohup, outlives SIGHUP', async () => {
  const mock = start(['--port', '0'])
  const url = await mock.ready
  mock.process.kill('SIGHUP')
  expect((await fetch(`${url}/__admin/health/ready`)).status).toBe(200)
})

it('ends any other command with the status of the signal', async () => {
  const command = start(['scenarios', '--config', await writeConfig(FOREVER)])
  await vi.waitUntil(() => command.output.stderr.includes('read'), PATIENCE)
  expect(await command.stop()).toBe(143)
})
