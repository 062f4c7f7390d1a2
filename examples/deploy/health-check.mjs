/**
 * Whether the server in the container is healthy: exit status 0 if it is. The options after the image's name may set port,
 * host and HTTPS, so they are read from the command line of process 1.
 *
 * node health-check.mjs [path of the mock, such as /api]
 */
import { readFileSync } from 'node:fs'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { parseArgs } from 'node:util'

const prefix = process.argv[2] ?? ''
const commandLine = readFileSync('/proc/1/cmdline', 'utf8').split('\0').slice(0, -1)
// The options come after node and, with docker run --init, after the init process.
const command = commandLine.findIndex((arg) => /(?:resource-mock|server\.mjs)$/.test(arg))
const { values } = parseArgs({
  args: commandLine.slice(command + 1),
  strict: false,
  options: { port: { type: 'string', short: 'p' }, host: { type: 'string' } },
})
const { port = process.env.PORT, host = process.env.HOST } = values
const address = host?.replace(/^\[(.*)\]$/, '$1')
const everywhere = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * Whether a server responds with 200, or is a mock with --no-admin, which responds to this path as to any other that it does
 * not know. A public certificate does not include the loopback address.
 */
const isHealthy = (get) =>
  new Promise((resolve) => {
    const path = `${prefix}/__admin/health`
    const target = { host: everywhere[address] ?? address, port, path, rejectUnauthorized: false }
    get(target, (response) => {
      const { statusCode, headers } = response.resume()
      const hasNoAdmin = statusCode === 404 && headers['x-correlation-id'] !== undefined
      resolve(statusCode === 200 || hasNoAdmin)
    }).on('error', () => resolve(false))
  })

process.exit((await isHealthy(getHttp)) || (await isHealthy(getHttps)) ? 0 : 1)
