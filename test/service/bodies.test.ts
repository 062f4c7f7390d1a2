import { beforeEach, describe, expect, it } from 'vitest'
import { createClient, draft, errorOf, idOf, keysOf } from '../support/client.ts'
import type { Client } from '../support/client.ts'

const base = '/acme/resource'
const JSON_TYPE = { 'Content-Type': 'application/json' }

let client: Client
beforeEach(async () => {
  client = await createClient()
})

const postText = (text: BodyInit, headers = JSON_TYPE as Record<string, string | undefined>) =>
  client.send('POST', base, headers, text)

async function gzip(text: string) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

const warningOf = ({ headers }: { readonly headers: Headers }) => headers.get('X-Mock-Warning')

describe('the Content-Type of a JSON endpoint', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8; x=y',
  ])('may be %s', async (contentType) => {
    const reply = await postText('{"objectTypeProperty":{}}', { 'Content-Type': contentType })
    expect([reply.status, warningOf(reply)]).toEqual([201, null])
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/json5',
    'application/json; charset=latin1',
    'multipart/form-data',
  ])('may not be %s', async (contentType) => {
    expect(errorOf(await postText('{"objectTypeProperty":{}}', { 'Content-Type': contentType }))).toEqual({
      status: 415,
      code: 'InvalidInput',
      message: `Content-Type ${contentType} is not supported by this endpoint. Send one of: application/json.`,
      field: 'Content-Type',
      invalidValue: contentType,
      allowedValues: ['application/json'],
    })
  })

  it('may be missing, with a warning', async () => {
    const reply = await postText(new TextEncoder().encode('{"objectTypeProperty":{}}'), {})
    expect([reply.status, warningOf(reply)]).toEqual([201, 'D9 No Content-Type was sent; assuming application/json.'])
  })
})

describe('a body', () => {
  it('may be compressed', async () => {
    const reply = await postText(await gzip('{"key":"zip","objectTypeProperty":{}}'), {
      ...JSON_TYPE,
      'Content-Encoding': 'gzip',
    })
    expect(reply.status).toBe(201)
    expect((await client.get(`${base}/key=zip`)).status).toBe(200)
  })

  it('may start with a byte order mark', async () => {
    expect((await postText('\ufeff{"objectTypeProperty":{}}')).status).toBe(201)
  })

  it.each([
    ['a bomb', async () => gzip(' '.repeat(12 * 1024 * 1024)), { 'Content-Encoding': 'gzip' }, 413, 'ContentTooLarge'],
    [
      'inconsistent with its Content-Encoding',
      async () => 'hello',
      { 'Content-Encoding': 'gzip' },
      400,
      'InvalidInput',
    ],
    ['in an unknown encoding', async () => 'hello', { 'Content-Encoding': 'br' }, 415, 'InvalidInput'],
    [
      'too large according to its Content-Length',
      async () => '{}',
      { 'Content-Length': '999999999' },
      413,
      'ContentTooLarge',
    ],
    ['not UTF-8', async () => Uint8Array.of(0x22, 0xff, 0x22), {}, 400, 'InvalidJsonInput'],
  ])('is refused when it is %s', async (_case, createBody, headers, status, code) => {
    const reply = await postText(await createBody(), { ...JSON_TYPE, ...headers })
    expect(errorOf(reply)).toMatchObject({ status, code })
  })

  it.each([
    [100, 201],
    [101, 413],
  ])('of %i bytes gets %i if 100 are allowed', async (size, status) => {
    const small = await createClient({ maxBody: 100 })
    const body = '{"objectTypeProperty":{}}'.padEnd(size)
    expect((await small.send('POST', base, JSON_TYPE, body)).status).toBe(status)
  })

  it('that never ends is refused', async () => {
    const small = await createClient({ maxBody: 100 })
    const endless = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(50))
      },
    })
    expect(errorOf(await small.send('POST', base, JSON_TYPE, endless))).toEqual({
      status: 413,
      code: 'ContentTooLarge',
      message:
        'The request body exceeds the limit of 100 bytes. Send a smaller body. Only bodies without a fixed limit can be larger: raise --max-body.',
      limit: 100,
    })
  })

  it.each([
    ['', 'line 1, column 1: JSON expected, but the text is empty.'],
    ['{"objectTypeProperty": {},}', 'line 1, column 27: unexpected "}".'],
    ['null', 'JSON Object expected.'],
    ['[]', 'JSON Object expected.'],
    ['"draft"', 'JSON Object expected.'],
    ['{"objectTypeProperty": null}', 'objectTypeProperty: JSON Object expected.'],
    [
      '{"objectTypeProperty": {"arrayOfIntExample": [1, "2"]}}',
      'objectTypeProperty.arrayOfIntExample[1]: JSON Integer expected.',
    ],
    [
      '{"objectTypeProperty": {"arrayOfFloatExample": [1e400]}}',
      'objectTypeProperty.arrayOfFloatExample[0]: number between -1.7976931348623157e+308 and 1.7976931348623157e+308 expected.',
    ],
    [
      '{"objectTypeProperty": {}, "objectTypeProperty": {}}',
      'objectTypeProperty: member name appears twice (line 1, column 28).',
    ],
    [
      `{"objectTypeProperty": {"arrayOfIntExample": [${'9'.repeat(5000)}]}}`,
      'objectTypeProperty.arrayOfIntExample[0]: integer between -9223372036854775808 and 9223372036854775807 expected.',
    ],
    ['['.repeat(101), 'nested more than 100 levels deep. Flatten it.'],
  ])("is refused with the error's position: %.60s", async (text, detailedErrorMessage) => {
    expect(errorOf(await postText(text))).toEqual({
      status: 400,
      code: 'InvalidJsonInput',
      message: 'Request body does not contain valid JSON.',
      detailedErrorMessage,
    })
  })

  it.each(['PUT', 'PATCH', 'POST'])('of a %s is refused before anything is written', async (method) => {
    await client.post(base, draft({ arrayOfIntExample: [1] }, 'abc'))
    const body = '{"key": "abc", "objectTypeProperty": {"arrayOfIntExample": [2], "arrayOfStringExample": [3]}}'
    expect((await client.send(method, base, JSON_TYPE, body)).status).toBe(400)
    expect((await client.get(`${base}/key=abc`)).body).toEqual({
      version: 1,
      objectTypeProperty: { arrayOfIntExample: [1] },
    })
  })
})

