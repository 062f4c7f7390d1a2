import type { OperationId } from '../../../src/service/contract/endpoints.ts'

/** A request of the life cycle, and the status of its response. */
export interface Step {
  readonly operation: OperationId
  readonly status: number
  readonly method: string
  /** Relative to `/{projectKey}/resource`; `:id` stands for the id created in the first step. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly image?: Uint8Array<ArrayBuffer>
}

/** A one-pixel GIF with only ASCII bytes, because Prism reads every body as text. */
const gif = new TextEncoder().encode('GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;')

const draft = {
  key: 'garden-bench',
  objectTypeProperty: {
    arrayOfIntExample: [1],
    arrayOfFloatExample: [1.5],
    arrayOfStringExample: ['bench', 'garden'],
    arrayOfObjectType: [{ integerExample: 4_294_967_296, integerExampleInt32: 3 }],
  },
}
const complex = '/artificially-complex/path/uri-parameter-one=a/b?queryParameterOne=1.5&queryParameterTwo=x'
const complexBody = { id: 'order-1', createdAt: '2024-05-02T14:03:09.000Z', createdBy: { firstName: 'Ada' } }
const update = (version: number, ...actions: readonly object[]) => ({ version, actions })
const where = encodeURIComponent('version >= :least')
const search = 'text.en=bench&text.de-DE=garden&fuzzy=true&fuzzyLevel=1&facet=arrayOfStringExample'
const sorted = `where=${encodeURIComponent('version in :any')}&var.any=1&var.any=5&sort=version%20desc`

/** A resource's life cycle: every operation of the table, with the expected response of each step. */
export const lifeCycle: readonly Step[] = [
  { operation: 'checkResources', status: 404, method: 'HEAD', path: '?stringParameter=bench' },
  { operation: 'getResourceByKey', status: 404, method: 'GET', path: '/key=garden-bench' },
  { operation: 'createResource', status: 201, method: 'POST', path: '', json: draft },
  { operation: 'checkResources', status: 200, method: 'HEAD', path: '?stringParameter=bench' },
  { operation: 'getResourceByKey', status: 200, method: 'GET', path: '/key=garden-bench' },
  { operation: 'getResourceById', status: 200, method: 'GET', path: '/:id?optionalQueryParameter=a' },
  { operation: 'putResource', status: 201, method: 'PUT', path: '', json: draft },
  { operation: 'overwriteResource', status: 201, method: 'PATCH', path: '', json: draft },
  {
    operation: 'updateResource',
    status: 200,
    method: 'POST',
    path: '/:id',
    json: update(3, { action: 'changeSomeProperty', someProperty: 'reserved' }, { action: 'doSomeThing' }),
  },
  {
    operation: 'updateResource',
    status: 409,
    method: 'POST',
    path: '/:id',
    json: update(3, { action: 'doSomeThing' }),
  },
  {
    operation: 'uploadImage',
    status: 200,
    method: 'POST',
    path: '/images?sku=garden-bench&filename=bench.gif&variant=1&staged=false',
    headers: { 'Content-Type': 'image/gif' },
    image: gif,
  },
  { operation: 'queryResources', status: 200, method: 'GET', path: '' },
  {
    operation: 'queryResources',
    status: 200,
    method: 'GET',
    path: `?arrayOfString=bench&arrayOfString=garden&floatParameter=1.5&unionParameter=1&limit=5&where=${where}&var.least=2`,
  },
  { operation: 'queryResources', status: 200, method: 'GET', path: '?objectParameter[arrayOfString]=bench' },
  { operation: 'queryResources', status: 200, method: 'GET', path: '?unionParameter=2024-05-02T14:03:09Z' },
  { operation: 'searchResources', status: 200, method: 'GET', path: `/searchApiPattern?${search}` },
  { operation: 'sortedQuery', status: 200, method: 'GET', path: `/sorted-query-parameters?${sorted}` },
  { operation: 'postComplex', status: 201, method: 'POST', path: complex, json: complexBody },
  { operation: 'postComplex', status: 200, method: 'POST', path: complex, json: complexBody },
  ...['custom1', 'custom2'].map((example) => ({
    operation: 'postComplex' as const,
    status: 203,
    method: 'POST',
    path: complex,
    json: complexBody,
    headers: { Prefer: `code=203, example=${example}` },
  })),
  { operation: 'postAction', status: 200, method: 'POST', path: '/namespace-action', json: { any: ['JSON'] } },
  { operation: 'getAction', status: 200, method: 'GET', path: '/namespace-action' },
  { operation: 'getActionWithExample', status: 200, method: 'GET', path: '/namespace-action-with-example' },
  {
    operation: 'getActionWithHeaders',
    status: 200,
    method: 'GET',
    path: '/namespace-action-with-headers',
    headers: { Accept: 'application/json', 'Storefront-Locale': 'de-DE' },
  },
  { operation: 'deleteResource', status: 409, method: 'DELETE', path: '/:id?version=1' },
  { operation: 'deleteResource', status: 200, method: 'DELETE', path: '/:id' },
  { operation: 'getResourceById', status: 404, method: 'GET', path: '/:id' },
]
