import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { commands, createProgram, runProgram } from '../../../src/edges/cli/program.ts'
import { stringifyJson } from '../../../src/service/http/json.ts'
import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import { startServer } from '../../../src/node.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { createFileCalls, files, libraryCalls, limitCalls, toolCalls, verifyCalls } from './failing-calls.ts'
import { proxyCalls, rawRequests, socketCalls, storeCalls } from './failing-connections.ts'
import type { FailingCalls } from './failing-connections.ts'
import { adminRequests, serviceRequests, toRequest, toText } from './failing-requests.ts'
import type { FailingRequest, SentRequest } from './failing-requests.ts'

/** Command lines with a mistake. */
const commandLines: readonly string[] = [
  '--prot 1',
  '--port',
  '--port 70000',
  '--port=x',
  '--log=loud',
  '--auth full',
  '--delay fast',
  '--max-body much',
  '--clock noon',
  '--client a',
  '--cors shop.example',
  '--host http://a',
  '--passthrough a',
  '--strict=yes',
  '--persist',
  '--config none.json',
  '--config a.cts',
  'serv',
  'serve verify',
  'proxy',
  'proxy a',
  'proxy http://127.0.0.1:1 --seed 1',
  'verify',
  'verify a',
  'verify http://127.0.0.1:1',
  'verify http://127.0.0.1:1 --only deleteResourceById',
  'verify http://127.0.0.1:1 --reporter loud',
  'verify http://127.0.0.1:1 --read-only --allow-writes',
  'coverage --min 101',
  'coverage --only queryResource',
  'openapi --openapi-version 2',
  'completion',
  'mcp --port x',
  'completion tcsh',
  'resilience',
  'resilience --report report.txt -- npm test',
  'resilience --only updateResource -- npm test',
  'resilience --baseline none.json -- npm test',
  'verify http://127.0.0.1:1 --token a --client a:b',
  'verify http://127.0.0.1:1 --token a --other-project acme --project acme',
  'verify http://127.0.0.1:1 --token a --since none.json',
]

/** Command lines that fail with {@link files}, or once they run a suite. */
const toSuiteLines = (folder: string): readonly string[] => [
  `resilience --report ${folder}/folder.json -- node -e 0`,
  `resilience --report ${folder}/list.json/report.json -- node -e 0`,
  `resilience --plan ${folder}/list.json/plan.json -- node -e 0`,
  'resilience -- playwrite test',
  'resilience -- node -e 0',
  'resilience --max-time 1ms -- node -e 0',
]

const SCENARIO = '{ "description": "a", "rules": [{ "effect": { "answer": { "status": 200, "body": "" } } }] }'

/** Options of the library with a mistake. */
const setups: readonly MockOptions[] = [
  { scenario: 'conflit' },
  { scenario: 'xyzzy' },
  { scenario: ['none', 'slow'] },
  { fixtures: { 'resources.json': '[' } },
  { fixtures: { 'resources.json': '[{ "kee": 1 }]' } },
  {
    fixtures: {
      'resources.json': '[{ "key": "hat", "objectTypeProperty": {} }, { "key": "hat", "objectTypeProperty": {} }]',
    },
  },
  { fixtures: { 'resource.json': '[]' } },
  { fixtures: { 'resources.json': '' } },
  { fixtures: { 'cart.german.json': '{}' } },
  { fixtures: { 'cart.de_de.json': '{}' } },
  { scenarios: { 'mine.json': '{ "description": "a" }' } },
  { scenarios: { 'mine.yaml': 'rules: [' } },
  { scenarios: { 'mine.json': '' } },
  { scenarios: { 'none.json': SCENARIO } },
  { scenarios: { 'a b.json': SCENARIO } },
  { scenarios: { 'mine.json': SCENARIO, 'mine.yaml': SCENARIO } },
  { scenarios: { 'mine.json': SCENARIO.replace('"body": ""', '"bodyFile": "hat.json"') } },
  { scenarios: { 'mine.json': '{ "description": "a", "rules": [{ "effect": { "answer": { "status": 99 } } }] }' } },
  { adminToken: '' },
  { adminOrigins: 'a' },
  { generate: -1 },
  { clients: ['shop'] },
  { tokenSecret: '' },
]

