import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'
import { readBlocks, readCommands } from '../../house/pages/blocks.ts'
import { listen } from '../../support/listen.ts'

const PAGE = 'docs/reverse-proxy.md'
const HOST = 'mock.example.com'
const headers = { Host: HOST, Authorization: 'Bearer choose-one' }

/** A mock as the page starts it, behind a proxy that sets the page's headers. */
async function startBehindProxy(setHost = true): Promise<number> {
  const mock = await startServer({ port: 0, adminToken: 'choose-one', adminOrigins: [`https://${HOST}`] })
  onTestFinished(() => mock.close())
  const { port } = new URL(mock.url)
  const proxy = createServer((incoming, outgoing) => {
    const { url: path, method, headers: sent } = incoming
    const passed = { ...sent, 'X-Forwarded-Proto': 'https', ...(setHost ? {} : { host: `127.0.0.1:${port}` }) }
    const upstream = request({ port, path, method, headers: passed }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(upstream)
  })
  return listen(proxy)
}

interface Answer {
  readonly status: number | undefined
  readonly text: string
}

/** Not with `fetch`, which sets the header `Host` itself. */
async function get(port: number, path: string, sent: Readonly<Record<string, string>>): Promise<Answer> {
  const [answer] = (await once(request({ port, path, headers: sent }).end(), 'response')) as [
    NodeJS.ReadableStream & { readonly statusCode: number | undefined },
  ]
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  return { status: answer.statusCode, text }
}

describe('a mock behind a reverse proxy', () => {
  it('serves the dashboard, and names its https address in OpenAPI', async () => {
    const port = await startBehindProxy()
    const own = { ...headers, Origin: `https://${HOST}`, 'Sec-Fetch-Site': 'same-origin' }
    expect((await get(port, '/__admin/requests', own)).status).toBe(200)
    const { text } = await get(port, '/__admin/openapi.json', headers)
    const { servers } = JSON.parse(text) as { readonly servers: readonly { readonly url: string }[] }
    expect(servers.map(({ url }) => url)).toEqual([`https://${HOST}`, `https://${HOST}/{region}/{cloudProvider}`])
    expect((await get(port, '/__admin/requests', { Host: HOST })).status).toBe(401)
  })

  it('sees requests of another site if the proxy replaces the host', async () => {
    const port = await startBehindProxy(false)
    const own = { Host: HOST, Origin: 'https://other.example', 'Sec-Fetch-Site': 'cross-site' }
    expect((await get(port, '/__admin/requests', own)).status).toBe(403)
  })
})

describe('docs/reverse-proxy.md', () => {
  it('shows how to save and restore the data of a session', async () => {
    const mock = await startServer({ port: 0, adminToken: 'choose-one' })
    onTestFinished(() => mock.close())
    const own = readCommands(PAGE).filter((command) => /^(?:curl |[A-Z]+=\S+$)/.test(command))
    const script = `curl() { command curl -s -S --fail "$@"; }\n${own.join('\n').replace('http://127.0.0.1:4010', mock.url)}`
    const cwd = await createTemporaryFolder()
    await promisify(execFile)('sh', ['-ec', script], { cwd })
    expect(JSON.parse(await readFile(join(cwd, 'backup.json'), 'utf8'))).toHaveProperty('projects')
  })

  it('passes on the host and the scheme, and allows the largest body', () => {
    const nginx = readBlocks(PAGE).find(({ language }) => language === 'text')
    for (const line of ['proxy_set_header Host $http_host;', 'X-Forwarded-Proto $scheme;', 'client_max_body_size 64m;'])
      expect(nginx?.text).toContain(line)
  })
})
