/**
 * Whether the server that the container runs is healthy: exit status 0 if it is. Port, host and HTTPS may come from the
 * options after the image's name, so they are read from the command line of process 1.
 *
 * node health-check.mjs [path of the mock, such as /api]
 */
import { readFileSync } from 'node:fs'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { parseArgs } from 'node:util'

const prefix = process.argv[2] ?? ''
const commandLine = readFileSync('/proc/1/cmdline', 'utf8').split('\0').slice(0, -1)
// In front of it are node and, with docker run --init, what starts node.
const command = commandLine.findIndex((arg) => /(?:resource-mock|server\.mjs)$/.test(arg))
const { values } = parseArgs({
  args: commandLine.slice(command + 1),
  strict: false,
  options: { port: { type: 'string', short: 'p' }, host: { type: 'string' } },
})
const { port = process.env.PORT, host = process.env.HOST } = values
const everywhere = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Rejects where nobody answers so. A certificate for the outside does not name the loopback address. */
const ask = (get) =>
  new Promise((resolve, reject) => {
    const target = { host: everywhere[host] ?? host, port, path: `${prefix}/__admin/health`, rejectUnauthorized: false }
    get(target, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

const status = await ask(getHttp).catch(() => ask(getHttps))
process.exit(status === 200 ? 0 : 1)
