import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Persistence } from '../../../src/service/state/kept-state.ts'
import { arrayTestTypes } from '../../service/state/records.ts'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'
import { runs } from '../../support/thorough.ts'

const LARGEST = '9223372036854775807'

let ask: Ask
beforeEach(async () => {
  ;({ ask } = await createAsk())
})

const get = async (path: string): Promise<string> => (await ask('GET', path)).text
const state = (prefix = '') => get(`${prefix}/__admin/state`)
const put = (path: string, body: string) => ask('PUT', path, { body })

describe('the whole state', () => {
  it('is only its format if nothing was written', async () => {
    expect(await state()).toBe('{"format":"resource-mock/1","projects":[]}')
  })

  it('is exported and imported unchanged, int64 exact, with base URLs and images', async () => {
    await ask('POST', '/acme/resource', {
      body: `{"key":"large","objectTypeProperty":{"arrayOfIntExample":[${LARGEST}]}}`,
      headers: { 'Content-Type': 'application/json' },
    })
    await create(ask, '/eu/gcp')
    await ask('POST', '/acme/resource/namespace-action', { json: { kept: true } })
    const before = await state()
    expect(before).toContain(LARGEST)
    await ask('POST', '/__admin/reset')
    expect(await state()).not.toBe(before)
    expect((await put('/__admin/state', before)).status).toBe(200)
    expect(await state()).toBe(before)
    expect(await get('/acme/resource/key=large')).toContain(LARGEST)
    expect(await get('/acme/resource/namespace-action')).toBe('{"kept":true}')
  })

  it('belongs to one session', async () => {
    const path = await create(ask, '/@a')
    await put('/@b/__admin/state', await state('/@a'))
    expect((await ask('GET', path.replace('@a', '@b'))).status).toBe(200)
    expect(await state()).toContain('"projects":[]')
    await ask('DELETE', path)
    expect((await ask('GET', path.replace('@a', '@b'))).status).toBe(200)
  })

  it('determines the version that an update needs', async () => {
    const path = await create(ask)
    await put('/__admin/state', (await state()).replaceAll('"version":1,', '"version":7,'))
    expect([await update(ask, path, 1), await update(ask, path, 7)]).toEqual([409, 200])
  })

  const project = { projectKey: 'acme', resources: [] }
  const resource = { objectTypeProperty: {} }
  it.each<[string, unknown, string]>([
    ['an unknown member', { project: [] }, 'project: unknown member. Did you mean "projects"?'],
    ['another format', { format: 'x/1', projects: [] }, 'format: one of "resource-mock/1" expected.'],
    ['no project key', { projects: [{ resources: [] }] }, 'projects[0].projectKey: Missing required value.'],
    [
      'a version of 0',
      { projects: [project, { ...project, projectKey: 'b', resources: [resource, { ...resource, version: 0 }] }] },
      'projects[1].resources[1].version: expected an integer between 1 and',
    ],
    [
      'a number beyond int64',
      { projects: [{ ...project, resources: [{ objectTypeProperty: { arrayOfIntExample: [2n ** 63n] } }] }] },
      'projects[0].resources[0].objectTypeProperty.arrayOfIntExample[0]: integer between',
    ],
    [
      'an unknown array',
      { projects: [{ ...project, resources: [{ objectTypeProperty: { arrayOfIntExampel: [] } }] }] },
      'arrayOfIntExampel: unknown member. Did you mean "arrayOfIntExample"?',
    ],
    [
      'two resources with the same key',
      {
        projects: [
          {
            ...project,
            resources: [
              { ...resource, key: 'kk' },
              { ...resource, key: 'kk' },
            ],
          },
        ],
      },
      'projects[0].resources[1].key: "kk" is already the key of resources[0].',
    ],
    [
      'two resources with the same id',
      {
        projects: [
          {
            ...project,
            resources: [
              { ...resource, id: 'a' },
              { ...resource, id: 'a' },
            ],
          },
        ],
      },
      'projects[0].resources[1].id: "a" is already the id of resources[0].',
    ],
    [
      'an id that is invalid in a path',
      { projects: [{ ...project, resources: [{ ...resource, id: 'a/b' }] }] },
      'resources[0].id: ',
    ],
    [
      'a duplicate project',
      { projects: [project, { ...project, baseUrl: '' }] },
      'projects[1]: the project "acme" is listed twice.',
    ],
    [
      'an action that is not JSON',
      { projects: [{ ...project, action: '{' }] },
      'projects[0].action: expected JSON text in a string.',
    ],
    ['an image that is not base64', { projects: [{ ...project, images: [{ data: '%' }] }] }, 'projects[0].images[0]'],
    [
      'too many projects',
      { projects: Array.from({ length: 1001 }, (_none, at) => ({ ...project, projectKey: `p${at}` })) },
      'expected at most 1000 projects.',
    ],
  ])('is imported in full or not at all: %s', async (_case, json, sentence) => {
    await create(ask)
    const before = await state()
    const { status, body } = await ask('PUT', '/__admin/state', { json })
    expect([status, (body as { message: string }).message]).toEqual([400, expect.stringContaining(sentence)])
    expect((body as { message: string }).message).toMatch(/^Malformed state: /)
    expect(await state()).toBe(before)
  })

  it('is stored before the response', async () => {
    const texts: string[] = []
    const persistence: Persistence = {
      read: () => Promise.resolve(undefined),
      write: (text) => Promise.resolve(void texts.push(text)),
    }
    const kept = await createAsk({ persistence })
    await kept.ask('PUT', '/__admin/state/acme', { json: [{ key: 'mine', objectTypeProperty: {} }] })
    expect(texts.at(-1)).toContain('"mine"')
    await kept.ask('POST', '/__admin/reset')
    const restarted = await createAsk({ persistence: { ...persistence, read: () => Promise.resolve(texts.at(-1)) } })
    expect((await restarted.ask('GET', '/acme/resource/key=mine')).status).toBe(404)
  })
})

