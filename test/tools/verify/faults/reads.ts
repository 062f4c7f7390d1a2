import {
  bendAnswers,
  bendMethods,
  bendRequests,
  bendText,
  insteadOfRefusal,
  queryOf,
  refusing,
  withBody,
  withHeaders,
  withQuery,
} from '../bends.ts'
import type { SeededFault } from './fault.ts'

const gets = (['getResourceById', 'getResourceByKey'] as const).flatMap((operation): readonly SeededFault[] => [
  [
    'an ETag of another version',
    bendAnswers(operation, ({ headers }) => headers.set('ETag', '"99"')),
    [`${operation}/etag`],
  ],
  [
    'no Content-Location',
    bendAnswers(operation, ({ headers }) => headers.delete('Content-Location')),
    [`${operation}/headers`],
  ],
  [
    'a Content-Location of the collection',
    bendAnswers(operation, ({ headers }) => headers.set('Content-Location', '/acme/resource')),
    [`${operation}/location`],
  ],
  [
    'members in another order',
    bendText(operation, (text) => text.replace(/"version":(\d+),(.*)\}$/, '$2,"version":$1}')),
    [`${operation}/order`],
  ],
  [
    'another resource',
    bendText(operation, (text) =>
      text
        .replace('"arrayOfTwonumbersExample":[3', '"arrayOfTwonumbersExample":[0')
        .replace('"arrayOfTwonumbersExample":[1', '"arrayOfTwonumbersExample":[0'),
    ),
    [`${operation}/resource`],
  ],
  [
    '64-bit integers that are rounded',
    bendText(operation, (text) => text.replace('9007199254740993', '9007199254740992')),
    [`${operation}/resource`],
  ],
  [
    'no HEAD',
    bendAnswers(operation, (bent, { method }) => (bent.status = method === 'HEAD' ? 404 : bent.status)),
    [`${operation}/head`],
  ],
  [
    'a HEAD without ETag',
    bendAnswers(operation, ({ headers }, { method }) => method === 'HEAD' && headers.delete('ETag')),
    [`${operation}/head`],
  ],
  ['200 for what is not there', bendAnswers(operation, (bent) => (bent.status = 200), 404), [`${operation}/not-found`]],
  ['410 for what is not there', bendAnswers(operation, (bent) => (bent.status = 410), 404), [`${operation}/not-found`]],
  [
    'an error without a code',
    bendAnswers(operation, ({ body }) => delete body.errors[0]?.['code'], 404),
    [`${operation}/envelope`],
  ],
  [
    'an error with another code',
    bendAnswers(operation, ({ body }) => Object.assign(body.errors[0] ?? {}, { code: 'NotFound' }), 404),
    [`${operation}/envelope`],
  ],
  [
    'an error with another message',
    bendAnswers(operation, ({ body }) => (body['message'] = 'Something else.'), 404),
    [`${operation}/envelope`],
  ],
  [
    'an error with another statusCode',
    bendAnswers(operation, ({ body }) => (body['statusCode'] = 400), 404),
    [`${operation}/envelope`],
  ],
  ['an error without errors', bendAnswers(operation, ({ body }) => (body.errors = []), 404), [`${operation}/envelope`]],
  ['an error in HTML', bendText(operation, () => '<h1>Not found</h1>', 404), [`${operation}/envelope`]],
])

const others: readonly SeededFault[] = [
  [
    'key%3D leads to a key',
    bendRequests('getResourceById', (request) =>
      request.url.includes('key%3D') ? new Request(request.url.replace('key%3D', 'key='), request) : undefined,
    ),
    ['getResourceById/escaped-key'],
  ],
  [
    'the first of two parameters',
    bendRequests('getResourceById', (request) =>
      withQuery(request, (query) => query.set('optionalQueryParameter', query.get('optionalQueryParameter') ?? '')),
    ),
    ['getResourceById/parameters'],
  ],
  [
    'no optional parameters',
    refusing('getResourceById', (request) => queryOf(request).has('secondOptionalQueryParameter')),
    ['getResourceById/parameters'],
  ],
  [
    'unknown parameters refused',
    refusing('getResourceById', ({ url }) => url.includes('verifyUnknown')),
    ['getResourceById/unknown-parameter'],
  ],
  [
    'an empty key is 400',
    bendAnswers('getResourceByKey', (bent, { url }) => url.endsWith('key=') && (bent.status = 400), 404),
    ['getResourceByKey/empty-key'],
  ],
  ['DELETE by key is 404', bendMethods('/key=', (bent) => (bent.status = 404)), ['getResourceByKey/method']],
  ['405 without Allow', bendMethods('/key=', ({ headers }) => headers.delete('Allow')), ['getResourceByKey/method']],
  [
    '405 with all methods in Allow',
    bendMethods('/key=', ({ headers }) => headers.set('Allow', 'GET, POST, PUT, DELETE')),
    ['getResourceByKey/method'],
  ],
]

