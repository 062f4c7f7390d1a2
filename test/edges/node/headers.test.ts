import { once } from 'node:events'
import { connect } from 'node:net'
import * as fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { start } from '../cli/command.ts'
import { runs } from '../../support/thorough.ts'

/** Possible header text of a client: Latin-1 without its terminators. */
const headerText = fc
  .array(
    fc.integer({ min: 0x20, max: 0xff }).filter((code) => code < 0x7f || code > 0x9f),
    { maxLength: 40 },
  )
  .map((codes) => String.fromCharCode(...codes).trim())
/** A path segment of any text, encoded. */
const segment = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('"', '\\', '\r', '\n', '\0', '\u007F', 'é', '☕', '\u2028'),
      fc.string({ maxLength: 1 }),
    ),
    minLength: 1,
  })
  .map(encodeURIComponent)
const id = fc.string({ maxLength: 20 }).map(encodeURIComponent)

const headers = fc.record(
  {
    Authorization: fc.oneof(fc.constant('Bearer any'), fc.constant('Bearer view_test:other'), headerText),
    Origin: headerText,
    'Access-Control-Request-Method': fc.constant('POST'),
    'Access-Control-Request-Headers': headerText,
    'X-Correlation-ID': headerText,
    'X-Mock-Session': fc.oneof(fc.constant('s1'), headerText),
    'X-Mock-Scenario': fc.oneof(fc.constantFrom('conflict', 'unauthorized', 'rate-limited', 'truncated'), headerText),
    Prefer: fc.oneof(fc.constantFrom('code=203, example=custom1', 'identity=body', 'dynamic=true'), headerText),
    'Storefront-Locale': headerText,
    Accept: headerText,
    'Content-Type': fc.oneof(fc.constant('application/json'), headerText),
    'Content-Encoding': headerText,
  },
  { requiredKeys: [] },
)

const requests = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
  prefix: fc.constantFrom('', '/@s1', '/eu/gcp', '/@s1/%C3%A9/g%22p'),
  project: segment,
  rest: fc.oneof(
    fc.constantFrom('', '/images', '/namespace-action-with-headers', '/sorted-query-parameters'),
    id.map((text) => `/${text}`),
    id.map((text) => `/key=${text}`),
  ),
  query: fc.oneof(
    fc.constant(''),
    id.map((text) => `?filename=${text}&${text}=1`),
  ),
  headers,
})

/** Ports of the library's server, and of the command's, which has other classes for requests and responses. */
const ports: Readonly<Record<string, () => Promise<number>>> = {
  async library() {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    return server.port
  },
  command: async () => Number(new URL(await start(['--port', '0', '--log', 'silent']).ready).port),
}

it.each(Object.keys(ports))('no text from a client of the %s causes a response that HTTP forbids', async (by) => {
  const port = (await ports[by]?.()) ?? 0

  async function send(text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined)
    socket.write(text, 'latin1')
    await once(socket, 'close')
    return Buffer.concat(chunks).toString('latin1')
  }

  const property = fc.asyncProperty(requests, async ({ method, prefix, project, rest, query, headers: given }) => {
    const body = method === 'GET' || method === 'HEAD' ? '' : '{"objectTypeProperty":{}}'
    const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
    const answer = await send(
      `${method} ${prefix}/${project}/resource${rest}${query} HTTP/1.1\r\nHost: mock\r\nConnection: close\r\nContent-Length: ${body.length}\r\n${lines.join('')}\r\n${body}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 [2-4]\d\d /)
    expect(answer.toLowerCase()).not.toContain('\r\ncontent-type: text/plain')
  })
  await fc.assert(property, { numRuns: runs(300) })
})
