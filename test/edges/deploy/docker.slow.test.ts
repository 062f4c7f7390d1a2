import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build as buildPage } from 'vite'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'
import { findPort } from '../../support/find-port.ts'
import { build } from './dockerfile.ts'
import { packInto, runToEnd, startListening } from './installation.ts'

const examples = join(import.meta.dirname, '../../../examples')
const readExample = (name: string): string => readFileSync(join(examples, 'deploy', name), 'utf8')

const copyHealthCheck = (folder: string): void =>
  cpSync(join(examples, 'deploy', HEALTH_CHECK), join(folder, HEALTH_CHECK))

const HEALTH_CHECK = 'health-check.mjs'
const TOKEN = 'choose-one'

/** The user `node` of Node's images. Only root can switch users; any other user is already unprivileged. */
const noRoot = process.getuid?.() === 0 ? { uid: 1000 } : {}

interface Expectation {
  readonly context: string
  /** The mock's path on the server. */
  readonly prefix: string
  /** The arguments after the name of the image. */
  readonly args?: readonly string[]
}

/** In a container the server is process 1; here it has another number. */
async function checkHealthOf(pid: number | undefined, app: string): Promise<void> {
  const file = join(app, HEALTH_CHECK)
  await writeFile(file, (await readFile(file, 'utf8')).replace(/\/proc\/\d+\//, `/proc/${pid}/`))
}

/** Runs an image as `docker run -e PORT -e RESOURCE_MOCK_ADMIN_TOKEN` does, and stops it as `docker stop` does. */
async function expectToServe(text: string, { context, prefix, args = [] }: Expectation): Promise<void> {
  const outside = await createTemporaryFolder()
  await chmod(outside, 0o755)
  const app = join(outside, 'app')
  const image = await build(text, { context, app })
  expect(image.user).toBe('node')
  expect(image.env['PORT']).toBe(image.port)
  const env = { ...image.env, PORT: String(await findPort()), RESOURCE_MOCK_ADMIN_TOKEN: TOKEN }
  const place = { cwd: app, env, ...noRoot }
  await expect(runToEnd(image.healthCheck, place)).rejects.toThrow()
  // The arguments after the name of the image go to the command, which refuses unknown ones.
  const refused = runToEnd([...image.entryPoint, '--no-such-option'], place)
  await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('--no-such-option') })
  const child = await startListening([...image.entryPoint, ...args], place)
  await checkHealthOf(child.pid, app)
  await runToEnd(image.healthCheck, place)

  const state = `http://127.0.0.1:${env.PORT}${prefix}/__admin/state`
  expect((await fetch(state)).status).toBe(401)
  expect((await fetch(state, { headers: { Authorization: `Bearer ${TOKEN}` } })).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}

it('the Dockerfile of the mock needs only the packed package', async () => {
  const context = await createTemporaryFolder()
  await packInto(context)
  copyHealthCheck(context)
  await expectToServe(readExample('Dockerfile'), { context, prefix: '', args: ['--persist', 'state/state.json'] })
})

it('the Dockerfile of the storefront needs the packed package and the built page', async () => {
  const context = await createTemporaryFolder()
  const storefront = join(examples, 'storefront')
  mkdirSync(join(context, 'deploy'))
  await packInto(join(context, 'deploy'))
  copyHealthCheck(join(context, 'deploy'))
  for (const name of ['server.mjs', 'server']) {
    cpSync(join(storefront, name), join(context, 'storefront', name), { recursive: true })
  }
  const outDir = join(context, 'storefront', 'dist')
  await buildPage({ root: storefront, logLevel: 'error', build: { outDir } })
  await expectToServe(readExample('storefront.Dockerfile'), { context, prefix: '/api' })
})
