import { parseJson, stringifyJson } from '../../../../src/service/http/json.ts'
import {
  bendAnswers,
  bendParameter,
  bendRequests,
  bendText,
  insteadOfRefusal,
  MASTER,
  operationOf,
  queryOf,
  refusing,
  withBody,
  withHeaders,
  withQuery,
} from '../bends.ts'
import type { Bend, Json } from '../bends.ts'
import type { SeededFault } from './fault.ts'

const SELECTING = ['queryResources', 'sortedQuery'] as const
const CONDITIONED = ['queryResources', 'checkResources'] as const

const LOCALE = 'Storefront-Locale'

const actions: readonly SeededFault[] = [
  ...['false', '0', '""', '[]'].map((text): SeededFault => [
    `${text} is an empty payload`,
    bendRequests('postAction', async (request) =>
      (await request.clone().text()) === text ? withBody(request, '{}') : request,
    ),
    ['postAction/kept'],
  ]),
  [
    'one payload for all projects',
    (fetch) => (request) =>
      fetch(
        request.url.includes('/acme-other/') && request.url.endsWith('/namespace-action')
          ? withHeaders(new Request(request.url.replace('/acme-other/', '/acme/'), request), MASTER)
          : request,
      ),
    ['postAction/own-project'],
  ],
  ...(['getActionWithExample', 'getActionWithHeaders'] as const).flatMap((operation): readonly SeededFault[] => [
    [
      'money in another order',
      bendAnswers(operation, ({ body }) => {
        const { fractionDigits, ...sum } = body['sum'] as Json
        body['sum'] = { ...sum, fractionDigits }
      }),
      [`${operation}/order`],
    ],
  ]),
  [
    'a locale without a cart is refused',
    refusing('getActionWithHeaders', ({ headers }) => headers.get(LOCALE) === 'sv-SE', 404),
    ['getActionWithHeaders/locale-forms'],
  ],
  [
    'a missing header that is not named',
    bendText('getActionWithHeaders', (text) => text.replaceAll(LOCALE, 'header').replaceAll('locale', ''), 400),
    ['getActionWithHeaders/locale'],
  ],
  [
    'an English cart for de-DE',
    (fetch) => async (request) => {
      if (request.headers.get(LOCALE)?.startsWith('de') !== true) return fetch(request)
      const response = await fetch(withHeaders(request, { [LOCALE]: 'en-GB' }))
      if (response.headers.has('Content-Language')) response.headers.set('Content-Language', 'de-DE')
      return response
    },
    ['getActionWithHeaders/translation'],
  ],
  [
    'an English cart for de-DE, which it names',
    bendRequests('getActionWithHeaders', (request) =>
      request.headers.get(LOCALE)?.startsWith('de') === true ? withHeaders(request, { [LOCALE]: 'en-GB' }) : undefined,
    ),
    ['getActionWithHeaders/language'],
  ],
  [
    'no Accept is any',
    bendRequests('getActionWithHeaders', (request) =>
      request.headers.has('Accept') ? undefined : withHeaders(request, { Accept: '*/*' }),
    ),
    ['getActionWithHeaders/no-accept'],
  ],
]

/** Compares texts case-insensitively if a query names them. */
const inLowerCase = (operation: Parameters<typeof bendParameter>[0], name: string): Bend =>
  bendParameter(operation, name, (value) =>
    value
      .replace('"KILN"', '"kiln"')
      .replace(/^KILN$/i, 'kiln')
      .replace(/(?<=key (?:=|in) .*)VERIFY[-\dA-F]+/g, (key) => key.toLowerCase())
      .replace('"SAY', '"say')
      .replace(/B\\" \\\\\\\\ C"/, 'b\\" \\\\\\\\ c"'),
  )

/** Queries dates by another operator. */
const otherDates = (operation: 'queryResources' | 'sortedQuery', from: RegExp, to: string): Bend =>
  bendParameter(operation, 'where', (value) => value.replace(from, to))

