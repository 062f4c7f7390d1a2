import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { run, runHere, start } from './command.ts'
import { listen } from '../../support/listen.ts'

/** Runs a mock on the port of another one. */
async function runBeside(first: readonly string[], second: readonly string[]) {
  const url = await start(['--port', '0', '--log', 'silent', ...first]).ready
  const { port } = new URL(url)
  const { status, stderr } = await runHere(['--port', port, ...second])
  return { status, text: stderr.replaceAll(port, '4010').replaceAll(String(Number(port) + 1), '4011') }
}

const END = 'To end it: curl -X POST http://127.0.0.1:4010/__admin/shutdown'

it.each([
  [
    'the same options',
    [],
    [],
    `with the default options. It is the same mock, so you can use it. ${END}. Or choose another port, such as --port 4011.`,
  ],
  [
    'other options',
    ['--auth', 'strict', '--scenario', 'slow'],
    ['--seed', '7'],
    `with scenario ["slow"], auth "strict". It differs: auth is "strict" instead of the default; scenario is ["slow"] instead of the default; seed is the default instead of 7. ${END}. Or`,
  ],
  [
    'an admin token',
    ['--admin-token', 'a'],
    ['--admin-token', 'a'],
    `${END} -H 'Authorization: Bearer <admin token>'. Or`,
  ],
])('names the mock with %s that uses the port, and how to end it', async (_name, first, second, sentence) => {
  const { status, text } = await runBeside(first, second)
  expect(status).toBe(1)
  expect(text).toContain('Port 4010 on 127.0.0.1 is in use by another resource-mock ')
  expect(text).toContain(sentence)
})

it('takes no other program for a mock', async () => {
  const port = await listen(createServer((_request, response) => response.end('{"fingerprint":{}}')))
  expect((await run(['--port', String(port)])).stderr).toMatch(/is in use\. Stop the program that uses it/)
})
