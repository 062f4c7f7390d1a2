import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'
import { findFreePort, startListening } from '../deploy/installation.ts'
import { sendRaw } from '../support/raw-request.ts'

const root = join(import.meta.dirname, '../..')

/** Starts the demo server with a one-line page and returns its port. */
async function startShop(): Promise<number> {
  const folder = await createTemporaryFolder()
  for (const name of ['server.mjs', 'server']) {
    cpSync(join(root, 'examples/storefront', name), join(folder, name), { recursive: true })
  }
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/index.html'), 'the shop')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/resource-mock'))
  const PORT = await findFreePort()
  await startListening([process.execPath, 'server.mjs'], { cwd: folder, env: { PORT } })
  return Number(PORT)
}

const get = (port: number, target: string, host = 'shop'): Promise<string> =>
  sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

describe('the server of the demo shop', () => {
  let port: number
  beforeEach(async () => {
    port = await startShop()
  })

  it.each(['//', 'http://', '/\\\\', 'https://[', '/api//', '/api/\\\\', '//['])(
    'responds with 400 to the target %s, and keeps running',
    async (target) => {
      expect(await get(port, target)).toMatch(/^HTTP\/1\.1 400 /)
      expect(await get(port, '/')).toContain('the shop')
    },
  )

  it('responds with 400 to an invalid Host, and keeps running', async () => {
    expect(await get(port, '/api/acme/resource', '[')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await get(port, '/api/acme/resource')).toMatch(/^HTTP\/1\.1 401 /)
  })
})