const selecting = SELECTING.flatMap((operation): readonly SeededFault[] => [
  ['texts equal in any case', inLowerCase(operation, 'where'), [`${operation}/where-case`]],
  ['after for at or after', otherDates(operation, /(?<=(?:At) )>=/, '>'), [`${operation}/where-dates`]],
  ['dates that are not compared', otherDates(operation, / and createdAt = "[^"]*"/, ''), [`${operation}/where-dates`]],
  [
    'variables are texts',
    bendParameter(operation, 'where', (value) => value.replace('version = :one', 'key = :one')),
    [`${operation}/variables`],
  ],
  [
    'single quotes are quotes',
    insteadOfRefusal(operation, 400, (request) =>
      queryOf(request).get('where') === "id = 'a'" ? withQuery(request, (query) => query.delete('where')) : undefined,
    ),
    [`${operation}/where-refused`],
  ],
  [
    'resources with equal sort values in any order',
    bendParameter(operation, 'sort', (value) => (value === 'arrayOfUniqueIntExample asc' ? 'key desc' : value)),
    [`${operation}/sort-stable`],
  ],
  [
    'limit=10abc is 10',
    bendParameter(operation, 'limit', (value) => (value === '10abc' ? '10' : value)),
    [`${operation}/limits-refused`],
  ],
  [
    'results that were modified before they were made',
    bendAnswers(operation, ({ body }) => {
      for (const result of body.results ?? []) result['lastModifiedAt'] = '2000-01-01T00:00:00.000Z'
    }),
    [`${operation}/identity`],
  ],
  [
    'results in another order of members',
    bendAnswers(operation, ({ body }) => {
      for (const result of body.results ?? []) {
        const { version } = result
        delete result['version']
        result['version'] = version
      }
    }),
    [`${operation}/order`],
  ],
  [
    'no total with limit=0',
    bendAnswers(operation, ({ body }) => body['limit'] === 0 && (body['total'] = 0)),
    [`${operation}/total`],
  ],
])

const conditioned = CONDITIONED.flatMap((operation): readonly SeededFault[] => [
  ['stringParameter in any case', inLowerCase(operation, 'stringParameter'), [`${operation}/string-parameter`]],
  ['arrayOfString in any case', inLowerCase(operation, 'arrayOfString'), [`${operation}/array-of-string`]],
  [
    'decimals of 32 bits',
    bendParameter(operation, 'floatParameter', (value) => (value === '0.10000000149011612' ? '0.1' : value)),
    [`${operation}/exact-numbers`],
  ],
  [
    'floatParameter=1.5abc is 1.5',
    bendParameter(operation, 'floatParameter', (value) => value.replace('1.5abc', '1.5')),
    [`${operation}/refused`],
  ],
  [
    'the first of two numbers',
    bendParameter(operation, 'floatParameter', (value, at) => (at === 0 ? value : undefined)),
    [`${operation}/single-valued`],
  ],
])

const queries: readonly SeededFault[] = [
  [
    'the names of parameters in any case',
    refusing('queryResources', (request) => queryOf(request).has('Limit')),
    ['queryResources/parameter-case'],
  ],
  [
    'the arrays of the first result of all',
    bendAnswers('queryResources', ({ body }, request) => {
      if (queryOf(request).get('offset') === '1') body['arrayOfTwonumbersExample'] = [1, 2]
    }),
    ['queryResources/projection'],
  ],
  [
    'unionParameter strictly after',
    bendParameter('queryResources', 'unionParameter', (value) =>
      /^20\d\d-/.test(value) ? new Date(Date.parse(value) + 1).toISOString() : value,
    ),
    ['queryResources/union-date-time'],
  ],
  [
    'unionParameter by createdAt',
    bendRequests('queryResources', (request) =>
      withQuery(request, (query) => {
        const time = query.get('unionParameter') ?? ''
        if (!/^20\d\d-/.test(time)) return
        query.delete('unionParameter')
        query.append('where', `createdAt >= "${time}"`)
      }),
    ),
    ['queryResources/union-date-time'],
  ],
  [
    'unionParameter as it is written',
    bendParameter('queryResources', 'unionParameter', (value) =>
      value.startsWith('{"objectTypeProperty"') ? '{"version":1,"objectTypeProperty":{}}' : value,
    ),
    ['queryResources/union-object'],
  ],
]

const bendFacets = (change: (facet: Json) => void): Bend =>
  bendAnswers('searchResources', ({ body }) => {
    // A facet is an object.
    for (const facet of Object.values(body.facets ?? {})) change(facet as unknown as Json)
  })

const search: readonly SeededFault[] = [
  [
    'facets unasked',
    bendAnswers('searchResources', ({ body }) => (body.facets ??= {})),
    ['searchResources/facet-unasked'],
  ],
  [
    'no prefix in facets',
    refusing('searchResources', (request) => queryOf(request).get('facet')?.startsWith('objectTypeProperty.') === true),
    ['searchResources/facet-prefix'],
  ],
  ['missing that is always 0', bendFacets((facet) => (facet['missing'] = 0)), ['searchResources/facet-missing']],
  [
    'texts in lower case in facets',
    bendFacets((facet) => {
      const terms = facet['terms'] as Json[]
      for (const one of terms) if (typeof one['term'] === 'string') one['term'] = one['term'].toLowerCase()
    }),
    ['searchResources/facet-text'],
  ],
  ['filters in any case', inFilterCase(), ['searchResources/filter']],
  [
    'letters changed, not added',
    bendParameter('searchResources', 'text.en', (value) => (value === 'kiiln' ? 'nothing' : value)),
    ['searchResources/fuzzy'],
  ],
  [
    'letters swapped count as one change',
    bendParameter('searchResources', 'text.en', (value) => (value === 'kinl' ? 'kiln' : value)),
    ['searchResources/fuzzy'],
  ],
  [
    'fuzzyLevel makes it fuzzy',
    bendRequests('searchResources', (request) =>
      withQuery(request, (query) => {
        if (query.get('fuzzyLevel') === '2' && !query.has('fuzzy')) query.set('fuzzy', 'true')
      }),
    ),
    ['searchResources/fuzzy'],
  ],
  [
    'the first of two filter.facets',
    bendParameter('searchResources', 'filter.facets', (value, at) => (at === 0 ? value : undefined)),
    ['searchResources/filter-repeated'],
  ],
  [
    'text.de_CH is text.de-CH',
    insteadOfRefusal('searchResources', 400, (request) =>
      queryOf(request).has('text.de_CH') ? withQuery(request, (query) => query.delete('text.de_CH')) : undefined,
    ),
    ['searchResources/languages'],
  ],
  [
    'results in another order of members',
    bendAnswers('searchResources', ({ body }) => {
      for (const result of body.results ?? []) {
        const { version } = result
        delete result['version']
        result['version'] = version
      }
    }),
    ['searchResources/order'],
  ],
]

function inFilterCase(): Bend {
  return bendParameter('searchResources', 'filter', (value) => value.replace('"KILN"', '"kiln"'))
}

const correlated = (change: (id: string) => string, isMeant: (request: Request) => boolean): Bend => {
  const bend: Bend = (fetch) => async (request) => {
    const id = request.headers.get('X-Correlation-ID')
    if (id === null || !isMeant(request) || change(id) === id) return fetch(request)
    return fetch(withHeaders(request, { 'X-Correlation-ID': change(id) }))
  }
  return bend
}

const anywhere: readonly SeededFault[] = [
  ...['/', ':', '~'].map((letter): SeededFault => [
    `a correlation id with ${letter}`,
    correlated(
      (id) => id.replace(letter, '-'),
      () => true,
    ),
    ['anyPath/correlation-id-refused'],
  ]),
  ...(['updateResource', 'checkResources', 'sortedQuery', 'searchResources'] as const).map((operation): SeededFault => [
    `${operation} with a malformed correlation id`,
    correlated(
      (id) => id.replaceAll('.', '-'),
      (request) => operationOf(request) === operation,
    ),
    ['anyPath/correlation-id-refused'],
  ]),
  [
    'one correlation id for all requests without one',
    (fetch) => async (request) => {
      const response = await fetch(request)
      if (!request.headers.has('X-Correlation-ID')) response.headers.set('X-Correlation-ID', 'always-the-same')
      return response
    },
    ['anyPath/correlation-id'],
  ],
  [
    'HEAD finds everything',
    bendAnswers('getResourceById', (bent, { method }) => method === 'HEAD' && (bent.status = 200), 404),
    ['getResourceById/head'],
  ],
  [
    'a refreshed token of every scope',
    (fetch) => async (request) => {
      const isRefresh = (await request.clone().text()).includes('refresh_token=e')
      const response = await fetch(request)
      if (!isRefresh) return response
      const body = parseJson(await response.text()) as Json
      return new Response(stringifyJson({ ...body, scope: 'manage_project:acme' }), response)
    },
    ['tokenEndpoints/refresh'],
  ],
  [
    'no tokens for customers',
    (fetch) => async (request) =>
      request.url.includes('/customers/') ? Response.json({}, { status: 404 }) : fetch(request),
    ['tokenEndpoints/customer'],
  ],
]

const named = (faults: readonly SeededFault[]): readonly SeededFault[] =>
  faults.map(([what, bend, finds]) => [`${finds[0].split('/')[0]}: ${what}`, bend, finds])

/** Reads and actions that break a small part of a rule. */
export const detailsOfReads: readonly SeededFault[] = named([
  ...actions,
  ...selecting,
  ...conditioned,
  ...queries,
  ...search,
  ...anywhere,
])
