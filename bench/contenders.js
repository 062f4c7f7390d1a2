import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SERVER_CORE, spawnNode } from './pin.js'

const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** How each contender is started from a fixture folder. */
export const commands = {
  'bare Hono': (fixtures) => [fromRoot('bench/servers/bare-hono.js'), `${fixtures}/resources.json`],
  'resource-mock': (fixtures) => [
    fromRoot('bin/resource-mock.js'),
    '--port',
    '0',
    '--log',
    'json',
    ...(fixtures === undefined ? [] : ['--fixtures', fixtures]),
  ],
  'bare node:http': () => [fromRoot('bench/servers/bare-http.js')],
}

/**
 * A contender that accepts connections. Its log is written, and thrown away by the system.
 *
 * @param {keyof typeof commands} name
 * @param {string} [fixtures]
 * @param {readonly string[]} [flags] beside those that every contender of the name has
 */
export async function startContender(name, fixtures, flags = []) {
  const child = spawnNode(SERVER_CORE, [...commands[name](fixtures), ...flags], { stdio: ['ignore', 'pipe', 'ignore'] })
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])
  const [, url] = /\((http:[^)]+)\)/.exec(line) ?? []
  if (url === undefined)
    throw new Error(`${name} did not start. Run it by hand: node ${commands[name](fixtures).join(' ')}`)
  return {
    name,
    url,
    pid: child.pid,
    async stop() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/**
 * The headers of a client that is signed in; bare Hono gets them too and looks at none.
 *
 * @param {string} url
 */
export async function signIn(url) {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('bench:bench')}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&scope=manage_project:bench',
  })
  if (!response.ok) throw new Error(`No token from ${url}: ${response.status} ${await response.text()}`)
  const { access_token: token } = await response.json()
  return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
}
