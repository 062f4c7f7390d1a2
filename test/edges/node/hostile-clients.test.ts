import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, it } from 'vitest'
import { sendAndReset, sendRaw } from '../../support/raw-request.ts'

const root = join(import.meta.dirname, '../../..')

/** A typical user program: it handles no errors that escape from `startServer`. */
const PROGRAM = `
  import { startServer } from 'resource-mock/node'
  const { port } = await startServer({ port: 0 })
  console.log(port)
`

/** The port of that program in a separate process, which has to survive all of these clients. */
let port = 0
beforeAll(async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  port = Number(line)
  return () => void child.kill('SIGKILL')
})

it.each([
  ['CONNECT', 'CONNECT mock:443 HTTP/1.1\r\nHost: mock:443\r\n\r\n'],
  ['a malformed request', 'NONSENSE\r\n\r\n'],
  ['an upgrade', 'GET / HTTP/1.1\r\nHost: mock\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['an unknown expectation', 'POST /acme/resource HTTP/1.1\r\nHost: mock\r\nExpect: tea\r\nContent-Length: 9\r\n\r\n'],
  ['a truncated body', 'GET /acme/resource HTTP/1.1\r\nHost: mock\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ['an event stream', 'GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n'],
])('a program with a mock in it survives %s whose client resets the connection', async (_what, text) => {
  for (let count = 0; count < 20; count += 1) await sendAndReset(port, text)
  const answer = await sendRaw(port, 'GET /acme/resource HTTP/1.1\r\nHost: mock\r\nConnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
})
