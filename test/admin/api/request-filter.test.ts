import * as fc from 'fast-check'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ProjectData } from '../../../src/service/state/project-data.ts'
import { createAsk } from './ask.ts'
import type { Ask } from './ask.ts'
import { runs } from '../../support/thorough.ts'

let ask: Ask
beforeEach(async () => {
  ;({ ask } = await createAsk({ auth: 'lenient', clock: '2026-01-31T12:00:00Z' }))
})

const asAnyone = { headers: { Authorization: 'Bearer any-token' } }

interface Page {
  readonly requests: readonly {
    readonly id: string
    readonly request: { readonly method: string; readonly url: string }
    readonly response: { readonly status: number }
  }[]
  readonly meta: { readonly total: number; readonly dropped: number }
}

async function get(parameters: Readonly<Record<string, string>>): Promise<Page> {
  const { body } = await ask('GET', `/__admin/requests?${new URLSearchParams(parameters)}`)
  return body as Page
}

/** The requests of a page, as `METHOD status`. */
async function find(filter: string): Promise<readonly string[]> {
  const { requests } = await get({ filter })
  return requests.map(({ request, response }) => `${request.method} ${response.status}`)
}

const draft = (key: string) => ({ key, objectTypeProperty: {} })
const update = (version: number) => ({ version, actions: [{ action: 'doSomeThing' }] })

it('finds the requests of a test by its title', async () => {
  const title = ['products', 'saves product 27']
  await ask('PUT', '/__admin/sessions/worker-1/test', { json: { run: 'r', title, file: 'save.spec.ts', line: 3 } })
  await ask('GET', '/@worker-1/acme/resource', asAnyone)
  const total = async (filter: string): Promise<number> => {
    const { body } = await ask('GET', `/@worker-1/__admin/requests?${new URLSearchParams({ filter })}`)
    return (body as Page).meta.total
  }
  expect(await total('test:"saves product"')).toBe(1)
  expect(await total('test:"deletes product"')).toBe(0)
  expect((await get({ filter: 'test:"saves product"', session: '*' })).meta.total).toBe(1)
})

