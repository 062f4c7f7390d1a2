import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { start } from '../cli/command.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'
import { findPort } from '../../support/find-port.ts'
import { listen } from '../../support/listen.ts'

const script = join(import.meta.dirname, '../../../examples/deploy/health-check.mjs')
const tls = join(import.meta.dirname, '../cli/tls')
const secure = ['--tls-cert', join(tls, 'cert.pem'), '--tls-key', join(tls, 'key.pem')]

/** The exit status of the health check. In a container the mock is process 1; here it has another number. */
async function check(pid: number | undefined): Promise<unknown> {
  const file = join(await createTemporaryFolder(), 'health-check.mjs')
  await writeFile(file, (await readFile(script, 'utf8')).replace('/proc/1/', `/proc/${pid}/`))
  // As the Dockerfile sets them: the options of the command line win over both.
  const env = { PATH: process.env['PATH'], PORT: '1', HOST: '0.0.0.0' }
  const child = spawn(process.execPath, [file], { env, stdio: 'ignore' })
  const [status] = await once(child, 'exit')
  return status
}

it.each([
  ['the option --port', []],
  ['HTTPS', secure],
  ['another loopback address', ['--host', '127.0.0.2']],
  ['an IPv6 address', ['--host', '::1']],
  ['an IPv6 address in brackets', ['--host', '[::1]']],
  ['a mock without an admin API', ['--no-admin']],
])('the health check of the image supports %s', async (_what, args) => {
  // With port 0, a mock's command line does not show its port.
  const mock = start(['--port', String(await findPort()), '--log', 'silent', ...args])
  await mock.ready
  expect(await check(mock.process.pid)).toBe(0)
})

it('the health check of the image fails if nothing listens', async () => {
  const mock = start(['--port', '0', '--log', 'silent'])
  await mock.ready
  expect(await check(mock.process.pid)).toBe(1)
})

it('the health check of the image fails if another server listens', async () => {
  const port = await listen(createServer((_request, response) => response.writeHead(404).end()))
  const script = "process.stdin.resume().on('end', () => {})"
  const child = spawn(process.execPath, ['-e', script, 'resource-mock', '--port', String(port), '--host', '127.0.0.1'])
  onTestFinished(() => void child.kill())
  await once(child, 'spawn')
  expect(await check(child.pid)).toBe(1)
})
