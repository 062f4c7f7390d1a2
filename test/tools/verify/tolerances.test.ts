import { describe, expect, it } from 'vitest'
import { tolerances } from '../../../src/tools/verify/compare/tolerances.ts'
import { parseJson, stringifyJson } from '../../../src/service/http/json.ts'
import type { VerifyOptions } from '../../../src/tools/verify/verify.ts'
import { bendAnswers, bendText, operationOf } from './bends.ts'
import type { Bend, Json } from './bends.ts'
import { sentencesOf, verifyMock } from './verifier.ts'
import { pick } from '../../support/thorough.ts'

/** Changes the body of every JSON response. */
const bendBodies =
  (change: (body: Json, response: Response, request: Request) => unknown): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request.clone())
    const text = await response.clone().text()
    if (!text.startsWith('{')) return response
    // The text is an object.
    const body = parseJson(text) as Json
    await change(body, response, request)
    return new Response(stringifyJson(body), response)
  }

const bendHeader =
  (name: string, change: (value: string) => string): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request)
    const value = response.headers.get(name)
    const headers = new Headers(response.headers)
    if (value !== null) headers.set(name, change(value))
    return new Response(response.body, { status: response.status, headers })
  }

/** Answers some requests with an error envelope. */
const refusingWith =
  (status: number, isMeant: (request: Request) => boolean, code = 'InvalidInput'): Bend =>
  (fetch) =>
  async (request) => {
    if (!isMeant(request)) return fetch(request)
    const message = 'Not here.'
    const oauth = { error: 'invalid_scope', error_description: message }
    const headers = {
      'X-Content-Type-Options': 'nosniff',
      'X-Correlation-ID': request.headers.get('X-Correlation-ID') ?? crypto.randomUUID(),
    }
    return Response.json({ statusCode: status, message, errors: [{ code, message }], ...oauth }, { status, headers })
  }

const reverse = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, one]) => [name, reverse(one)]),
      )
    : value

/** Answers a read as it was before the last write, a number of times. */
const lagging = (operation: string, times: number): Bend => {
  let left = 0
  let isLate = false
  return (fetch) => async (request) => {
    if (!/^(?:GET|HEAD)$/.test(request.method)) {
      isLate = true
      left = times
      return fetch(request)
    }
    if (operationOf(request) !== operation || !isLate || left === 0) return fetch(request)
    left -= 1
    const url = new URL(request.url)
    url.searchParams.append('where', 'version = 99')
    return fetch(new Request(url, request))
  }
}

const limited =
  (retryAfter: string): Bend =>
  (fetch) => {
    let count = 0
    return async (request) => {
      count += 1
      const headers = { 'Retry-After': retryAfter, Date: new Date(0).toUTCString() }
      return count % 3 === 0 ? new Response('', { status: 429, headers }) : fetch(request)
    }
  }

type Only = Pick<VerifyOptions, 'only' | 'isQuick'>

const isOther = ({ url }: Request): boolean => new URL(url).pathname.startsWith('/acme-other/')
const RESOURCES: Only = { only: ['lifecycle', 'pages'] }

/** A service that differs in just what a line of the table frees. */
const cases: Readonly<Record<string, readonly (readonly [bend: Bend, options: Only])[]>> = {
  'member-order': [
    [
      bendText('queryResources', (text) => stringifyJson(reverse(parseJson(text)))),
      { only: ['bounds'], isQuick: false },
    ],
  ],
  messages: [
    [
      bendBodies((body, { status }) => {
        if (status < 400) return
        const message = 'Das geht nicht.'
        Object.assign(body, { message }, 'error' in body ? { error_description: message } : {})
        for (const one of body.errors) one['message'] = message
      }),
      { only: ['lifecycle', 'no-token', 'scopes', 'wrong-values'] },
    ],
    [
      bendBodies((body, { status }) => {
        if (status !== 400) return
        const { message } = body
        const errors = [
          { code: 'InvalidField', message, hint: 'x' },
          { code: 'Other', message: 'b' },
        ]
        Object.assign(body, { errors })
      }),
      { only: ['bounds', 'updates'] },
    ],
  ],
  ids: [[bendHeader('Location', (place) => `https://api.example.com/v1${place}`), RESOURCES]],
  identity: [
    [
      bendAnswers('createResource', ({ body }) => ['id', 'key', 'createdAt'].forEach((name) => delete body[name])),
      RESOURCES,
    ],
  ],
  dates: [
    [
      bendAnswers('sortedQuery', ({ body }) => {
        for (const one of body.results ?? []) {
          for (const name of ['createdAt', 'lastModifiedAt']) {
            one[name] = new Date(Math.floor(Date.parse(String(one[name])) / 1000) * 1000 + 7_200_000)
              .toISOString()
              .replace('.000Z', '+02:00')
          }
        }
      }),
      { only: ['lifecycle', 'dates'] },
    ],
  ],
  order: [
    [
      (fetch) =>
        bendAnswers(
          'sortedQuery',
          ({ body }, request) =>
            !request.url.includes('sort=') && body.results !== undefined && (body.results = body.results.toReversed()),
        )(
          bendAnswers(
            'searchResources',
            ({ body }) => body.results !== undefined && (body.results = body.results.toReversed()),
          )(fetch),
        ),
      { only: ['pages', 'search', 'where'] },
    ],
  ],
  'empty-arrays': [
    [
      bendAnswers('queryResources', ({ body }) => {
        for (const name of Object.keys(body))
          if (stringifyJson(body[name]) === '[]' && name !== 'results') delete body[name]
      }),
      { only: ['pages', 'bounds'] },
    ],
  ],
  decimals: [
    [
      (fetch) => async (request) => {
        const response = await fetch(request.clone())
        const text = await response.clone().text()
        const written = text.replace(/("arrayOf(?:Float|NumberNoDefaults)Example":\[)1\.5\]/, '$11.50e0]')
        return operationOf(request) === 'getResourceById' ? new Response(written, response) : response
      },
      { only: ['lifecycle', 'values'] },
    ],
  ],
  values: [
    [
      bendAnswers('getActionWithExample', ({ body }, { method }) => {
        if (method === 'HEAD') return
        Object.assign(body, {
          cartId: 'mine',
          lineItems: body.lineItems.slice(0, 1),
          discountCodes: [{ code: 'SALE' }],
        })
      }),
      { only: ['carts'] },
    ],
    [bendAnswers('getAction', ({ body }) => (body['own'] = 1)), { only: ['heads', 'scopes'] }],
  ],
  challenges: [
    [
      bendHeader('WWW-Authenticate', (value) =>
        value.startsWith('Bearer')
          ? `Basic realm="a, Bearer b", ${value.replace('Bearer', 'bearer').replace(/error="(\w+)"/, 'Error=$1')}, charset="UTF-8"`
          : value,
      ),
      { only: ['no-token', 'scopes'] },
    ],
  ],
  headers: [[bendHeader('Allow', (value) => `${value}, TRACE`), { only: ['methods'] }]],
  lag: [[lagging('sortedQuery', 1), { only: ['two-projects'] }]],
  limits: [
    [limited('0'), { only: ['lifecycle'] }],
    [limited(new Date(0).toUTCString()), { only: ['lifecycle'] }],
  ],
}

