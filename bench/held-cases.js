import { deflateSync, gzipSync } from 'node:zlib'

/**
 * @typedef {object} HeldRequest
 * @property {string} [method]
 * @property {string} path
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {string | Uint8Array} [body] less than 1 MB
 * @property {boolean} [isStream] whether the response never ends
 * @property {number} [answer] the status of a request that prepares a case and is rejected
 * @property {boolean} [isKept] whether the measured request needs the text of the response
 *
 * @typedef {object} HeldCase
 * @property {string} title
 * @property {readonly HeldRequest[]} [seed] requests to send first, without measuring
 * @property {number} [filled] number of failed updates of one resource that the journal has before; default: none, and a
 * journal of 1,000 requests
 * @property {number} [streams] number of open event streams that get the request's event
 * @property {HeldRequest | ((known: string) => HeldRequest)} request built from the kept text, if it needs one
 * @property {number} [atOnce] how many of it to send at the same time; default: 1
 * @property {number} answer the status that proves that the request reached the tested code
 */

/** Just below 1 MB. */
const MOST = 990_000
/** Just below Node's limit for a request line and headers. */
const MOST_HEAD = 15_500

const json = { 'Content-Type': 'application/json' }
const RESOURCE = '/bench/resource'
const SORTED = `${RESOURCE}/sorted-query-parameters`
const SEARCH = `${RESOURCE}/searchApiPattern`

/** Repeats a piece until it fills a length. */
const fill = (piece, length) => piece.repeat(Math.floor(length / piece.length))
const list = (piece, length = MOST) => `[${fill(`${piece},`, length).slice(0, -1)}]`

const post = (path, body, headers = json) => ({ method: 'POST', path, headers, body })
const put = (path, body, headers = json) => ({ method: 'PUT', path, headers, body })
const create = (members) => post(RESOURCE, `{"objectTypeProperty":{${members}}}`)
const times = (count, make) => Array.from({ length: count }, (_, at) => make(at))

const longInts = create(`"arrayOfIntExample":${list('1')}`)
const manyInts = create(`"arrayOfIntExample":[${times(130_000, (at) => at).join()}]`.slice(0, MOST))
const longEntries = create(`"arrayOfObjectType":${list('{"integerExample":1}')}`)
const longTexts = create(`"arrayOfStringExample":${list('"abcdefgh"')}`)
const longWords = create(`"arrayOfStringExample":${list(`"${'b'.repeat(16_000)}"`)}`)
const shortWords = create(`"arrayOfStringExample":${list('"ab cd ef gh ij kl mn op"')}`)

/** A query with one parameter, repeated as often as it fits. */
const repeated = (name, value) => fill(`${name}=${encodeURIComponent(value)}&`, MOST_HEAD).slice(0, -1)

const find = (pattern, kind = 'find') => post(`/__admin/requests/${kind}`, JSON.stringify(pattern))
/** A body of the longest length that the journal keeps, repeated. */
const journaled = (count, text) =>
  times(count, () => post(`${RESOURCE}/namespace-action`, JSON.stringify(text.slice(0, 65_000))))

/** A test of one run. */
const test = (at) => ({ run: 'r1', title: ['suite', `test ${at} ${'t'.repeat(100)}`], file: 'a.spec.ts', line: at + 1 })
const startTest = (at) => put(`/__admin/sessions/s${at}/test`, JSON.stringify(test(at)))
const inSession = (name, requests) => requests.map((one) => ({ ...one, path: `/@${name}${one.path}` }))
const manyTests = times(900, (at) => startTest(at))
/** The session of a test with 1,000 requests of 60 KB, and its end. */
const longSession = [startTest(1), ...inSession('s1', journaled(1000, 'x'.repeat(60_000)))]
const endSession = { method: 'DELETE', path: '/__admin/sessions/s1' }

/** Creations of resources of 40 KB each. */
const created = (count, headers = {}) =>
  times(count, (at) => {
    const one = create(`"stringExample":"number-${at}","arrayOfObjectType":${list('{"integerExample":1}', 40_000)}`)
    return { ...one, headers: { ...one.headers, ...headers } }
  })
const LARGE = created(400)
/** The id of the request listed by {@link LATEST}. */
const toId = (text) => JSON.parse(text).requests[0].id
const LATEST = { path: '/__admin/requests?limit=1', isKept: true }
const tool = (name, args = {}) =>
  post(
    '/__admin/mcp',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    { ...json, Accept: 'application/json, text/event-stream' },
  )
/** A query of the journal. */
const select = (parameters) => ({ path: `/__admin/requests?${new URLSearchParams({ limit: 1, ...parameters })}` })
/** Failed creations with the longest bodies that the journal keeps. */
const refused = (count, text) =>
  times(count, () => ({ ...post(RESOURCE, JSON.stringify([text.slice(0, 65_000)])), answer: 400 }))
/** The longest paths that a request line can have, with characters that are decoded for comparison. */
const LONG_PATHS = times(1000, (at) => ({ path: `/acme/${fill('%41%20', 13_900)}${at}`, answer: 404 }))
const TWENTY_TERMS = encodeURIComponent(times(20, (at) => `path:${'a'.repeat(at + 1)}b`).join(' '))

const rule = (match, effect = { hideResources: true }) => ({ match, effect })
/** A status that only the last rule returns, after all others were checked. */
const TEAPOT = 418
const define = (rules) => [
  put(
    '/__admin/scenarios/held',
    JSON.stringify({ description: 'held', rules: [...rules, rule({}, { answer: { status: TEAPOT } })] }),
  ),
  put('/__admin/scenarios/active', '{"active":["held"]}'),
]

const records = (count, members) =>
  `[${times(count, (at) => `{"id":"r${at}","objectTypeProperty":{${members(at)}}}`).join()}]`

const GZIP = { ...json, 'Content-Encoding': 'gzip' }
/** Just below the limits of a decompressed body to the service and of a state. */
const MOST_BODY = 9_900_000
const MOST_STATE = 66_000_000
const gzipPost = (path, body) => post(path, gzipSync(body), GZIP)
const gzipPut = (path, body) => put(path, gzipSync(body), GZIP)

