import { CommanderError } from 'commander'
import { expect, it } from 'vitest'
import { commands, createProgram, findUsageError } from '../../src/cli/program.ts'
import { stringifyJson } from '../../src/http/json.ts'
import { createMock } from '../../src/mock.ts'
import type { MockOptions } from '../../src/options/options.ts'
import { adminRequests, serviceRequests } from './failing-requests.ts'
import type { FailingRequest } from './failing-requests.ts'

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
  '--config a.ts',
  'serv',
  'proxy',
  'proxy a',
  'proxy http://127.0.0.1:1 --seed 1',
  'verify',
  'verify a',
  'verify http://127.0.0.1:1 --only deleteResourceById',
  'verify http://127.0.0.1:1 --reporter loud',
  'verify http://127.0.0.1:1 --read-only --allow-writes',
  'coverage --min 101',
  'coverage --only queryResource',
  'openapi --openapi-version 2',
  'completion',
  'mcp --port x',
]

/** Options of the library with a mistake. */
const setups: readonly MockOptions[] = [
  { scenario: 'conflit' },
  { scenario: 'xyzzy' },
  { scenario: ['none', 'slow'] },
  { fixtures: { 'resources.json': '[' } },
  { fixtures: { 'resources.json': '[{ "kee": 1 }]' } },
  {
    fixtures: {
      'resources.json': '[{ "key": "a", "objectTypeProperty": {} }, { "key": "a", "objectTypeProperty": {} }]',
    },
  },
  { fixtures: { 'resource.json': '[]' } },
  { scenarios: { 'mine.json': '{ "description": "a" }' } },
  { scenarios: { 'mine.yaml': 'rules: [' } },
  { scenarios: { 'none.json': '{}' } },
  { scenarios: { 'mine.json': '{ "description": "a", "rules": [{ "effect": { "answer": { "status": 99 } } }] }' } },
  { adminToken: '' },
  { adminOrigins: 'a' },
  { generate: -1 },
]

/** Replaces what differs between runs. */
const toStable = (text: string): string =>
  text
    .replaceAll(process.cwd(), '/home/me')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-31T12:00:00.000Z')
    .replaceAll('\n', ' ')

interface Refusal {
  readonly what: string
  readonly sentence: string
}

async function refuseRequest({ line, body, headers = {}, options }: FailingRequest): Promise<Refusal> {
  const mock = await createMock({ host: 'localhost', ...options })
  const [method = '', path = ''] = line.split(' ')
  const text = typeof body === 'string' ? body : stringifyJson(body)
  const sent = new Headers({
    Authorization: 'Bearer any',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  })
  for (const [name, value] of Object.entries(headers)) if (value === '') sent.delete(name)
  const response = await mock.fetch(
    new Request(`http://localhost:4010${path}`, {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: text }),
    }),
  )
  const answer = (await response.json()) as {
    readonly errors?: readonly { readonly message: string; readonly detailedErrorMessage?: string }[]
  }
  await mock.close()
  const given = [
    ...Object.entries(headers).map(([name, value]) => (value === '' ? `no ${name}` : `${name}: ${value}`)),
    ...(options === undefined ? [] : [`options ${stringifyJson(options)}`]),
    ...(body === undefined ? [] : [text === '' ? 'an empty body' : text]),
  ]
  const sentences = (answer.errors ?? []).map(({ message, detailedErrorMessage }) =>
    [message, detailedErrorMessage].filter((one) => one !== undefined).join(' '),
  )
  return {
    what: `\`${decodeURIComponent(line)}\`${given.length === 0 ? '' : `, with \`${given.join('`, `')}\``} → ${response.status}`,
    sentence: sentences.join(' '),
  }
}

async function refuseCommand(line: string): Promise<Refusal> {
  const program = createProgram(commands, { folder: '/home/me', env: {}, version: '1.2.3' })
  for (const command of [program, ...program.commands]) command.configureOutput({ writeOut: () => undefined })
  const failure: unknown = await program.parseAsync(line.split(' '), { from: 'user' }).then(
    () => new Error('It did not fail.'),
    (error: unknown) => (error instanceof CommanderError ? findUsageError(error, program) : error),
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

const toSection = (title: string, refusals: readonly Refusal[]): string =>
  [`## ${title}`, ...refusals.map(({ what, sentence }) => `- ${toStable(what)}\n  ${toStable(sentence)}`)].join('\n\n')

it('says what is wrong, with which value, and what to do, in every error', async () => {
  const sections = [
    ['Requests to the service', await Promise.all(serviceRequests.map(refuseRequest))],
    ['Requests to the admin API', await Promise.all(adminRequests.map(refuseRequest))],
    ['Command lines', await Promise.all(commandLines.map(refuseCommand))],
    ['The library', await Promise.all(setups.map(refuseSetup))],
  ] as const
  const refusals = sections.flatMap(([, ones]) => ones)
  const clumsy = /^$|It did not fail|\bis no [a-z]|undefined|\[object|\n {4}at /
  expect(refusals.filter(({ sentence }) => clumsy.test(sentence))).toEqual([])
  const text = sections.map(([title, refusals]) => toSection(title, refusals)).join('\n\n')
  await expect(
    `# Error sentences\n\nA test writes this file: read it from top to bottom after a change.\n\n${text}\n`,
  ).toMatchFileSnapshot('sentences.md')
})
