import { createTokens } from '../../../src/service/auth/tokens.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import { stringifyJson } from '../../../src/service/http/json.ts'
import { toPng } from '../../service/http/image-samples.ts'

/** A request. */
export interface SentRequest {
  /** Method and path. */
  readonly line: string
  /** JSON, or text or bytes that are sent as they are. */
  readonly body?: unknown
  /** In addition to a token, and the type of JSON with a body. An empty one is not sent. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that the mock refuses. */
export interface FailingRequest extends SentRequest {
  readonly options?: MockOptions
  /** Sent first, in order. Later lines and headers may contain `{id}`, the first id in the last response that has one. */
  readonly before?: readonly SentRequest[]
  /** The IP address of a client at a socket. */
  readonly from?: string
}

/** The text of a body; bytes are named by their number. */
export const toText = (body: unknown): string =>
  typeof body === 'string' ? body : body instanceof Uint8Array ? `${body.length} bytes` : stringifyJson(body)

export function toRequest({ line, body, headers = {} }: SentRequest): Request {
  const [method = '', path = ''] = line.split(' ')
  const sent = new Headers({
    Authorization: 'Bearer any',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  })
  for (const [name, value] of Object.entries(headers)) if (value === '') sent.delete(name)
  return new Request(`http://localhost:4010${path}`, {
    method,
    headers: sent,
    ...(body === undefined ? {} : { body: body instanceof Uint8Array ? Uint8Array.from(body) : toText(body) }),
  })
}

/** A resource of the built-in fixtures. */
export const ID = 'df3775a4-90ef-4965-b751-d48698f3949f'

const draft = { objectTypeProperty: {} }
const R = '/acme/resource'
const under = (scenario: string): Pick<FailingRequest, 'headers'> => ({ headers: { 'X-Mock-Scenario': scenario } })

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const grantOf = (body: string | Uint8Array, options: MockOptions = {}): FailingRequest => ({
  line: 'POST /oauth/token',
  body,
  headers: { ...form, Authorization: 'Basic YTpi' },
  ...(Object.keys(options).length === 0 ? {} : { options }),
})

/** A refresh token of the client "shop", which expires in February 2026. */
const tokenSecret = 'secret'
const clock = '2026-01-31T12:00:00Z'
const refreshToken = await createTokens({
  secret: tokenSecret,
  clock: () => Date.parse(clock),
  newId: () => 'a',
}).issue({
  scopes: ['view_test:acme'],
  clientId: 'shop',
  kind: 'refresh',
})
const refreshAt = (clock: string): FailingRequest =>
  grantOf(`grant_type=refresh_token&refresh_token=${refreshToken}`, { tokenSecret, clock })

const none = { fixtures: { 'resources.json': '[]' } }
const upload = (search: string, options: MockOptions = {}): FailingRequest => ({
  line: `POST ${R}/images${search}`,
  body: toPng(1, 1),
  headers: { 'Content-Type': 'image/png' },
  options,
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
  { line: `GET ${R}`, headers: { 'X-Long': 'a'.repeat(65_537) } },
  { line: `POST ${R}`, body: 'a', headers: { 'Content-Encoding': 'gzip' } },
  { line: `POST ${R}`, body: '['.repeat(101) },
  { line: `GET ${R}/namespace-action-with-headers`, headers: { Accept: 'application/json' } },
  { line: `GET ${R}/namespace-action-with-headers`, headers: { Accept: 'application/json', 'Storefront-Locale': 'x' } },
  { line: `GET ${R}/namespace-action-with-headers`, headers: { Accept: 'text/html', 'Storefront-Locale': 'de' } },
  { line: `POST ${R}/images?sku=none`, body: 'a', headers: { 'Content-Type': 'image/png' } },
  { line: `PATCH ${R}`, body: { key: 'none', ...draft } },
  { line: `GET ${R}`, headers: { 'X-Correlation-ID': 'a' }, options: { strict: true } },
  { line: `GET ${R}`, headers: { Prefer: 'code=400' } },
  { line: `GET ${R}`, headers: { Prefer: 'code=503' } },
  { line: `GET ${R}`, headers: { Authorization: `Bearer ${refreshToken}` }, options: { tokenSecret } },
  { line: `GET ${R}`, headers: { Authorization: `Bearer ${refreshToken}` } },
  refreshAt(clock),
  { ...refreshAt('2027-01-31T12:00:00Z'), headers: { ...form, Authorization: 'Basic c2hvcDpi' } },
  grantOf('grant_type=client_credentials&client_secret=b'),
  grantOf(Uint8Array.of(0xff, 0xfe)),
  { line: `PATCH ${R}`, body: draft, options: none },
  upload('', none),
  upload('?variant=999'),
  upload('?variant=1', { memory: 100 }),
  { line: `GET ${R}?where=version%20%3D%20%3Ax&var.x=new` },
  { line: `GET ${R}?where=version%20%3D%20%22new%22` },
  { line: `GET ${R}/searchApiPattern?fuzzy=true&fuzzyLevel=-1&text.en=ab` },
  { line: `GET ${R}?${'sort=id&'.repeat(101)}` },
  { line: `POST ${R}`, body: '{"objectTypeProperty":{"arrayOfFloatExample":[9007199254740992.5]}}' },
]

const test = (title: string): SentRequest => ({
  line: 'PUT /__admin/sessions/checkout/test',
  body: { run: 'nightly', title: [title], file: 'a.spec.ts', line: 1 },
})
/** Ends a session that belongs to a test. */
const ended: Pick<FailingRequest, 'before' | 'headers'> = {
  before: [test('saves'), { line: 'DELETE /__admin/sessions/checkout' }],
  headers: { 'X-Mock-Session': '{id}' },
}
/** Sends a request, and lists it for its id. */
const sent = (one: SentRequest): Pick<FailingRequest, 'before'> => ({
  before: [one, { line: 'GET /__admin/requests?limit=1' }],
})
const many = <T>(length: number, create: (at: number) => T): readonly T[] =>
  Array.from({ length }, (_, at) => create(at + 1))
const stateOf = (...projects: readonly object[]): SentRequest => ({
  line: 'PUT /__admin/state',
  body: { format: 'resource-mock/1', projects },
})
const project = { projectKey: 'acme', resources: [] }
const defineMany = many(100, (at) => ({
  line: `PUT /__admin/scenarios/s${at}`,
  body: { description: 'a', rules: [{ effect: { delay: { fixedDelayMilliseconds: 1 } } }] },
}))
const { line: _line, ...mine } = defineMany[0] ?? { line: '' }

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
      { key: 'hat', ...draft },
      { key: 'hat', ...draft },
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
  { line: 'POST /__admin/requests/find', body: { urlPath: 'a'.repeat(65_536) } },
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
  { ...ended, line: 'PUT /__admin/clock', body: { advance: '1h' } },
  { ...ended, line: 'GET /__admin/snapshots' },
  { line: 'GET /__admin/events', before: many(1000, () => ({ line: 'GET /__admin/events' })) },
  { line: 'GET /__admin/requests', headers: { 'Sec-Fetch-Site': 'cross-site' } },
  { line: 'GET /__admin/requests', from: '192.0.2.1' },
  { line: 'GET /__admin/resources/none/history' },
  { ...sent({ line: 'GET /posts/1' }), line: 'GET /__admin/requests/{id}/scenario' },
  { ...sent({ line: `POST ${R}`, body: 'a'.repeat(70_000) }), line: 'POST /__admin/requests/{id}/resend', body: {} },
  ...[
    { url: '/__admin/state' },
    { url: `/@other${R}` },
    { headers: { 'a b': 'c' } },
    { method: 'a b' },
    { body: {} },
  ].map((body) => ({ ...sent({ line: `GET ${R}` }), line: 'POST /__admin/requests/{id}/resend', body })),
  {
    line: 'PUT /__admin/scenarios/active/slow',
    before: [...defineMany, { line: 'PUT /__admin/scenarios/active', body: { active: many(100, (at) => `s${at}`) } }],
    body: {},
  },
  { ...mine, line: 'PUT /__admin/scenarios/mine', before: defineMany },
  { line: 'PUT /__admin/clock', body: { advance: '2932000d' } },
  ...['[z-a]', '[', '*', 'a++', 'a{2,1}', ')'].map((urlPattern) => ({
    line: 'POST /__admin/requests/find',
    body: { urlPattern },
  })),
  ...['a+'.repeat(21), 'status~4', 'time:noon', 'retry:maybe'].map((filter) => ({
    line: `GET /__admin/requests?filter=${filter}`,
  })),
  { ...test('loads'), before: [test('saves')] },
  {
    line: `POST /@second${R}`,
    body: draft,
    before: [{ line: `POST /@first${R}`, body: draft }],
    options: { maxSessions: 1 },
  },
  { line: `GET /@first${R}`, before: [{ line: 'DELETE /__admin/sessions/first?final=true' }] },
  stateOf({ ...project, action: '{' }),
  stateOf(project, project),
  stateOf(...many(1001, (at) => ({ ...project, projectKey: `p${at}` }))),
  {
    line: `POST ${R}`,
    body: draft,
    before: [stateOf(...many(1000, (at) => ({ ...project, projectKey: `p${at}` })))],
  },
  {
    line: 'PUT /__admin/snapshots/mine',
    body: {},
    before: many(100, (at) => ({ line: `PUT /__admin/snapshots/s${at}`, body: {} })),
  },
  {
    line: 'POST /_pactSetup',
    body: { state: 'a project with these resources', params: { resources: many(2, () => ({ key: 'hat', ...draft })) } },
  },
]
