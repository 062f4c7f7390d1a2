import { stringifyJson } from '../../src/http/json.ts'
import { images } from '../../src/verify/images.ts'
import {
  bendAnswers,
  bendRequests,
  bendText,
  insteadOfRefusal,
  MASTER,
  operationOf,
  readJson,
  withBody,
  withHeaders,
  withJson,
  withQuery,
} from './bends.ts'
import type { Bend, Json } from './bends.ts'

/** A fault that a service may well have, by what it is: the bend that makes it, and every check that fails of it. */
export type SeededFault = readonly [what: string, bend: Bend, fails: readonly string[]]

const back = (version: unknown): number => Number(version) - 1

/** The scope that an issued token carries. */
function scopeOf({ headers }: Request): unknown {
  const [, payload = ''] = headers.get('Authorization')?.split('.') ?? []
  try {
    return (JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Json)['scope']
  } catch {
    return undefined
  }
}

const shapes: readonly SeededFault[] = [
  [
    'a missing field',
    bendAnswers('getActionWithExample', ({ body }) => delete body['sum']),
    ['getActionWithExample/shape'],
  ],
  [
    'a missing field deep inside',
    bendAnswers('getActionWithHeaders', ({ body }) => delete body.lineItems[0]?.['variant']),
    ['getActionWithHeaders/shape'],
  ],
  [
    'a number as text',
    bendAnswers('sortedQuery', ({ body }) => {
      for (const result of body.results) result['version'] = String(result['version'])
    }),
    ['sortedQuery/shape'],
  ],
  [
    'null for an array',
    bendAnswers('postComplex', ({ body }) => (body['arrayOfStringExample'] = null)),
    ['postComplex/shape'],
  ],
  [
    'a fraction for an integer',
    bendAnswers('getActionWithExample', ({ body }) => Object.assign(body.lineItems[0] ?? {}, { count: 1.5 })),
    ['getActionWithExample/shape'],
  ],
  [
    'a float for an integer, whole as it is',
    bendText('overwriteResource', (text) => text.replace(/"version":(\d+)/, '"version":$1.0')),
    ['overwriteResource/shape'],
  ],
  [
    'a 64-bit integer that was rounded',
    bendText('getResourceById', (text) => text.replace('9007199254740993', '9007199254740992')),
    ['getResourceById/resource'],
  ],
  [
    'a 64-bit integer past its range',
    bendText('queryResources', (text) => text.replaceAll('9223372036854775807', '9223372036854775808')),
    ['queryResources/shape'],
  ],
  [
    'a 64-bit integer as text',
    bendText('getResourceByKey', (text) => text.replace('9007199254740995', '"9007199254740995"')),
    ['getResourceByKey/shape', 'getResourceByKey/resource'],
  ],
  ['a body that is cut off', bendText('getAction', (text) => text.slice(0, -1)), ['getAction/shape']],
  [
    'a member that is told twice',
    bendText('getActionWithExample', (text) => text.replace('{', '{"cartId":"1",')),
    ['getActionWithExample/shape'],
  ],
]

const heads: readonly SeededFault[] = [
  ['200 for 201', bendAnswers('createResource', (bent) => (bent.status = 200)), ['createResource/status']],
  ['202 for 200', bendAnswers('getActionWithExample', (bent) => (bent.status = 202)), ['getActionWithExample/status']],
  [
    'another content type',
    bendAnswers('queryResources', ({ headers }) => headers.set('Content-Type', 'text/html')),
    ['queryResources/content-type'],
  ],
  [
    'a creation without Location',
    bendAnswers('createResource', ({ headers }) => headers.delete('Location')),
    ['createResource/headers'],
  ],
  [
    'a read without ETag',
    bendAnswers('getResourceByKey', ({ headers }) => headers.delete('ETag')),
    ['getResourceByKey/headers'],
  ],
  ['a HEAD with a body', bendText('checkResources', () => 'body'), ['checkResources/no-body']],
  [
    'a HEAD that is 404 where something matches',
    bendAnswers('checkResources', (bent) => (bent.status = 404)),
    ['checkResources/status'],
  ],
  [
    'a HEAD that is 200 where nothing matches',
    bendAnswers('checkResources', (bent) => (bent.status = 200), 404),
    ['checkResources/no-match'],
  ],
  [
    'a HEAD that GET has and HEAD has not',
    bendAnswers('getResourceById', (bent, { method }) => (bent.status = method === 'HEAD' ? 405 : bent.status)),
    ['getResourceById/head'],
  ],
  [
    '200 for what is not there',
    bendAnswers('getResourceById', (bent) => (bent.status = 200), 404),
    ['getResourceById/not-found'],
  ],
]