describe('the state of a project', () => {
  it('equals the fixtures until a write, and reading does not change it', async () => {
    expect(await get('/__admin/state/acme')).toMatch(/^\{"baseUrl":"","projectKey":"acme",\n"resources":\[\n\{"id":/)
    expect(await state()).toContain('"projects":[]')
  })

  it.each(['?region=EU&cloudProvider=gcp', ''])('belongs to a base URL: %s', async (query) => {
    const prefix = query === '' ? '/eu/gcp' : ''
    const path = `${prefix}/__admin/state/acme${query}`
    await put(path, '[{"key":"there","objectTypeProperty":{}}]')
    expect((await ask('GET', '/eu/gcp/acme/resource/key=there')).status).toBe(200)
    expect((await ask('GET', 'http://api.eu.gcp.localhost/acme/resource/key=there')).status).toBe(200)
    expect((await ask('GET', '/acme/resource/key=there')).status).toBe(404)
    expect(await get(path)).toContain('"baseUrl":"eu/gcp"')
  })

  it('can be exported and imported, even into another project', async () => {
    const path = await create(ask)
    const text = await get('/__admin/state/acme')
    await put('/__admin/state/other', text)
    expect((await ask('GET', path.replace('acme', 'other'))).status).toBe(200)
    expect(await get('/__admin/state/other')).toBe(text.replace('"projectKey":"acme"', '"projectKey":"other"'))
  })

  it('can be a list of resources without the optional members of fixtures', async () => {
    await put(
      '/__admin/state/acme',
      '[{"objectTypeProperty":{}},{"id":"second","key":"kk","version":3,"objectTypeProperty":{}}]',
    )
    const { body } = await ask('GET', '/acme/resource?limit=10')
    expect(body).toMatchObject({
      total: 2,
      results: [
        { id: '00000000-0000-4000-8000-000000000001', version: 1 },
        { id: 'second', key: 'kk', version: 3 },
      ],
    })
    expect((await ask('PUT', '/acme/resource', { json: { objectTypeProperty: {} } })).headers.get('Location')).toBe(
      '/acme/resource/second',
    )
  })

  it('names the invalid resource', async () => {
    const { status, text } = await put(
      '/__admin/state/acme',
      '[{"objectTypeProperty":{}},{"key":"k","objectTypeProperty":{}}]',
    )
    expect(status).toBe(400)
    expect(text).toContain('Malformed state: [1].key: 2 to 256 characters')
  })

  it.each(['GET', 'PUT', 'DELETE'])(
    'is refused to %s for a key whose paths belong to the admin API',
    async (method) => {
      const { status, text } = await ask(method, '/__admin/state/__admin', method === 'PUT' ? { json: [] } : {})
      expect([status, text]).toEqual([400, expect.stringContaining('The project key __admin is reserved')])
    },
  )

  it('is reset to the fixtures, without affecting other projects', async () => {
    const path = await create(ask)
    const other = await create(ask, '/eu/gcp')
    await ask('DELETE', '/__admin/state/acme')
    expect([(await ask('GET', path)).status, (await ask('GET', other)).status]).toEqual([404, 200])
  })

  it('is exported as it was imported, whatever its content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arrayTestTypes, { maxLength: 3 }), async (properties) => {
        const json = properties.map((objectTypeProperty) => ({ objectTypeProperty }))
        await ask('PUT', '/__admin/state/acme', { json })
        const { body } = await ask('GET', '/__admin/state/acme')
        expect((body as { resources: unknown }).resources).toMatchObject(json)
      }),
      { numRuns: runs(30) },
    )
  })

  it('is limited to a thousand', async () => {
    const projects = Array.from({ length: 1000 }, (_none, at) => ({ projectKey: `p${at}`, resources: [] }))
    expect((await ask('PUT', '/__admin/state', { json: { projects } })).status).toBe(200)
    expect((await put('/__admin/state/one-more', '[]')).status).toBe(503)
    expect((await put('/__admin/state/p1', '[]')).status).toBe(200)
  })
})
