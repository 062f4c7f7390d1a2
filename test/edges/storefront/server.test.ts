import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'
import { startListening } from '../deploy/installation.ts'
import { findCookie } from '../../../src/service/http/request-head.ts'
import { findPort } from '../../support/find-port.ts'
import { PATIENCE } from '../../support/patience.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { listen } from '../../support/listen.ts'

const root = join(import.meta.dirname, '../../..')

/** Copies the demo server, with a one-line page, and returns its folder. */
async function copyShop(): Promise<string> {
  const folder = await createTemporaryFolder()
  for (const name of ['server.mjs', 'server']) {
    cpSync(join(root, 'examples/storefront', name), join(folder, name), { recursive: true })
  }
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/index.html'), 'the shop')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/resource-mock'))
  return folder
}

/** Starts the demo server and returns its port. */
async function startShop(): Promise<number> {
  const folder = await copyShop()
  const port = await findPort()
  await startListening([process.execPath, 'server.mjs'], { cwd: folder, env: { PORT: String(port) } })
  return port
}

/** Listens on a port until the test ends. */
const occupyPort = () => listen(createServer((_request, response) => response.writeHead(404).end()))

const get = (port: number, target: string, host = 'shop'): Promise<string> =>
  sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

describe('the server of the demo shop', () => {
  it('responds with 400 to invalid targets and to an invalid Host, and keeps running', async () => {
    const port = await startShop()
    for (const target of ['//', 'http://', '/\\\\', 'https://[', '/api//', '/api/\\\\', '//[']) {
      expect([target, await get(port, target)]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 400 /)])
      expect(await get(port, '/')).toContain('the shop')
    }
    expect(await get(port, '/api/acme/resource', '[')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await get(port, '/api/acme/resource')).toMatch(/^HTTP\/1\.1 401 /)
  })

  it("keeps visitors' sessions apart by a cookie that other mocks on this host do not read", async () => {
    const url = `http://127.0.0.1:${await startShop()}`
    const visit = async (): Promise<{ readonly Cookie: string }> => {
      const [cookie = ''] = (await fetch(url)).headers.getSetCookie()
      return { Cookie: cookie.replace(/;.*/, '') }
    }
    const visitors = [await visit(), await visit()]
    expect(visitors.map(({ Cookie }) => findCookie(Cookie))).toEqual([undefined, undefined])

    const [visitor] = visitors
    await fetch(`${url}/api/__admin/scenarios/active/empty`, { method: 'PUT', headers: visitor })
    const findActive = async (headers: HeadersInit): Promise<unknown> => {
      const { session } = (await (await fetch(`${url}/visitor`, { headers })).json()) as { readonly session: string }
      const response = await fetch(`${url}/api/@${session}/__admin/scenarios/active`, { headers })
      return response.json()
    }
    expect(await Promise.all(visitors.map(findActive))).toEqual([{ active: ['empty'] }, { active: [] }])
  })

  it("uses the session of a test rather than the visitor's", async () => {
    const url = `http://127.0.0.1:${await startShop()}`
    const headers = { Cookie: `storefront-visitor=visitor-${crypto.randomUUID()}; mock-session=a-test` }
    expect(await (await fetch(`${url}/visitor`, { headers })).json()).toEqual({ session: 'a-test' })
  })

  it('does not start on a port in use, and says what to do', async () => {
    const port = await occupyPort()
    const cwd = await copyShop()
    const args = ['server.mjs', '--port', String(port)]
    const [status, stderr] = await new Promise<readonly [number | string | null | undefined, string]>((resolve) => {
      execFile(process.execPath, args, { cwd }, (failure, _stdout, text) => resolve([failure?.code, text]))
    })
    expect([status, stderr]).toEqual([
      1,
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port: npm run demo -- --port ${port + 1}.\n`,
    ])
  })
})

it('the server of the demo shop ends after its npm was killed', async () => {
  const cwd = await copyShop()
  writeFileSync(join(cwd, 'package.json'), '{ "scripts": { "demo": "node server.mjs --port 0" } }')
  const npm = spawn('npm', ['run', 'demo'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(npm, 'close')
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await vi.waitUntil(() => output.includes('Listening on port'), PATIENCE)
  npm.kill('SIGKILL')
  // The server holds the output open until it ends.
  await closed
})