const refusals: readonly SeededFault[] = [
  [
    'an error without a code',
    bendAnswers('getResourceById', ({ body }) => delete body.errors[0]?.['code'], 404),
    ['getResourceById/envelope'],
  ],
  [
    'an error of another code',
    bendAnswers('updateResource', ({ body }) => Object.assign(body.errors[0] ?? {}, { code: 'Conflict' }), 409),
    ['updateResource/envelope'],
  ],
  ['an error as plain text', bendText('getResourceByKey', () => 'not found', 404), ['getResourceByKey/envelope']],
  [
    'a 401 without a challenge',
    bendAnswers('getAction', ({ headers }) => headers.delete('WWW-Authenticate'), 401),
    ['getAction/envelope'],
  ],
  [
    'a scope that nobody checks',
    insteadOfRefusal('deleteResource', 403, (request) => withHeaders(request, MASTER)),
    ['deleteResource/scope'],
  ],
  [
    'a scope that nobody checks on uploads',
    insteadOfRefusal('uploadImage', 403, (request) => withHeaders(request, MASTER)),
    ['uploadImage/scope'],
  ],
  [
    'a read that wants the scope of writes',
    (fetch) => async (request) =>
      operationOf(request) === 'getResourceByKey' && scopeOf(request) === 'view_test:acme'
        ? fetch(withHeaders(request, { Authorization: 'Bearer manage_products:acme' }))
        : fetch(request),
    ['getResourceByKey/scope'],
  ],
  [
    'a missing token that is let pass',
    insteadOfRefusal('searchResources', 401, (request) =>
      request.headers.has('Authorization') ? undefined : withHeaders(request, MASTER),
    ),
    ['searchResources/no-token'],
  ],
  [
    'a forged token that is let pass',
    insteadOfRefusal('postAction', 401, (request) =>
      request.headers.has('Authorization') ? withHeaders(request, MASTER) : undefined,
    ),
    ['postAction/bad-token'],
  ],
  [
    'a missing locale that is guessed',
    insteadOfRefusal('getActionWithHeaders', 400, (request) => withHeaders(request, { 'Storefront-Locale': 'de-DE' })),
    ['getActionWithHeaders/locale'],
  ],
  [
    'an Accept that nobody reads',
    insteadOfRefusal('getActionWithHeaders', 406, (request) => withHeaders(request, { Accept: '*/*' })),
    ['getActionWithHeaders/accept'],
  ],
]

const versions: readonly SeededFault[] = [
  [
    'a stale update that is accepted',
    insteadOfRefusal('updateResource', 409, (request, { errors }) =>
      withJson(request, (body) => (body['version'] = errors[0]?.['currentVersion'])),
    ),
    ['updateResource/stale-version'],
  ],
  [
    'a stale deletion that is accepted',
    insteadOfRefusal('deleteResource', 409, (request) => withQuery(request, (query) => query.delete('version'))),
    ['deleteResource/stale-version'],
  ],
  [
    'a conflict without the actual version',
    bendAnswers('updateResource', ({ body }) => delete body.errors[0]?.['currentVersion'], 409),
    ['updateResource/current-version'],
  ],
  [
    'a conflict with the version that was sent',
    bendAnswers(
      'updateResource',
      ({ body }) => {
        for (const error of body.errors) error['currentVersion'] = back(error['currentVersion'])
      },
      409,
    ),
    ['updateResource/current-version'],
  ],
  [
    'a version that does not grow',
    bendAnswers('updateResource', async ({ body }, request) => {
      const { actions } = await readJson(request)
      if (Array.isArray(actions) && actions.length > 0) body['version'] = back(body['version'])
    }),
    ['updateResource/version-grows'],
  ],
  [
    'an upload that raises no version',
    bendAnswers('uploadImage', ({ body }) => (body['version'] = 1)),
    ['uploadImage/version-grows'],
  ],
  [
    'an update without actions that counts',
    bendRequests('updateResource', (request) =>
      withJson(request, (body) => {
        if ('version' in body && stringifyJson(body['actions']) === '[]') body['actions'] = [{ action: 'doSomeThing' }]
      }),
    ),
    ['updateResource/no-actions'],
  ],
  [
    'an unknown action that is passed over',
    insteadOfRefusal('updateResource', 400, async (request) => {
      const { actions } = await readJson(request)
      return stringifyJson(actions).includes('noSuchAction')
        ? withJson(request, (body) => (body['actions'] = [{ action: 'doSomeThing' }]))
        : request
    }),
    ['updateResource/unknown-action'],
  ],
  [
    'actions that are applied backwards',
    bendRequests('updateResource', (request) =>
      withJson(request, ({ actions }) => {
        if (Array.isArray(actions)) actions.reverse()
      }),
    ),
    ['updateResource/order'],
  ],
]