describe('undocumented members', () => {
  const body = {
    ...draft({ arrayOfInt: [1], arrayOfObjectType: [{ integerExample: 1, more: 2 }] }, 'abc'),
    extra: true,
  }

  it('are ignored, not stored, and reported as a warning', async () => {
    const reply = await client.post(base, body)
    expect(reply.body).toEqual({ version: 1, objectTypeProperty: { arrayOfObjectType: [{ integerExample: 1 }] } })
    expect(warningOf(reply)?.split(', ').toSorted()).toEqual([
      'D4 Unknown member "extra" of the body is ignored.',
      'D4 Unknown member "objectTypeProperty.arrayOfInt" of the body is ignored.',
      'D4 Unknown member "objectTypeProperty.arrayOfObjectType[0].more" of the body is ignored.',
    ])
  })

  it('are accepted up to the limit per object, and counted in the header', async () => {
    const members = Array.from({ length: 9_999 }, (_none, at) => `"m${at}":1`)
    const reply = await postText(`{"objectTypeProperty":{},${members.join(',')}}`)
    expect(reply.status).toBe(201)
    expect(warningOf(reply)).toMatch(/^D4 Unknown member "m0" .*, and 9994 more$/)
    const [request] = await client.mock.session('default').requests()
    expect(request?.warnings).toHaveLength(1001)
    expect(request?.warnings.at(-1)).toBe('and 8999 more')
  })

  it('may have names of any length', async () => {
    const reply = await postText(`{"objectTypeProperty":{},"${'m'.repeat(100_000)}":1}`)
    expect([reply.status, warningOf(reply)?.length]).toEqual([201, expect.any(Number)])
    const [request] = await client.mock.session('default').requests()
    expect(request?.warnings[0]).toHaveLength(1001)
  })

  it('are refused under --strict', async () => {
    const strict = await createClient({ strict: true })
    const all = {
      arrayOfIntExample: [],
      arrayOfUniqueIntExample: [],
      arrayOfTwonumbersExample: [1, 2],
      arrayOfFloatExample: [],
      arrayOfNumberNoDefaultsExample: [],
      arrayOfStringExample: [],
      arrayOfObjectType: [],
    }
    expect(errorOf(await strict.post(base, { ...draft(all), extra: true }))).toEqual({
      status: 400,
      code: 'InvalidInput',
      message: '--strict turns this warning into an error: D4 Unknown member "extra" of the body is ignored.',
      decision: 'D4',
    })
    expect(keysOf(await strict.get(base))).toEqual([])
  })

  it('may be called __proto__ without harm', async () => {
    const text = '{"objectTypeProperty": {"__proto__": {"arrayOfIntExample": [1]}}, "__proto__": {"key": "abc"}}'
    const reply = await postText(text)
    expect(reply.body).toEqual({ version: 1, objectTypeProperty: {} })
    expect(warningOf(reply)).toMatch(/^D4 Unknown member "[^"]*__proto__"/)
    expect((await client.get(`${base}/key=abc`)).status).toBe(404)
    expect('arrayOfIntExample' in {}).toBe(false)
  })

  it('may be called __proto__ next to long numbers without harm', async () => {
    const text = '{"objectTypeProperty": {"__proto__": {"x": 1}, "arrayOfIntExample": [9223372036854775807]}}'
    const reply = await postText(text)
    expect(reply.text).toBe('{"version":1,"objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}')
  })
})