const carts = (['getActionWithExample', 'getActionWithHeaders'] as const).flatMap(
  (operation): readonly SeededFault[] => [
    ['a missing field', bendAnswers(operation, ({ body }) => delete body['sum']), [`${operation}/shape`]],
    [
      'a missing field deep inside',
      bendAnswers(operation, ({ body }) => delete body.lineItems[0]?.['variant']),
      [`${operation}/shape`],
    ],
    [
      'a fraction for an integer',
      bendAnswers(operation, ({ body }) => Object.assign(body.lineItems[0] ?? {}, { count: 1.5 })),
      [`${operation}/shape`],
    ],
    [
      'a float for an integer',
      bendText(operation, (text) => text.replace(/"centAmount":(\d+)/, '"centAmount":$1.0')),
      [`${operation}/shape`],
    ],
    [
      'a number as text',
      bendText(operation, (text) => text.replace(/"centAmount":(\d+)/, '"centAmount":"$1"')),
      [`${operation}/shape`],
    ],
    ['a member twice', bendText(operation, (text) => text.replace('{', '{"cartId":"1",')), [`${operation}/shape`]],
    ['a body that is cut off', bendText(operation, (text) => text.slice(0, -1)), [`${operation}/shape`]],
    ['null for an array', bendAnswers(operation, ({ body }) => (body['payments'] = null)), [`${operation}/shape`]],
    ['202 for 200', bendAnswers(operation, (bent) => (bent.status = 202)), [`${operation}/status`]],
    [
      'HTML',
      bendAnswers(operation, ({ headers }) => headers.set('Content-Type', 'text/html')),
      [`${operation}/content-type`],
    ],
    ['DELETE is 404', bendMethods('/namespace-action-', (bent) => (bent.status = 404)), [`${operation}/method`]],
  ],
)

const locale = 'Storefront-Locale'
const accepting = (name: string, value: string | null, status: number, other: string) =>
  insteadOfRefusal('getActionWithHeaders', status, (request) =>
    request.headers.get(name) === value ? withHeaders(request, { [name]: other }) : undefined,
  )

const headers: readonly SeededFault[] = [
  ['a missing locale that is guessed', accepting(locale, null, 400, 'de'), ['getActionWithHeaders/locale']],
  ['an empty locale', accepting(locale, '', 400, 'de'), ['getActionWithHeaders/locale']],
  ['any locale', accepting(locale, 'not a locale', 400, 'de'), ['getActionWithHeaders/locale']],
  ['a locale of one digit', accepting(locale, '1', 400, 'de'), ['getActionWithHeaders/locale']],
  ...['de-DE', 'de_DE', 'de'].map((form): SeededFault => [
    `no locale ${form}`,
    refusing('getActionWithHeaders', (request) => request.headers.get(locale) === form),
    ['getActionWithHeaders/locale-forms'],
  ]),
  [
    'another language for de_DE',
    bendAnswers(
      'getActionWithHeaders',
      ({ headers }, request) => request.headers.get(locale) === 'de_DE' && headers.set('Content-Language', 'en-GB'),
    ),
    ['getActionWithHeaders/language'],
  ],
  ['text/html is answered in JSON', accepting('Accept', 'text/html', 406, '*/*'), ['getActionWithHeaders/accept']],
  ['q=0 is not read', accepting('Accept', 'application/json;q=0', 406, '*/*'), ['getActionWithHeaders/accept']],
  [
    'no application/*',
    refusing('getActionWithHeaders', (request) => request.headers.get('Accept') === 'application/*', 406),
    ['getActionWithHeaders/accept-forms'],
  ],
  [
    'no */*',
    refusing('getActionWithHeaders', (request) => request.headers.get('Accept') === '*/*', 406),
    ['getActionWithHeaders/accept-forms'],
  ],
]

const isPayload = (text: string): boolean => text.includes('verify')

const payloads: readonly SeededFault[] = [
  [
    'a payload that is not kept',
    bendRequests('postAction', async (request) =>
      isPayload(await request.clone().text()) ? withBody(request, '{}') : request,
    ),
    ['postAction/kept'],
  ],
  [
    'integers that are rounded',
    bendText('postAction', (text) => text.replace('9007199254740993', '9007199254740992')),
    ['postAction/kept'],
  ],
  ['no arrays', refusing('postAction', (_, text) => text.startsWith('[')), ['postAction/status']],
  ['no null', refusing('postAction', (_, text) => text === 'null'), ['postAction/status']],
  ['no empty body', refusing('postAction', (_, text) => text === ''), ['postAction/empty']],
  ['null for an empty body', bendText('postAction', (text) => (text === '{}' ? 'null' : text)), ['postAction/empty']],
  [
    'GET always answers the fixture',
    bendText('getAction', (text) => (text.includes('verify') ? '{}' : text)),
    ['postAction/kept'],
  ],
  ['201 for 200', bendAnswers('postAction', (bent) => (bent.status = 201)), ['postAction/status']],
  [
    'a member twice',
    insteadOfRefusal('postAction', 400, async (request) =>
      (await request.clone().text()).includes('"verify"') ? withBody(request, '{"verify":1}') : undefined,
    ),
    ['postAction/duplicate-member'],
  ],
  [
    'a text is read as JSON',
    insteadOfRefusal('postAction', 415, (request) => withHeaders(request, { 'Content-Type': 'application/json' })),
    ['postAction/media-type'],
  ],
  ['PUT is 404', bendMethods('/namespace-action', (bent) => (bent.status = 404)), ['postAction/method']],
  ['a payload that is cut off', bendText('getAction', (text) => text.slice(0, -1)), ['getAction/shape']],
]

export const reads: readonly SeededFault[] = [...gets, ...others, ...carts, ...headers, ...payloads].map(
  ([what, bend, finds]) => [`${finds[0].split('/')[0]}: ${what}`, bend, finds],
)
