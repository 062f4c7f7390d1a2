import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../../src/service/contract/error-responses.ts'
import { endpoints, operationIds } from '../../../src/service/contract/endpoints.ts'
import { createMock } from '../../../src/mock.ts'
import { operations, read } from './the-document.ts'
import type { ReadOperation } from './the-document.ts'

const find = (id: string): ReadOperation => operations.find((one) => one.id === id) ?? expect.fail(`no ${id}`)

/** A schema of the document, with its references. */
const schemaOf = (name: string) => read.components.schemas[name] ?? expect.fail(`no ${name}`)

describe('schemas for code generators', () => {
  it('describe images as binary, which becomes a Blob', () => {
    const { content = {} } = find('uploadImage').operation.requestBody ?? {}
    expect(Object.entries(content)).toEqual(
      ['image/jpeg', 'image/png', 'image/gif'].map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
    )
  })

  it('list the codes of each error status', () => {
    for (const { method, responses } of operations.filter((one) => one.method !== 'HEAD')) {
      for (const [status, { content }] of Object.entries(responses).filter(([status]) => Number(status) >= 400)) {
        const { $ref = '' } = (content?.['application/json']?.schema ?? {}) as { readonly $ref?: string }
        expect(schemaOf($ref.split('/').at(-1) ?? ''), `${method} ${status}`).toMatchObject({
          properties: {
            statusCode: { enum: [Number(status)] },
            errors: { items: { properties: { code: { enum: errorCodes[Number(status)] } } } },
          },
        })
      }
    }
  })

  it('have the current version in a conflict', () => {
    expect(schemaOf('ConflictError')).toMatchObject({
      properties: {
        errors: {
          items: {
            required: ['code', 'message', 'currentVersion'],
            properties: { currentVersion: { format: 'int64' } },
          },
        },
      },
    })
  })

  it('omit parameters that HEAD ignores', () => {
    expect(find('checkResources').parameters.map(({ name }) => name)).not.toContain('unionParameter')
  })
})

describe('limits that the mock enforces', () => {
  const parameterSchema = (id: string, name: string) => find(id).parameters.find((one) => one.name === name)?.schema

  it.each([
    ['Storefront-Locale', 'not a locale'],
    ['Storefront-Locale', 'de-x'],
    ['Storefront-Locale', 'de-DE-DE'],
    ['Storefront-Locale', 'de-123456789'],
    ['X-Mock-Session', 'two words'],
    ['X-Mock-Delay', '5 s'],
    ['X-Mock-Delay', '600000'],
    ['X-Correlation-ID', 'short'],
  ])('include the pattern of the header %s, which refuses %j', async (name, value) => {
    const schema = parameterSchema('getActionWithHeaders', name)
    expect(value).not.toMatch(new RegExp(String(schema?.['pattern'])))
    const mock = await createMock({ auth: 'off' })
    const url = 'http://mock/acme/resource/namespace-action-with-headers'
    const headers = { Accept: 'application/json', 'Storefront-Locale': 'de-DE', [name]: value }
    expect((await mock.fetch(new Request(url, { headers }))).status).toBe(400)
  })

  it.each([
    ['queryResources', 'limit', 0, 500],
    ['searchResources', 'limit', 0, 500],
    ['sortedQuery', 'offset', 0, 10_000],
    ['searchResources', 'fuzzyLevel', 0, 2],
    ['uploadImage', 'variant', -(2 ** 31), 2 ** 31 - 1],
    ['deleteResource', 'version', -(2 ** 63), 2 ** 63],
  ])('include the range of %s %s', (id, name, minimum, maximum) => {
    expect(parameterSchema(id, name)).toMatchObject({ minimum, maximum })
  })

  it('include those of request bodies', () => {
    expect(schemaOf('ObjectTestTypeDraft')).toMatchObject({
      properties: { key: { pattern: '^[A-Za-z0-9_-]{2,256}$' } },
    })
    expect(schemaOf('UpdateRequest')).toMatchObject({ properties: { actions: { maxItems: 500 } } })
    expect(schemaOf('ObjectEntry')).toMatchObject({
      properties: { integerExampleInt32: { minimum: -2_147_483_648, maximum: 2_147_483_647 } },
    })
  })
})

describe('links of responses', () => {
  const links = operations.flatMap(({ id, responses }) =>
    Object.values(responses).flatMap(({ links = {} }) => Object.values(links).map((link) => ({ id, link }))),
  )

  it.each(links)('lead from $id to $link.operationId with parameters that it has', ({ link }) => {
    const { parameters, path } = find(link.operationId)
    // With their place: in 3.0, tools that resolve references take a member called `id` for the address of a schema.
    const names = parameters.map(({ in: place, name }) => `${place}.${name}`)
    expect(names).toEqual(expect.arrayContaining(Object.keys(link.parameters)))
    const needed = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path.${name}`)
    expect(Object.keys(link.parameters)).toEqual(expect.arrayContaining(needed))
  })

  it('exist for lists, reads and writes', () => {
    const specified = new Set<string>(operationIds.filter((id) => typeof endpoints[id].number === 'number'))
    const linked = new Set(links.map(({ id }) => id).filter((id) => specified.has(id)))
    expect([...linked].toSorted()).toEqual([
      'createResource',
      'getResourceById',
      'overwriteResource',
      'postAction',
      'putResource',
      'queryResources',
      'searchResources',
      'sortedQuery',
      'updateResource',
      'uploadImage',
    ])
  })
})