describe('whole numbers', () => {
  const objects = (text: string) => `{"objectTypeProperty":{"arrayOfObjectType":[${text}]}}`

  it.each([
    '{"integerExample":9223372036854775807}',
    '{"integerExample":-9223372036854775808}',
    '{"integerExample":9007199254740993,"integerExampleInt32":2147483647}',
    '{"integerExampleInt32":-2147483648}',
    '{}',
  ])('are preserved digit for digit: %s', async (text) => {
    const created = await postText(objects(text))
    const expected = `{"version":1,${objects(text).slice(1)}`
    expect(created.text).toBe(expected)
    expect((await client.get(`${base}/${idOf(created)}`)).text).toBe(expected)
  })

  it.each(['arrayOfIntExample', 'arrayOfUniqueIntExample', 'arrayOfNumberNoDefaultsExample', 'arrayOfFloatExample'])(
    'are preserved digit for digit from %s, in lists too',
    async (name) => {
      const property = `{"${name}":[9223372036854775807,-9223372036854775808]}`
      await postText(`{"objectTypeProperty":${property}}`)
      expect((await client.get(`${base}/sorted-query-parameters`)).text).toContain(`"objectTypeProperty":${property}`)
      expect((await client.get(base)).text).toContain(property.slice(1, -1))
    },
  )

  it('may be written as 1.0 or 1e2', async () => {
    const reply = await postText('{"objectTypeProperty":{"arrayOfIntExample":[1.0,1e2,-0.0]}}')
    expect(reply.text).toBe('{"version":1,"objectTypeProperty":{"arrayOfIntExample":[1,100,0]}}')
  })

  it.each([
    ['{"integerExample":9223372036854775808}', 'integerExample', '-9223372036854775808 and 9223372036854775807'],
    ['{"integerExample":-9223372036854775809}', 'integerExample', '-9223372036854775808 and 9223372036854775807'],
    ['{"integerExample":1e30}', 'integerExample', '-9223372036854775808 and 9223372036854775807'],
    ['{"integerExampleInt32":2147483648}', 'integerExampleInt32', '-2147483648 and 2147483647'],
    ['{"integerExampleInt32":9223372036854775807}', 'integerExampleInt32', '-2147483648 and 2147483647'],
  ])('are refused if out of range: %s', async (text, name, bounds) => {
    const field = `objectTypeProperty.arrayOfObjectType[0].${name}`
    expect(errorOf(await postText(objects(text)))).toMatchObject({
      status: 400,
      code: 'InvalidField',
      message: `${field}: integer between ${bounds} expected.`,
      field,
    })
  })

  it.each([
    '1.5',
    '"1"',
    'null',
    'true',
    '1e-1',
    '9007199254740992.5',
    '4503599627370496.5',
    '1.00000000000000000000001',
    '123456789012345.9999999999',
  ])('cannot be %s', async (value) => {
    expect(errorOf(await postText(objects(`{"integerExample":${value}}`)))).toMatchObject({
      status: 400,
      code: 'InvalidJsonInput',
      detailedErrorMessage: 'objectTypeProperty.arrayOfObjectType[0].integerExample: JSON Integer expected.',
    })
  })
})
