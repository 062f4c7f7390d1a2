import { describe, expect, it } from 'vitest'
import { toPositionExcerpt } from '../../../src/admin/dashboard/app/parts/editor.tsx'
import { findIn, findJsonTree } from '../../../src/admin/dashboard/app/parts/json-tree.ts'
import {
  findVersionIn,
  parseVersions,
  toChangeText,
  toProjectStatePath,
  toWriteParams,
} from '../../../src/admin/dashboard/app/views/data/projects.ts'
import {
  searchScenarios,
  toCountersText,
  toCounterText,
  toDefinitionText,
} from '../../../src/admin/dashboard/app/views/scenarios/scenario-data.ts'
import {
  listSentOperations,
  toExample,
  toDraftHeaders,
  toRequestDraft,
} from '../../../src/admin/dashboard/app/views/send/draft.ts'
import { parseJournalEntry } from '../../../src/admin/dashboard/app/views/requests/entries.ts'
import type { RequestDraft } from '../../../src/admin/dashboard/app/views/send/draft.ts'
import { operationIds } from '../../../src/service/contract/endpoints.ts'
import { createAsk } from '../api/ask.ts'

const DRAFT: RequestDraft = { method: 'GET', url: '/acme/resource', headers: '', body: '', token: 'all', scenario: '' }

describe('the headers of a draft', () => {
  it.each<readonly [string, Partial<RequestDraft>, object]>([
    ['a token with all scopes', {}, { authorization: 'Bearer any-token' }],
    ['a scope in the project of the path', { token: 'view_test' }, { authorization: 'Bearer view_test:acme' }],
    [
      'a scope below a base URL',
      { token: 'view_test', url: '/eu/gcp/a%20b/resource/x?y=/z/resource' },
      { authorization: 'Bearer view_test:a b' },
    ],
    ['no token', { token: 'none' }, {}],
    ['a token of its own', { headers: 'Authorization: Bearer x:y' }, { authorization: 'Bearer x:y' }],
    ['scenarios', { token: 'none', scenario: 'slow' }, { 'x-mock-scenario': 'slow' }],
    ['lines with a colon in the value', { token: 'none', headers: 'X-A: b:c\n\n' }, { 'x-a': 'b:c' }],
  ])('have %s', (_what, changes, expected) => {
    expect(toDraftHeaders({ ...DRAFT, ...changes })).toEqual(expected)
  })

  it('are refused without a name', () => {
    expect(() => toDraftHeaders({ ...DRAFT, headers: 'no name' })).toThrow('The header "no name" has no name.')
  })
})

it('a request that is edited to send it again has the scopes of its token', async () => {
  const { ask } = await createAsk({ auth: 'strict' })
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a', scope: 'view_test:acme' })
  const { access_token: token } = (await ask('POST', '/oauth/token', { body })).body as { access_token: string }
  await ask('GET', '/acme/resource', { headers: { Authorization: `Bearer ${token}` } })
  const { requests } = (await ask('GET', '/__admin/requests?limit=1')).body as { requests: [object] }
  const entry = parseJournalEntry(JSON.stringify(requests[0]))
  expect(toDraftHeaders(toRequestDraft(entry))['authorization']).toBe('Bearer view_test:acme')
})

it('every operation of the contract has an example that the mock accepts', async () => {
  const { ask } = await createAsk()
  const operations = listSentOperations((await ask('GET', '/__admin/openapi.json')).text)
  expect(operations).toHaveLength(operationIds.length)
  const answers: string[] = []
  for (const operation of operations.filter(({ images }) => images.length === 0)) {
    const draft = toExample(operation)
    const fresh = await createAsk({ auth: 'lenient' })
    const reply = await fresh.ask(draft.method, draft.url, {
      headers: toDraftHeaders(draft),
      ...(draft.body === '' ? {} : { body: draft.body }),
    })
    answers.push(`${operation.id} ${reply.status < 300 ? 'accepted' : reply.text}`)
  }
  expect(answers.filter((answer) => !answer.endsWith(' accepted'))).toEqual([])
})

