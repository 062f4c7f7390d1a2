import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/service/contract/endpoints.ts'
import type { Endpoint } from '../../src/service/contract/endpoint.ts'
import { stringifyJson } from '../../src/service/http/json.ts'
import { arrayTestTypes } from './state/records.ts'
import { createClient, draft, idOf, keysOf } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { runs } from '../support/thorough.ts'

const base = '/acme/resource'
const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('a draft', () => {
  it('that is valid is accepted, and read back equal by id, by key and in lists', async () => {
    await fc.assert(
      fc.asyncProperty(arrayTestTypes, async (objectTypeProperty) => {
        const client = await createClient()
        const created = await client.post(base, draft(objectTypeProperty, 'abc'))
        const expected = { version: 1, objectTypeProperty }
        expect([created.status, created.body]).toEqual([201, expected])
        expect((await client.get(`${base}/${idOf(created)}`)).body).toEqual(expected)
        expect((await client.get(`${base}/key=abc`)).text).toBe(created.text)
        expect((await client.get(base)).body).toMatchObject({ results: [expected] })
      }),
      { numRuns: runs(40) },
    )
  })

  /** A draft with one value replaced. */
  const mutated = fc
    .tuple(arrayTestTypes, fc.nat(), fc.oneof(fc.jsonValue(), fc.constantFrom(2n ** 63n, -(2n ** 70n), '', null, {})))
    .map(([objectTypeProperty, seed, value]) => mutate(draft(objectTypeProperty, 'abc'), seed, value))

  it('that is invalid gets the documented response, and changes nothing if refused', async () => {
    const client = await createClient()
    await fc.assert(
      fc.asyncProperty(mutated, async (body) => {
        const { status, text } = await client.post(base, body)
        expect([201, 400]).toContain(status)
        const { status: after } = await client.get(`${base}/key=abc`)
        if (after === 200) await client.delete(`${base}/${idOf(await client.put(base, draft({}, 'abc')))}`)
        if (status === 400) expect({ after, text }).toEqual({ after: 404, text })
      }),
      { numRuns: runs(100) },
    )
  })

  it('that is truncated is refused with a position', async () => {
    const client = await createClient()
    await fc.assert(
      fc.asyncProperty(arrayTestTypes, fc.nat(), async (objectTypeProperty, at) => {
        const text = stringifyJson(draft(objectTypeProperty))
        const { status, body } = await client.send('POST', base, JSON_TYPE, text.slice(0, at % text.length))
        expect([status, body]).toMatchObject([
          400,
          {
            errors: [
              { code: 'InvalidJsonInput', detailedErrorMessage: expect.stringMatching(/^line \d+, column \d+: /) },
            ],
          },
        ])
      }),
      { numRuns: runs(40) },
    )
  })
})

/** Replaces one value, chosen by the seed, with another. */
function mutate(target: unknown, seed: number, value: unknown): unknown {
  if (typeof target !== 'object' || target === null) return value
  const names = Object.keys(target)
  const at = seed % (names.length + 1)
  const name = names[at]
  if (name === undefined) return value
  const inner: unknown = Reflect.get(target, name)
  const changed = mutate(inner, Math.floor(seed / (names.length + 1)), value)
  return Array.isArray(target) ? target.with(at, changed) : { ...target, [name]: changed }
}