/** A tool call over the Model Context Protocol. */
const callTool = (name, given) =>
  post(
    '/__admin/mcp',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${given}}}`,
    { ...json, Accept: 'application/json, text/event-stream' },
  )
const numbered = (count, make) => `{${times(count, (at) => make(at)).join()}}`

/** A create whose body has these members. */
const bodyCase = (title, answer, members) => ({ title: `body: ${title}`, answer, request: create(members) })

/** @type {readonly HeldCase[]} */
export const heldCases = [
  // Bodies
  bodyCase('160,000 values of the wrong type', 400, `"arrayOfIntExample":${list('"a"')}`),
  bodyCase('240,000 fractions in an integer array', 400, `"arrayOfIntExample":${list('1.5')}`),
  {
    title: 'body: 490,000 wrong update actions',
    answer: 400,
    request: post(`${RESOURCE}/1`, `{"version":1,"actions":${list('1')}}`),
  },
  bodyCase('80,000 unknown members', 400, times(80_000, (at) => `"m${at}":1`).join()),
  bodyCase('unknown members in each of 50,000 entries', 201, `"arrayOfObjectType":${list('{"mmmmmmmmmm":1}')}`),
  bodyCase('an integer of 900,000 digits', 400, `"arrayOfIntExample":[${'9'.repeat(MOST)}]`),
  bodyCase('integers of 5,000 digits', 400, `"arrayOfIntExample":${list('9'.repeat(5000))}`),
  bodyCase('integers of 17 digits', 201, `"arrayOfIntExample":${list('99999999999999999')}`),
  bodyCase('60,000 numbers such as 1e-99999', 201, `"arrayOfIntExample":${list('1e-99999')}`),
  bodyCase('a decimal of 900,000 digits', 400, `"arrayOfFloatExample":[0.${'9'.repeat(MOST)}]`),
  bodyCase('a string of 900,000 backslashes', 201, `"arrayOfStringExample":["${fill('\\\\', MOST)}"]`),
  bodyCase('a long unterminated run of backslashes', 400, `"arrayOfStringExample":["${fill('\\"', MOST)}`),
  { title: 'body: 400,000 opening brackets', answer: 400, request: post(RESOURCE, '['.repeat(MOST)) },
  {
    title: 'body: a string of 900 KB, then a duplicate member',
    answer: 400,
    request: post(RESOURCE, `{"a":"${'x'.repeat(MOST)}","b":1,"b":2}`),
  },
  {
    title: 'body: 90,000 members, then a duplicate one',
    answer: 400,
    request: post(RESOURCE, `{${times(90_000, (at) => `"${at}":1`).join()},"0":1}`.slice(0, MOST)),
  },
  {
    title: 'body: 900 KB of line breaks, then an error',
    answer: 400,
    request: post(RESOURCE, `${'\n'.repeat(MOST)}x`),
  },
  { title: 'body: 900 KB of white space', answer: 400, request: post(RESOURCE, `{${' '.repeat(MOST)}}`) },
  { title: 'body: not UTF-8', answer: 400, request: post(RESOURCE, new Uint8Array(MOST).fill(0xff)) },
  {
    title: 'body: gzip of 9 MB of zeros',
    answer: 400,
    request: post(RESOURCE, gzipSync(Buffer.alloc(9_000_000, '0')), { ...json, 'Content-Encoding': 'gzip' }),
  },
  {
    title: 'body: gzip of 1 GB of white space',
    answer: 413,
    request: post(RESOURCE, gzipSync(Buffer.alloc(1_000_000_000, ' ')).subarray(0, MOST), {
      ...json,
      'Content-Encoding': 'gzip',
    }),
  },
  {
    title: 'body: deflate of 9 MB of errors',
    answer: 400,
    request: post(RESOURCE, deflateSync(`{"objectTypeProperty":{"arrayOfIntExample":${list('""', 9_000_000)}}}`), {
      ...json,
      'Content-Encoding': 'deflate',
    }),
  },
  { title: 'body: a conforming draft of 900 KB', answer: 201, request: longInts },
  {
    title: 'body: 500 actions, each unknown members',
    answer: 200,
    seed: [
      put(
        '/__admin/state/bench',
        records(1, () => ''),
      ),
    ],
    request: post(
      `${RESOURCE}/r0`,
      `{"version":1,"actions":[${times(500, () => `{"action":"doSomeThing",${times(145, (at) => `"m${at}":1`).join()}}`).join()}]}`,
    ),
  },
  {
    title: 'body: complex POST, unknown members',
    answer: 400,
    request: post(
      `${RESOURCE}/artificially-complex/path/uri-parameter-one=a/b`,
      `{${times(80_000, (at) => `"m${at}":1`).join()}}`,
    ),
  },
  {
    title: 'body: action of nested arrays',
    answer: 400,
    request: post(
      `${RESOURCE}/namespace-action`,
      `[${fill(`${'['.repeat(90)}${']'.repeat(90)},`, MOST).slice(0, -1)}]`,
    ),
  },
  {
    title: 'body: gzip of 3,300,000 empty objects',
    answer: 400,
    request: gzipPost(RESOURCE, list('{}', MOST_BODY)),
  },
  {
    title: 'body: gzip of 9.9 MB, two names at its end',
    answer: 400,
    request: gzipPost(RESOURCE, `{"x":${list('"abcdefghijklmnopqrstuvwxyz"', MOST_BODY)},"a":1,"a":2}`),
  },
  {
    title: 'body: gzip of 9.9 MB, an error at its end',
    answer: 400,
    request: gzipPost(RESOURCE, `{"x":${list('"abcdefghijklmnopqrstuvwxyz"', MOST_BODY)},}`),
  },
  {
    title: 'body: gzip of a string of 9.9 MB of escapes',
    answer: 400,
    request: gzipPost(RESOURCE, `{"x":"${fill('\\"', MOST_BODY)}"}`),
  },
  {
    title: 'body: gzip of an unterminated string of 9.9 MB',
    answer: 400,
    request: gzipPost(RESOURCE, `{"x":"${fill('\\"', MOST_BODY)}`),
  },
  { title: 'body: gzip of 9.9 MB of line breaks', answer: 400, request: gzipPost(RESOURCE, '\n'.repeat(MOST_BODY)) },
  {
    title: 'body: gzip of 9.9 MB of line breaks, then an error',
    answer: 400,
    request: gzipPost(RESOURCE, `{${'\n'.repeat(MOST_BODY)}x}`),
  },
  {
    title: 'body: gzip of 9.9 MB of two-byte letters',
    answer: 400,
    request: gzipPost(RESOURCE, `{"x":"${'é'.repeat(MOST_BODY / 2)}"}`),
  },
  {
    title: 'body: gzip of 9.9 MB, eight at once',
    answer: 400,
    atOnce: 8,
    request: gzipPost(RESOURCE, `{"x":${list('"abcdefghijklmnopqrstuvwxyz"', MOST_BODY)},}`),
  },
  // Queries
  {
    title: 'where: many clauses over a long array',
    answer: 400,
    seed: [manyInts],
    request: { path: `${SORTED}?${repeated('where', 'arrayOfIntExample contains any(-1) or version=1')}` },
  },
  {
    title: 'where: contains all, many times',
    answer: 400,
    seed: [manyInts],
    request: { path: `${SORTED}?${repeated('where', 'arrayOfIntExample contains all(1)')}` },
  },
  {
    title: 'where: one predicate of many clauses over a long array',
    answer: 400,
    seed: [manyInts],
    request: {
      path: `${SORTED}?where=${encodeURIComponent(fill('arrayOfIntExample contains any(-1) or ', 11_000) + 'version = 9')}`,
    },
  },
  {
    title: 'where: many clauses over 48,000 entries',
    answer: 400,
    seed: [longEntries],
    request: {
      path: `${SORTED}?where=${encodeURIComponent(`arrayOfObjectType(${fill('integerExample=2 or ', 9000)}integerExample=3)`)}`,
    },
  },
  {
    title: 'where: repeated over 48,000 entries',
    answer: 400,
    seed: [longEntries],
    request: { path: `${SORTED}?${repeated('where', 'not arrayOfObjectType(integerExample=2)')}` },
  },
  {
    title: 'where: one clause, 30 resources of 900 KB',
    answer: 200,
    seed: times(30, () => longInts),
    request: { path: `${SORTED}?where=${encodeURIComponent('arrayOfIntExample contains any(2)')}` },
  },
  {
    title: 'where: nested not, and malformed',
    answer: 400,
    request: { path: `${SORTED}?where=${'not%20'.repeat(2500)}` },
  },
  {
    title: 'where: a number of 15,000 digits',
    answer: 200,
    request: { path: `${SORTED}?where=version=${'9'.repeat(14_000)}` },
  },
  {
    title: 'where: a long unterminated string',
    answer: 400,
    request: { path: `${SORTED}?where=key%3D%22${'\\'.repeat(14_000)}` },
  },
  {
    title: 'where: an undefined variable among 1,500',
    answer: 400,
    request: {
      path: `${SORTED}?${times(1300, (at) => `var.a${at}=1`).join('&')}&where=version%3D:${'b'.repeat(1000)}`,
    },
  },
  {
    title: 'sort: many over a long array',
    answer: 200,
    seed: times(30, () => longInts),
    request: { path: `${SORTED}?${repeated('sort', 'arrayOfIntExample')}` },
  },
  {
    title: 'sort: 30 resources of 48,000 entries',
    answer: 200,
    seed: times(30, () => longEntries),
    request: { path: `${SORTED}?${repeated('sort', 'arrayOfObjectType.integerExample desc')}` },
  },
  {
    title: 'query: every parameter of 4.1 over long arrays',
    answer: 200,
    seed: times(10, () => longInts),
    request: {
      path: `${RESOURCE}?stringParameter=2%20in%20arrayOfIntExample&floatParameter=2&integerParameter=2&withMarkdownDescription=2&unionParameter=2`,
    },
  },
  {
    title: 'query: arrayOfString 900 times over 90,000 texts',
    answer: 400,
    seed: [longTexts],
    request: { path: `${RESOURCE}?${repeated('arrayOfString', 'abcdefgh')}` },
  },
  {
    title: 'query: 3,000 unknown parameters',
    answer: 200,
    request: { path: `${RESOURCE}?${times(2000, (at) => `u${at}=1`).join('&')}` },
  },
  {
    title: 'query: an unknown parameter of 15,000 letters',
    answer: 200,
    request: { path: `${RESOURCE}?${'u'.repeat(15_000)}=1` },
  },
  { title: 'query: expand 1,700 times', answer: 200, request: { path: `${SORTED}?${repeated('expand', 'a')}` } },
  {
    title: 'query: a number of 15,000 digits',
    answer: 200,
    request: { path: `${RESOURCE}?floatParameter=${'9'.repeat(15_000)}` },
  },
  {
    title: 'query: unionParameter, nested deeply',
    answer: 400,
    request: { path: `${RESOURCE}?unionParameter={${encodeURIComponent('"a":'.repeat(1500))}` },
  },
  {
    title: 'search: fuzzy, words of 16,000 letters',
    answer: 200,
    seed: [longWords],
    request: { path: `${SEARCH}?fuzzy=true&text.en=${'a'.repeat(15_000)}` },
  },
  {
    title: 'search: fuzzy, 1,700 words against 250,000',
    answer: 200,
    seed: [shortWords],
    request: {
      path: `${SEARCH}?fuzzy=true&text.en=${times(1700, (at) => `abcdef${at}`)
        .join('+')
        .slice(0, 15_000)}`,
    },
  },
  {
    title: 'search: 2,500 words, all present, against 90,000',
    answer: 200,
    seed: [longTexts],
    request: { path: `${SEARCH}?text.en=${times(2500, (at) => at).join('+')}` },
  },
  {
    title: 'search: one word, 30 resources of 90,000 texts',
    answer: 200,
    seed: times(30, () => longTexts),
    request: { path: `${SEARCH}?text.en=zzz` },
  },
  {
    title: 'filter: 3,000 alternatives over a long array',
    answer: 200,
    seed: [longInts],
    request: { path: `${SEARCH}?filter=arrayOfIntExample:${times(3000, (at) => at + 2).join()}`.slice(0, 15_500) },
  },
  {
    title: 'filter: ranges over a long array',
    answer: 400,
    seed: [longInts],
    request: {
      path: `${SEARCH}?filter=arrayOfIntExample:range${fill('(2 to 3),', 11_000).replaceAll(' ', '%20').slice(0, -1)}`.slice(
        0,
        15_000,
      ),
    },
  },
  {
    title: 'filter: malformed',
    answer: 400,
    request: { path: `${SEARCH}?filter=arrayOfStringExample:${'%22a%5C%22'.repeat(1500)}` },
  },
  {
    title: 'facet: 130,000 terms',
    answer: 200,
    seed: [manyInts],
    request: { path: `${SEARCH}?facet=arrayOfIntExample` },
  },
  {
    title: 'facet: 30 resources of 130,000 terms',
    answer: 200,
    seed: times(30, () => manyInts),
    request: { path: `${SEARCH}?facet=arrayOfIntExample` },
  },
  // Headers
  {
    title: 'Prefer: 15,000 spaces',
    answer: 200,
    request: { path: RESOURCE, headers: { Prefer: `a${' '.repeat(MOST_HEAD)}b` } },
  },
  {
    title: 'Prefer: 7,000 preferences',
    answer: 200,
    request: { path: RESOURCE, headers: { Prefer: 'a,'.repeat(MOST_HEAD / 2) } },
  },
  {
    title: 'Accept: 7,000 ranges',
    answer: 406,
    request: {
      path: `${RESOURCE}/namespace-action-with-headers`,
      headers: { 'Storefront-Locale': 'de', Accept: 'a/b;q=0,'.repeat(MOST_HEAD / 8) },
    },
  },
  {
    title: 'Accept: 15,000 spaces and semicolons',
    answer: 406,
    request: {
      path: `${RESOURCE}/namespace-action-with-headers`,
      headers: { 'Storefront-Locale': 'de', Accept: `a/b${' ;'.repeat(MOST_HEAD / 2)}` },
    },
  },
  {
    title: 'Accept: an unterminated quote',
    answer: 406,
    request: {
      path: `${RESOURCE}/namespace-action-with-headers`,
      headers: { 'Storefront-Locale': 'de', Accept: `a/b;c="${'\\"'.repeat(MOST_HEAD / 2)}` },
    },
  },
  {
    title: 'Storefront-Locale: 15,000 letters',
    answer: 400,
    request: {
      path: `${RESOURCE}/namespace-action-with-headers`,
      headers: { 'Storefront-Locale': 'de-a'.repeat(MOST_HEAD / 4), Accept: '*/*' },
    },
  },
  {
    title: 'Content-Type: 15,000 spaces',
    answer: 400,
    request: post(RESOURCE, '{}', { 'Content-Type': `application/json;${' '.repeat(MOST_HEAD)}x` }),
  },
  {
    title: 'Content-Type: 5,000 charsets',
    answer: 415,
    request: post(RESOURCE, '{}', { 'Content-Type': `application/json${';charset = "'.repeat(MOST_HEAD / 12)}` }),
  },
  {
    title: 'Cookie: 7,000 pairs',
    answer: 200,
    request: { path: RESOURCE, headers: { Cookie: 'a=b;'.repeat(MOST_HEAD / 4) } },
  },
  {
    title: 'Cookie: spaces',
    answer: 200,
    request: { path: RESOURCE, headers: { Cookie: `mock-session${' '.repeat(MOST_HEAD)}a` } },
  },
  {
    title: 'Authorization: 7,000 listed scopes',
    answer: 200,
    request: { path: RESOURCE, headers: { Authorization: `Bearer ${'a:b,'.repeat(MOST_HEAD / 4)}!` } },
  },
  {
    title: 'Authorization: spaces',
    answer: 401,
    request: { path: RESOURCE, headers: { Authorization: `Bearer${' '.repeat(MOST_HEAD)}a b` } },
  },
  {
    title: 'X-Mock-Scenario: 7,000 names',
    answer: 400,
    request: { path: RESOURCE, headers: { 'X-Mock-Scenario': 'a,'.repeat(MOST_HEAD / 2) } },
  },
  {
    title: 'X-Mock-Scenario: a name of 15,000 letters',
    answer: 400,
    request: { path: RESOURCE, headers: { 'X-Mock-Scenario': 'a'.repeat(MOST_HEAD) } },
  },
  {
    title: 'X-Mock-Delay: 15,000 digits',
    answer: 400,
    request: { path: RESOURCE, headers: { 'X-Mock-Delay': `${' '.repeat(MOST_HEAD)}x` } },
  },
  { title: 'path: 15,000 slashes', answer: 404, request: { path: '/'.repeat(MOST_HEAD) } },
  {
    title: 'path: 5,000 percent-encodings',
    answer: 200,
    request: { path: `/${'%41'.repeat(MOST_HEAD / 3)}/resource` },
  },
  { title: 'path: a segment of 15,000 letters', answer: 404, request: { path: `/acme/${'r'.repeat(MOST_HEAD)}` } },
  // Images
  {
    title: 'image: 990 KB of PNG chunks',
    answer: 400,
    request: {
      method: 'POST',
      path: `${RESOURCE}/images`,
      headers: { 'Content-Type': 'image/png' },
      body: Buffer.concat([
        Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
        Buffer.from(fill('0000000049444154', MOST)),
      ]),
    },
  },
  {
    title: 'image: 990 KB of JPEG fill bytes',
    answer: 400,
    request: {
      method: 'POST',
      path: `${RESOURCE}/images`,
      headers: { 'Content-Type': 'image/jpeg' },
      body: Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(MOST, 0xff)]),
    },
  },
  {
    title: 'image: 990 KB of GIF extensions',
    answer: 400,
    request: {
      method: 'POST',
      path: `${RESOURCE}/images`,
      headers: { 'Content-Type': 'image/gif' },
      body: Buffer.concat([
        Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'),
        Buffer.from(fill('21fe00', MOST * 2), 'hex'),
      ]),
    },
  },
  // Tokens
  {
    title: 'OAuth: a scope of 60,000 letters',
    answer: 400,
    request: post('/oauth/token', `grant_type=client_credentials&scope=${'a'.repeat(60_000)}`, {
      Authorization: 'Basic YTpi',
    }),
  },
  {
    title: 'OAuth: 9,000 scopes',
    answer: 200,
    request: post(
      '/oauth/token',
      `grant_type=client_credentials&scope=${times(9000, (at) => `a:${at}`).join('+')}`.slice(0, 65_000),
      { Authorization: 'Basic YTpi' },
    ),
  },
  {
    title: 'OAuth: 16,000 parameters',
    answer: 400,
    request: post(
      '/oauth/token',
      times(9000, (at) => `p${at}=`)
        .join('&')
        .slice(0, 65_000),
      { Authorization: 'Basic YTpi' },
    ),
  },
  {
    title: 'OAuth: introspecting a token of 60,000 characters',
    answer: 200,
    request: post('/oauth/introspect', `token=${'a.'.repeat(30_000)}`, { Authorization: 'Basic YTpi' }),
  },
  {
    title: 'OAuth: gzip of a form of 10 MB',
    answer: 413,
    request: post('/oauth/token', gzipSync('a=1&'.repeat(2_500_000)), {
      Authorization: 'Basic YTpi',
      'Content-Encoding': 'gzip',
    }),
  },
  // Journal
  {
    title: 'journal: gzip of a pattern of 3,300,000 empty objects',
    answer: 400,
    request: gzipPost('/__admin/requests/find', list('{}', MOST_BODY)),
  },
  {
    title: 'journal: a pattern of 9,900 empty patterns',
    answer: 400,
    request: find({ bodyPatterns: times(9900, () => ({})) }),
  },
  {
    title: 'journal: matches .*linen.* in 1,000 bodies of 64 KB',
    answer: 400,
    seed: journaled(1000, 'x'.repeat(70_000)),
    request: find({ bodyPatterns: [{ matches: '.*linen.*' }] }),
  },
  {
    title: 'journal: matches (a*)*b in 100 bodies of 64 KB',
    answer: 400,
    seed: journaled(100, 'a'.repeat(70_000)),
    request: find({ bodyPatterns: [{ matches: '"(a*)*b' }] }),
  },
  {
    title: 'journal: matches (.*[ab].*){200}c in 100 bodies',
    answer: 400,
    seed: journaled(100, 'ab'.repeat(35_000)),
    request: find({ bodyPatterns: [{ matches: '(.*[ab].*){200}c' }] }, 'count'),
  },
  {
    title: 'journal: matches (.*[ab].*){200}c, near misses',
    answer: 400,
    seed: journaled(100, 'ab'.repeat(35_000)),
    request: post(
      '/__admin/near-misses/request-pattern',
      JSON.stringify({ bodyPatterns: [{ matches: '(.*[ab].*){200}c' }] }),
    ),
  },
  {
    title: 'journal: 1,000 matches in one pattern',
    answer: 400,
    seed: journaled(100, 'ab'.repeat(35_000)),
    request: find({ bodyPatterns: times(1000, () => ({ matches: '.*c.*' })) }),
  },
  {
    title: 'journal: 9,000 matches to compile',
    answer: 400,
    request: find({ bodyPatterns: times(9000, () => ({ matches: '(a{10}){10}' })) }),
  },
  {
    title: 'journal: equalToJson, ignoreArrayOrder, 1,000 elements',
    answer: 200,
    seed: journaled(100, `[${times(9000, (at) => at).join()}]`).map((one) => ({
      ...one,
      body: `[${times(9000, (at) => at).join()}]`,
    })),
    request: find({ bodyPatterns: [{ equalToJson: times(1000, (at) => -at), ignoreArrayOrder: true }] }),
  },
  {
    title: 'journal: equalToJson, ignoreArrayOrder, nested arrays',
    answer: 200,
    seed: times(20, () =>
      post(`${RESOURCE}/namespace-action`, `[${times(300, () => `[${times(60, (at) => at).join()}]`).join()}]`),
    ),
    request: find({
      bodyPatterns: [{ equalToJson: times(300, () => times(60, (at) => -at)), ignoreArrayOrder: true }],
    }),
  },
  {
    title: 'journal: equalToJson, ignoreArrayOrder, nearly equal arrays',
    answer: 200,
    seed: times(20, () => post(`${RESOURCE}/namespace-action`, `[${times(900, (at) => (at === 0 ? 2 : 1)).join()}]`)),
    request: find({
      bodyPatterns: [{ equalToJson: times(900, () => 1), ignoreArrayOrder: true, ignoreExtraElements: true }],
    }),
  },
  {
    title: 'journal: equalToJson, ignoreArrayOrder, 1,000 placeholders',
    answer: 400,
    seed: times(20, () => post(`${RESOURCE}/namespace-action`, list('[1,2]', 60_000))),
    request: find({
      bodyPatterns: [{ equalToJson: times(1000, () => [3, '${json-unit.any-number}']), ignoreArrayOrder: true }],
    }),
  },
  {
    title: 'journal: equalToJson, ignoreArrayOrder, objects with missing members',
    answer: 400,
    seed: times(20, () => post(`${RESOURCE}/namespace-action`, list('{"a":1,"b":2}', 60_000))),
    request: find({
      bodyPatterns: [
        { equalToJson: times(1000, () => ({ a: 1, b: 3 })), ignoreArrayOrder: true, ignoreExtraElements: true },
      ],
    }),
  },
  {
    title: 'journal: equalToJson with 39,000 elements',
    answer: 200,
    seed: journaled(300, 'a'),
    request: find({ bodyPatterns: [{ equalToJson: times(39_000, () => 1) }] }),
  },
  {
    title: 'journal: equalTo of 900 KB, 1,000 requests',
    answer: 200,
    seed: journaled(1000, 'x'.repeat(70_000)),
    request: find({ bodyPatterns: [{ equalTo: 'y'.repeat(MOST) }] }),
  },
  {
    title: 'journal: 9,000 headers in one pattern',
    answer: 200,
    seed: journaled(300, 'a'),
    request: find({ headers: Object.fromEntries(times(9000, (at) => [`h${at}`, { absent: true }])) }),
  },
  { title: 'journal: unknown members with long names', answer: 400, request: find({ ['b'.repeat(MOST)]: 1 }) },
  {
    title: 'journal: listed as JSON, 1,000 bodies of 64 KB',
    answer: 200,
    seed: journaled(1000, 'x'.repeat(70_000)),
    request: { path: '/__admin/requests' },
  },
  {
    title: 'journal: as HAR, 1,000 bodies of 64 KB',
    answer: 200,
    seed: journaled(1000, 'x'.repeat(70_000)),
    request: { path: '/__admin/requests.har' },
  },
  {
    title: 'journal: a filter of 20 terms, 1,000 paths of 14 KB',
    answer: 200,
    seed: LONG_PATHS,
    request: select({ filter: times(20, (at) => `path:${'a'.repeat(at + 1)}b`).join(' ') }),
  },
  {
    title: 'journal: a filter of 20 excluded words, 1,000 paths of 14 KB',
    answer: 200,
    seed: LONG_PATHS,
    request: select({ filter: times(20, (at) => `-${'a'.repeat(at + 1)}b`).join(' ') }),
  },
  {
    title: 'journal: a filter of a word of 15,000 letters, 1,000 paths of 14 KB',
    answer: 200,
    seed: LONG_PATHS,
    request: select({ filter: 'a'.repeat(15_000) }),
  },
  {
    title: 'journal: a filter of 20 bodies, 1,000 bodies of 64 KB',
    answer: 200,
    seed: journaled(1000, 'linen and wool '.repeat(5000)),
    request: select({ filter: times(20, (at) => `-body~silk${at}`).join(' ') }),
  },
  {
    title: 'journal: a filter of a resource, 1,000 bodies of 64 KB',
    answer: 200,
    seed: times(1000, () => post(`${RESOURCE}/namespace-action`, `[${fill('{"id":"oak"},', 65_000)}1]`)),
    request: select({ filter: 'resource:oak' }),
  },
  {
    title: 'journal: a filter retry:none, 1,000 failures of 64 KB',
    answer: 200,
    seed: refused(1000, 'linen '.repeat(12_000)),
    request: select({ filter: 'retry:none' }),
  },
  {
    title: 'journal: with retries, 1,000 paths of 14 KB',
    answer: 200,
    seed: LONG_PATHS,
    request: select({ retries: true }),
  },
  {
    title: 'journal: the list of the dashboard, 50,000 failures of one resource',
    answer: 200,
    filled: 50_000,
    request: select({ limit: 500, summary: true, retries: true, periods: 120 }),
  },
  {
    title: 'journal: sorted by path, 1,000 paths of 14 KB',
    answer: 200,
    seed: LONG_PATHS,
    request: select({ sort: 'path' }),
  },
  {
    title: 'journal: sorted by operation, 1,000 bodies of 64 KB',
    answer: 200,
    seed: journaled(1000, 'linen and wool '.repeat(5000)),
    request: select({ sort: '-operation' }),
  },
  {
    title: 'journal: explanation of one of 1,000 failures of 64 KB',
    answer: 200,
    seed: [...refused(1000, 'linen '.repeat(12_000)), LATEST],
    request: (known) => ({ path: `/__admin/requests/${toId(known)}/explanation` }),
  },
  {
    title: 'runs: a run of 900 tests',
    answer: 200,
    seed: manyTests,
    request: { path: '/__admin/runs/r1' },
  },
  {
    title: 'runs: the outcome of one of 900 tests',
    answer: 200,
    seed: manyTests,
    request: put(
      '/__admin/sessions/s7/test',
      JSON.stringify({ ...test(7), status: 'failed', duration: 1, error: 'e' }),
    ),
  },
  {
    title: 'runs: the end of a session with 1,000 requests of 60 KB',
    answer: 200,
    seed: longSession,
    request: endSession,
  },
  {
    title: 'runs: requests of an archived session, sorted and filtered',
    answer: 200,
    seed: [...longSession, endSession],
    request: { path: '/__admin/requests?session=s1&filter=body~y%20retry:none&sort=path' },
  },
  {
    title: 'runs: a file of an archived session with 1,000 requests of 60 KB',
    answer: 200,
    seed: [...longSession, endSession],
    request: { path: '/__admin/share.html?session=s1' },
  },
  {
    title: 'runs: a file of a run of 900 tests',
    answer: 200,
    seed: manyTests,
    request: { path: '/__admin/share.html?run=r1' },
  },
  {
    title: 'runs: a file of conflicts of 200 resources',
    answer: 200,
    seed: [
      put(
        '/__admin/state/bench',
        records(200, () => ''),
      ),
      ...times(1000, (at) => ({
        ...post(`${RESOURCE}/r${at % 200}`, '{"actions":[{"action":"doSomeThing"}],"version":7}'),
        answer: 409,
      })),
    ],
    request: { path: '/__admin/share.html' },
  },
  {
    title: 'journal: history of a resource with 1,000 reads',
    answer: 200,
    seed: [
      put('/__admin/state/bench', '[{"key":"oak","objectTypeProperty":{}}]'),
      ...times(1000, () => ({ path: `${RESOURCE}/key=oak` })),
    ],
    request: { path: '/__admin/resources/oak/history?projectKey=bench&limit=1000' },
  },
  {
    title: 'journal: history of a resource in 1,000 lists of 64 KB',
    answer: 200,
    seed: [
      put(
        '/__admin/state/bench',
        records(300, (at) => `"arrayOfStringExample":["${'a'.repeat(200)}${at}"]`),
      ),
      ...times(1000, () => ({ path: `${SORTED}?limit=500` })),
    ],
    request: { path: '/__admin/resources/r50/history?projectKey=bench&limit=1000' },
  },
  {
    title: 'journal: history of a resource with 1,000 conflicts of 64 KB',
    answer: 200,
    seed: [
      put(
        '/__admin/state/bench',
        records(1, () => ''),
      ),
      ...times(1000, () => ({
        ...post(`${RESOURCE}/r0`, `{"actions":[{"action":"doSomeThing"}],"note":"${'a'.repeat(64_000)}","version":7}`),
        answer: 409,
      })),
    ],
    request: { path: '/__admin/resources/r0/history?projectKey=bench&limit=1000' },
  },
  {
    title: 'journal: near misses of 1,000 unmatched requests',
    answer: 200,
    seed: times(1000, (at) => ({ path: `/acme/${'resouce/'.repeat(40)}${at}`, answer: 404 })),
    request: { path: '/__admin/requests/unmatched/near-misses' },
  },
  {
    title: 'journal: near misses of a path of 990 KB',
    answer: 200,
    request: post('/__admin/near-misses/request', JSON.stringify({ method: 'GET', url: `/acme/${'r'.repeat(MOST)}` })),
  },
  {
    title: 'journal: near misses of 400,000 slashes',
    answer: 200,
    request: post('/__admin/near-misses/request', JSON.stringify({ method: 'GET', url: '/a'.repeat(MOST / 2) })),
  },
  {
    title: 'events: replay of 100 sessions of 100 requests',
    answer: 200,
    seed: times(10_000, (at) => ({ path: `/@s${at % 100}${RESOURCE}/key=none`, answer: 404 })),
    request: { path: '/__admin/events?session=*', headers: { 'Last-Event-ID': 'none' }, isStream: true },
  },
  {
    title: 'events: 400 streams get a body of 54 KB',
    answer: 201,
    streams: 400,
    request: create(`"arrayOfStringExample":["${'x'.repeat(54_000)}"]`),
  },
  {
    title: 'events: replay of 1,000 bodies of 64 KB',
    answer: 200,
    seed: journaled(1000, 'x'.repeat(70_000)),
    request: { path: '/__admin/events', headers: { 'Last-Event-ID': 'none' }, isStream: true },
  },
  {
    title: 'journal: 400 requests of 40 KB, as a pact',
    answer: 200,
    seed: LARGE,
    request: { path: '/__admin/pact?consumer=shop&provider=resource-service' },
  },
  {
    title: 'journal: 400 requests of 40 KB, as HAR',
    answer: 200,
    seed: LARGE,
    request: { path: '/__admin/requests.har' },
  },
  {
    title: 'journal: 400 requests of 40 KB, found by a pattern',
    answer: 200,
    seed: LARGE,
    request: find({ bodyPatterns: [{ contains: '"number-399"' }] }),
  },
  {
    title: 'journal: 400 requests of 40 KB, removed by a pattern',
    answer: 200,
    seed: LARGE,
    request: find({ method: 'POST' }, 'remove'),
  },
  {
    title: 'journal: 400 requests of 40 KB, near misses of a pattern',
    answer: 200,
    seed: LARGE,
    request: post('/__admin/near-misses/request-pattern', JSON.stringify({ bodyPatterns: [{ equalTo: 'a' }] })),
  },
  {
    title: 'journal: 400 requests of 40 KB, one of them resent',
    answer: 200,
    seed: [...LARGE, LATEST],
    request: (known) => post(`/__admin/requests/${toId(known)}/resend`, ''),
  },
  {
    title: 'journal: 400 requests of 40 KB, one of them deleted',
    answer: 200,
    seed: [...LARGE, LATEST],
    request: (known) => ({ method: 'DELETE', path: `/__admin/requests/${toId(known)}` }),
  },
  {
    title: 'journal: 400 writes of 40 KB with one correlation id, versions',
    answer: 200,
    seed: [
      ...created(400, { 'X-Correlation-ID': 'the-same-for-all' }),
      { path: `${RESOURCE}?sort=createdAt+desc&limit=1`, isKept: true },
    ],
    request: (known) => ({
      path: `/__admin/resources/${JSON.parse(known).results[0].id}/versions?projectKey=bench`,
    }),
  },
  {
    title: 'mcp: list_requests of 400 requests of 40 KB',
    answer: 200,
    seed: LARGE,
    request: tool('list_requests', { limit: 1000 }),
  },
  {
    title: 'mcp: list_requests of 400 requests of 40 KB, by a pattern',
    answer: 200,
    seed: LARGE,
    request: tool('list_requests', { pattern: { method: 'POST' }, limit: 1000 }),
  },
  {
    title: 'mcp: explain_failure among 400 requests of 40 KB',
    answer: 200,
    seed: LARGE,
    request: tool('explain_failure'),
  },
  {
    title: 'mcp: query_resources of a project key with 900,000 slashes',
    answer: 200,
    request: tool('query_resources', { projectKey: '/'.repeat(900_000) }),
  },
  {
    title: 'mcp: send_request to a path with 300,000 escapes',
    answer: 200,
    request: tool('send_request', { method: 'GET', path: `${RESOURCE}/${'%41'.repeat(300_000)}` }),
  },
  // Scenarios
  {
    title: 'scenario: path a*a*a*a*b against a long path',
    answer: 418,
    seed: define([rule({ path: `/*/resource/${'a*'.repeat(20)}b` })]),
    request: { path: `/bench/resource/${'a'.repeat(MOST_HEAD - 100)}` },
  },
  {
    title: 'scenario: path of 60 globstars',
    answer: 418,
    seed: define([rule({ path: `/**/resource${'/**'.repeat(300)}/b` })]),
    request: { path: `/bench/resource/${'a'.repeat(7000)}` },
  },
  {
    title: 'scenario: query a*a*a*b against a long value',
    answer: 418,
    seed: define([rule({ query: { stringParameter: `${'a*'.repeat(200)}b` } })]),
    request: { path: `${RESOURCE}?stringParameter=${'a'.repeat(15_000)}` },
  },
  {
    title: 'scenario: 1,600 rules',
    answer: 418,
    seed: define(times(1600, () => rule({ path: '/x/**/resource' }))),
    request: { path: RESOURCE },
  },
  {
    title: 'scenario: definition of 1,600 rules',
    answer: 201,
    request: put(
      '/__admin/scenarios/held',
      JSON.stringify({ description: 'held', rules: times(1600, () => rule({ path: '/bench/**' })) }),
    ),
  },
  {
    title: 'scenario: definition of 4,900 broken rules',
    answer: 400,
    request: put(
      '/__admin/scenarios/held',
      JSON.stringify({ description: 'held', rules: times(4900, () => ({ mach: 1 })) }),
    ),
  },
  {
    title: 'scenario: definition with 9,900 unknown members',
    answer: 400,
    request: put(
      '/__admin/scenarios/held',
      `{"description":"held","rules":[{"effect":{${times(9900, (at) => `"m${at}":1`).join()}}}]}`,
    ),
  },
  {
    title: 'scenario: definition with a long unknown operation',
    answer: 400,
    request: put(
      '/__admin/scenarios/held',
      JSON.stringify({ description: 'held', rules: [rule({ operation: 'x'.repeat(900_000) })] }),
    ),
  },
  {
    title: 'scenario: activating 90,000 unknown names',
    answer: 400,
    request: put('/__admin/scenarios/active', JSON.stringify({ active: times(90_000, (at) => `s${at}`) })),
  },
  {
    title: 'scenario: body of 900 KB against a pattern of 19,000 values',
    answer: 418,
    seed: define([rule({ body: times(19_000, () => 1) })]),
    request: post(`${RESOURCE}/namespace-action`, list('1')),
  },
  // State
  {
    title: 'state: import of 9,000 resources',
    answer: 200,
    request: put(
      '/__admin/state/bench',
      records(9000, () => '"arrayOfIntExample":[1,2,3]'),
    ),
  },
  {
    title: 'state: import of 25,000 empty resources',
    answer: 200,
    request: put(
      '/__admin/state/bench',
      records(25_000, () => ''),
    ),
  },
  {
    title: 'state: import of 60,000 broken resources',
    answer: 400,
    request: put('/__admin/state/bench', `[${times(60_000, () => '{"x":1}').join()}]`),
  },
  { title: 'state: import of 180,000 numbers', answer: 400, request: put('/__admin/state/bench', list('1234')) },
  {
    title: 'state: import with 100,000 unknown ids in recent',
    answer: 200,
    request: put('/__admin/state/bench', `{"resources":[],"recent":${JSON.stringify(times(100_000, String))}}`),
  },
  {
    title: 'state: import with 180,000 numbers in recent',
    answer: 400,
    request: put('/__admin/state/bench', `{"resources":[],"recent":${list('1234')}}`),
  },
  {
    title: 'state: seed of 9,000 resources, one wrong at the end',
    answer: 400,
    request: put(
      '/__admin/state/bench',
      records(9000, (at) => (at === 8999 ? '"x":1' : '"arrayOfIntExample":[1,2,3]')),
    ),
  },
  {
    title: 'resource: PUT of 900 KB, one wrong at the end',
    answer: 400,
    request: put(
      '/__admin/state/bench/resources/r1',
      `{"objectTypeProperty":{"arrayOfIntExample":${list('1').slice(0, -1)},"x"]}}`,
    ),
  },
  {
    title: 'state: first write at 25,000 resources',
    answer: 201,
    seed: [
      put(
        '/__admin/state/bench',
        records(25_000, () => ''),
      ),
    ],
    request: create('"arrayOfIntExample":[1]'),
  },
  {
    title: 'state: gzip of 20,000,000 empty objects, eight at once',
    answer: 400,
    atOnce: 8,
    request: gzipPut('/__admin/state/bench', list('{}', MOST_STATE)),
  },
  {
    title: 'state: gzip of 20,000,000 empty objects, a whole session',
    answer: 400,
    request: gzipPut('/__admin/state', `{"projects":${list('{}', MOST_STATE)}}`),
  },
  {
    title: 'state: gzip of 66 MB of numbers for unknown members',
    answer: 400,
    request: gzipPut('/__admin/state/bench', list('12345', MOST_STATE)),
  },
  {
    title: 'state: gzip of 66 MB of empty resources',
    answer: 400,
    request: gzipPut('/__admin/state/bench', list('{"objectTypeProperty":{}}', MOST_STATE)),
  },
  {
    title: 'state: gzip of 200,000 resources',
    answer: 200,
    request: gzipPut('/__admin/state/bench', `[${times(200_000, () => '{"objectTypeProperty":{}}').join()}]`),
  },
  {
    title: 'state: gzip of a resource with 9,900,000 numbers',
    answer: 400,
    request: gzipPut(
      '/__admin/state/bench',
      `[{"objectTypeProperty":{"arrayOfIntExample":${list('12345', MOST_STATE)}}}]`,
    ),
  },
  {
    title: 'state: gzip of a resource with 490,000 numbers',
    answer: 200,
    request: gzipPut(
      '/__admin/state/bench',
      `[{"objectTypeProperty":{"arrayOfIntExample":${list('1234', 490_000 * 5)}}}]`,
    ),
  },
  {
    title: 'state: gzip of 60 resources with 180,000 numbers each',
    answer: 200,
    request: gzipPut(
      '/__admin/state/bench',
      `[${times(60, () => `{"objectTypeProperty":{"arrayOfIntExample":${list('12345')}}}`).join()}]`,
    ),
  },
  {
    title: 'state: gzip of 9,000,000 ids in recent',
    answer: 400,
    request: gzipPut('/__admin/state/bench', `{"resources":[],"recent":${list('"abcd"', MOST_STATE)}}`),
  },
  {
    title: 'state: gzip of 9,000,000 names in posted',
    answer: 400,
    request: gzipPut('/__admin/state/bench', `{"resources":[],"posted":${list('"abcd"', MOST_STATE)}}`),
  },
  {
    title: 'state: gzip of an action of 10,000,000 arrays',
    answer: 400,
    request: gzipPut('/__admin/state/bench', `{"resources":[],"action":"${list('[]', MOST_STATE / 2)}"}`),
  },
  {
    title: 'state: gzip of an action that is a string of 66 MB',
    answer: 400,
    request: gzipPut('/__admin/state/bench', `{"resources":[],"action":"\\"${'a'.repeat(MOST_STATE)}\\""}`),
  },
  {
    title: 'state: gzip of a key of 66 MB',
    answer: 400,
    request: gzipPut('/__admin/state/bench', `[{"key":"${fill('\\"', MOST_STATE)}","objectTypeProperty":{}}]`),
  },
  {
    title: 'state: gzip of a text of 66 MB in a resource',
    answer: 400,
    request: gzipPut(
      '/__admin/state/bench',
      `[{"objectTypeProperty":{"arrayOfStringExample":["${fill('\\"', MOST_STATE)}"]}}]`,
    ),
  },
  {
    title: 'state: gzip of an image of 10 MB',
    answer: 200,
    request: gzipPut(
      '/__admin/state/bench',
      `{"resources":[],"images":[{"id":"i","projectKey":"bench","resourceId":"r","type":"image/png","width":1,"height":1,"createdAt":"2026-01-01T00:00:00.000Z","data":"${'AAAA'.repeat(3_495_253)}"}]}`,
    ),
  },
  {
    title: 'state: gzip of 66 MB of white space',
    answer: 400,
    request: gzipPut('/__admin/state/bench', ' '.repeat(MOST_STATE)),
  },
  {
    title: 'state: gzip of 66 MB of line breaks, then an error',
    answer: 400,
    request: gzipPut('/__admin/state/bench', `[${'\n'.repeat(MOST_STATE)}x]`),
  },
  {
    title: 'state: gzip of 66 MB of two-byte letters',
    answer: 400,
    request: gzipPut('/__admin/state/bench', `["${'é'.repeat(MOST_STATE / 2)}"]`),
  },
  {
    title: 'state: gzip of an unterminated string of 66 MB',
    answer: 400,
    request: gzipPut('/__admin/state/bench', `["${fill('\\"', MOST_STATE)}`),
  },
  {
    title: 'clock: gzip of 3,300,000 empty objects',
    answer: 400,
    request: gzipPut('/__admin/clock', list('{}', MOST_BODY)),
  },
  {
    title: 'Pact: gzip of 3,300,000 empty objects',
    answer: 400,
    request: gzipPost('/_pactSetup', list('{}', MOST_BODY)),
  },
  {
    title: 'Pact: a state of 300,000 wrong resources',
    answer: 400,
    request: post('/_pactSetup', `{"state":"x","params":{"resources":${list('1', 600_000)}}}`),
  },
  {
    title: 'Pact: a state of 25,000 resources',
    answer: 200,
    request: post(
      '/_pactSetup',
      `{"state":"","params":{"resources":[${times(25_000, () => '{"objectTypeProperty":{}}').join()}]}}`,
    ),
  },
  {
    title: 'resend: gzip of 3,300,000 empty objects',
    answer: 400,
    seed: [{ path: RESOURCE }],
    request: gzipPost('/__admin/requests/{id}/resend', list('{}', MOST_BODY)),
  },
  {
    title: 'resend: 9,900 headers',
    answer: 400,
    seed: [{ path: RESOURCE }],
    request: post('/__admin/requests/{id}/resend', `{"headers":${numbered(9900, (at) => `"x-${at}":"1"`)}}`),
  },
  {
    title: 'resend: 9,900 wrong headers',
    answer: 400,
    seed: [{ path: RESOURCE }],
    request: post('/__admin/requests/{id}/resend', `{"headers":${numbered(9900, (at) => `"x-${at}":1`)}}`),
  },
  // Model Context Protocol
  {
    title: 'MCP: define_scenario with 300,000 wrong rules',
    answer: 200,
    request: callTool('define_scenario', `{"name":"held","scenario":{"rules":${list('1', 600_000)}}}`),
  },
  {
    title: 'MCP: define_scenario with 90,000 unknown members',
    answer: 400,
    request: callTool('define_scenario', `{"name":"held","scenario":${numbered(80_000, (at) => `"m${at}":1`)}}`),
  },
  {
    title: 'MCP: define_scenario with 9,900 unknown members',
    answer: 200,
    request: callTool('define_scenario', `{"name":"held","scenario":${numbered(9900, (at) => `"m${at}":1`)}}`),
  },
  {
    title: 'MCP: seed_resources with 300,000 numbers',
    answer: 200,
    request: callTool('seed_resources', `{"records":${list('1', 600_000)}}`),
  },
  {
    title: 'MCP: seed_resources with 90,000 wrong records',
    answer: 200,
    request: callTool('seed_resources', `{"records":${list('{"x":1}', 700_000)}}`),
  },
  {
    title: 'MCP: seed_resources with 25,000 records',
    answer: 200,
    request: callTool('seed_resources', `{"records":[${times(25_000, () => '{"objectTypeProperty":{}}').join()}]}`),
  },
  {
    title: 'MCP: activate_scenarios with 300,000 numbers',
    answer: 200,
    request: callTool('activate_scenarios', `{"names":${list('1', 600_000)}}`),
  },
  {
    title: 'MCP: send_request with 40,000 headers',
    answer: 400,
    request: callTool(
      'send_request',
      `{"method":"GET","path":"/","headers":${numbered(40_000, (at) => `"x-${at}":"1"`)}}`,
    ),
  },
  {
    title: 'MCP: send_request with 9,900 headers',
    answer: 200,
    request: callTool(
      'send_request',
      `{"method":"GET","path":"/","headers":${numbered(9900, (at) => `"x-${at}":"1"`)}}`,
    ),
  },
  {
    title: 'MCP: send_request with a body of 490,000 values',
    answer: 200,
    request: callTool('send_request', `{"method":"POST","path":"${RESOURCE}","body":${list('1', 980_000)}}`),
  },
  {
    title: 'MCP: list_requests with a pattern of 39,000 values',
    answer: 200,
    request: callTool('list_requests', `{"pattern":{"bodyPatterns":[{"equalToJson":${list('1', 78_000)}}]}}`),
  },
  { title: 'MCP: a tool name of 900,000 letters', answer: 200, request: callTool('x'.repeat(900_000), '{}') },
  {
    title: 'MCP: gzip of 3,300,000 empty objects',
    answer: 400,
    request: gzipPost('/__admin/mcp', `{"x":${list('{}', MOST_BODY)}}`),
  },
  {
    title: 'requests: a filter of 20 terms, 1,000 paths of 14 KB',
    answer: 200,
    seed: LONG_PATHS,
    request: { path: `/__admin/requests?limit=1&filter=${TWENTY_TERMS}` },
  },
]
