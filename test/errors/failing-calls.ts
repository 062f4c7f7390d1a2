import { join } from 'node:path'
import { checkMembers, findConfig } from '../../src/cli/settings.ts'
import { toServerOptions } from '../../src/cli/server.ts'
import { openRecordingFolder } from '../../src/cli/commands/proxy.ts'
import { connectMock } from '../../src/client/session-client.ts'
import { createMock } from '../../src/mock.ts'
import { handlers } from '../../src/msw.ts'
import { startServer } from '../../src/node.ts'
import { expectKind, expectPatterns } from '../../src/playwright/expect.ts'
import { failuresOf } from '../../src/resilience/failures.ts'
import { parsePlan } from '../../src/resilience/plan.ts'
import { parseBaseline } from '../../src/resilience/report.ts'
import type { SessionHandle } from '../../src/client/session-handle.ts'
import { parsePrefix } from '../../src/vite/plugin.ts'
import type { FailingCalls } from './failing-connections.ts'

/** Files with a mistake, by their path in a folder. */
export const files: Readonly<Record<string, string | Uint8Array>> = {
  'broken.json': '{',
  'list.json': '[]',
  'typo.config.json': '{ "prot": 1 }',
  'broken.mjs': "throw new Error('TOKEN is not set.')",
  'empty.mjs': 'export const port = 1',
  'image.json': Uint8Array.of(0x89, 0x50, 0xff, 0x00),
  'unknown-member.json': '{ "version": 1, "data": {} }',
  'two/resource-mock.config.json': '{}',
  'two/resource-mock.config.mjs': 'export default {}',
  'typescript/resource-mock.config.ts': 'export default {}',
  'recorded/.recorded-project/a.json': '',
}

const persistTo = (folder: string, file: string) => async (): Promise<void> => {
  const server = await startServer({ port: 0, persist: join(folder, file) })
  await server.close()
}

/** Starts a mock whose state continues in this log. */
const continueLog = (text: string, lines: readonly string[]) => async (): Promise<void> => {
  const mock = await createMock({
    persistence: {
      name: 'The state file state.json',
      read: async () => text,
      write: async () => undefined,
      lines: {
        async read(onLine) {
          for (const line of lines) onLine(line)
          return lines.length > 0
        },
        append: async () => true,
        resume: async () => undefined,
        remove: async () => undefined,
        replace: async () => undefined,
      },
    },
  })
  await mock.close()
}

const EMPTY_STATE =
  '{ "format": "resource-mock/2", "log": { "id": "a", "position": 0, "isOpen": true }, "sessions": {} }'
const LOG_HEAD = '{ "format": "resource-mock-log/1", "id": "a" }'

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
    const found = await findConfig(folder, 'typo.config.json')
    if (found !== undefined) checkMembers(found)
  },
  'a folder with two configuration files': () => findConfig(join(folder, 'two')),
  'a folder with resource-mock.config.ts': () => findConfig(join(folder, 'typescript')),
  '--persist none/state.json': persistTo(folder, 'none/state.json'),
  '--persist two, a folder': persistTo(folder, 'two'),
  '--persist broken.json, a file that ends early': persistTo(folder, 'broken.json'),
  '--persist image.json, a file that is not text': persistTo(folder, 'image.json'),
  '--persist unknown-member.json, a file of another program': persistTo(folder, 'unknown-member.json'),
  '--persist, with a line in the log that ends early': continueLog(EMPTY_STATE, [LOG_HEAD, '{']),
  '--persist, with the log of another state': continueLog(EMPTY_STATE, [LOG_HEAD.replace('"a"', '"b"'), '{}']),
  '--persist, whose log is missing': continueLog(EMPTY_STATE, []),
  '--record list.json, a file': () => openRecordingFolder(join(folder, 'list.json')).list(),
  'resilience --plan plan.json, a file that ends early': () => parsePlan('{', 'plan.json'),
  'resilience --plan plan.json, a file of another program': () => parsePlan('{}', 'plan.json'),
  'resilience --plan plan.json, with a variant of a test that is not listed': () =>
    parsePlan(
      '{ "variants": [{ "operation": "updateResource", "failure": "conflict", "call": 1, "test": { "file": "a.spec.ts", "line": 1, "title": ["saves"] } }], "leftOut": [], "tests": [] }',
      'plan.json',
    ),
  'resilience --baseline baseline.json, a file of another program': () => parseBaseline('{}', 'baseline.json'),
})

/** Calls a session handle of a mock. */
const ofSession = (call: (session: SessionHandle) => unknown) => async (): Promise<void> => {
  const mock = await createMock()
  try {
    await call(mock.session('checkout'))
  } finally {
    await mock.close()
  }
}

/** Calls a tool for agents. */
const callTool = (name: string, given: object) => async (): Promise<void> => {
  const mock = await createMock()
  const response = await mock.fetch(
    new Request('http://localhost/__admin/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
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

/** What a caller without TypeScript may pass. */
const anything = (value: unknown): never => value as never

export const libraryCalls: FailingCalls = {
  'createMock(4010)': () => createMock(anything(4010)),
  'createMock({ port: 0 })': () => createMock(anything({ port: 0 })),
  "createMock({ scenaro: 'slow' })": () => createMock(anything({ scenaro: 'slow' })),
  "mock.session('a b')": async () => {
    const mock = await createMock()
    try {
      mock.session('a b')
    } finally {
      await mock.close()
    }
  },
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
  "connectMock('mock')": () => connectMock('mock'),
  "connectMock('http://127.0.0.1:4010/@checkout')": () => connectMock('http://127.0.0.1:4010/@checkout'),
  "handlers('api', mock), of resource-mock/msw": async () => {
    const mock = await createMock()
    try {
      handlers('api', mock)
    } finally {
      await mock.close()
    }
  },
  "resourceMock({ prefix: 'api' }), of resource-mock/vite": () => parsePrefix('api'),
  "failuresOf('update'), of resource-mock/resilience": () => failuresOf(anything('update')),
  'expect(mock).toHaveReceivedInOrder([])': () => expectPatterns([]),
  "expect(mock).toHaveRecovered('conflit')": () => expectKind('conflit'),
}

export const toolCalls: FailingCalls = {
  "activate_scenarios, with ['conflit']": callTool('activate_scenarios', { names: ['conflit'] }),
  'define_scenario, with an unknown member': callTool('define_scenario', {
    name: 'mine',
    scenario: { rules: [{ efect: {} }] },
  }),
  "seed_resources, with [{ kee: 'hat' }]": callTool('seed_resources', { records: [{ kee: 'hat' }] }),
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