/** Replaces what differs between runs. */
const toStable = (text: string): string =>
  text
    .replaceAll(process.cwd(), '/home/me')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-31T12:00:00.000Z')
    .replaceAll(/(.{1,8}?)\1{20,}…?/g, '$1$1…')
    // Some versions of Node add the line and column.
    .replaceAll(/ \(line \d+ column \d+\)/g, '')
    .replaceAll(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:4010')
    .replaceAll(/\beyJ[\w.-]+/g, 'eyJ…')
    .replaceAll(/~[\da-f]{8}/g, '~1a2b3c4d')
    .replaceAll('\n', ' ')

interface Refusal {
  readonly what: string
  readonly sentence: string
}

/** Decodes a path, unless its encoding is what is wrong with it. */
function toReadable(line: string): string {
  try {
    return decodeURIComponent(line)
  } catch {
    return line
  }
}

const shorten = (text: string): string => (text.length > 1000 ? `${text.slice(0, 100)}…` : text)

const fillId = ({ line, headers = {}, ...same }: SentRequest, id: string): SentRequest => ({
  ...same,
  line: line.replace('{id}', id),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('{id}', id)])),
})

/** Sends requests in order, and returns the first id in the last response that has one. */
async function sendFirst(mock: Mock, requests: readonly SentRequest[]): Promise<string> {
  let id = ''
  for (const one of requests) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    const response = await mock.fetch(toRequest(fillId(one, id)))
    // An event stream stays open.
    if (response.headers.get('Content-Type')?.includes('json') !== true) continue
    // oxlint-disable-next-line no-await-in-loop
    id = /"id": ?"([^"]+)"/.exec(await response.text())?.[1] ?? id
  }
  return id
}

const describeFirst = ({ length, 0: first, 1: second }: readonly SentRequest[]): string => {
  if (first === undefined) return ''
  const more = length < 2 ? '' : length === 2 ? ` and \`${second?.line}\`` : ` and ${length - 1} more`
  return `\`${toReadable(first.line)}\`${more}, then `
}

async function refuseRequest({ before = [], options, from, ...request }: FailingRequest): Promise<Refusal> {
  const mock = await createMock({ host: 'localhost', ...options })
  const sent = toRequest(fillId(request, await sendFirst(mock, before)))
  const response = await (from === undefined ? mock.fetch(sent) : mock.serve(sent, { remoteAddress: from }))
  const answer = (await response.json()) as {
    readonly errors?: readonly { readonly message: string; readonly detailedErrorMessage?: string }[]
  }
  await mock.close()
  const { line, body, headers = {} } = request
  const given = [
    ...Object.entries(headers).map(([name, value]) => (value === '' ? `no ${name}` : `${name}: ${value}`)),
    ...(from === undefined ? [] : [`a client at ${from}`]),
    ...(options === undefined ? [] : [`options ${stringifyJson(options)}`]),
    ...(body === undefined ? [] : [shorten(toText(body)) || 'an empty body']),
  ]
  const sentences = (answer.errors ?? []).map(({ message, detailedErrorMessage }) =>
    [message, detailedErrorMessage].filter((one) => one !== undefined).join(' '),
  )
  return {
    what: `${describeFirst(before)}\`${toReadable(line)}\`${given.length === 0 ? '' : `, with \`${given.join('`, `')}\``} → ${response.status}`,
    sentence: sentences.join(' '),
  }
}

async function refuseCommand(line: string): Promise<Refusal> {
  const program = createProgram(commands, { folder: '/home/me', env: {}, version: '1.2.3' })
  for (const command of [program, ...program.commands]) command.configureOutput({ writeOut: () => undefined })
  const failure: unknown = await runProgram(program, line.split(' ')).then(
    () => new Error('It did not fail.'),
    (error: unknown) => error,
  )
  return { what: `\`resource-mock ${line}\``, sentence: failure instanceof Error ? failure.message : '' }
}

