/**
 * Serves the built shop, and a mock for it under /api, on one origin. Every visitor gets a separate session, so visitors do
 * not affect each other. It needs only the package resource-mock and the folder dist next to it; it is an .mjs file so that
 * it needs no package.json.
 *
 * node server.mjs [--port 4020] [--host 127.0.0.1] [--clock 2026-01-31T12:00:00Z]
 *
 * The admin API is for the operator: from this machine, or with the token in RESOURCE_MOCK_ADMIN_TOKEN.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { createMock } from 'resource-mock'
import { createApi } from './server/api.mjs'
import { createPages } from './server/pages.mjs'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env.PORT ?? '4020' },
    host: { type: 'string', default: process.env.HOST ?? '127.0.0.1' },
    clock: { type: 'string' },
  },
})

const { RESOURCE_MOCK_ADMIN_TOKEN: adminToken, RESOURCE_MOCK_TOKEN_SECRET: tokenSecret } = process.env
const { host, clock } = values

const mock = await createMock({ auth: 'strict', journal: 200, host, clock, adminToken, tokenSecret })
const answerApi = createApi(mock, { prefix: '/api', adminToken })
const answerPage = await createPages(new URL('./dist/', import.meta.url))

const server = createServer((request, response) => {
  void (answerApi(request, response) ?? answerPage(request, response))
})
server.listen(Number(values.port), host)
try {
  await once(server, 'listening')
} catch (error) {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(
    `Port ${values.port} on ${host} is in use. Stop the program that uses it, or choose another port: npm run demo -- --port ${Number(values.port) + 1}.`,
  )
  process.exit(1)
}
const { port } = server.address()
// A server that listens on all interfaces is called at the loopback address.
const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]', '::1': '[::1]' }[host] ?? host

function end() {
  mock.endStreams()
  server.close(() => process.exit(0))
  server.closeIdleConnections()
}

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, end)

// Killed, npm stops neither its shell nor what that runs.
if (process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') {
  // Without ps, as in a small container, only the shell is watched.
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(process.ppid)], { encoding: 'utf8' })
  const parents = [process.ppid, Number(stdout)].filter((pid) => pid > 1)
  setInterval(() => {
    try {
      for (const pid of parents) process.kill(pid, 0)
    } catch {
      end()
    }
  }, 500).unref()
}

// Last: a script may kill npm as soon as it reads this.
console.log(`Listening on port ${port} (http://${name}:${port})`)
