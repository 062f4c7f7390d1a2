import { MASTER, withHeaders } from '../bends.ts'
import type { Bend, Json } from '../bends.ts'
import { parseJson, stringifyJson } from '../../../../src/service/http/json.ts'
import type { SeededFault } from './fault.ts'

const pathOf = ({ url }: Request): string => new URL(url).pathname

/** Changes the responses of the token endpoints at a path. */
const bendTokens =
  (end: string, change: (bent: { status: number; headers: Headers; body: Json }, request: Request) => unknown): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request.clone())
    // A run needs its own tokens: it requests those without a correlation id.
    if (!pathOf(request).endsWith(end) || !request.headers.has('X-Correlation-ID')) return response
    // The responses of these endpoints are objects.
    const bent = {
      status: response.status,
      headers: new Headers(response.headers),
      body: parseJson(await response.text()) as Json,
    }
    await change(bent, request)
    return new Response(stringifyJson(bent.body), bent)
  }

const TOKEN = '/oauth/token'

const tokens: readonly SeededFault[] = [
  [
    'expires_in in milliseconds',
    bendTokens(TOKEN, ({ body }) => 'expires_in' in body && (body['expires_in'] = 172_800_000)),
    ['tokenEndpoints/token'],
  ],
  ['token_type bearer', bendTokens(TOKEN, ({ body }) => (body['token_type'] = 'bearer')), ['tokenEndpoints/token']],
  [
    'no scope',
    bendTokens(TOKEN, ({ body }) => delete body['scope']),
    ['tokenEndpoints/token', 'tokenEndpoints/asked-scope'],
  ],
  [
    'any scope',
    bendTokens(TOKEN, ({ body }) => 'scope' in body && (body['scope'] = 'manage_project:acme')),
    ['tokenEndpoints/asked-scope'],
  ],
  [
    'no parameters in the query',
    bendTokens(TOKEN, (bent, { url }) => url.includes('?') && (bent.status = 400)),
    ['tokenEndpoints/any-form'],
  ],
  [
    'no form as text/plain',
    bendTokens(TOKEN, (bent, { headers }) => headers.get('Content-Type') === 'text/plain' && (bent.status = 415)),
    ['tokenEndpoints/any-form'],
  ],
  [
    'no refresh token',
    bendTokens('/anonymous/token', ({ body }) => delete body['refresh_token']),
    ['tokenEndpoints/anonymous'],
  ],
  [
    'refresh tokens that are refused',
    bendTokens(
      TOKEN,
      async (bent, request) => (await request.text()).includes('refresh_token=e') && (bent.status = 400),
    ),
    ['tokenEndpoints/refresh'],
  ],
  [
    'a refreshed token that nobody takes',
    bendTokens(
      TOKEN,
      async ({ body }, request) => (await request.text()).includes('refresh_token=e') && (body['access_token'] = 'a b'),
    ),
    ['tokenEndpoints/refresh'],
  ],
  [
    'exp in milliseconds',
    bendTokens('/introspect', ({ body }) => 'exp' in body && (body['exp'] = Number(body['exp']) * 1000)),
    ['tokenEndpoints/introspect'],
  ],
  [
    'a good token that is not active',
    bendTokens('/introspect', ({ body }) => (body['active'] = false)),
    ['tokenEndpoints/introspect'],
  ],
  [
    'any token is active',
    bendTokens('/introspect', ({ body }) => (body['active'] = true)),
    ['tokenEndpoints/introspect-bad'],
  ],
  [
    'a missing client is 400',
    bendTokens(TOKEN, (bent) => bent.status === 401 && (bent.status = 400)),
    ['tokenEndpoints/client'],
  ],
  [
    'any grant',
    bendTokens(TOKEN, async (bent, request) => (await request.text()).includes('telepathy') && (bent.status = 200)),
    ['tokenEndpoints/refused'],
  ],
  [
    'a bad refresh token is 401',
    bendTokens(
      TOKEN,
      async (bent, request) => (await request.text()).includes('refresh_token=verify') && (bent.status = 401),
    ),
    ['tokenEndpoints/refused'],
  ],
  ['errors without error', bendTokens(TOKEN, ({ body }) => delete body['error']), ['tokenEndpoints/envelope']],
  [
    'errors without an envelope',
    bendTokens(TOKEN, ({ body }) => 'errors' in body && delete body['statusCode']),
    ['tokenEndpoints/envelope'],
  ],
  [
    'another code',
    bendTokens(
      TOKEN,
      ({ body }) =>
        body['error'] === 'invalid_scope' &&
        Object.assign(body, {
          error: 'invalid_request',
          errors: [{ code: 'invalid_request', message: body['message'] }],
        }),
    ),
    ['tokenEndpoints/envelope'],
  ],
  [
    'no correlation id',
    bendTokens(TOKEN, ({ headers }) => headers.delete('X-Correlation-ID')),
    ['tokenEndpoints/correlation-id'],
  ],
]

