import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as buildPage } from 'vite'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'
import { build } from './dockerfile.ts'
import { findFreePort, packInto, runToEnd, startListening } from './installation.ts'

const examples = join(import.meta.dirname, '../../examples')
const readExample = (name: string): string => readFileSync(join(examples, 'deploy', name), 'utf8')

const TOKEN = 'choose-one'

/** Runs an image as `docker run -e PORT -e RESOURCE_MOCK_ADMIN_TOKEN` does, and stops it as `docker stop` does. */
async function expectToServe(text: string, context: string, prefix: string): Promise<void> {
  const app = join(await createTemporaryFolder(), 'app')
  const image = await build(text, { context, app })
  const env = { ...image.env, PORT: await findFreePort(), RESOURCE_MOCK_ADMIN_TOKEN: TOKEN }
  await expect(runToEnd(image.healthCheck, { cwd: app, env })).rejects.toThrow()
  const child = await startListening(image.command, { cwd: app, env })
  await runToEnd(image.healthCheck, { cwd: app, env })

  const state = `http://127.0.0.1:${env.PORT}${prefix}/__admin/state`
  expect((await fetch(state)).status).toBe(401)
  expect((await fetch(state, { headers: { Authorization: `Bearer ${TOKEN}` } })).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}

it('the Dockerfile of the mock needs nothing but the packed package', async () => {
  const context = await createTemporaryFolder()
  await packInto(context)
  await expectToServe(readExample('Dockerfile'), context, '')
}, 120_000)

it('the Dockerfile of the storefront needs the packed package and the built page', async () => {
  const context = await createTemporaryFolder()
  const storefront = join(examples, 'storefront')
  mkdirSync(join(context, 'deploy'))
  await packInto(join(context, 'deploy'))
  for (const name of ['server.mjs', 'server']) {
    cpSync(join(storefront, name), join(context, 'storefront', name), { recursive: true })
  }
  const outDir = join(context, 'storefront', 'dist')
  await buildPage({ root: storefront, logLevel: 'error', build: { outDir } })
  await expectToServe(readExample('storefront.Dockerfile'), context, '/api')
}, 120_000)
