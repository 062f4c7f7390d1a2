import type { MockOptions } from '../../src/options/options.ts'

/** A request that the mock refuses. */
export interface FailingRequest {
  /** Method and path. */
  readonly line: string
  /** JSON, or text that is sent as it is. */
  readonly body?: unknown
  /** In addition to a token, and the type of JSON with a body. An empty one is not sent. */
  readonly headers?: Readonly<Record<string, string>>
  readonly options?: MockOptions
}

/** A resource of the built-in fixtures. */
export const ID = 'df3775a4-90ef-4965-b751-d48698f3949f'

const draft = { objectTypeProperty: {} }
const R = '/acme/resource'
const under = (scenario: string): Pick<FailingRequest, 'headers'> => ({ headers: { 'X-Mock-Scenario': scenario } })

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const grantOf = (body: string): FailingRequest => ({
  line: 'POST /oauth/token',
  body,
  headers: { ...form, Authorization: 'Basic YTpi' },
})

export const serviceRequests: readonly FailingRequest[] = [
  { line: `GET ${R}`, headers: { Authorization: '' } },
  { line: `GET ${R}`, headers: { Authorization: 'Basic YTpi' } },
  { line: `GET ${R}`, headers: { Authorization: 'Bearer a b' } },
  { line: `GET ${R}`, headers: { Authorization: '' }, options: { auth: 'strict' } },
  { line: `GET ${R}`, options: { auth: 'strict' } },
  { line: `POST ${R}`, body: draft, headers: { Authorization: 'Bearer view_test:acme' } },
  { line: `GET ${R}`, ...under('expired-token') },
  { line: `GET ${R}`, ...under('missing-scope') },
  { line: `GET ${R}/none` },
  { line: `GET ${R}/key=none` },
  { line: 'GET /acme/resorce' },
  { line: 'PUT /posts/1', body: {} },
  { line: `PATCH ${R}/1`, body: {} },
  { line: `DELETE ${R}` },
  { line: `GET ${R}?limit=501` },
  { line: `GET ${R}?limit=many` },
  { line: `GET ${R}?limit=1&limit=2` },
  { line: `GET ${R}?sort=size` },
  { line: `GET ${R}?where=key%20%3D` },
  { line: `GET ${R}?where=kye%20%3D%20%22a%22` },
  { line: `GET ${R}?where=key%20%3D%20%3Ax` },
  { line: `GET ${R}/searchApiPattern?fuzzy=true&fuzzyLevel=3&text.en=ab` },
  { line: `GET ${R}?Limit=1`, options: { strict: true } },
  { line: `POST ${R}`, body: '{' },
  { line: `POST ${R}`, body: '' },
  { line: `POST ${R}`, body: [] },
  { line: `POST ${R}`, body: {} },
  { line: `POST ${R}`, body: { objectTypeProperty: { arrayOfIntExample: ['a', 1.5] } } },
  { line: `POST ${R}`, body: { key: 'a', ...draft } },
  { line: `POST ${R}`, body: draft, headers: { 'Content-Type': 'text/plain' } },
  { line: `POST ${R}`, body: draft, headers: { 'Content-Encoding': 'br, x' } },
  { line: `POST ${R}`, body: draft, options: { maxBody: 10 } },
  { line: `POST ${R}/${ID}`, body: { version: 1, actions: [] } },
  { line: `POST ${R}/${ID}`, body: { actions: [] } },
  { line: `POST ${R}/${ID}`, body: { version: 3, actions: [{ action: 'rename' }] } },
  { line: `DELETE ${R}/${ID}?version=x` },
  { line: `POST ${R}/images?sku=a`, body: 'a', headers: { 'Content-Type': 'image/png' } },
  { line: `POST ${R}/images?sku=a`, body: 'a', headers: { 'Content-Type': 'image/svg+xml' } },
  { line: `GET ${R}`, headers: { 'X-Mock-Scenario': 'conflit' } },
  { line: `GET ${R}`, headers: { 'X-Mock-Scenario': 'xyzzy' } },
  { line: `GET ${R}`, headers: { 'X-Mock-Scenario': 'none, slow' } },
  { line: `GET ${R}`, headers: { 'X-Mock-Delay': 'long' } },
  { line: `GET ${R}`, headers: { 'X-Mock-Session': 'a b' } },
  { line: `GET ${R}`, ...under('unavailable') },
  { line: 'POST /oauth/token', body: 'grant_type=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  { line: 'POST /oauth/token', body: {} },
  grantOf('grant_type=x'),
  grantOf(''),
  grantOf('grant_type=client_credentials&scope=view'),
  grantOf('grant_type=client_credentials&scope=a:b&scope=a:c'),
  grantOf('grant_type=refresh_token&refresh_token=none'),
  {
    line: 'POST /oauth/token',
    body: 'grant_type=client_credentials',
    headers: { ...form, Authorization: 'Basic YTpi' },
    options: { clients: ['shop:secret'] },
  },
  { line: 'GET /oauth/token', headers: { Authorization: '' } },
  { line: `GET ${R}/%ff` },
  { line: `GET ${R}`, options: { scenario: 'unauthorized' } },
  { line: `GET ${R}?where=${'a'.repeat(65_537)}` },
  { line: `POST ${R}`, body: 'a', headers: { 'Content-Encoding': 'gzip' } },
  { line: `POST ${R}`, body: '['.repeat(101) },
  { line: `GET ${R}/namespace-action-with-headers`, headers: { Accept: 'application/json' } },
  { line: `GET ${R}/namespace-action-with-headers`, headers: { Accept: 'application/json', 'Storefront-Locale': 'x' } },
  { line: `GET ${R}/namespace-action-with-headers`, headers: { Accept: 'text/html', 'Storefront-Locale': 'de' } },
  { line: `POST ${R}/images?sku=none`, body: 'a', headers: { 'Content-Type': 'image/png' } },
  { line: `PATCH ${R}`, body: { key: 'none', ...draft } },
  { line: `GET ${R}`, headers: { 'X-Correlation-ID': 'a' }, options: { strict: true } },
]

export const adminRequests: readonly FailingRequest[] = [
  { line: 'GET /__admin/request' },
  { line: 'GET /__admin/mappings' },
  { line: 'PUT /__admin/requests', body: {} },
  { line: 'GET /__admin/requests/none' },
  { line: 'GET /__admin/requests?limit=-1' },
  { line: 'GET /__admin/requests?filter=stauts%3A409' },
  { line: 'GET /__admin/requests?since=yesterday' },
  { line: 'POST /__admin/requests/find', body: { methd: 'GET' } },
  { line: 'POST /__admin/requests/find', body: { urlPattern: '(' } },
  { line: 'PUT /__admin/scenarios/active', body: ['conflict'] },
  { line: 'PUT /__admin/scenarios/active', body: { active: 'conflict' } },
  { line: 'PUT /__admin/scenarios/active', body: { active: ['xyzzy'] } },
  { line: 'PUT /__admin/scenarios/active/slow?before=a&after=b', body: {} },
  { line: 'PUT /__admin/scenarios/a%20b', body: {} },
  { line: 'PUT /__admin/scenarios/mine', body: { rules: [{ efect: {} }], description: 'a' } },
  { line: 'PUT /__admin/scenarios/mine', body: { rules: [{ effect: { delay: {} } }], description: 'a' } },
  {
    line: 'PUT /__admin/scenarios/mine',
    body: { rules: [{ match: { operation: 'deleteResourceById' }, effect: { expireToken: true } }], description: 'a' },
  },
  { line: 'DELETE /__admin/scenarios/slow' },
  { line: 'DELETE /__admin/scenarios/mine' },
  { line: 'PUT /__admin/state', body: '{' },
  { line: 'PUT /__admin/state/acme', body: [{ kee: 1 }] },
  {
    line: 'PUT /__admin/state/acme',
    body: [
      { key: 'a', ...draft },
      { key: 'a', ...draft },
    ],
  },
  { line: 'POST /__admin/snapshots/none/restore', body: {} },
  { line: 'PUT /__admin/clock', body: { advance: 'soon' } },
  { line: 'PUT /__admin/clock', body: { now: '2026-02-30T12:00:00Z' } },
  { line: 'GET /__admin/coverage?only=deleteResourceById' },
  { line: 'GET /__admin/coverage?only=xyzzy' },
  { line: 'GET /__admin/openapi.json?version=2' },
  { line: 'GET /__admin/pact' },
  { line: 'DELETE /__admin/sessions/none' },
  { line: 'POST /__admin/requests/none/resend', body: {} },
  { line: `GET /__admin/resources/none/versions` },
  { line: 'GET /__admin/requests', headers: { Authorization: 'Bearer b' }, options: { adminToken: 'a' } },
  { line: 'GET /__admin/requests', headers: { Host: 'evil.example' } },
  { line: 'GET /__admin/requests', headers: { Origin: 'https://evil.example' } },
  { line: 'POST /__admin/mcp', body: [] },
  { line: 'GET /__admin/requests?sort=size' },
  { line: 'GET /__admin/requests?filter=status%3Ahigh' },
  { line: 'GET /__admin/requests?before=none' },
  { line: 'POST /__admin/requests/find', body: { urlPattern: 'a'.repeat(1001) } },
  { line: 'PUT /__admin/scenarios/active/none', body: {} },
  { line: 'PUT /__admin/scenarios/active/xyzzy', body: {} },
  { line: 'PUT /__admin/scenarios/active/slow?before=flaky', body: {} },
  { line: 'PUT /__admin/scenarios/active', body: { active: Array.from({ length: 101 }, () => 'slow') } },
  {
    line: 'PUT /__admin/scenarios/mine',
    body: { description: 'a', rules: [{ effect: { answer: { status: 200, bodyFile: 'a.json' } } }] },
  },
  { line: 'PUT /__admin/state/__admin', body: [] },
  { line: 'PUT /__admin/state/acme?region=eu', body: [] },
  { line: 'PUT /__admin/clock', body: {} },
  { line: 'PUT /__admin/clock', body: { advance: '9999999d' } },
  { line: 'GET /__admin/state/acme/resources/none' },
  { line: `PUT /__admin/state/acme/resources/${ID}`, body: {} },
  { line: `PUT /__admin/state/acme/resources/${ID}?version=last`, body: {} },
  { line: 'GET /__admin/images/none' },
  { line: 'GET /__admin/runs/none' },
  { line: 'GET /__admin/sessions/checkout/test' },
  { line: 'PUT /__admin/sessions/checkout/test', body: {} },
  { line: 'DELETE /__admin/sessions/default?final=true' },
  { line: 'POST /__admin/shutdown', body: {} },
  { line: 'POST /_pactSetup', body: [] },
  { line: 'GET /_pactSetup' },
]
