import { readFileSync } from 'node:fs'
import { Server } from 'node:http'
import { vi } from 'vitest'
import { describeOccupant } from '../../../src/edges/cli/occupant.ts'
import { problem } from '../../../src/errors.ts'
import { createMock } from '../../../src/mock.ts'
import { listen } from '../../../src/edges/node/server.ts'
import { createProxy } from '../../../src/tools/proxy/proxy.ts'
import { openRecorder } from '../../../src/tools/proxy/recorder.ts'
import type { RecordingFolder } from '../../../src/tools/proxy/recorder.ts'
import { UPSTREAM, createClient } from '../../tools/proxy/proxying.ts'
import type { Upstream } from '../../tools/proxy/proxying.ts'
import { startServer } from '../../../src/node.ts'
import type { ServerOptions } from '../../../src/node.ts'
import type { Engine } from '../../../src/edges/redis/redis-connection.ts'
import { createKeys, parseStoreAddress, toStoreProblem } from '../../../src/edges/redis/redis-connection.ts'
import { expectDatabase, joinStore, toStoreError } from '../../../src/edges/redis/open-store.ts'
import { createRedisLog } from '../../../src/edges/redis/redis-log.ts'
import { redisStore } from '../../../src/redis.ts'
import { START } from '../../../src/service/state/change.ts'

/** A call that fails, by what it does. */
export type FailingCalls = Readonly<Record<string, () => unknown>>

const HEAD = 'GET /acme/resource HTTP/1.1\r\n'

/** Requests that never reach the app, by what is wrong with them. */
export const rawRequests: Readonly<Record<string, string>> = {
  'headers of more than 1 MiB': `${HEAD}Host: localhost\r\nX-Long: ${'a'.repeat(1_050_000)}\r\n\r\n`,
  'the method patch': 'patch /acme/resource HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'a raw ü in its target': 'GET /acme/resource?stringParameter=ü HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'a target without a slash': 'GET acme/resource HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'the header Content-Length: 2, 2': `${HEAD}Host: localhost\r\nContent-Length: 2, 2\r\n\r\n`,
  'a malformed chunk': `POST /acme/resource HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer any\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  'a Content-Length that is too small': `POST /acme/resource/namespace-action HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer any\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"ä":1}`,
  'a TLS handshake': '\u0016\u0003\u0001\u0002\u0000\u0001',
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'text that is not HTTP': 'HELO localhost\r\n\r\n',
  'no Host header': `${HEAD}Connection: close\r\n\r\n`,
  'two Host headers': `${HEAD}Host: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  'the header Host: localhost:99999': `${HEAD}Host: localhost:99999\r\nConnection: close\r\n\r\n`,
  'the method TRACE': 'TRACE /acme/resource HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
}

/** Starts a server, which fails. */
const start = (options: ServerOptions) => async (): Promise<void> => {
  const server = await startServer({ port: 0, ...options })
  await server.close()
}

/** Calls something with the port of a running mock. */
const onUsedPort = (call: (port: number) => Promise<void>) => async (): Promise<void> => {
  const first = await startServer({ port: 0 })
  try {
    await call(first.port)
  } catch (fault) {
    const text = String(fault instanceof Error ? fault.message : fault)
    throw new Error(text.replaceAll(`${first.port + 1}`, '4011').replaceAll(`${first.port}`, '4010'), {
      cause: fault,
    })
  } finally {
    await first.close()
  }
}

/** Listens on a port, which the system refuses with this error. */
const failToListen = (code: string, message: string) => () => {
  const server = new Server()
  server.listen = () => {
    server.emit('error', Object.assign(new Error(message), { code }))
    return server
  }
  return listen(server, { port: 80, host: '127.0.0.1' })
}

const readTls = (name: string): string => readFileSync(new URL(`../../edges/cli/tls/${name}`, import.meta.url), 'utf8')