describe('a service that differs in just what the table frees is like the mock', () => {
  const services = Object.entries(cases).flatMap(([id, all]) => all.map((one) => [id, ...one] as const))
  const everyThird = services.filter((_, at) => at % 3 === 0)
  it.each(pick(services, everyThird))('%s', async (_id, bend, options) => {
    const report = await verifyMock({ bend, isQuick: true, ...options })
    expect(sentencesOf(report)).toEqual([])
    expect(report.conversations.some(({ compared }) => compared > 0)).toBe(true)
  })
})

/** A service that does otherwise what a decision says. */
const decided: readonly (readonly [what: string, decision: string, bend: Bend, options: Only])[] = [
  ['extra members', 'D4', bendBodies((body, { ok }) => ok && (body['_links'] = { self: 'x' })), RESOURCES],
  [
    'facet terms',
    'D14',
    bendAnswers('searchResources', ({ body }) => {
      for (const { terms } of Object.values(body.facets ?? {})) for (const one of terms) one.term = String(one.term)
    }),
    { only: ['filters-and-facets'], isQuick: false },
  ],
  [
    'facet type',
    'D14',
    bendAnswers('searchResources', ({ body }) => {
      for (const facet of Object.values(body.facets ?? {})) Object.assign(facet, { dataType: 'keyword' })
    }),
    { only: ['filters-and-facets'], isQuick: false },
  ],
  [
    'locales',
    'D23',
    refusingWith(400, ({ headers }) => /^(?:fr|en)/.test(headers.get('Storefront-Locale') ?? '')),
    { only: ['carts'], isQuick: false },
  ],
  [
    'content language',
    'D23',
    bendAnswers('getActionWithHeaders', ({ headers }) => headers.delete('Content-Language')),
    { only: ['carts'] },
  ],
  [
    'other methods',
    'D24',
    (fetch) => async (request) => {
      const response = await fetch(request.clone())
      return response.status === 405 && request.method === 'PATCH'
        ? Response.json({}, { headers: { 'X-Content-Type-Options': 'nosniff' } })
        : response
    },
    { only: ['methods'] },
  ],
  [
    'prefer',
    'D16',
    bendAnswers('postComplex', (bent) => bent.status === 203 && (bent.status = 200)),
    { only: ['203'], isQuick: false },
  ],
  [
    'projects',
    'D24',
    refusingWith(403, isOther, 'insufficient_scope'),
    { only: ['two-projects', 'other-ids', 'other-project'] },
  ],
]

describe('a service that decided otherwise', () => {
  it.each(decided)('is told so, and not called faulty: %s', async (_what, decision, bend, options) => {
    const { mismatches } = await verifyMock({ bend, isQuick: true, ...options })
    expect(mismatches.filter(({ kind }) => kind === 'violation').map(({ sentence }) => sentence)).toEqual([])
    expect(mismatches.map((one) => one.decision)).toContain(decision)
  })
})

it('every line of the table has such a service', () => {
  expect(tolerances.map(({ id }) => id).filter((id) => cases[id] === undefined)).toEqual([])
})

it('every line names where the documents leave it free', () => {
  for (const { id, word } of tolerances) expect([id, /section|D\d+|RFC/.test(word)]).toEqual([id, true])
})
