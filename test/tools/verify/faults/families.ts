import { subjects } from '../../../../src/tools/verify/checks.ts'
import type { CheckId } from '../../../../src/tools/verify/checks.ts'
import type { Fetch } from '../fetch-transport.ts'
import { parseJson, stringifyJson } from '../../../../src/service/http/json.ts'
import { MASTER, withHeaders } from '../bends.ts'
import type { Bend, Json } from '../bends.ts'

/** A seeded problem of a whole service: the bend that causes it, and the checks that must fail if they apply. */
export type Family = readonly [what: string, bend: Bend, names: readonly string[]]

const bendHeaders =
  (change: (headers: Headers, response: Response) => void): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request)
    const headers = new Headers(response.headers)
    change(headers, response)
    return new Response(response.body, { status: response.status, headers })
  }

/** Accepts what is refused with a status, as if the token had all scopes. */
const lettingPass =
  (status: number, isMeant: (request: Request) => boolean): Bend =>
  (fetch: Fetch) =>
  async (request) => {
    const response = await fetch(request.clone())
    const isService = new URL(request.url).pathname.startsWith('/acme/')
    return isService && response.status === status && isMeant(request) ? fetch(withHeaders(request, MASTER)) : response
  }

/** The scope of a token that was issued for one. */
function scopeOf({ headers }: Request): string {
  const [, claims = ''] = headers.get('Authorization')?.split('.') ?? []
  try {
    return (JSON.parse(atob(claims)) as { scope: string }).scope
  } catch {
    return ''
  }
}

/** Refuses tokens of some scopes. */
const refusingScopes =
  (isMeant: (scope: string) => boolean): Bend =>
  (fetch) =>
  async (request) =>
    request.url.includes('/oauth/') || !isMeant(scopeOf(request)) ? fetch(request) : Response.json({}, { status: 403 })

const bendChallenge = (change: (value: string) => string): Bend =>
  bendHeaders((headers) => {
    const value = headers.get('WWW-Authenticate')
    if (value !== null) headers.set('WWW-Authenticate', change(value))
  })

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

export const families: readonly Family[] = [
  ['no nosniff', bendHeaders((headers) => headers.delete('X-Content-Type-Options')), ['nosniff']],
  [
    'no nosniff in errors',
    bendHeaders((headers, { ok }) => void (ok || headers.delete('X-Content-Type-Options'))),
    ['nosniff'],
  ],
  ['another realm', bendChallenge((value) => value.replace('realm="acme"', 'realm="api"')), ['challenge']],
  ['no error in challenges', bendChallenge((value) => value.replace(/, error="[^"]*"/, '')), ['challenge']],
  ['no correlation ids', bendHeaders((headers) => headers.delete('X-Correlation-ID')), ['correlation-id']],
  [
    'answers of text/plain',
    bendHeaders((headers, { ok }) => ok && headers.has('Content-Type') && headers.set('Content-Type', 'text/plain')),
    ['content-type'],
  ],
  ['no token that is asked for', lettingPass(401, ({ headers }) => !headers.has('Authorization')), ['no-token']],
  [
    'tokens that nobody reads',
    lettingPass(401, ({ headers }) => headers.has('Authorization')),
    ['bad-token', 'forged-token'],
  ],
  ['scopes that nobody checks', lettingPass(403, () => true), ['scope', 'project-scope']],
  ['scopes of any project', lettingPass(403, (request) => scopeOf(request).endsWith('-other')), ['project-scope']],
  [
    'single scopes that are not enough',
    refusingScopes((scope) => /^(?:view|manage)_(?:test|products):/.test(scope)),
    ['own-scope'],
  ],
  ['no manage_project', refusingScopes((scope) => scope === 'manage_project:acme'), ['manage-project']],
  ['errors without errors', bendErrors((body) => (body.errors = [])), ['envelope']],
  ['errors without a statusCode', bendErrors((body) => delete body['statusCode']), ['envelope']],
]

/** All checks with these names. */
export const findChecks = (names: readonly string[]): readonly CheckId[] =>
  Object.entries(subjects).flatMap(([subject, all]) =>
    // The table contains only checks.
    Object.keys(all.checks).flatMap((name) => (names.includes(name) ? [`${subject}/${name}` as CheckId] : [])),
  )
