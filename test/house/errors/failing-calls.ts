import { once } from 'node:events'
import { truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { vi } from 'vitest'
import { findConfig } from '../../../src/edges/cli/config-file.ts'
import { resolveOptions } from '../../../src/edges/cli/settings.ts'
import { toServerOptions } from '../../../src/edges/cli/server.ts'
import { openRecordingFolder } from '../../../src/edges/cli/commands/proxy.ts'
import { init } from '../../../src/edges/cli/commands/init.ts'
import { connectMock } from '../../../src/admin/client/session-client.ts'
import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'
import { handlers } from '../../../src/msw.ts'
import { openFilePersistence } from '../../../src/edges/node/file-persistence.ts'
import { startServer } from '../../../src/node.ts'
import { expect as expectPage } from '../../../src/edges/playwright/expect.ts'
import { expectKind, expectPatterns } from '../../../src/edges/playwright/matchers.ts'
import { createObserver } from '../../../src/edges/playwright/observe.ts'
import type { PageMock } from '../../../src/playwright.ts'
import { useServer } from '../../../src/edges/playwright/server.ts'
import { resilienceMatchers } from '../../../src/tools/resilience/checks.ts'
import { failuresOf } from '../../../src/tools/resilience/failures.ts'
import { parsePlan } from '../../../src/tools/resilience/plan.ts'
import { parseBaseline } from '../../../src/tools/resilience/report.ts'
import type { SessionHandle } from '../../../src/admin/client/session-handle.ts'
import { forwardSession } from '../../../src/ssr.ts'
import type { Persistence } from '../../../src/service/state/kept-state.ts'
import { expectScenarioCount } from '../../../src/service/state/store.ts'
import { createMemory } from '../../../src/service/state/memory.ts'
import { parseEarlierReport } from '../../../src/tools/verify/since.ts'
import { verify } from '../../../src/tools/verify/verify.ts'
import { parsePrefix } from '../../../src/edges/vite/plugin.ts'
import { PATIENCE } from '../../support/patience.ts'
import type { FailingCalls } from './failing-connections.ts'
import { toRequest } from './failing-requests.ts'

/** Files with a mistake, by their path in a folder. */
export const files: Readonly<Record<string, string | Uint8Array>> = {
  'broken.json': '{',
  'list.json': '[]',
  'typo.config.json': '{ "prot": 1 }',
  'broken.mjs': "throw new Error('TOKEN is not set.')",
  'empty.mjs': 'export const port = 1',
  'image.json': Uint8Array.of(0x89, 0x50, 0xff, 0x00),
  'unknown-member.json': '{ "version": 1, "data": {} }',
  'folder.json/a': '',
  'two/resource-mock.config.json': '{}',
  'two/resource-mock.config.mjs': 'export default {}',
  'typescript/resource-mock.config.ts': 'export default {}',
  'recorded/.recorded-project/a.json': '',
}

/** What a caller without TypeScript may pass. */
const anything = (value: unknown): never => value as never

const persistTo = (folder: string, file: string) => async (): Promise<void> => {
  const server = await startServer({ port: 0, persist: join(folder, file) })
  await server.close()
}

/** Creates two resources, of which the mock cannot save the second, and throws what it reports. */
const failToSave =
  (open: () => Promise<Persistence & { close?(): Promise<void> }>, meanwhile = async () => undefined as void) =>
  async (): Promise<void> => {
    let reported: unknown
    const persistence = await open()
    const mock = await createMock({ persistence, onFault: (fault) => (reported ??= fault) })
    const create = () => mock.fetch(toRequest({ line: 'POST /acme/resource', body: { objectTypeProperty: {} } }))
    await create()
    await meanwhile()
    await create()
    await mock.close().catch(() => undefined)
    await persistence.close?.()
    throw reported
  }

/** Storage that is full after the start. */
function fillUp(fault: Error): Persistence {
  let writes = 0
  return {
    name: 'The state file state.json',
    read: async () => undefined,
    write: async () => {
      writes += 1
      if (writes > 1) throw fault
    },
  }
}

/** Saves to a file whose lock another program has changed. */
const loseLock = (file: string) => async (): Promise<void> => {
  const persistence = await openFilePersistence(file)
  const isLost = () =>
    persistence.write('{}').then(
      () => false,
      () => true,
    )
  await failToSave(
    async () => persistence,
    async () => {
      await utimes(`${file}.lock`, 1, 1)
      await vi.waitUntil(isLost, PATIENCE)
    },
  )()
}

/** Calls that read a file of the folder. */
export const createFileCalls = (folder: string): FailingCalls => ({
  '--fixtures none': () => toServerOptions({ fixtures: join(folder, 'none') }),
  '--scenarios none': () => toServerOptions({ scenarios: join(folder, 'none') }),
  '--tls-cert none.pem': () => toServerOptions({ tlsCert: join(folder, 'none.pem'), tlsKey: join(folder, 'none.pem') }),
  '--tls-cert a.pem, without --tls-key': () => toServerOptions({ tlsCert: join(folder, 'a.pem') }),
  '--watch, with --store': () => toServerOptions({ store: 'redis://127.0.0.1', watch: true }),
  '--config broken.json, a file that ends early': () => findConfig(folder, 'broken.json'),
  '--config list.json, a list': () => findConfig(folder, 'list.json'),
  '--config broken.mjs, a module that throws': () => findConfig(folder, 'broken.mjs'),
  '--config empty.mjs, without a default export': () => findConfig(folder, 'empty.mjs'),
  '--config config.yaml': () => findConfig(folder, 'config.yaml'),
  'a configuration file with "prot"': async () => {
    const config = await findConfig(folder, 'typo.config.json')
    resolveOptions({}, { flags: {}, env: {}, folder, config })
  },
  'a folder with two configuration files': () => findConfig(join(folder, 'two')),
  'a folder with resource-mock.config.ts': () =>
    findConfig(join(folder, 'typescript'), undefined, { version: '20.19.0', runsTypeScript: false }),
  '--persist none/state.json': persistTo(folder, 'none/state.json'),
  '--persist two, a folder': persistTo(folder, 'two'),
  '--persist broken.json, a file that ends early': persistTo(folder, 'broken.json'),
  '--persist image.json, a file that is not text': persistTo(folder, 'image.json'),
  '--persist unknown-member.json, a file of another program': persistTo(folder, 'unknown-member.json'),
  '--persist long.json, a file of 600 MB': async () => {
    await writeFile(join(folder, 'long.json'), '')
    await truncate(join(folder, 'long.json'), 600_000_000)
    await persistTo(folder, 'long.json')()
  },
  '--persist state.json, with --memory 1gb': () =>
    createMock({ persistence: fillUp(new Error('full')), memory: '1gb' }),
  '--persist state.json, on a full disk': failToSave(async () =>
    fillUp(new Error('ENOSPC: no space left on device, write')),
  ),
  '--persist state.json, which is full': failToSave(async () => fillUp(new RangeError('Invalid string length'))),
  '--persist lost.json, whose lock was lost': loseLock(join(folder, 'lost.json')),
  '--persist state.json, on a disk that is full when the mock stops': async () => {
    let reported: unknown
    const full = () => Promise.reject(new Error('ENOSPC: no space left on device, write'))
    const mock = await createMock({
      onFault: (fault) => (reported = fault),
      persistence: {
        name: 'The state file state.json',
        read: async () => undefined,
        write: async () => undefined,
        journal: { read: async () => undefined, replace: full },
      },
    })
    await mock.close()
    throw reported
  },
  '--record list.json, a file': () => openRecordingFolder(join(folder, 'list.json')).list(),
  'resilience --plan plan.json, a file that ends early': () => parsePlan('{', 'plan.json'),
  'resilience --plan plan.json, a file of another program': () => parsePlan('{}', 'plan.json'),
  'resilience --plan plan.json, with a variant of a test that is not listed': () =>
    parsePlan(
      '{ "variants": [{ "operation": "updateResource", "failure": "conflict", "call": 1, "test": { "file": "a.spec.ts", "line": 1, "title": ["saves"] } }], "leftOut": [], "tests": [] }',
      'plan.json',
    ),
  'init list.json/tests, in a file': () => init(join(folder, 'list.json/tests')),
  'verify --since before.json, a file of another program': () => parseEarlierReport('{}', 'before.json'),
  'resilience --baseline baseline.json, a file of another program': () => parseBaseline('{}', 'baseline.json'),
})

const ofMock = (call: (mock: Mock) => unknown) => async (): Promise<void> => {
  const mock = await createMock()
  try {
    await call(mock)
  } finally {
    await mock.close()
  }
}

/** Calls a session handle of a mock. */
const ofSession = (call: (session: SessionHandle) => unknown) => ofMock((mock) => call(mock.session('checkout')))

/** Calls something with the URL of a program that responds with this JSON. */
const withProgram = (json: unknown, call: (url: string) => unknown) => async (): Promise<void> => {
  const server = createServer((_request, response) => response.end(JSON.stringify(json))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await call(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}

/** Uses the mock of a worker in Playwright that was started before. */
const useStarted = (mockUrl: string) =>
  useServer({ mockUrl, mockAdminToken: undefined, mockOptions: { seed: 2 }, root: '/home/me' }, async () => undefined)

const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

/** Sends a message to the server for agents. */
const sendMessage = (method: string, params: object) => async (): Promise<void> => {
  const mock = await createMock()
  const response = await mock.fetch(
    toRequest({
      line: 'POST /__admin/mcp',
      headers: { Accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method, params },
    }),
  )
  // The last line of an event stream.
  const text = (await response.text()).split('data: ').at(-1) ?? ''
  const { result, error } = JSON.parse(text) as {
    readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] }
    readonly error?: { readonly message: string }
  }
  await mock.close()
  if (result?.isError !== true && error === undefined) return
  throw new Error(error?.message ?? result?.content.map(({ text }) => text).join(' '))
}

/** Calls a tool for agents. */
const callTool = (name: string, given: object) => sendMessage('tools/call', { name, arguments: given })

/** Verifies a service, whose every response is this one. */
const verifyService =
  (
    response: { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | Error,
    { path = '', client }: { readonly path?: string; readonly client?: string } = {},
  ) =>
  () =>
    verify({
      url: `https://api.example.com${path}`,
      project: 'acme',
      credentials: client === undefined ? { kind: 'token', token: 'a' } : { kind: 'client', client },
      allowsWrites: false,
      timeout: 1000,
      newId: () => crypto.randomUUID(),
      elapsed: () => 0,
      async transport() {
        if (response instanceof Error) throw response
        return { status: response.status, headers: new Headers(response.headers), text: '{}' }
      },
    })

export const verifyCalls: FailingCalls = {
  'verify, while the service is down': verifyService(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
  'verify, of a URL that redirects': verifyService({ status: 301, headers: { Location: 'https://example.com/' } }),
  'verify, of a URL with the project key': verifyService({ status: 404 }, { path: '/acme' }),
  'verify, of a service that is overloaded': verifyService({ status: 503 }),
  'verify, of a service that limits requests': verifyService({ status: 429 }),
  'verify, with a token that the service rejects': verifyService({ status: 401 }),
  'verify, with a client that the service rejects': verifyService({ status: 401 }, { client: 'shop:secret' }),
  'verify, with a client, of a service without a token endpoint': verifyService(
    { status: 200 },
    { client: 'shop:secret' },
  ),
}

/** The memory of a mock with another session that keeps as much as this. */
const memoryBeside = (bytes: number) => {
  const memory = createMemory(512e6)
  memory.add('state', 'other', bytes)
  return memory
}

/** What takes long to reach with requests. */
export const limitCalls: FailingCalls = {
  'a write of 300 MB': () => memoryBeside(0).expectRoom('checkout', 300e6),
  'a write of 200 MB, after another session wrote 500 MB': () => memoryBeside(500e6).expectRoom('checkout', 200e6),
  'a session that defines 101 scenarios': () => expectScenarioCount(101),
}

export const libraryCalls: FailingCalls = {
  'createMock(4010)': () => createMock(anything(4010)),
  'createMock({ port: 0 })': () => createMock(anything({ port: 0 })),
  "createMock({ scenaro: 'slow' })": () => createMock(anything({ scenaro: 'slow' })),
  'createMock(), without fetch': () => {
    vi.stubGlobal('Request', undefined)
    // Fails at once, and the calls beside it need the global again.
    const creating = createMock()
    vi.unstubAllGlobals()
    return creating
  },
  "mock.session('a b')": ofMock((mock) => mock.session('a b')),
  'mock.session(1)': ofMock((mock) => mock.session(anything(1))),
  "mock.setUrl('mock')": ofMock((mock) => mock.setUrl('mock')),
  'session.use(1)': ofSession((session) => session.use(anything(1))),
  "session.use(['slow'])": ofSession((session) => session.use(anything(['slow']))),
  "session.use('conflit')": ofSession((session) => session.use('conflit')),
  "session.use({ name: 'a b', rules: [] })": ofSession((session) => session.use({ name: 'a b', rules: [] })),
  "session.seed('hat')": ofSession((session) => session.seed(anything('hat'))),
  "session.seed([{ kee: 'hat' }])": ofSession((session) => session.seed(anything([{ kee: 'hat' }]))),
  "session.seed([], 'acme')": ofSession((session) => session.seed([], anything('acme'))),
  'session.restore(1)': ofSession((session) => session.restore(anything(1))),
  "session.restore('none')": ofSession((session) => session.restore('none')),
  'session.requests({ url: /a/ })': ofSession((session) => session.requests(anything({ url: /a/ }))),
  'session.requests(cyclic), which contains itself': ofSession((session) => session.requests(anything(cyclic))),
  "connectMock('mock')": () => connectMock('mock'),
  "connectMock('http://127.0.0.1:4010/@checkout')": () => connectMock('http://127.0.0.1:4010/@checkout'),
  "connectMock('http://127.0.0.1:4010'), without a mock there": async () => {
    const server = await startServer({ port: 0 })
    await server.close()
    await connectMock(server.url).session('checkout').requests()
  },
  "connectMock('http://127.0.0.1:4010'), with another program there": withProgram({}, (url) =>
    connectMock(url).session('checkout').requests(),
  ),
  "connectMock('http://127.0.0.1:4010').session('checkout').fetch('http://127.0.0.1:3000')": () =>
    connectMock('http://127.0.0.1:4010').session('checkout').fetch('http://127.0.0.1:3000'),
  "handlers('api', mock), of resource-mock/msw": ofMock((mock) => handlers('api', mock)),
  "handlers('https://api.example.com/@checkout', mock), of resource-mock/msw": ofMock((mock) =>
    handlers('https://api.example.com/@checkout', mock),
  ),
  'forwardSession(headers()), of resource-mock/ssr': () => forwardSession(anything(Promise.resolve(new Headers()))),
  "resourceMock({ prefix: 'api' }), of resource-mock/vite": () => parsePrefix('api'),
  "failuresOf('update'), of resource-mock/resilience": () => failuresOf(anything('update')),
  'expect(session).toHaveCreatedOnce(), of a number': () => resilienceMatchers.toHaveCreatedOnce(1),
  'a test of Playwright, whose mock has other options': async () => {
    const server = await startServer({ port: 0, seed: 1 })
    try {
      await useStarted(server.url)
    } finally {
      await server.close()
    }
  },
  'a test of Playwright, whose mock has another version': withProgram({}, useStarted),
  'expect(page).toHaveReceived({}), of a page': () => expectPage({} as PageMock).toHaveReceived(),
  'expect(mock).toHaveReceived({}, { times: -1 })': () =>
    expectPage({ journal: {}, enter: {} } as PageMock).toHaveReceived({}, { times: -1 }),
  'expect(mock).toHaveReceivedInOrder([])': () => expectPatterns([]),
  "expect(mock).toHaveRecovered('conflit')": () => expectKind('conflit'),
  "resilience --told '.toast:', not a CSS selector": async () => {
    const observer = createObserver('.toast:')
    // A page whose script reports the selector.
    const context = {
      on: () => undefined,
      exposeBinding: async (_name: string, report: (...given: string[]) => void) => report('', 'invalid', ''),
      addInitScript: async () => undefined,
      pages: () => [],
    }
    await observer.watch(anything(context))
    observer.sight()
  },
}

export const toolCalls: FailingCalls = {
  "activate_scenarios, with ['conflit']": callTool('activate_scenarios', { names: ['conflit'] }),
  'define_scenario, with an unknown member': callTool('define_scenario', {
    name: 'mine',
    scenario: { rules: [{ efect: {} }] },
  }),
  "seed_resources, with [{ kee: 'hat' }]": callTool('seed_resources', { records: [{ kee: 'hat' }] }),
  'mock://openapi/updateResorce': sendMessage('resources/read', { uri: 'mock://openapi/updateResorce' }),
  'send_request, to the admin API': callTool('send_request', { method: 'GET', path: '/__admin/requests' }),
  'send_request, to another session': callTool('send_request', { method: 'GET', path: '/@other/acme/resource' }),
  'send_request, of a GET with a body': callTool('send_request', { method: 'GET', path: '/acme/resource', body: {} }),
  'send_request, with an invalid header': callTool('send_request', {
    method: 'GET',
    path: '/acme/resource',
    headers: { 'a b': 'c' },
  }),
  'get_request, of an unknown request': callTool('get_request', { id: 'none' }),
  'explain_failure, without a failed request': callTool('explain_failure', {}),
  'restore, of an unknown snapshot': callTool('restore', { name: 'none' }),
  "move_clock, with advance: 'soon'": callTool('move_clock', { advance: 'soon' }),
}
