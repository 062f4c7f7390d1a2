import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/index.ts'
import type { OperationId } from '../../../src/index.ts'
import { failuresOf } from '../../../src/resilience.ts'
import type { FailureName } from '../../../src/resilience.ts'

const ID = 'df3775a4-90ef-4965-b751-d48698f3949f'
const JSON_BODY = { 'Content-Type': 'application/json' }
const update = (version: number) =>
  new Request(`http://mock/acme/resource/${ID}`, {
    method: 'POST',
    headers: JSON_BODY,
    body: JSON.stringify({ version, actions: [{ action: 'doSomeThing' }] }),
  })

/** Two calls of an operation under one of its failures: their statuses, 0 for a network failure. */
async function callTwice(operation: OperationId, name: FailureName, toRequest: () => Request) {
  const session = (await createMock({ auth: 'lenient' })).session('test')
  const failure = failuresOf(operation).find((one) => one.name === name) ?? expect.fail(`no ${name}`)
  await session.use(failure.scenario)
  const statuses: number[] = []
  for (let call = 0; call < 2; call += 1) {
    const request = toRequest()
    request.headers.set('Authorization', 'Bearer any')
    statuses.push(
      await session.fetch(request).then(
        async (response) => {
          const isWhole = await response.text().then(
            () => true,
            () => false,
          )
          return isWhole ? response.status : 0
        },
        () => 0,
      ),
    )
  }
  return statuses
}

const list = () => new Request('http://mock/acme/resource')
const get = () => new Request(`http://mock/acme/resource/${ID}`)
const check = () => new Request('http://mock/acme/resource', { method: 'HEAD' })
const upload = () =>
  new Request('http://mock/acme/resource/images', {
    method: 'POST',
    headers: { 'Content-Type': 'image/gif' },
    body: Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='), (one) => one.charCodeAt(0)),
  })

describe('the failures of an operation', () => {
  it('are those that the contract allows', () => {
    const names = (operation: OperationId) => failuresOf(operation).map(({ name }) => name)
    const everywhere = ['expired-token', 'rate-limited', 'unavailable', 'error', 'slow', 'reset-before']
    for (const operation of ['queryResources', 'updateResource', 'uploadImage', 'postAction'] as const)
      expect(names(operation)).toEqual(expect.arrayContaining(everywhere))
    const special = (operation: OperationId) => names(operation).filter((name) => !everywhere.includes(name))
    expect(special('queryResources')).toEqual(['missing-scope', 'truncated', 'empty'])
    expect(special('checkResources')).toEqual(['missing-scope', 'empty'])
    expect(special('getResourceByKey')).toEqual(['missing-scope', 'not-found', 'truncated'])
    expect(special('updateResource')).toEqual(['conflict', 'missing-scope', 'not-found', 'reset-after'])
    expect(special('createResource')).toEqual(['missing-scope', 'reset-after'])
    expect(special('uploadImage')).toEqual(['missing-scope', 'upload-rejected', 'upload-too-large', 'reset-after'])
    expect(special('getAction')).toEqual(['truncated'])
  })

  it.each<readonly [OperationId, FailureName, () => Request, readonly [number, number]]>([
    ['updateResource', 'conflict', () => update(3), [409, 409]],
    ['queryResources', 'expired-token', list, [401, 200]],
    ['queryResources', 'missing-scope', list, [403, 403]],
    ['getResourceById', 'not-found', get, [404, 404]],
    ['uploadImage', 'upload-rejected', upload, [415, 415]],
    ['uploadImage', 'upload-too-large', upload, [413, 413]],
    ['queryResources', 'rate-limited', list, [429, 200]],
    ['queryResources', 'unavailable', list, [503, 200]],
    ['queryResources', 'error', list, [500, 200]],
    ['queryResources', 'reset-before', list, [0, 200]],
    ['updateResource', 'reset-after', () => update(3), [0, 409]],
    ['getResourceById', 'truncated', get, [0, 200]],
    ['checkResources', 'empty', check, [404, 404]],
  ])('%s under %s: a retry helps only where it can', async (operation, name, toRequest, statuses) => {
    expect(await callTwice(operation, name, toRequest)).toEqual(statuses)
  })

  it('suggests the operation that was probably meant', () => {
    expect(() => failuresOf('updateResorce' as OperationId)).toThrow(
      'Unknown operation "updateResorce". Did you mean "updateResource"?',
    )
  })
})
