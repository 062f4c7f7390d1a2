import { gzipSync } from 'node:zlib'

/**
 * @typedef {object} HeldRequest
 * @property {string} [method]
 * @property {string} path
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {string | Uint8Array} [body] less than 1 MB
 * @property {number} [answer] the status of a request that prepares a case; default: below 400
 *
 * @typedef {object} HeldOptions
 * @property {readonly HeldRequest[]} [seed] requests to send first, without measuring
 * @property {number} [filled] number of failed updates of one resource that the journal has before; default: none, and a
 * journal of 1,000 requests
 * @property {number} [streams] number of open event streams that get the request's event
 * @property {number} [atOnce] how many of the request to send at the same time; default: 1
 * @property {boolean} [isStream] whether the response never ends
 *
 * @typedef {readonly [title: string, status: number, request: HeldRequest, options?: HeldOptions]} HeldCase a hostile
 * request, and the status that proves that it reached the tested code
 */

/** Just below the limits of a body, of a request line and headers, and of a pattern and a kept body. */
const MOST = 990_000
const HEAD = 60_000
const SMALL = 64_000

const RESOURCE = '/bench/resource'
const SORTED = `${RESOURCE}/sorted-query-parameters`
const SEARCH = `${RESOURCE}/searchApiPattern`
const ACTION = `${RESOURCE}/namespace-action`

const times = (count, make) => Array.from({ length: count }, (_, at) => make(at))
/** Repeats a piece until it fills a length. */
const fill = (piece, length) => piece.repeat(Math.floor(length / piece.length))
const list = (piece, length = MOST) => `[${fill(`${piece},`, length).slice(0, -1)}]`
const numbers = (count) => `[${times(count, String).join()}]`
const members = (count) => times(count, (at) => `"m${at}":1`).join()
const records = (count, content = () => '') =>
  `[${times(count, (at) => `{"id":"r${at}","objectTypeProperty":{${content(at)}}}`).join()}]`

