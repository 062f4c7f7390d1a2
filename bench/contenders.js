import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SERVER_CORE, spawnOn } from './pin.js'

const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The only other mock with state, versions and update actions, for comparison. */
export const RIVAL = '@labdigital/commercetools-mock'

/** The Node that a contender needs, if it is not the one that runs this. */
const nodes = { [RIVAL]: fromRoot('bench/rival/node_modules/node/bin/node') }

/** Whether the contender's dependencies are installed. */
export const isInstalled = (name) => nodes[name] === undefined || existsSync(nodes[name])

/** How to start each contender on a port, from a fixture folder. */
export const commands = {
  'bare Hono': (port, fixtures) => [fromRoot('bench/servers/bare-hono.js'), port, `${fixtures}/resources.json`],
  'resource-mock': (port, fixtures) => [
    fromRoot('bin/resource-mock.js'),
    '--port',
    port,
    '--log',
    'json',
    ...(fixtures === undefined ? [] : ['--fixtures', fixtures]),
  ],
  [RIVAL]: (port, fixtures) => [fromRoot('bench/rival/server.js'), port, `${fixtures}/resources.json`],
  'bare node:http': (port) => [fromRoot('bench/servers/bare-http.js'), port],
}

/** A port that is free at this moment. */
export async function findPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return String(port)
}

/** Interval of the polls until a contender responds, in milliseconds. */
const PATIENCE = 2

/**
 * A contender that responds. It writes its log, but the system discards it: a reader of it would use the measured cores.
 *
 * @param {keyof typeof commands} name
 * @param {string} [fixtures]
 * @param {readonly string[]} [flags] in addition to those that every contender of the name has
 * @param {readonly string[]} [nodeFlags] with any, the process can also send messages
 * @param {string} [nodeOf] the contender whose Node to use; default: its own
 */
export async function startContender(name, fixtures, flags = [], nodeFlags = [], nodeOf = name) {
  const port = await findPort()
  const script = [...commands[name](port, fixtures), ...flags]
  const stdio = ['ignore', 'ignore', 'ignore', ...(nodeFlags.length === 0 ? [] : ['ipc'])]
  const child = spawnOn(SERVER_CORE, nodes[nodeOf] ?? process.execPath, [...nodeFlags, ...script], { stdio })
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(url).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    )
  while ((await answers()) === undefined) {
    if (child.exitCode !== null) throw new Error(`${name} did not start. Run it by hand: node ${script.join(' ')}`)
    await wait(PATIENCE)
  }
  return {
    name,
    url,
    pid: child.pid,
    child,
    async stop() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/**
 * The headers of a signed-in client; bare Hono gets them too and ignores them.
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