export const socketCalls: FailingCalls = {
  'a request whose body stops arriving → 408': () => Promise.reject(problem.requestTimeout()),
  'startServer, on a port in use': onUsedPort((port) => start({ port })()),
  'resource-mock, on the port of another mock': onUsedPort(async (port) => {
    const fault = await start({ port })().catch((one: unknown) => one)
    throw await describeOccupant(fault, { port }, { seed: 2 })
  }),
  'startServer, on a port without permission': failToListen('EACCES', 'listen EACCES: permission denied'),
  'startServer, on a port that the system refuses': failToListen('EMFILE', 'listen EMFILE: too many open files'),
  'startServer, with the host of another machine': start({ host: '192.0.2.1' }),
  'startServer, with a TLS certificate that is not PEM': start({ tls: { cert: 'a', key: 'b' } }),
  'startServer, with the key of another TLS certificate': start({
    tls: { cert: readTls('cert.pem'), key: readTls('other-key.pem') },
  }),
  'startServer, with persist and a store': start({
    persist: 'state.json',
    store: redisStore({ url: 'redis://127.0.0.1' }),
  }),
}

/** A service that cannot be reached. */
const failing = (message: string, code: string) => (): never => {
  throw Object.assign(new Error(message), { code })
}
/** A service that never responds. */
const neverRespond: Upstream = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
    if (signal.aborted) reject(new Error('aborted'))
  })

/** Sends a request to a proxy, whose error response is thrown. */
const forward =
  (upstream: Upstream, timeout = 30_000) =>
  async (): Promise<void> => {
    const proxy = await createProxy({ upstream: UPSTREAM, timeout, client: createClient(upstream) })
    const response = await proxy.fetch(new Request('http://proxy/acme/resource'))
    await proxy.close()
    const { message } = (await response.json()) as { readonly message: string }
    throw new Error(message)
  }

const proxyTo = (upstream: string) => () => createProxy({ upstream, client: createClient(failing('', '')) })

/** Forwards to itself: the second request has the `Via` of the first. */
async function forwardToItself(): Promise<void> {
  let message = ''
  const client = createClient(async ({ headers }) => {
    const response = await proxy.fetch(new Request('http://proxy/acme/resource', { headers }))
    message = ((await response.json()) as { readonly message: string }).message
    throw new Error(message)
  })
  const proxy = await createProxy({ upstream: UPSTREAM, client })
  await proxy.fetch(new Request('http://proxy/acme/resource'))
  await proxy.close()
  throw new Error(message)
}

const folderOf = (files: Readonly<Record<string, string>>): RecordingFolder => ({
  read: async (path) => files[path],
  list: async () => Object.keys(files),
  write: async () => undefined,
})

/** Records a request into a folder, and throws what the recorder reports. */
const record =
  (files: Readonly<Record<string, string>>, limits?: { readonly characters: number; readonly projects: number }) =>
  async (): Promise<void> => {
    let reported: unknown
    const recorder = await openRecorder({
      folder: folderOf(files),
      name: 'recorded',
      onFault: (fault) => {
        reported ??= fault
      },
      ...(limits === undefined ? {} : { limits }),
    })
    const client = createClient(() => Response.json({ id: 'a', version: 1, objectTypeProperty: {} }))
    const proxy = await createProxy({ upstream: UPSTREAM, client, recorder })
    const response = await proxy.fetch(new Request('http://proxy/acme/resource/a'))
    await response.text()
    await recorder.flush()
    await proxy.close()
    throw reported
  }

export const proxyCalls: FailingCalls = {
  'a request, while the service is down → 502': forward(failing('connect ECONNREFUSED 127.0.0.1:3000', 'ECONNREFUSED')),
  'a request, to a service that does not speak HTTP → 502': forward(
    failing('Parse Error: Expected HTTP/', 'HPE_INVALID_CONSTANT'),
  ),
  'a request, to a service that breaks off → 502': forward(failing('socket hang up', 'ECONNRESET')),
  'a request, to a service that upgrades the connection → 502': forward(
    failing('it switched protocols without a request to upgrade', ''),
  ),
  'a request, to a service that responds with the status 99 → 502': forward(failing('its status is 99', '')),
  'a request, to a service that does not respond → 504': forward(neverRespond, 1),
  'a request, to a proxy of itself → 502': forwardToItself,
  'a proxy of ftp://example.com': proxyTo('ftp://example.com'),
  'a proxy of https://user:secret@example.com': proxyTo('https://user:secret@example.com'),
  'a proxy of https://example.com/?a=1': proxyTo('https://example.com/?a=1'),
  '--record, into a folder with fixtures': record({ 'resources.json': '[]' }),
  '--record, into a recording that was edited': record({ '.recorded-project': 'acme', 'resources.json': '[1]' }),
  '--record, into a recording of the maximum size': record({}, { characters: 0, projects: 1 }),
  '--record, of too many projects': record({}, { characters: 1000, projects: 0 }),
}