describe('the filter of GET /__admin/requests', () => {
  /** Of the created resource. */
  let path: string

  beforeEach(async () => {
    const { headers } = await ask('POST', '/acme/resource', { json: draft('oak'), ...asAnyone })
    path = headers.get('Location') ?? ''
    await ask('GET', '/acme/resource/key=oak', asAnyone)
    await ask('GET', '/acme/resource/key=elm', asAnyone)
    await ask('GET', '/acme/resource?where=key%3D%22oak%20tree%22', asAnyone)
    await ask('PUT', '/acme/nothing')
  })

  it.each([
    ['status>=400', ['PUT 404', 'GET 404']],
    ['status:4xx method:get', ['GET 404']],
    ['-status:4xx -method:GET', ['POST 201']],
    ['method=po', []],
    ['method~po', ['POST 201']],
    ['operation:createResource', ['POST 201']],
    ['path:"oak tree"', ['GET 200']],
    ['OAK', ['GET 200', 'GET 200']],
    ['body~nowhere', []],
    ['body~objectTypeProperty method:POST', ['POST 201']],
    ['time>12:00 time<=2026-01-31T11:59:59+00:00', []],
    ['time>=11:00 status:201', ['POST 201']],
    ['time>12:30+01:00 status:201', ['POST 201']],
    ['time>13:30+01:00 status:201', []],
    ['time>=00:30+13:00 time<01:30+13:00 status:201', ['POST 201']],
    ['time>02:29:59.5-09:30 time<02:31-09:30 status:201', ['POST 201']],
    ['took<0', []],
    ['session:default status:201', ['POST 201']],
    ['failed', ['PUT 404', 'GET 404']],
    ['-failed method:POST', ['POST 201']],
    ['passed-through', []],
    ['-passed-through status:201', ['POST 201']],
    ['"status:201"', []],
    ['-', []],
    ['constructor', []],
    ['__proto__', []],
    ['test:saves', []],
  ])('%s', async (filter, wanted) => {
    expect(await find(filter)).toEqual(wanted)
  })

  it('finds no secrets in bodies, however often it is asked', async () => {
    await ask('POST', '/acme/nothing', { json: { password: 'hunter2', user: 'jo' } })
    expect(await find('body~hunter2')).toEqual([])
    expect(await find('body~hunter2')).toEqual([])
    expect(await find('body~user -body~hunter2')).toEqual(['POST 404'])
    expect(await find('body~[redacted]')).toEqual(['POST 404'])
  })

  it('takes a time without a date as today of the mock, even if the clock of the session was moved', async () => {
    await ask('PUT', '/__admin/clock', { json: { advance: '48h' } })
    expect(await find('time>11:00 status:201')).toEqual(['POST 201'])
  })

  it('finds the requests of a resource by its key, whether they name its id or its key', async () => {
    await ask('DELETE', path, asAnyone)
    const wanted = ['DELETE 200', 'GET 200', 'POST 201']
    expect(await find('resource:oak')).toEqual(wanted)
    expect(await find(`resource:${path.split('/').at(-1)}`)).toEqual(wanted)
  })

  it('looks for a resource only in the projects that its requests name', async () => {
    for (let at = 0; at < 5; at += 1) await ask('POST', `/p${at}/resource`, { json: draft('oak'), ...asAnyone })
    await ask('DELETE', '/__admin/requests')
    for (const key of ['oak', 'elm']) await ask('GET', `/p1/resource/key=${key}`, asAnyone)
    const look = vi.spyOn(ProjectData.prototype, 'findByKey')
    onTestFinished(() => look.mockRestore())
    const { meta } = await get({ filter: 'resource:oak', session: '*' })
    expect([meta.total, look.mock.calls]).toEqual([1, [['oak']]])
  })

  it('finds failed requests by whether they were sent again', async () => {
    await ask('POST', path, { json: update(7), ...asAnyone })
    expect(await find('retry:none operation:updateResource')).toHaveLength(1)
    await ask('POST', path, { json: update(8), ...asAnyone })
    expect(await find('retry:none operation:updateResource')).toHaveLength(1)
    expect(await find('retry:failed operation:updateResource')).toHaveLength(1)
    await ask('POST', path, { json: update(1), ...asAnyone })
    expect(await find('retry:none operation:updateResource')).toEqual([])
    expect(await find('retry:succeeded operation:updateResource')).toHaveLength(2)
  })

  it.each([
    ['stats>=400', 'Malformed filter: unknown field stats. Did you mean "status"? Quote text that contains >=.'],
    ['constructor:1', 'Malformed filter: unknown field constructor. Quote text that contains :.'],
    ['status:four', 'Malformed filter: status: "four" is not a number. Use one such as 200.'],
    ['method>GET', 'Malformed filter: method> is not supported. Use method:, method= or method~.'],
    ['status~4', 'Malformed filter: status~ is not supported. Use one of : = > >= < <=.'],
    ['retry:maybe', 'Malformed filter: retry: "maybe" is unknown. Use none, failed or succeeded.'],
    ['a '.repeat(21), 'Malformed filter: it has 21 terms. The limit is 20. Remove some.'],
    [
      'time>noon',
      'Malformed filter: time: "noon" is not a time. Use a time of today in UTC, such as 14:00, or a date-time, such as 2026-01-31T14:00:00Z.',
    ],
  ])('refuses %s', async (filter, message) => {
    const { status, body } = await ask('GET', `/__admin/requests?${new URLSearchParams({ filter })}`)
    expect({ status, body }).toMatchObject({ status: 400, body: { message } })
  })

  it('answers any text with a list or a 400', async () => {
    const part = fc.constantFrom(
      'status',
      'retry',
      'time',
      'resource',
      ':',
      '>=',
      '~',
      '"',
      '-',
      ' ',
      '4xx',
      'none',
      'é',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const { status } = await ask('GET', `/__admin/requests?${new URLSearchParams({ filter: parts.join('') })}`)
        expect([200, 400]).toContain(status)
      }),
      { numRuns: runs(60) },
    )
  })
})