describe('a record', () => {
  it.each([
    [
      'unchanged in its version, as the next one',
      '{"version":3,"a":1}',
      '{"version":3}',
      false,
      'ifVersion=3&version=next',
    ],
    ['with another version, as it is', '{"version":40}', '{"version":3}', false, 'ifVersion=3'],
    ['over another one, as the next version', '{"version":3}', '{"version":9}', true, 'ifVersion=9&version=next'],
    ['without a version, as the next one', '{}', '{"version":3}', false, 'ifVersion=3&version=next'],
    ['that is new, only if there is none', '{"version":1}', '', false, 'ifVersion=0'],
    ['that is not JSON, for the mock to refuse', '{', '{"version":3}', false, 'ifVersion=3&version=next'],
  ])('is stored %s', (_what, text, before, isOverwrite, expected) => {
    expect(String(new URLSearchParams(toWriteParams(text, before, isOverwrite)))).toBe(expected)
  })

  it('has the version of its first level', () => {
    expect(findVersionIn('{"a":{"version":1},"version":7}')).toBe(7)
    expect(findVersionIn('[]')).toBeUndefined()
  })

  it('has the path of its project and base URL', () => {
    expect(toProjectStatePath({ projectKey: 'a b', baseUrl: 'eu/gcp' }, '/resources', { where: '' })).toBe(
      '/state/a%20b/resources?region=eu&cloudProvider=gcp',
    )
  })

  it('keeps all digits in its versions', () => {
    const text = '{"versions":[{"version":4,"kind":"removed"},{"version":3,"resource":{"n":9223372036854775807}}]}'
    expect(parseVersions(text).map((one) => one.text)).toEqual(['', '{\n  "n": 9223372036854775807\n}'])
  })
})

it.each([
  [
    '{"version":1,"key":"a","objectTypeProperty":{"n":[1]}}',
    '{"version":2,"key":"b","objectTypeProperty":{"n":[1]}}',
    'key: "a" → "b"',
  ],
  ['{"version":1,"objectTypeProperty":{}}', '{"version":2,"objectTypeProperty":{"n":[1,2]}}', 'n: none → [1, 2]'],
  ['{"version":1}', '{"version":2,"lastModifiedAt":"x"}', 'Only the version changed'],
  ['{"a":1,"b":1,"c":1,"d":1,"e":1}', '{}', 'a: 1 → none, b: 1 → none, c: 1 → none, and 2 more'],
])('the change from %s to %s is said in a line', (before, after, line) => {
  expect(toChangeText(before, after)).toBe(line)
})

it('a value is found by member names and indexes', () => {
  const tree = findJsonTree('{"a":[{"b c":1.10}]}')
  expect(findIn(tree, 'a', 0, 'b c')).toEqual({ kind: 'number', text: '1.10' })
  expect(findIn(tree, 'a', 1, 'b c')).toBeUndefined()
  expect(findIn(tree, 'a', 'length')).toBeUndefined()
})

it('the excerpt of an error has a caret under its position, also in a long line', () => {
  expect(toPositionExcerpt('{\n  "a": x\n}', { line: 2, column: 8 })).toBe('  "a": x\n       ^')
  const long = toPositionExcerpt(`${'a'.repeat(500)}!${'b'.repeat(500)}`, { line: 1, column: 501 })
  const [line = '', caret = ''] = long.split('\n')
  expect(line[caret.indexOf('^')]).toBe('!')
  expect(line.length).toBeLessThan(120)
})

describe('the list of scenarios', () => {
  const scenario = (name: string) => ({ name, description: 'D', source: 'file', rules: [] }) as const
  const list = { active: ['c', 'a'], default: [], scenarios: ['a', 'b', 'c'].map(scenario) }

  it('has the given ones first, then those of the session, and finds them by any word', () => {
    const own = { ...scenario('d'), source: 'session', description: 'Updates fail' } as const
    const all = { ...list, scenarios: [...list.scenarios, own] }
    const namesFor = (search: string) => searchScenarios(all, search, ['c']).map(({ name }) => name)
    expect(namesFor('')).toEqual(['c', 'd', 'a', 'b'])
    expect(namesFor('FAIL up')).toEqual(['d'])
  })

  it('has definitions without counters and descriptions of rules', () => {
    expect(JSON.parse(toDefinitionText(list, 'a'))).toEqual({ description: 'D', rules: [] })
    expect(toDefinitionText(list, 'none')).toBe('')
  })

  it.each([
    [{ seen: 0, fired: 0, left: undefined }, true, ''],
    [{ seen: 0, fired: 0, left: 1 }, true, 'for the next request'],
    [{ seen: 0, fired: 0, left: 1 }, false, ''],
    [{ seen: 1, fired: 1, left: 0 }, true, 'Fired 1 of 1 match, used up'],
    [{ seen: 3, fired: 1, left: 2 }, true, 'Fired 1 of 3 matches, for the next 2 requests'],
  ])('says of %j, active: %j, %j', (counter, isActive, text) => {
    expect(toCounterText(counter, isActive)).toBe(text)
  })

  it('names the rules of a scenario only if their texts differ', () => {
    const [used, fresh] = [
      { seen: 2, fired: 1, left: 0 },
      { seen: 0, fired: 0, left: 1 },
    ]
    expect(toCountersText([used, fresh], true)).toBe(
      'Rule 1: Fired 1 of 2 matches, used up; Rule 2: for the next request',
    )
    expect(toCountersText([fresh, fresh], true)).toBe('for the next request')
  })
})
