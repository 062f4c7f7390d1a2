import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { AUTHORIZED, start } from './command.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** The requests in a JSON log, as `target status`. */
const listRequests = (log: string): readonly string[] =>
  log.split('\n').flatMap((line) => {
    if (!line.includes('"target"')) return []
    const { target, status } = JSON.parse(line) as { readonly target: string; readonly status: number }
    return [`${target} ${status}`]
  })

it('logs no health checks while their status is 200', async () => {
  const mock = start(['--port', '0'])
  const url = await mock.ready
  for (const path of ['health', 'health/live', 'health/ready', 'version', 'health/ready?a=1']) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    await fetch(`${url}/__admin/${path}`)
  }
  await mock.stop()
  expect(listRequests(mock.output.stderr)).toEqual(['/__admin/version 200'])
})

it('logs a health check whose status has changed, once', async () => {
  const file = join(await createTemporaryFolder(), 'state.json')
  const mock = start(['--port', '0', '--persist', file], { maxFileKibibytes: 128 })
  const url = await mock.ready
  const health = async () => (await fetch(`${url}/__admin/health`)).status
  const write = (size: number) =>
    fetch(`${url}/acme/resource`, {
      method: 'POST',
      headers: { ...AUTHORIZED.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ objectTypeProperty: { arrayOfStringExample: ['x'.repeat(size)] } }),
    })
  await write(200_000)
  expect([await health(), await health()]).toEqual([503, 503])
  await write(10)
  expect([await health(), await health()]).toEqual([200, 200])
  await mock.stop()
  expect(listRequests(mock.output.stderr)).toEqual([
    '/acme/resource 503',
    '/__admin/health 503',
    '/acme/resource 201',
    '/__admin/health 200',
  ])
})

it('logs a note, and no errors, for a planned --drain', async () => {
  const mock = start(['--port', '0', '--drain', '1h'])
  const url = await mock.ready
  const next = mock.notes()
  await next()
  mock.process.kill('SIGTERM')
  expect(await next()).toEqual({
    level: 'info',
    message: 'Shutting down: /__admin/health/ready returns 503, and requests are served for 3600000 ms.',
  })
  await vi.waitUntil(async () => (await fetch(`${url}/__admin/health/ready`)).status === 503, PATIENCE)
  expect(mock.output.stderr).not.toMatch(/"level":"(?:error|warn)"/)
  expect(listRequests(mock.output.stderr)).toEqual([])
})
