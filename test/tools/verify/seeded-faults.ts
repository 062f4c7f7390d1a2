import { parseJson, stringifyJson } from '../../../src/service/http/json.ts'
import {
  bendAnswers,
  bendMethods,
  bendParameter,
  bendRequests,
  bendText,
  firstOnly,
  ignoring,
  insteadOfRefusal,
  operationOf,
  queryOf,
  readJson,
  refusing,
  withHeaders,
  withJson,
  withQuery,
} from './bends.ts'
import type { Bend, Json } from './bends.ts'

/** A plausible problem of a service, by its description: the bend that causes it, and the operation or conversation that shows it. */
type SeededFault = readonly [what: string, bend: Bend, only: readonly string[]]

const bendHeaders =
  (change: (headers: Headers, response: Response) => void): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request)
    const headers = new Headers(response.headers)
    change(headers, response)
    return new Response(response.body, { status: response.status, headers })
  }

const bendErrors =
  (change: (body: Json) => void): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request)
    const text = response.status < 400 ? '' : await response.clone().text()
    if (text === '') return response
    // Every error of the mock is an object.
    const body = parseJson(text) as Json
    change(body)
    return new Response(stringifyJson(body), response)
  }

/** Sends a refused request again with a token of all scopes. */
const lettingPass =
  (status: number, isMeant: (request: Request) => boolean = () => true): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request.clone())
    const isService = new URL(request.url).pathname.startsWith('/acme/')
    if (!isService || response.status !== status || !isMeant(request)) return response
    return fetch(withHeaders(request, { Authorization: 'Bearer manage_project:acme' }))
  }

/** Takes an update with a stale version, as if it named the current one. */
const losingUpdates: Bend = insteadOfRefusal('updateResource', 409, (request, { errors }) =>
  withJson(request, (body) => (body['version'] = errors[0]?.['currentVersion'])),
)

/** Changes the predicate of queries. */
const rewriting = (from: RegExp, to: string): Bend =>
  bendParameter('sortedQuery', 'where', (where) => where.replace(from, to))

/** Changes the content of drafts before they are stored. */
const storing = (change: (strings: unknown[], content: Json) => void): Bend =>
  bendRequests('createResource', async (request) => {
    if (request.headers.has('Content-Encoding')) return request
    const { objectTypeProperty: content } = await readJson(request)
    const strings = content?.['arrayOfStringExample']
    if (!Array.isArray(strings)) return request
    return withJson(request, (body) =>
      change(body.objectTypeProperty['arrayOfStringExample'] as unknown[], body.objectTypeProperty),
    )
  })

const eachString = (change: (text: string) => string): Bend =>
  storing((strings) => {
    for (const [at, one] of strings.entries()) if (typeof one === 'string') strings[at] = change(one)
  })

const text = (change: (value: string) => string): Bend => bendParameter('searchResources', 'text.en', change)

