import { describe, expect, it } from 'vitest'
import { BREACHES } from './breaches.ts'
import { NUMBERED } from './numbered.ts'
import { isObject, listen, toCall } from './service.ts'
import type { Handle, Switched } from './service.ts'
import { services } from './all.ts'
import { TERSE } from './terse.ts'

const ARRAYS =
  '{"arrayOfIntExample":[1,2],"arrayOfUniqueIntExample":[3,4],"arrayOfTwonumbersExample":[5,6],"arrayOfFloatExample":[1.5],"arrayOfNumberNoDefaultsExample":[2.5],"arrayOfStringExample":["a"],"arrayOfObjectType":[{"integerExample":9007199254740993,"integerExampleInt32":7}]}'
const draft = (key: string, property = ARRAYS) => `{"key":"${key}","objectTypeProperty":${property}}`
const PAYLOAD = {
  id: 'a',
  version: '1',
  eigthProperty: 'h',
  twelthProperty: 'l',
  createdAt: '2024-05-01T10:00:00.000Z',
}
const IMAGES = { jpeg: 'ffd8ffe0', png: '89504e470d0a1a0a', gif: '474946383961', webp: '52494646', plain: '41' }

/** Everything that a client sees of a service in one conversation about all endpoints. */
function converse(handle: Handle, tokenPath: string): string {
  const seen: unknown[] = []
  const tokens = new Map<string, string>()
  const send = (method: string, path: string, headers: Record<string, string>, body: string | Buffer = '') => {
    const answer = handle(toCall(method, path, headers, Buffer.from(body)))
    seen.push([method, path, { ...answer, json: undefined }, Object.entries(answer.json ?? {})])
    return answer
  }
  const tokenFor = (scope: string): string => {
    const found = tokens.get(scope)
    if (found !== undefined) return found
    const answer = send('POST', tokenPath, { authorization: 'Basic YTpi' }, `scope=${encodeURIComponent(scope)}`)
    const token = isObject(answer.json) ? String(answer.json['access_token']) : ''
    tokens.set(scope, token)
    return token
  }
  const as =
    (scope: string) =>
    (method: string, path: string, body?: string | Buffer, headers: Record<string, string> = {}) =>
      send(
        method,
        `/acme/resource${path}`,
        { authorization: `Bearer ${tokenFor(scope)}`, accept: '*/*', 'content-type': 'application/json', ...headers },
        body,
      )
  const manage = as('manage_test:acme')
  const view = as('view_test:acme')
  const products = as('manage_products:acme')
  const idIn = ({ headers, json }: ReturnType<typeof send>) =>
    headers?.['Location']?.split('/').at(-1) ?? (isObject(json) ? String(json['id']) : '')
  const versionOf = (id: string): number => {
    const { json } = manage('GET', `/${id}`)
    return isObject(json) ? Number(json['version']) : 0
  }
  const update = (id: string, version: number | undefined, ...actions: readonly unknown[]) =>
    manage('POST', `/${id}`, JSON.stringify({ version, actions }))
  const change = (someProperty: string) => ({ action: 'changeSomeProperty', someProperty })

  manage('HEAD', '?arrayOfString=none')
  manage('GET', '')
  tokenFor('manage_test:acme manage_project:acme')
  const [first = '', second = '', third = ''] = ['a', 'b', 'c'].map((key) => idIn(manage('POST', '', draft(key))))
  for (const key of ['first', 'a', 'no']) view('GET', `/key=${key}`)
  for (const method of ['PATCH', 'PUT'])
    for (const property of ['{"arrayOfIntExample":[9]}', '{}']) manage(method, '', draft('a', property))
  manage('PATCH', '', draft('unknown'))
  manage('POST', '', draft('a'))
  manage('POST', '', '{}')
  manage('POST', '', '{"objectTypeProperty":{"arrayOfIntExample":null}}')
  manage('POST', '', '{"objectTypeProperty":{"arrayOfIntExample":["x"]}}')
  manage('POST', '', '{"objectTypeProperty":{"arrayOfUniqueIntExample":[1,1]}}')
  manage('POST', '', '{"objectTypeProperty":{"arrayOfTwonumbersExample":[1,2,3]}}')
  manage('POST', '', '{"objectTypeProperty":{},"more":1}')
  manage('POST', '', draft('d'), { 'content-type': 'text/plain' })
  manage('POST', '', `{"objectTypeProperty":{},"key":"${'k'.repeat(40_000)}"}`)

  update(second, versionOf(second), { action: 'doSomeThing' })
  update(second, versionOf(second), change('x'), change('y'))
  update(second, versionOf(second), change('y'))
  update(second, versionOf(second))
  update(second, versionOf(second), { action: 'unknown' })
  for (const stale of [versionOf(second) - 1, versionOf(second) + 7, undefined]) update(second, stale, change('z'))
  update('77', 1)
  manage('GET', `/${second}`, '', { 'if-none-match': `"v${versionOf(second)}"` })
  manage('POST', `/${second}`, JSON.stringify({ version: versionOf(second), actions: [change('m')] }), {
    'if-match': '"v99"',
  })

  for (const path of ['', '?stringParameter=a', '?floatParameter=1.5', '?floatParameter=x', '?integerParameter=7'])
    for (const method of ['GET', 'HEAD']) view(method, path)
  for (const query of [
    'withMarkdownDescription=2.5',
    'arrayOfString=a&arrayOfString=b',
    'arrayOfStringWithDescription=a&arrayOfStringWithDescription=b',
    'unionParameter=1.5',
    'unionParameter=2024-05-01T10:00:00.000Z',
    'unionParameter=%7B%22version%22:1%7D',
    'unknown=1',
    'stringParameter=a&stringParameter=b',
  ])
    manage('GET', `?${query}`)
  manage('HEAD', '?arrayOfString=a&arrayOfString=b')
  manage('HEAD', `/${second}`)
  manage('OPTIONS', '')
  manage('DELETE', '')
  manage('GET', '/')
  manage('GET', '', '', { accept: 'text/html' })
  manage('GET', `/${second}?optionalQueryParameter=a`)
  manage('GET', `/${second}?secondOptionalQueryParameter=a`)
  manage('GET', '/no-id')
  for (const query of [
    'fuzzy=true',
    'fuzzyLevel=0.5',
    'fuzzyLevel=99',
    'staged=true',
    'filter=a',
    'filter.facets=a',
    'filter.query=a',
    'facet=a',
    'text.en=a',
    'text.de-AT=a',
  ])
    view('GET', `/searchApiPattern?${query}`)
  for (const query of [
    '',
    'where=a&where=b',
    'sort=a&sort=b',
    'expand=a&expand=b',
    'limit=10',
    'limit=1000',
    'offset=1',
    'offset=-1',
    'withTotal=true',
    'var.x=1',
  ])
    manage('GET', `/sorted-query-parameters?${query}`)
  for (const call of [as('view_test:acme'), products]) call('GET', '/sorted-query-parameters')
  for (const query of ['', '?queryParameterOne=1.5', '?queryParameterTwo=a'])
    manage('POST', `/artificially-complex/path/uri-parameter-one=a/b${query}`, JSON.stringify(PAYLOAD))
  manage('POST', '/artificially-complex/path/uri-parameter-one=a/b', '{"version":"1","id":"a"}')
  manage('POST', '/artificially-complex/path/uri-parameter-one=a/b', '{')
  for (const [type, bytes] of Object.entries(IMAGES))
    for (const call of [manage, products])
      call('POST', '/images', Buffer.from(bytes, 'hex'), {
        'content-type': type === 'plain' ? 'text/plain' : `image/${type}`,
      })
  for (const query of [
    'filename=a',
    `filename=${'a'.repeat(200)}`,
    'variant=1',
    'sku=a',
    'staged=true',
    'sku=a&variant=1',
  ])
    products('POST', `/images?${query}`, Buffer.from(IMAGES.png, 'hex'), { 'content-type': 'image/png' })
  products('POST', '/images', 'text', { 'content-type': 'image/png' })

  for (const path of ['', '-with-example', '-with-headers'])
    for (const call of [manage, view, as('')])
      call('GET', `/namespace-action${path}`, '', { 'storefront-locale': 'de-DE' })
  manage('POST', '/namespace-action', '{"a":1}')
  manage('GET', '/namespace-action-with-headers')
  manage('GET', '/namespace-action-with-headers', '', { 'storefront-locale': 'DE' })
  send('GET', '/acme/resource/namespace-action-with-headers', {
    authorization: `Bearer ${tokenFor('manage_test:acme')}`,
    'storefront-locale': 'de-DE',
  })

  send('GET', '/acme/resource', {})
  send('GET', '/acme/resource', { authorization: 'Bearer other' })
  for (const method of ['POST', 'PATCH', 'PUT']) view(method, '', draft('e'))
  as('')('GET', '')
  as('manage_test:other')('GET', '')
  send('POST', '/other/resource', { authorization: `Bearer ${tokenFor('manage_test:other')}` }, draft('f'))
  manage('GET', '')
  view('DELETE', `/${third}`)
  manage('DELETE', `/${third}`)
  for (const id of [second, first, third]) manage('GET', `/${id}`)
  manage('DELETE', `/${second}`)
  return JSON.stringify(seen, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

describe.each(services)('the service $name', ({ create, liberties, tokenPath }) => {
  const hear = (switched?: Switched): string => converse(create(switched), tokenPath)
  const plain = hear()

  it('says the same twice', () => {
    expect(hear()).toBe(plain)
  })

  it.each(liberties)('lets a client see: $name', ({ name: liberty }) => {
    expect(hear({ liberties: [liberty] })).not.toBe(plain)
  })

  it('answers on a free port', async () => {
    const { url, close } = await listen(create())
    const answer = await fetch(`${url}${tokenPath}`, {
      method: 'POST',
      headers: { authorization: 'Basic YTpi' },
      body: new URLSearchParams({ scope: 'manage_test:acme' }),
    })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    const headers = { authorization: `Bearer ${token}` }
    const created = await fetch(`${url}/acme/resource`, { method: 'POST', headers, body: draft('a') })
    expect(created.status).toBe(201)
    expect(await created.text()).toContain('9007199254740993')
    await close()
  })
})

it('has at least fifty liberties and sixty breaches, each with a name of its own', () => {
  for (const [table, least] of [
    [new Set([...NUMBERED, ...TERSE].map(({ name }) => name)), 50],
    [new Set(BREACHES.map(({ name }) => name)), 60],
  ] as const)
    expect(table.size).toBeGreaterThanOrEqual(least)
  expect(new Set(BREACHES.map(({ name }) => name)).size).toBe(BREACHES.length)
})
