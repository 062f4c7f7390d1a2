import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/service/contract/endpoint.ts'
import { endpoints, operationIds } from '../../../src/service/contract/endpoints.ts'
import { isOfKind, operationKinds, toOperations } from '../../../src/service/contract/operation-kinds.ts'
import type { OperationKind } from '../../../src/service/contract/operation-kinds.ts'
import { createMock } from '../../../src/index.ts'

/** An endpoint that the table does not have. */
const archive: Endpoint = { ...endpoints.updateResource, path: '/{projectKey}/resource/{id}/archive' }

describe('the kinds of operations', () => {
  it('divide all operations into reads and writes', () => {
    const [reads, writes] = [toOperations('reads'), toOperations('writes')]
    expect([...reads, ...writes].toSorted()).toEqual(operationIds.toSorted())
    expect(writes).toEqual([
      'createResource',
      'overwriteResource',
      'putResource',
      'postComplex',
      'updateResource',
      'deleteResource',
      'uploadImage',
      'postAction',
    ])
  })

  it.each<readonly [OperationKind, readonly string[]]>([
    ['lists', ['queryResources', 'searchResources', 'checkResources', 'sortedQuery']],
    ['byId', ['getResourceById', 'updateResource', 'deleteResource']],
    ['byKey', ['getResourceByKey']],
    ['uploads', ['uploadImage']],
  ])('include in %s what these operations are', (kind, expected) => {
    expect(toOperations(kind)).toEqual(expected)
  })

  it('include a new endpoint without naming it', () => {
    expect(operationKinds.filter((kind) => isOfKind(archive, kind))).toEqual(['writes', 'byId'])
  })
})

describe('a rule for a kind', () => {
  const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

  it('applies to the operations of the kind alone', async () => {
    const mock = await createMock()
    const session = mock.session('default')
    await session.use({ rules: [{ match: { operation: 'writes' }, effect: { answer: { status: 418 } } }] })
    const write = await mock.fetch('/acme/resource/namespace-action', { method: 'POST', headers, body: '{}' })
    const read = await mock.fetch('/acme/resource/namespace-action', { headers })
    expect([write.status, read.status]).toEqual([418, 200])
  })

  it('applies to token requests only if it names them', async () => {
    const mock = await createMock()
    const session = mock.session('default')
    const login = { method: 'POST', headers: { Authorization: `Basic ${btoa('a:b')}` } }
    const path = '/oauth/token?grant_type=client_credentials'
    await session.use({ rules: [{ effect: { answer: { status: 500 } } }] })
    expect((await mock.fetch(path, login)).status).toBe(200)
    await session.use({
      rules: [{ match: { operation: 'token' }, times: 1, effect: { rateLimit: { requests: 1, perSeconds: 60 } } }],
    })
    const limited = await mock.fetch(path, login)
    expect([limited.status, limited.headers.get('RateLimit-Remaining')]).toEqual([200, '0'])
  })

  it('counts and journals token requests', async () => {
    const mock = await createMock({ scenario: 'login-rejected' })
    await mock.fetch('/oauth/token', { method: 'POST' })
    const [request] = await mock.session('default').requests({ operation: 'token' })
    expect(request).toMatchObject({ operation: 'token', scenarios: ['login-rejected'], response: { status: 400 } })
    const response = await mock.fetch('/__admin/coverage')
    const { operations, scenarios } = (await response.json()) as {
      readonly operations: readonly { readonly id: string; readonly met: number }[]
      readonly scenarios: readonly { readonly name: string; readonly met: number }[]
    }
    expect(operations.find(({ id }) => id === 'token')).toMatchObject({ met: 1 })
    expect(scenarios.find(({ name }) => name === 'login-rejected')).toMatchObject({ met: 1 })
  })

  it('cuts off the response to a token request', async () => {
    const mock = await createMock()
    await mock
      .session('default')
      .use({ rules: [{ match: { operation: 'token' }, effect: { fault: 'TRUNCATED_BODY' } }] })
    const response = await mock.fetch('/oauth/token?grant_type=client_credentials', {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('a:b')}` },
    })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })
})