/** Problems of third-party services, each of which verify has to find. */
export const seededFaults: readonly SeededFault[] = [
  ['no nosniff', bendHeaders((headers) => headers.delete('X-Content-Type-Options')), ['getAction']],
  [
    'no nosniff in errors',
    bendHeaders((headers, { ok }) => void (ok || headers.delete('X-Content-Type-Options'))),
    ['anyPath'],
  ],
  ['no correlation ids', bendHeaders((headers) => headers.delete('X-Correlation-ID')), ['anyPath']],
  ['one correlation id', bendHeaders((headers) => headers.set('X-Correlation-ID', 'always-the-same')), ['getAction']],
  [
    'answers of text/plain',
    bendHeaders((headers, { ok }) => ok && headers.has('Content-Type') && headers.set('Content-Type', 'text/plain')),
    ['carts'],
  ],
  [
    'another realm',
    bendHeaders((headers) => headers.set('WWW-Authenticate', 'Bearer realm="api", error="invalid_token"')),
    ['no-token'],
  ],
  ['errors without errors', bendErrors((body) => (body.errors = [])), ['variants']],
  ['errors without a statusCode', bendErrors((body) => delete body['statusCode']), ['updates']],
  ['errors without a text', bendErrors((body) => (body['message'] = '')), ['variants']],
  ['no token is asked for', lettingPass(401, ({ headers }) => !headers.has('Authorization')), ['scopes']],
  ['tokens that nobody reads', lettingPass(401, ({ headers }) => headers.has('Authorization')), ['authorization']],
  ['scopes that nobody checks', lettingPass(403), ['scopes']],
  ['DELETE is 404', bendMethods('/namespace-action-', (bent) => (bent.status = 404)), ['anyPath']],
  ['no Allow', bendMethods('', (bent) => bent.headers.delete('Allow')), ['anyPath']],
  ['updates with a stale version are taken', losingUpdates, ['updates']],
  [
    '409 names no version',
    bendAnswers('updateResource', ({ body }) => delete body.errors[0]?.['currentVersion'], 409),
    ['updates'],
  ],
  ['200 for 201', bendAnswers('createResource', (bent) => (bent.status = 200)), ['overwrites']],
  ['204 for a deletion', bendAnswers('deleteResource', (bent) => (bent.status = 204)), ['deletions']],
  ['no ETag', bendAnswers('getResourceByKey', ({ headers }) => headers.delete('ETag')), ['reads-after-writes']],
  ['no Location', bendAnswers('putResource', ({ headers }) => headers.delete('Location')), ['most-recently-written']],
  [
    'a Location that is not a URL',
    bendAnswers('putResource', ({ headers }) => headers.set('Location', 'http://[x/acme/resource/1')),
    ['putResource'],
  ],
  [
    'a version that is a text',
    bendAnswers('getResourceById', ({ body }) => (body['version'] = String(body['version']))),
    ['variants'],
  ],
  [
    'a version that starts at 0',
    bendAnswers('createResource', ({ body }) => (body['version'] = Number(body['version']) - 1)),
    ['dates'],
  ],
  ['texts without trailing blanks', eachString((one) => one.trimEnd()), ['resources']],
  ['texts cut at 255 characters', eachString((one) => one.slice(0, 255)), ['values']],
  ['composed texts', eachString((one) => one.normalize('NFC')), ['resources']],
  ['LF for CRLF', eachString((one) => one.replaceAll('\r\n', '\n')), ['resources']],
  ['no emoji', eachString((one) => one.replace(/[\u{10000}-\u{10ffff}]/gu, '?')), ['resources']],
  ['arrays without duplicates', storing((strings) => strings.splice(0, Infinity, ...new Set(strings))), ['values']],
  [
    'arrays without zero',
    storing((_, content) => {
      const integers = content['arrayOfIntExample']
      if (Array.isArray(integers)) content['arrayOfIntExample'] = integers.filter((one) => one !== 0)
    }),
    ['resources'],
  ],
  ['integers as doubles', bendText('getResourceById', (body) => JSON.stringify(JSON.parse(body))), ['lifecycle']],
  [
    'empty arrays are dropped',
    bendText('getResourceById', (body) => body.replace(/"arrayOfStringExample":\[\],?/, '')),
    ['values'],
  ],
  ['unknown members are refused', refusing('createResource', (_, body) => body.includes('"unknown"')), ['bodies']],
  ['no gzip', refusing('createResource', ({ headers }) => headers.has('Content-Encoding'), 415), ['bodies']],
  [
    'any Content-Type',
    insteadOfRefusal('createResource', 415, (request) => withHeaders(request, { 'Content-Type': 'application/json' })),
    ['bodies'],
  ],
  [
    'a draft without an effect on PUT',
    bendAnswers('putResource', ({ body }) => (body.objectTypeProperty['arrayOfIntExample'] = [1, 2])),
    ['putResource'],
  ],
  [
    'actions are applied backwards',
    bendRequests('updateResource', (request) =>
      withJson(request, (body) => Array.isArray(body['actions']) && (body['actions'] = body['actions'].toReversed())),
    ),
    ['lifecycle'],
  ],
  [
    'at most 100 actions',
    refusing('updateResource', (_, body) => body.split('"action"').length > 101),
    ['updateResource'],
  ],
  ['a deletion without its version', ignoring('deleteResource', 'version'), ['deletions']],
  ['deleted resources are 410', bendAnswers('getResourceById', (bent) => (bent.status = 410), 404), ['paths']],
  ['where that is ignored', ignoring('sortedQuery', 'where'), ['where']],
  ['the first of two wheres', firstOnly('sortedQuery', 'where'), ['where']],
  ['>= as >', rewriting(/>=/, '>'), ['where']],
  ['contains all as contains any', rewriting(/contains all/, 'contains any'), ['where']],
  ['is not empty as is defined', rewriting(/is not empty/, 'is defined'), ['where']],
  ['not that is ignored', rewriting(/^not /, ''), ['where']],
  ['no not in', refusing('sortedQuery', ({ url }) => /not%20in/.test(url)), ['sortedQuery']],
  ['sort that is ignored', ignoring('sortedQuery', 'sort'), ['pages']],
  ['the first of two sorts', firstOnly('sortedQuery', 'sort'), ['pages']],
  ['desc as asc', bendParameter('queryResources', 'sort', (value) => value.replace('desc', 'asc')), ['pages']],
  ['offset that is ignored', ignoring('queryResources', 'offset'), ['pages']],
  [
    '100 results at most',
    bendParameter('queryResources', 'limit', (value) => (Number(value) > 100 ? '100' : value)),
    ['bounds'],
  ],
  ['a total that nobody wanted', ignoring('queryResources', 'withTotal'), ['bounds']],
  [
    'a total of the page',
    bendAnswers('queryResources', ({ body }) => 'total' in body && (body['total'] = body['count'])),
    ['variants'],
  ],
  [
    'stringParameter in any case',
    bendParameter('queryResources', 'stringParameter', (value) => value.toLowerCase()),
    ['queryResources'],
  ],
  [
    'a blank for a plus',
    bendParameter('queryResources', 'arrayOfString', (value) => value.replaceAll('+', ' ')),
    ['encodings'],
  ],
  [
    'the last of two arrayOfString',
    bendRequests('queryResources', (request) =>
      withQuery(
        request,
        (query) => query.has('arrayOfString') && query.set('arrayOfString', query.getAll('arrayOfString').at(-1) ?? ''),
      ),
    ),
    ['queryResources'],
  ],
  ['no unionParameter', ignoring('queryResources', 'unionParameter'), ['queryResources']],
  ['variables without lists', firstOnly('sortedQuery', 'var.ks'), ['variables']],
  [
    'HEAD is always 200',
    insteadOfRefusal('checkResources', 404, (request) => new Request('http://mock/acme/resource', request)),
    ['checkResources'],
  ],
  ['whole words alone', text((value) => (value.length === 2 ? 'nothing' : value)), ['searchResources']],
  ['no fuzzy search', ignoring('searchResources', 'fuzzy'), ['searchResources']],
  [
    'any fuzzyLevel',
    insteadOfRefusal('searchResources', 400, (request) =>
      queryOf(request).has('fuzzyLevel') ? withQuery(request, (query) => query.delete('fuzzyLevel')) : undefined,
    ),
    ['fuzzy-search'],
  ],
  [
    'facets without counts',
    bendAnswers('searchResources', ({ body }) =>
      Object.values(body.facets ?? {}).forEach(({ terms }) => terms.forEach((one) => (one.count = 1))),
    ),
    ['searchResources'],
  ],
  ['filter that is ignored', ignoring('searchResources', 'filter'), ['search']],
  [
    'a cart with a fraction of a cent',
    bendText('getActionWithExample', (body) => body.replace(/"centAmount":(\d+)/, '"centAmount":$1.5')),
    ['getActionWithExample'],
  ],
  [
    'a cart with cents as decimals',
    bendText('getActionWithExample', (body) => body.replace(/"centAmount":(\d+)/, '"centAmount":$1.0')),
    ['getActionWithExample'],
  ],
  [
    'versions as decimals',
    bendText('getResourceById', (body) => body.replace(/"version":(\d+)/, '"version":$1.0')),
    ['variants'],
  ],
  [
    'a cart without a sum',
    bendText('getActionWithExample', (body) => body.replace('"sum"', '"total"')),
    ['getActionWithExample'],
  ],
  [
    'no 406',
    insteadOfRefusal('getActionWithHeaders', 406, (request) => withHeaders(request, { Accept: '*/*' })),
    ['getActionWithHeaders'],
  ],
  [
    'any locale',
    insteadOfRefusal('getActionWithHeaders', 400, (request) =>
      withHeaders(request, { Accept: '*/*', 'Storefront-Locale': 'de-DE' }),
    ),
    ['getActionWithHeaders'],
  ],
  [
    'GIF is refused',
    refusing('uploadImage', ({ headers }) => headers.get('Content-Type') === 'image/gif', 415),
    ['uploadImage'],
  ],
  [
    'uploads of any type',
    insteadOfRefusal('uploadImage', 415, (request) => withHeaders(request, { 'Content-Type': 'image/png' })),
    ['uploadImage'],
  ],
  ['always 201', bendAnswers('postComplex', (bent) => (bent.status = 201)), ['postComplex']],
  ['null is {}', bendText('postAction', (body) => (body === 'null' ? '{}' : body)), ['postAction']],
  [
    'a payload that is not kept',
    bendAnswers('getAction', ({ body }) => Object.keys(body).forEach((name) => delete body[name])),
    ['getAction'],
  ],
  [
    'the list knows a write only after ten others',
    (fetch) => {
      let last: Response | undefined
      let count = 0
      return async (request) => {
        if (operationOf(request) !== 'queryResources') return fetch(request)
        count += 1
        if (last === undefined || count % 10 === 0) last = await fetch(request)
        return last.clone()
      }
    },
    ['lists-after-writes'],
  ],
]