const writes: readonly SeededFault[] = [
  [
    'an answer that leaves out what was sent',
    bendAnswers('createResource', ({ body }) => delete body.objectTypeProperty['arrayOfFloatExample']),
    ['createResource/content'],
  ],
  [
    'keys that are ignored',
    bendRequests('createResource', (request) => withJson(request, (body) => delete body['key'])),
    ['getResourceByKey/status', 'createResource/findable', 'createResource/same-key'],
  ],
  [
    'a key that two resources may have',
    bendAnswers('createResource', ({ headers, body }) => {
      if (body['version'] === 2) headers.set('Location', '/acme/resource/00000000-0000-4000-8000-00000000abcd')
    }),
    ['createResource/same-key'],
  ],
  [
    'a draft without its content that is accepted',
    insteadOfRefusal('createResource', 400, async (request) =>
      'key' in (await readJson(request))
        ? withJson(request, (body) => (body.objectTypeProperty = {} as Json))
        : request,
    ),
    ['createResource/body-refused'],
  ],
  [
    'a body of any type that is read',
    insteadOfRefusal('createResource', 415, (request) => withHeaders(request, { 'Content-Type': 'application/json' })),
    ['createResource/media-type'],
  ],
  [
    'a PUT that merges',
    bendAnswers('putResource', ({ body }) => {
      if (body['version'] === 2) body.objectTypeProperty['arrayOfFloatExample'] = [0.5]
    }),
    ['putResource/overwrites'],
  ],
  [
    'a PATCH that creates',
    insteadOfRefusal('overwriteResource', 404, (request) => new Request(request, { method: 'PUT' })),
    ['overwriteResource/not-found'],
  ],
  [
    'a deletion that does not delete',
    (fetch) => async (request) => {
      if (operationOf(request) !== 'deleteResource' || request.url.includes('?')) return fetch(request)
      // A wrong version tells who may delete what, without deleting it.
      const tried = await fetch(withQuery(request, (query) => query.set('version', '99')))
      return tried.status === 409 ? fetch(new Request(request.url, { headers: MASTER })) : tried
    },
    ['deleteResource/gone'],
  ],
  [
    'an upload of anything',
    insteadOfRefusal('uploadImage', 400, (request) => withBody(request, images['image/png'])),
    ['uploadImage/garbage'],
  ],
  [
    'an upload of any type',
    insteadOfRefusal('uploadImage', 415, (request) => withHeaders(request, { 'Content-Type': 'image/png' })),
    ['uploadImage/media-type'],
  ],
  [
    'an upload that takes no GIF',
    bendRequests('uploadImage', (request) =>
      request.headers.get('Content-Type') === 'image/gif'
        ? withHeaders(request, { 'Content-Type': 'image/webp' })
        : undefined,
    ),
    ['uploadImage/status', 'uploadImage/formats'],
  ],
  [
    'a payload that is not kept',
    bendRequests('postAction', async (request) =>
      (await request.clone().text()).includes('verify') ? withBody(request, '{}') : request,
    ),
    ['postAction/kept'],
  ],
  [
    'two alternatives that are one',
    bendRequests('postComplex', (request) =>
      request.headers.has('Prefer') ? withHeaders(request, { Prefer: 'code=203, example=custom1' }) : undefined,
    ),
    ['postComplex/alternatives'],
  ],
  [
    '201 to what was posted before',
    bendAnswers('postComplex', (bent) => (bent.status = 201), 200),
    ['postComplex/repeat'],
  ],
]

