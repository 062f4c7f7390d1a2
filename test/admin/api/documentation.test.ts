import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { RedactedExchange } from '../../../src/sessions/journal/record.ts'
import { toWireMockEvent } from '../../../src/sessions/journal/wiremock-json.ts'
import { createAsk } from './ask.ts'

const read = (page: string): string => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')

/** The pages of the admin API. */
const pages = ['admin.md', 'sessions.md', 'journal.md', 'failed-requests.md', 'state.md'].map(read).join('\n')

/** The page's own names, in place of the path parameters. */
const written = pages.replaceAll(
  /(state)\/acme|(snapshots)\/before|(scenarios)\/teapot|(sessions)\/worker-1|(resources)\/df3775a4[\da-f-]*|(scenarios\/active)\/slow/g,
  '$1$2$3$4$5$6/{}',
)

it('the pages of the admin API document every path', async () => {
  const { ask } = await createAsk()
  const { paths } = (await ask('GET', '/__admin')).body as { readonly paths: readonly string[] }
  const told = written.replaceAll(/\{\w+\}/g, '{}')
  expect(paths.filter((path) => !told.includes(path.replaceAll(/\{\w+\}/g, '{}')))).toEqual([])
})

type Whole<Value> = { readonly [Name in keyof Value]-?: Value[Name] }

const body = { text: '{}', encoding: 'utf-8', size: 100_000, isCut: true } as const

/** An entry with every member that entries may have. */
const entry: Whole<RedactedExchange> = {
  id: 'b1c5d1f0-0000-4000-8000-000000000000',
  time: 0,
  durationMilliseconds: 1.5,
  addedDelayMilliseconds: 1,
  session: 'default',
  correlationId: 'checkout-1',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  operation: 'queryResources',
  projectKey: 'acme',
  scopes: ['view_test:acme'],
  isPassedThrough: true,
  clientLeft: true,
  tookEffect: true,
  scenarios: [],
  warnings: [],
  request: {
    method: 'GET',
    url: 'http://localhost:4010/acme/resource',
    headers: {},
    body,
    clientAddress: '127.0.0.1',
  } satisfies Whole<RedactedExchange['request']>,
  response: { status: 0, headers: {}, body, fault: 'reset' } satisfies Whole<RedactedExchange['response']>,
}

it('docs/journal.md lists the members that an entry of the journal has', () => {
  const { request, response, ...event } = toWireMockEvent(entry)
  const own = Object.keys(event)
  const ofRequest = Object.keys(request).filter((name) => !own.includes(name))
  const members = [
    ...own,
    ...ofRequest.map((name) => `request.${name}`),
    ...Object.keys(response).map((name) => `response.${name}`),
  ]
  const [, section = ''] = read('journal.md').split('## Members of an entry\n')
  const rows = section
    .split('\n#', 1)
    .join()
    .matchAll(/^\| (`.+?`) \|/gm)
  const listed = [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  expect(listed.toSorted()).toEqual(members.toSorted())
})
