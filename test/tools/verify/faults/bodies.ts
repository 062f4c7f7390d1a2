import { operationIds } from '../../../../src/service/contract/endpoints.ts'
import { bendAnswers, bendMethods, bendText, insteadOfRefusal, refusing, withHeaders } from '../bends.ts'
import type { Bend } from '../bends.ts'
import type { SeededFault } from './fault.ts'

/** How the other operations read a JSON body. */
const json = (['updateResource', 'postComplex', 'postAction'] as const).flatMap((operation): readonly SeededFault[] => [
  ['no gzip', refusing(operation, ({ headers }) => headers.has('Content-Encoding'), 415), [`${operation}/gzip`]],
  [
    'no charset',
    refusing(operation, ({ headers }) => headers.get('Content-Type')?.includes(';') === true, 415),
    [`${operation}/charset`],
  ],
  [
    'no body without Content-Type',
    refusing(operation, ({ headers }, text) => text !== '' && !headers.has('Content-Type'), 415),
    [`${operation}/no-media-type`],
  ],
  [
    'XML is read as JSON',
    insteadOfRefusal(operation, 415, (request) => withHeaders(request, { 'Content-Type': 'application/json' })),
    [`${operation}/media-type`],
  ],
  [
    'a body that is cut off',
    bendAnswers(operation, async (bent, request) => (await request.text()) === '{"a":' && (bent.status = 200), 400),
    [`${operation}/broken-json`],
  ],
  [
    'a member twice',
    bendAnswers(
      operation,
      async (bent, request) => /^\{("\w+"):[^,]*,\1/.test(await request.text()) && (bent.status = 200),
      400,
    ),
    [`${operation}/duplicate-member`],
  ],
])

const GETS = ['searchResources', 'sortedQuery', 'getAction', 'getActionWithExample', 'getActionWithHeaders'] as const

const heads = GETS.flatMap((operation): readonly SeededFault[] => [
  [
    'no HEAD',
    bendAnswers(operation, (bent, { method }) => (bent.status = method === 'HEAD' ? 405 : bent.status)),
    [`${operation}/head`],
  ],
])

/** Loses the response to one request. */
const losing =
  (isMeant: (request: Request) => boolean): Bend =>
  (fetch) =>
  async (request) => {
    if (isMeant(request)) throw new TypeError('fetch failed')
    return fetch(request)
  }

const others: readonly SeededFault[] = [
  ...(['updateResource', 'uploadImage'] as const).flatMap((operation): readonly SeededFault[] => [
    ['no ETag', bendAnswers(operation, ({ headers }) => headers.delete('ETag')), [`${operation}/headers`]],
    [
      'an ETag of another version',
      bendAnswers(operation, ({ headers }) => headers.set('ETag', '"99"')),
      [`${operation}/etag`],
    ],
    [
      'a Location of the collection',
      bendAnswers(operation, ({ headers }) => headers.set('Location', '/acme/resource')),
      [`${operation}/location`],
    ],
  ]),
  [
    'members in another order',
    bendText('updateResource', (text) => text.replace(/"version":(\d+),(.*)\}$/, '$2,"version":$1}')),
    ['updateResource/order'],
  ],
  [
    'a retry that is refused',
    refusing('updateResource', (_, text) => text.includes('"retried"'), 409),
    ['updateResource/retry'],
  ],
  ['PUT is 404', bendMethods('/resource/', (bent) => (bent.status = 404)), ['updateResource/method']],
  ['DELETE is 404', bendMethods('/sorted-query', (bent) => (bent.status = 404)), ['sortedQuery/method']],
  [
    'a conflict without currentVersion',
    bendAnswers('deleteResource', ({ body }) => delete body.errors[0]?.['currentVersion'], 409),
    ['deleteResource/current-version'],
  ],
  [
    'unknown members are refused',
    refusing('postComplex', (_, text) => text.includes('verifyUnknown')),
    ['postComplex/unknown-member'],
  ],
  ['an answer that is lost', losing(({ url }) => url.endsWith('/nothing')), ['anyPath/status']],
  ['an answer that is lost', losing(({ url }) => url.endsWith('/oauth/introspect')), ['tokenEndpoints/status']],
]

/** Another success status. */
const statuses = operationIds.map((operation): SeededFault => [
  '206 for another status',
  bendAnswers(operation, (bent) => (bent.status = 206)),
  [`${operation}/status`],
])

/** A truncated body; HEAD has none. */
const cut = operationIds.flatMap((operation): readonly SeededFault[] =>
  operation === 'checkResources'
    ? []
    : [['an answer that is cut off', bendText(operation, (text) => text.slice(0, -1)), [`${operation}/shape`]]],
)

export const bodies: readonly SeededFault[] = [...json, ...heads, ...others, ...statuses, ...cut].map(
  ([what, bend, finds]) => [`${finds[0].split('/')[0]}: ${what}`, bend, finds],
)