/** Changes the status of responses to some requests. */
const answering =
  (status: number, isMeant: (request: Request) => boolean): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request)
    return isMeant(request) ? new Response(response.body, { status, headers: response.headers }) : response
  }

const correlationIdOf = ({ headers }: Request): string | null => headers.get('X-Correlation-ID')

const anywhere: readonly SeededFault[] = [
  [
    'an unknown path that is 200',
    answering(200, (request) => pathOf(request).endsWith('/nothing')),
    ['anyPath/unknown-path'],
  ],
  [
    'an unknown path that is HTML',
    (fetch) => async (request) =>
      pathOf(request).endsWith('/nothing') ? new Response('<h1>Not found</h1>', { status: 404 }) : fetch(request),
    ['anyPath/envelope'],
  ],
  [
    'no generated correlation id',
    (fetch) => async (request) => {
      const response = await fetch(request)
      if (correlationIdOf(request) === null) response.headers.delete('X-Correlation-ID')
      return response
    },
    ['anyPath/correlation-id'],
  ],
  [
    'no correlation id of 256 characters',
    answering(400, (request) => correlationIdOf(request)?.length === 256),
    ['anyPath/correlation-id'],
  ],
  [
    'a correlation id of 257 characters',
    answering(200, (request) => correlationIdOf(request)?.length === 257),
    ['anyPath/correlation-id-refused'],
  ],
  [
    'a correlation id of 7 characters',
    answering(200, (request) => correlationIdOf(request)?.length === 7),
    ['anyPath/correlation-id-refused'],
  ],
  [
    'a correlation id with a space',
    answering(200, (request) => correlationIdOf(request)?.includes(' ') === true),
    ['anyPath/correlation-id-refused'],
  ],
  [
    'one store for all projects',
    (fetch) => (request) =>
      fetch(
        withHeaders(
          new Request(request.url.replace('/acme-other/', '/acme/'), request),
          request.url.includes('/acme-other/') ? MASTER : {},
        ),
      ),
    ['anyPath/projects'],
  ],
  [
    'one store for all projects, by id',
    (fetch) => (request) =>
      fetch(
        /acme-other\/resource\/[\da-f-]{36}/.test(request.url)
          ? withHeaders(new Request(request.url.replace('/acme-other/', '/acme/'), request), MASTER)
          : request,
      ),
    ['anyPath/projects'],
  ],
  [
    'one store for all projects, by key',
    (fetch) => (request) =>
      fetch(
        /acme-other\/resource\/key=/.test(request.url)
          ? withHeaders(new Request(request.url.replace('/acme-other/', '/acme/'), request), MASTER)
          : request,
      ),
    ['anyPath/projects'],
  ],
]

const named = (subject: string, faults: readonly SeededFault[]): readonly SeededFault[] =>
  faults.map(([what, bend, finds]) => [`${subject}: ${what}`, bend, finds])

export const service: readonly SeededFault[] = [...named('tokens', tokens), ...named('any path', anywhere)]