describe('retries in GET /__admin/requests', () => {
  interface Listed {
    readonly id: string
    readonly retryOf?: string
    readonly retry?: string
  }

  it('name the first attempt, and failed requests say whether they were retried', async () => {
    const headers = { ...asAnyone.headers, 'X-Mock-Scenario': 'unavailable' }
    await ask('GET', '/acme/resource', { headers })
    await ask('GET', '/acme/resource', { headers })
    await ask('GET', '/acme/resource', asAnyone)
    await ask('GET', '/acme/resource/key=elm', asAnyone)
    const requests = (await get({ retries: 'true' })).requests as readonly Listed[]
    const first = requests.at(-1)?.id
    expect(requests.map(({ retryOf, retry }) => ({ retryOf, retry }))).toEqual([
      { retryOf: undefined, retry: 'none' },
      { retryOf: first, retry: undefined },
      { retryOf: first, retry: 'succeeded' },
      { retryOf: undefined, retry: 'succeeded' },
    ])
    // The first attempt is on another page.
    expect((await get({ retries: 'true', filter: 'status:200' })).requests).toMatchObject([{ retryOf: first }])
  })

  it('are left out unless the query asks for them', async () => {
    await ask('GET', '/acme/resource/key=elm', asAnyone)
    expect((await get({})).requests[0]).not.toHaveProperty('retry')
    expect((await ask('GET', '/__admin/requests?retries=maybe')).status).toBe(400)
  })
})

describe('pages of GET /__admin/requests', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c', 'd']) await ask('GET', `/acme/resource/key=${name}`, asAnyone)
    await ask('GET', '/acme/resource', asAnyone)
  })

  const toPaths = ({ requests }: Page) => requests.map(({ request }) => request.url)

  it('continue after the request that before names, and count all that match', async () => {
    const first = await get({ filter: 'status:404', limit: '2' })
    expect(toPaths(first)).toEqual(['/acme/resource/key=d', '/acme/resource/key=c'])
    expect(first.meta).toEqual({ total: 4, kept: 5, dropped: 0 })
    const second = await get({ filter: 'status:404', limit: '2', before: first.requests[1]?.id ?? '' })
    expect(toPaths(second)).toEqual(['/acme/resource/key=b', '/acme/resource/key=a'])
    expect((await get({ filter: 'status:404', before: second.requests[1]?.id ?? '' })).requests).toEqual([])
  })

  it('keep the order of a column, ascending or descending', async () => {
    expect(toPaths(await get({ sort: 'path', filter: 'status:404', limit: '2' }))).toEqual([
      '/acme/resource/key=a',
      '/acme/resource/key=b',
    ])
    const byStatus = await get({ sort: '-status' })
    expect(byStatus.requests.map(({ response }) => response.status)).toEqual([404, 404, 404, 404, 200])
    expect(toPaths(await get({ sort: 'time', limit: '1' }))).toEqual(['/acme/resource/key=a'])
  })

  it('need a known column and a request of the list', async () => {
    const { body: unknownColumn } = await ask('GET', '/__admin/requests?sort=size')
    expect(unknownColumn).toMatchObject({
      message:
        'Malformed parameter: sort: "size" is unknown. Use one of time, method, path, operation, session, status, took, prefixed with - for descending order.',
    })
    const { status, body } = await ask('GET', '/__admin/requests?before=gone')
    expect({ status, body }).toMatchObject({
      status: 404,
      body: { message: 'The list has no request "gone" (parameter before). Start again from the first page.' },
    })
  })
})