const ADDRESS = 'redis://127.0.0.1:6379'
const address = (text: string) => () => parseStoreAddress(text)
/** Only what a failing call needs of it. */
const anything = (parts: object): never => parts as never
/** The reply of an engine when the mock starts. */
const refusal = (reply: string) => () => Promise.reject(toStoreError(new Error(reply), parseStoreAddress(ADDRESS)))
/** The reply of an engine to the command of a request. */
const failure = (reply: string) => () => Promise.reject(toStoreProblem(new Error(reply), ADDRESS))

export const storeCalls: FailingCalls = {
  '--store cache': address('cache'),
  '--store http://127.0.0.1:6379': address('http://127.0.0.1:6379'),
  '--store redis://127.0.0.1:6379/first': address(`${ADDRESS}/first`),
  '--store redis://127.0.0.1:6379?prefx=a': address(`${ADDRESS}?prefx=a`),
  '--store redis://127.0.0.1:6379?prefix=a b': address(`${ADDRESS}?prefix=a b`),
  '--store redis://:a%b@127.0.0.1:6379': address('redis://:a%b@127.0.0.1:6379'),
  "redisStore({ url, wait: 'long' })": () => redisStore({ url: ADDRESS, wait: 'long' }),
  'a start, while the engine is down': refusal('connect ECONNREFUSED 127.0.0.1:6379'),
  'a start, without the password': refusal('NOAUTH Authentication required.'),
  'a start, with the wrong password': refusal('WRONGPASS invalid username-password pair or user is disabled.'),
  'a start, as a user without permission': refusal("NOPERM User mock has no permissions to run the 'set' command"),
  'a start, with a cluster': refusal('MOVED 3999 127.0.0.1:6381'),
  'a start, with a replica': refusal("READONLY You can't write against a read only replica."),
  'a start, with database 99': () =>
    expectDatabase(
      anything({ select: () => Promise.reject(new Error('ERR DB index is out of range')) }),
      parseStoreAddress(`${ADDRESS}/99`),
    ),
  'a start, beside mocks with other settings': () =>
    joinStore(
      anything({ set: async () => null, get: async () => 'other' }),
      createKeys(parseStoreAddress(ADDRESS)),
      parseStoreAddress(ADDRESS),
      { text: 'own', describe: () => ['seed is 1 there and 2 here'] },
    ),
  'a start, without ioredis': async () => {
    vi.doMock('ioredis', () => {
      throw new Error("Cannot find package 'ioredis'")
    })
    try {
      await createMock({ store: redisStore({ url: ADDRESS }) })
    } finally {
      vi.doUnmock('ioredis')
    }
  },
  'createMock, with a store and persistence': () =>
    createMock({
      store: redisStore({ url: ADDRESS }),
      persistence: { read: async () => undefined, write: async () => undefined },
    }),
  'mock.reload(texts), of a mock that shares a store': async () => {
    const close = async () => undefined
    const store = { open: async () => ({ archive: {}, log: { close }, listen: () => undefined, close }) }
    const mock = await createMock({ store: anything(store) })
    try {
      await mock.reload({})
    } finally {
      await mock.close()
    }
  },
  'a request, after the connection broke → 503': failure('the connection is closed'),
  'a request, while the engine is down → 503': failure('connect ECONNREFUSED 127.0.0.1:6379'),
  'a request, to an engine that does not reply → 503': failure('Command timed out'),
  'a request, to an engine without memory → 503': failure("OOM command not allowed when used memory > 'maxmemory'."),
  'a request, to a session whose log the engine evicted → 503': () => {
    // All that reading the log needs.
    const engine = { sendWithRetry: async () => ['lost'] } as unknown as Engine
    return createRedisLog(engine, createKeys(parseStoreAddress(ADDRESS))).since('checkout', START)
  },
}