async function refuseSetup(options: MockOptions): Promise<Refusal> {
  const failure: unknown = await createMock(options).then(
    () => new Error('It did not fail.'),
    (error: unknown) => error,
  )
  return {
    what: `\`createMock(${JSON.stringify(options)})\``,
    sentence: failure instanceof Error ? failure.message : '',
  }
}

async function refuseCall(what: string, call: () => unknown): Promise<Refusal> {
  const failure = await Promise.resolve()
    .then(call)
    .then(
      () => new Error('It did not fail.'),
      (error: unknown) => error,
    )
  return { what: `\`${what}\``, sentence: failure instanceof Error ? failure.message : String(failure) }
}

const refuseCalls = (calls: FailingCalls): Promise<readonly Refusal[]> =>
  Promise.all(Object.entries(calls).map(([what, call]) => refuseCall(what, call)))

/** Sends requests over a socket, since other clients cannot send them. */
async function refuseRawRequests(): Promise<readonly Refusal[]> {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  return Promise.all(
    Object.entries(rawRequests).map(async ([what, text]) => {
      // The last response, if there are several.
      const answer = (await sendRaw(server.port, text)).split(/(?=HTTP\/1\.1 \d)/).at(-1) ?? ''
      const [, status = ''] = /^HTTP\/1.1 (\d+)/.exec(answer) ?? []
      const { message } = JSON.parse(answer.slice(answer.indexOf('{'))) as { readonly message: string }
      return { what: `\`a request with ${what}\` → ${status}`, sentence: message }
    }),
  )
}

/** Writes the files with mistakes into a folder of their own. */
async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'resource-mock-sentences-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

const toSection = (title: string, refusals: readonly Refusal[]): string =>
  [`## ${title}`, ...refusals.map(({ what, sentence }) => `- ${toStable(what)}\n  ${toStable(sentence)}`)].join('\n\n')

it('says what is wrong, with which value, and what to do, in every error', async () => {
  const folder = await createFolder()
  // What resilience reports while it runs.
  const progress = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => progress.mockRestore())
  const sections = [
    ['Requests to the service', await Promise.all(serviceRequests.map(refuseRequest))],
    ['Requests to the admin API', await Promise.all(adminRequests.map(refuseRequest))],
    ['Command lines', await Promise.all(commandLines.map(refuseCommand))],
    [
      'Files',
      [
        ...(await refuseCalls(createFileCalls(folder))),
        ...(await Promise.all(toSuiteLines(folder).map(refuseCommand))),
      ],
    ],
    ['Sockets', [...(await refuseRawRequests()), ...(await refuseCalls(socketCalls))]],
    ['The proxy', await refuseCalls(proxyCalls)],
    ['A shared store', await refuseCalls(storeCalls)],
    ['The library', [...(await Promise.all(setups.map(refuseSetup))), ...(await refuseCalls(libraryCalls))]],
    ['Verification', await refuseCalls(verifyCalls)],
    ['Limits', await refuseCalls(limitCalls)],
    ['Tools for agents', await refuseCalls(toolCalls)],
  ] as const
  const refusals = sections.flatMap(([, ones]) => ones)
  const clumsy = /^$|It did not fail|\bis no [a-z]|undefined|\[object|\n {4}at /
  expect(refusals.filter(({ sentence }) => clumsy.test(sentence))).toEqual([])
  const text = sections
    .map(([title, refusals]) => toSection(title, refusals))
    .join('\n\n')
    .replaceAll(folder, '/home/me')
  await expect(
    `# Error sentences\n\nA test writes this file: read it from top to bottom after a change.\n\n${text}\n`,
  ).toMatchFileSnapshot('sentences.md')
})