describe('any request', () => {
  const table = Object.values<Endpoint>(endpoints)
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '',
      '0',
      '-1',
      '1e999',
      '9223372036854775808',
      'true',
      'null',
      '{}',
      '[',
      '__proto__',
      'a.b',
      '*',
      '2026-02-30T00:00:00Z',
    ),
    fc.constantFrom(
      'version = 1',
      'version =',
      'not (',
      ':x',
      'arrayOfIntExample:1',
      'arrayOfIntExample:range (',
      'key desc',
    ),
  )
  const segment = fc.oneof(
    fc.constantFrom(...table.flatMap(({ path }) => path.split('/').slice(1))),
    text.map(encodeText),
    fc.constantFrom('', '.', '..', '%', '%2F', '@s1', 'eu', 'gcp', '__admin', 'oauth', 'token'),
  )
  const path = fc.oneof(
    fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join('/')}`),
    fc
      .tuple(fc.constantFrom(...table), text)
      .map(([endpoint, value]) => endpoint.path.replaceAll(/\{\w+\}/g, encodeText(value) || 'x')),
  )
  const queryNames = [...new Set(table.flatMap(({ query }) => Object.keys(query)))]
  const queryName = fc.oneof(
    fc.constantFrom(...queryNames, 'var.x', 'text.en', 'text.', 'var.', 'objectParameter[arrayOfString]'),
    text,
  )
  const search = fc
    .array(fc.tuple(queryName, text), { maxLength: 4 })
    .map((pairs) => pairs.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&'))
  // A header's value is a byte string (Fetch standard, section 2.2.2).
  const value = fc.oneof(
    fc.stringMatching(/^[\x21-\x7e\xa0-\xff]{0,20}$/),
    fc.constantFrom(
      'application/json',
      'image/png',
      'identity=body',
      'code=203',
      'code=404',
      'dynamic=true',
      'Bearer view_test:x',
      'gzip',
      '5',
    ),
  )
  const headerName = fc.constantFrom(
    'Accept',
    'Authorization',
    'Content-Encoding',
    'Content-Type',
    'Cookie',
    'Origin',
    'Prefer',
    'Storefront-Locale',
    'X-Correlation-ID',
    'X-Mock-Session',
    'X-Mock-Scenario',
  )
  const headers = fc.dictionary(headerName, value, { maxKeys: 3, noNullPrototype: true })
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND')
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom('{"version":1,"actions":[]}', '{"objectTypeProperty":{}}'),
  )

  it('gets a documented response, and never an internal error', async () => {
    const client = await createClient({ resources: [{ objectTypeProperty: {} }], generate: 3 })
    await fc.assert(
      fc.asyncProperty(method, path, search, headers, body, async (method, path, search, headers, body) => {
        const hasBody = method !== 'GET' && method !== 'HEAD'
        const usual = hasBody ? JSON_TYPE : {}
        // The client checks every response against the contract, and reports the internal error.
        const { status } = await client.send(
          method,
          `${path}?${search}`,
          { ...usual, ...headers },
          hasBody ? body : undefined,
        )
        expect(status).not.toBe(500)
      }),
      { numRuns: runs(600) },
    )
  })
})

/** Percent-encodes any text; a lone surrogate, which has no UTF-8 bytes, is replaced. */
const encodeText = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'))

describe('any sequence of writes', () => {
  const key = fc.constantFrom('aa', 'bb', 'cc')
  const maybeKey = fc.option(key, { nil: undefined })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('post' as const), key }),
    fc.record({ kind: fc.constantFrom('put' as const, 'patch' as const), key: maybeKey }),
    fc.record({ kind: fc.constantFrom('update' as const, 'stale' as const, 'delete' as const), key }),
  )
  type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

  /** A minimal model of D15, D18 and D19: versions by key, the last one written at the end. */
  class Model {
    readonly versions = new Map<string, number>()
    recent: string[] = []

    /** Returns the status and updates the model; a PUT that creates without a key gets the key `undefined`. */
    expectStatus({ kind, key }: Step): number {
      const addressed = kind === 'put' || kind === 'patch' ? (key ?? this.recent.at(-1)) : key
      const version = addressed === undefined ? undefined : this.versions.get(addressed)
      if (addressed === undefined || version === undefined) {
        if (kind !== 'post' && kind !== 'put') return 404
        this.#write(addressed ?? 'no key', 1)
        return 201
      }
      if (kind === 'stale') return 409
      if (kind === 'delete') {
        this.versions.delete(addressed)
        this.recent = this.recent.filter((one) => one !== addressed)
        return 200
      }
      this.#write(addressed, version + 1)
      return kind === 'update' ? 200 : 201
    }

    #write(key: string, version: number): void {
      this.versions.set(key, version)
      this.recent = [...this.recent.filter((one) => one !== key), key]
    }
  }

  async function take(client: Client, { kind, key }: Step): Promise<number> {
    const found = await client.get(`${base}/key=${key}`, { Prefer: 'identity=body' })
    const { id = 'none', version = 0 } = found.body as { readonly id?: string; readonly version?: number }
    const actions = [{ action: 'doSomeThing' }]
    switch (kind) {
      case 'delete':
        return (await client.delete(`${base}/${id}?version=${version}`)).status
      case 'update':
        return (await client.post(`${base}/${id}`, { version, actions })).status
      case 'stale':
        return (await client.post(`${base}/${id}`, { version: version + 1, actions })).status
      default:
        return (await client[kind](base, draft({}, key))).status
    }
  }

  it('results in the resources and versions that the decisions specify', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const client = await createClient()
        const model = new Model()
        for (const one of steps) {
          const expected = model.expectStatus(one)
          expect([one, await take(client, one)]).toEqual([one, expected])
        }
        const entries = keysOf(await client.get(base)).map((key) => key ?? 'no key')
        expect(entries.toSorted()).toEqual([...model.versions.keys()].toSorted())
        for (const [key, version] of model.versions) {
          if (key === 'no key') continue
          expect((await client.get(`${base}/key=${key}`)).body).toMatchObject({ version })
        }
      }),
      { numRuns: runs(40) },
    )
  })
})