/** Drops parameters, but for values that are wrong: those are refused as ever. */
const dropping = (names: readonly string[], isGood: (value: string) => boolean) => (request: Request) =>
  withQuery(request, (query) => {
    for (const name of names) if (isGood(query.get(name) ?? '')) query.delete(name)
  })

const isWhole = (value: string): boolean => /^\d+$/.test(value)

const queries: readonly SeededFault[] = [
  [
    'a total that is the count of the page',
    bendAnswers('sortedQuery', ({ body }) => {
      if ('total' in body) body['total'] = body['count']
    }),
    ['sortedQuery/total'],
  ],
  [
    'a total that nobody wanted',
    bendRequests('queryResources', (request) => withQuery(request, (query) => query.delete('withTotal'))),
    ['queryResources/total'],
  ],
  ['a limit that is ignored', bendRequests('sortedQuery', dropping(['limit'], isWhole)), ['sortedQuery/paging']],
  [
    'an offset that is ignored',
    bendRequests('searchResources', dropping(['offset'], isWhole)),
    ['searchResources/paging'],
  ],
  [
    'a count that is wrong',
    bendAnswers('queryResources', ({ body }) => (body['count'] = Number(body['count']) + 1)),
    ['queryResources/paging'],
  ],
  [
    'a sort that is ignored',
    bendRequests('sortedQuery', (request) => withQuery(request, (query) => query.delete('sort'))),
    ['sortedQuery/sort'],
  ],
  [
    'a where that is ignored',
    bendRequests('sortedQuery', (request) => withQuery(request, (query) => query.delete('where'))),
    ['sortedQuery/where', 'sortedQuery/variables', 'sortedQuery/where-refused'],
  ],
  [
    'variables that are left in',
    bendRequests('queryResources', (request) => withQuery(request, (query) => query.delete('var.wanted'))),
    ['queryResources/variables'],
  ],
  [
    'a parameter of the wrong type that is passed over',
    insteadOfRefusal('queryResources', 400, (request) =>
      withQuery(request, (query) => query.delete('integerParameter')),
    ),
    ['queryResources/refused'],
  ],
  [
    'a condition that is ignored',
    bendRequests('queryResources', (request) => withQuery(request, (query) => query.delete('stringParameter'))),
    ['queryResources/conditions'],
  ],
  [
    'a query result without the arrays of its first',
    bendAnswers('queryResources', ({ body }) => (body['arrayOfIntExample'] = [])),
    ['queryResources/projection'],
  ],
  [
    'a key that leads to another resource',
    bendRequests('getResourceByKey', (request) =>
      request.url.endsWith('-none') ? undefined : new Request('http://mock/acme/resource/key=oak-side-table', request),
    ),
    ['getResourceByKey/resource', 'createResource/findable'],
  ],
  [
    'a search that ignores its words',
    bendRequests('searchResources', (request) =>
      withQuery(request, (query) => {
        if (query.size === 1) query.delete('text.en')
      }),
    ),
    ['searchResources/text'],
  ],
  [
    'a fuzzy level past the highest',
    insteadOfRefusal('searchResources', 400, (request) => withQuery(request, (query) => query.delete('fuzzyLevel'))),
    ['searchResources/fuzzy-level'],
  ],
  [
    'a fuzzy search that wants every letter',
    bendRequests('searchResources', (request) =>
      withQuery(request, (query) => {
        if (!query.has('fuzzyLevel')) query.delete('fuzzy')
      }),
    ),
    ['searchResources/refused', 'searchResources/fuzzy'],
  ],
  [
    'a filter that is ignored',
    bendRequests('searchResources', (request) => withQuery(request, (query) => query.delete('filter'))),
    ['searchResources/filter'],
  ],
  [
    'a facet that counts wrongly',
    bendAnswers('searchResources', ({ body }) => {
      for (const { terms } of Object.values(body.facets ?? {})) for (const term of terms) term.count += 1
    }),
    ['searchResources/facet'],
  ],
]

export const seededFaults: readonly SeededFault[] = [
  ...shapes,
  ...heads,
  ...refusals,
  ...versions,
  ...writes,
  ...queries,
]