const get = (path, headers = {}) => ({ path, headers })
const send = (method, path, body, type = 'application/json') => ({
  method,
  path,
  headers: { 'Content-Type': type },
  body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
})
const post = (path, body, type) => send('POST', path, body, type)
const put = (path, body) => send('PUT', path, body)
const create = (content) => post(RESOURCE, `{"objectTypeProperty":{${content}}}`)
const where = (predicate) => get(`${SORTED}?where=${encodeURIComponent(predicate)}`)
/** A query parameter with a hundred values. */
const hundred = (name, toValue) => times(100, (at) => `${name}=${encodeURIComponent(toValue(at))}`).join('&')
const find = (...bodyPatterns) => post('/__admin/requests/find', { bodyPatterns })
const select = (parameters) => get(`/__admin/requests?${new URLSearchParams({ limit: 1, ...parameters })}`)
const call = (name, given) => ({
  ...post(
    '/__admin/mcp',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`,
  ),
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
})
/** Defines and activates a scenario; after its other rules, one answers 418. */
const scenario = (...matches) => [
  put('/__admin/scenarios/held', {
    description: 'held',
    rules: [
      ...matches.map((match) => ({ match, effect: { hideResources: true } })),
      { effect: { answer: { status: 418 } } },
    ],
  }),
  put('/__admin/scenarios/active', { active: ['held'] }),
]

const ones = create(`"arrayOfIntExample":${list('1')}`)
const ints = create(`"arrayOfIntExample":${numbers(140_000)}`)
const entries = create(`"arrayOfObjectType":${list('{"integerExample":1}')}`)
const words = create(`"arrayOfStringExample":["${times(110_000, (at) => (at + 20_000_000).toString(26)).join(' ')}"]`)

/** Bodies of the longest length that the journal keeps. */
const journaled = (count, piece) => times(count, () => post(ACTION, JSON.stringify(fill(piece, SMALL))))
const longPaths = times(1000, (at) => ({ path: `/acme/${fill('%41%20', 14_000)}${at}`, answer: 404 }))
const conflicts = times(1000, (at) => ({
  ...post(
    `${RESOURCE}/r${at % 200}`,
    `{"actions":[{"action":"doSomeThing"}],"note":"${fill('a', SMALL)}","version":7}`,
  ),
  answer: 409,
}))
const resources = put('/__admin/state/bench', records(200))
const test = (at) => ({ run: 'r1', title: ['suite', `test ${at} ${fill('t', 100)}`], file: 'a.spec.ts', line: at + 1 })
const failed = { status: 'failed', duration: 1 }
const startTest = (at) => put(`/__admin/sessions/s${at}/test`, test(at))
const manyTests = times(900, startTest)
const longSession = [startTest(1), ...journaled(1000, 'x').map((one) => ({ ...one, path: `/@s1${one.path}` }))]
const endSession = { method: 'DELETE', path: '/__admin/sessions/s1' }

/** A text of `a` with a `b` in the middle, to find in a text of `a`. */
const aba = (length) => `${fill('a', length / 2)}b${fill('a', length / 2)}`

/** @type {readonly HeldCase[]} */
export const heldCases = [
  // Bodies
  ['body: 240,000 values of the wrong type', 400, create(`"arrayOfIntExample":${list('1.5')}`)],
  ['body: 80,000 unknown members', 201, create(members(80_000))],
  ['body: 80,000 members, then a duplicate one', 400, post(RESOURCE, `{${members(80_000)},"m0":1}`)],
  ['body: 55,000 integers of 17 digits', 201, create(`"arrayOfIntExample":${list('99999999999999999')}`)],
  ['body: an integer of 900,000 digits', 400, create(`"arrayOfIntExample":[${fill('9', MOST)}]`)],
  ['query: a zero with the exponent 500,000,000', 200, get(`${RESOURCE}?limit=0e500000000`)],
  [
    'body: 500 actions with 130 unknown members each',
    200,
    post(
      `${RESOURCE}/r0`,
      `{"version":1,"actions":[${times(500, () => `{"action":"doSomeThing",${members(130)}}`).join()}]}`,
    ),
    { seed: [resources] },
  ],
  [
    'body: complex POST, 80,000 unknown members',
    201,
    post(`${RESOURCE}/artificially-complex/path/uri-parameter-one=a/b`, `{${members(80_000)}}`),
  ],
  [
    'body: gzip of 1 GB of white space',
    413,
    {
      ...post(RESOURCE, gzipSync(Buffer.alloc(1_000_000_000, ' ')).subarray(0, MOST)),
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    },
  ],
  [
    'image: 990 KB of PNG chunks',
    400,
    post(
      `${RESOURCE}/images`,
      Buffer.from(
        `89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489${Buffer.from(fill('0000000049444154', MOST)).toString('hex')}`,
        'hex',
      ),
      'image/png',
    ),
  ],
  [
    'OAuth: a form with 9,000 scopes',
    200,
    {
      ...post(
        '/oauth/token',
        `grant_type=client_credentials&scope=${times(9000, (at) => `a:${at}`)
          .join('+')
          .slice(0, SMALL)}`,
        'application/x-www-form-urlencoded',
      ),
      headers: { Authorization: 'Basic YTpi' },
    },
  ],
  // Queries
  [
    'where: 100 conditions over 490,000 numbers',
    200,
    where(times(100, (at) => `arrayOfIntExample contains any (-${at})`).join(' or ')),
    { seed: [ones] },
  ],
  [
    'where: 100 values over 140,000 numbers',
    200,
    where(`arrayOfIntExample contains any (${times(100, (at) => `-${at}`).join()})`),
    { seed: [ints] },
  ],
  [
    'where: 100 conditions over 47,000 entries',
    200,
    where(`arrayOfObjectType(${times(100, () => 'integerExample = 2').join(' or ')})`),
    { seed: [entries] },
  ],
  [
    'where: one condition over 30 resources of 900 KB, eight at once',
    200,
    where('arrayOfIntExample contains any (2)'),
    { seed: times(30, () => ones), atOnce: 8 },
  ],
  [
    'query: arrayOfString, 100 times over 110,000 words',
    200,
    get(`${RESOURCE}?${hundred('arrayOfString', (at) => `w${at}`)}`),
    { seed: [create(`"arrayOfStringExample":${list('"abcdefg"')}`)] },
  ],
  [
    'sort: 30 resources of 47,000 entries',
    200,
    get(`${SORTED}?sort=arrayOfObjectType.integerExample%20desc`),
    { seed: times(30, () => entries) },
  ],
  [
    'search: 100 fuzzy words against 110,000',
    200,
    get(`${SEARCH}?fuzzy=true&text.en=${times(100, (at) => (at + 20_109_900).toString(26)).join('+')}`),
    { seed: [words] },
  ],
  [
    'search: a fuzzy word of 60,000 letters',
    200,
    get(`${SEARCH}?fuzzy=true&text.en=${fill('a', HEAD)}`),
    { seed: [create(`"arrayOfStringExample":${list(`"${fill('b', HEAD)}"`)}`)] },
  ],
  [
    'filter: 100 ranges over 140,000 numbers',
    200,
    get(
      `${SEARCH}?filter=arrayOfIntExample:range${encodeURIComponent(times(100, (at) => `(-${2 * at + 1} to -${2 * at})`).join())}`,
    ),
    { seed: [ints] },
  ],
  [
    'facet: 30 resources of 140,000 numbers',
    200,
    get(`${SEARCH}?facet=arrayOfIntExample`),
    { seed: times(30, () => ints) },
  ],
  // Request line and headers
  ['path: 60,000 slashes', 404, get(fill('/', HEAD))],
  [
    'query: 8,000 unknown parameters',
    200,
    get(
      `${RESOURCE}?${times(8000, (at) => `u${at}=`)
        .join('&')
        .slice(0, HEAD)}`,
    ),
  ],
  ['Prefer: 20,000 preferences', 200, get(RESOURCE, { Prefer: fill('a,b', HEAD) })],
  ['Accept: 15,000 ranges', 200, get(RESOURCE, { Accept: fill('a/b,', HEAD).slice(0, -1) })],
  ['Cookie: 20,000 pairs', 200, get(RESOURCE, { Cookie: fill('a=;', HEAD) })],
  ['X-Mock-Scenario: 20,000 names', 400, get(RESOURCE, { 'X-Mock-Scenario': fill('ab,', HEAD) })],
  // Journal
  [
    'journal: matches (.*[ab].*){200}c in 100 bodies of 64 KB',
    400,
    find({ matches: '(.*[ab].*){200}c' }),
    { seed: journaled(100, 'ab') },
  ],
  [
    'journal: 100 conditions on 100 bodies of 64 KB',
    200,
    find(...times(100, () => ({ matches: '.*' }))),
    { seed: journaled(100, 'ab') },
  ],
  [
    'journal: contains a…b…a in 100 bodies of 64 KB',
    200,
    find({ contains: aba(32_000) }),
    { seed: journaled(100, 'a') },
  ],
  [
    'journal: ignoreArrayOrder, 10,000 elements in reverse',
    400,
    find({ equalToJson: times(10_000, (at) => 9999 - at), ignoreArrayOrder: true }),
    {
      seed: times(20, () =>
        post(
          ACTION,
          times(10_000, (at) => at),
        ),
      ),
    },
  ],
  [
    'journal: a filter of 20 bodies, 1,000 bodies of 64 KB',
    200,
    select({ filter: times(20, (at) => `-body~silk${at}`).join(' ') }),
    { seed: journaled(1000, 'linen and wool ') },
  ],
  [
    'journal: a filter of 20 words, 1,000 paths of 14 KB',
    200,
    select({ filter: times(20, (at) => `-${fill('a', at + 1)}b`).join(' ') }),
    { seed: longPaths },
  ],
  ['journal: sorted by path, 1,000 paths of 14 KB', 200, select({ sort: 'path' }), { seed: longPaths }],
  [
    'journal: the list of the dashboard, 50,000 failures',
    200,
    select({ limit: 500, summary: true, retries: true, periods: 120 }),
    { filled: 50_000 },
  ],
  ['journal: as HAR, 1,000 bodies of 64 KB', 200, get('/__admin/requests.har'), { seed: journaled(1000, 'x') }],
  [
    'journal: history of a resource with 5 conflicts among 1,000',
    200,
    get('/__admin/resources/r0/history?projectKey=bench'),
    { seed: [resources, ...conflicts] },
  ],
  [
    'journal: near misses of a path of 64 KB',
    200,
    post('/__admin/near-misses/request', { method: 'GET', url: fill('/a', SMALL) }),
  ],
  [
    'journal: removal from 1,000 failed updates of 64 KB',
    200,
    post('/__admin/requests/remove', { urlPath: `${RESOURCE}/r0` }),
    { seed: [resources, ...conflicts] },
  ],
  // Runs and events
  [
    'runs: an error of 10,000 slashes',
    200,
    put('/__admin/sessions/s1/test', { ...test(1), ...failed, error: fill('/', 10_000) }),
  ],
  ['runs: a run of 900 tests', 200, get('/__admin/runs/r1'), { seed: manyTests }],
  ['runs: the end of a session with 1,000 requests of 64 KB', 200, endSession, { seed: longSession }],
  [
    'runs: a file of an archived session, ten at once',
    200,
    get('/__admin/share.html?session=s1'),
    { seed: [...longSession, endSession], atOnce: 10 },
  ],
  ['runs: a file of conflicts of 200 resources', 200, get('/__admin/share.html'), { seed: [resources, ...conflicts] }],
  [
    'events: 400 streams get a body of 54 KB',
    201,
    create(`"arrayOfStringExample":["${fill('x', 54_000)}"]`),
    { streams: 400 },
  ],
  [
    'events: replay of 1,000 bodies of 64 KB',
    200,
    get('/__admin/events', { 'Last-Event-ID': 'none' }),
    { seed: journaled(1000, 'x'), isStream: true },
  ],
  // Scenarios
  ['scenario: 1,600 rules', 418, get(RESOURCE), { seed: scenario(...times(1600, () => ({ path: '/x/**/resource' }))) }],
  [
    'scenario: query a*a*…b against 60,000 letters',
    418,
    get(`${RESOURCE}?stringParameter=${fill('a', HEAD)}`),
    { seed: scenario({ query: { stringParameter: `${fill('a*', 400)}b` } }) },
  ],
  [
    'scenario: body *a…b…a* against 900,000 letters',
    418,
    post(RESOURCE, `{"objectTypeProperty":{},"s":"${fill('a', MOST - 100)}"}`),
    { seed: scenario({ body: { s: `*${aba(200_000)}*` } }) },
  ],
  [
    'scenario: a wrong definition of 50 KB',
    400,
    put(
      '/__admin/scenarios/held',
      `{"rules":[{"effect":{"answer":{"status":200,"body":${list('0', 49_000)}}}}],"bad":1}`,
    ),
  ],
  [
    'scenario: a definition of 4,900 broken rules',
    400,
    put('/__admin/scenarios/held', { description: 'held', rules: times(4900, () => ({ mach: 1 })) }),
  ],
  // State
  ['state: import of 25,000 resources', 200, put('/__admin/state/bench', records(20_000))],
  ['state: import of 120,000 broken resources', 400, put('/__admin/state/bench', list('{"x":1}'))],
  [
    'state: first write at 20,000 resources',
    201,
    create('"arrayOfIntExample":[1]'),
    { seed: [put('/__admin/state/bench', records(20_000))] },
  ],
  [
    'resource: PUT of 490,000 numbers',
    201,
    put('/__admin/state/bench/resources/r1', `{"objectTypeProperty":{"arrayOfIntExample":${list('1', MOST - 100)}}}`),
  ],
  [
    'Pact: a state of 30,000 resources',
    200,
    post('/_pactSetup', `{"state":"","params":{"resources":${list('{"objectTypeProperty":{}}', MOST - 100)}}}`),
  ],
  // Model Context Protocol
  [
    'MCP: seed_resources with 490,000 numbers',
    200,
    call('seed_resources', `{"records":[{"objectTypeProperty":{"arrayOfIntExample":${list('0', MOST - 1000)}}}]}`),
  ],
  [
    'MCP: seed_resources with 120,000 wrong records',
    200,
    call('seed_resources', `{"records":${list('{"x":1}', MOST - 1000)}}`),
  ],
  [
    'MCP: define_scenario with 30,000 wrong rules',
    200,
    call('define_scenario', `{"name":"held","scenario":{"rules":${list('1', SMALL)}}}`),
  ],
  ['MCP: a message of 990 KB', 413, call('coverage', `{"only":${list('"x"', MOST - 1000)}}`)],
]
