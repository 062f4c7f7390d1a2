import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TOKEN_PATHS } from '../../../src/service/http/request-head.ts'
import { image, visit, ways } from './visitor.ts'
import type { Answered, Visitor } from './visitor.ts'
import { pick } from '../../support/thorough.ts'

const root = join(import.meta.dirname, '../../..')
const names = readdirSync(join(root, 'scenarios')).map((file) => file.replace(/\.json$/, ''))
const readFixture = (name: string): unknown => JSON.parse(readFileSync(join(root, 'fixtures', name), 'utf8')) as unknown

const base = '/acme/resource'
const complex = `${base}/artificially-complex/path/uri-parameter-one=a/b`
const draft = { objectTypeProperty: {} }
const update = (version: number) => ({ json: { version, actions: [{ action: 'doSomeThing' }] } })
const upload = { image }

/** Creates a resource of version 1, and returns its path. */
async function create({ prepare }: Visitor): Promise<string> {
  const { headers } = await prepare('POST', base, { json: draft })
  return headers.get('Location') ?? expect.fail('the answer has no Location')
}

const currentVersionOf = ({ body }: Answered) =>
  (body as { readonly errors: readonly { readonly currentVersion?: number }[] }).errors[0]?.currentVersion
const versionOf = ({ body }: Answered) => (body as { readonly version: number }).version
const statusesOf = (answers: readonly Answered[]) => answers.map(({ status }) => status)

async function repeat(times: number, send: () => Promise<Answered>): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  for (let at = 0; at < times; at += 1) answers.push(await send())
  return answers
}

/** Every operation that requires a scope, with its request. */
async function sendAllScoped({ send }: Visitor, path: string) {
  const reads = await Promise.all([
    send('GET', base),
    send('GET', path),
    send('GET', `${base}/searchApiPattern`),
    send('GET', `${base}/sorted-query-parameters`),
    send('HEAD', base),
  ])
  const writes = await Promise.all([
    send('POST', base, { json: draft }),
    send('PUT', base, { json: draft }),
    send('PATCH', base, { json: draft }),
    send('POST', complex, { json: {} }),
    send('POST', path, update(1)),
    send('DELETE', path),
    send('POST', `${base}/images`, upload),
  ])
  return { reads: statusesOf(reads), writes: statusesOf(writes) }
}

async function seeUploads(visitor: Visitor, status: number, code: string) {
  for (const bytes of [image, image.slice(0, 30), new Uint8Array()]) {
    const { body, ...answer } = await visitor.send('POST', `${base}/images`, { image: bytes })
    expect(answer.status).toBe(status)
    expect(body).toMatchObject({ statusCode: status, errors: [{ code }] })
  }
  expect((await visitor.send('GET', base)).status).toBe(200)
}

/** Every token endpoint fails with an OAuth error, and the service itself works. */
async function seeFailingLogin({ send }: Visitor, status: number, error: string) {
  const headers = { Authorization: `Basic ${btoa('shop:s3cret')}`, 'Content-Type': 'application/x-www-form-urlencoded' }
  for (const path of TOKEN_PATHS) {
    const answer = await send('POST', path.replace('{projectKey}', 'acme'), { headers })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ statusCode: status, error })
  }
  expect((await send('GET', base)).status).toBe(200)
}

async function seeCustom(visitor: Visitor, name: string) {
  const { status, body } = await visitor.send('POST', complex, { json: {} })
  expect([status, body]).toEqual([203, readFixture(`complex-${name}.json`)])
}

/** The effect of each built-in scenario, as a client sees it. */
const sights: Readonly<Record<string, (visitor: Visitor) => Promise<void>>> = {
  async conflict(visitor) {
    const path = await create(visitor)
    for (const version of [1, 2, 3]) {
      const answer = await visitor.send('POST', path, update(version))
      expect(answer.body).toMatchObject({ statusCode: 409, errors: [{ code: 'ConcurrentModification' }] })
      expect(currentVersionOf(answer)).toBe(version + 1)
      expect(versionOf(await visitor.prepare('GET', path))).toBe(version + 1)
    }
    expect(currentVersionOf(await visitor.send('DELETE', `${path}?version=4`))).toBe(5)
    expect((await visitor.send('DELETE', path)).status).toBe(200)
  },
  async 'conflict-once'(visitor) {
    const [first, second] = [await create(visitor), await create(visitor)]
    expect(currentVersionOf(await visitor.send('POST', first, update(1)))).toBe(2)
    expect((await visitor.send('POST', first, update(2))).status).toBe(200)
    expect(currentVersionOf(await visitor.send('DELETE', `${second}?version=1`))).toBe(2)
    expect((await visitor.send('DELETE', `${second}?version=2`)).status).toBe(200)
  },
  async 'missing-scope'(visitor) {
    const { reads, writes } = await sendAllScoped(visitor, await create(visitor))
    expect([...reads, ...writes]).toEqual([...reads, ...writes].map(() => 403))
    const { body } = await visitor.send('GET', base, { headers: { Authorization: 'Bearer manage_project:acme' } })
    expect(body).toMatchObject({ error: 'insufficient_scope' })
    expect((await visitor.send('GET', `${base}/namespace-action`)).status).toBe(200)
  },
  async 'read-only'(visitor) {
    const { reads, writes } = await sendAllScoped(visitor, await create(visitor))
    expect(reads).toEqual(reads.map(() => 200))
    expect(writes).toEqual(writes.map(() => 403))
  },
  async unauthorized({ send }) {
    for (const answer of await repeat(3, () => send('GET', base))) {
      expect(answer.body).toMatchObject({ statusCode: 401, error: 'invalid_token' })
    }
  },
  async 'expired-token'({ send }) {
    const answers = await repeat(3, () => send('GET', base))
    expect(statusesOf(answers)).toEqual([401, 200, 200])
    expect(answers[0]?.headers.get('WWW-Authenticate')).toBe('Bearer realm="acme", error="invalid_token"')
  },
  async 'login-rejected'(visitor) {
    await seeFailingLogin(visitor, 400, 'invalid_client')
  },
  async 'token-service-down'(visitor) {
    await seeFailingLogin(visitor, 503, 'server_error')
  },
  'upload-rejected': (visitor) => seeUploads(visitor, 415, 'InvalidInput'),
  'upload-too-large': (visitor) => seeUploads(visitor, 413, 'ContentTooLarge'),
  'upload-corrupt': (visitor) => seeUploads(visitor, 400, 'InvalidInput'),
  async 'not-found'(visitor) {
    const path = await create(visitor)
    const { send } = visitor
    const { body } = await visitor.prepare('GET', `${base}?limit=1`)
    const { key } =
      (body as { readonly results: readonly { readonly key: string }[] }).results[0] ?? expect.fail('no fixtures')
    const answers = [
      await send('GET', path),
      await send('GET', `${base}/key=${key}`),
      await send('POST', path, update(1)),
      await send('DELETE', path),
    ]
    expect(statusesOf(answers)).toEqual([404, 404, 404, 404])
    expect((await send('GET', base)).status).toBe(200)
    expect((await visitor.prepare('GET', path)).status).toBe(200)
  },
  async empty({ send, prepare }) {
    for (const path of [base, `${base}/sorted-query-parameters`, `${base}/searchApiPattern`]) {
      expect((await send('GET', path)).body).toMatchObject({ total: 0, count: 0, results: [] })
      expect((await prepare('GET', path)).body).not.toMatchObject({ total: 0 })
    }
    expect((await send('HEAD', base)).status).toBe(404)
  },
  async slow({ send, log }) {
    expect((await send('GET', base)).status).toBe(200)
    expect(log.at(-1)?.durationMilliseconds).toBeGreaterThan(499)
  },
  async flaky({ send }) {
    const statuses = statusesOf(await repeat(40, () => send('GET', base)))
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect(statuses.filter((status) => status === 503).length).toBeLessThan(20)
  },
  async unavailable({ send }) {
    for (const answer of await repeat(3, () => send('GET', base, { headers: { Authorization: '' } }))) {
      expect(answer.body).toMatchObject({ statusCode: 503, errors: [{ code: 'OverCapacity' }] })
      expect(answer.headers.get('Retry-After')).toBe('1')
    }
  },
  async 'gateway-html'({ send }) {
    const { status, headers, text } = await send('GET', base, { headers: { Authorization: '' } })
    expect([status, headers.get('Content-Type')]).toEqual([502, 'text/html; charset=utf-8'])
    expect(text).toContain('<h1>502 Bad Gateway</h1>')
  },
  async 'unavailable-twice'({ send }) {
    const answers = await repeat(4, () => send('GET', base))
    expect(statusesOf(answers)).toEqual([503, 503, 200, 200])
    expect(answers.map(({ headers }) => headers.get('Retry-After'))).toEqual(['1', '1', null, null])
  },
  async 'rate-limited'({ send }) {
    const answers = await repeat(10, () => send('GET', base))
    expect(statusesOf(answers).slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ errors: [{ code: 'TooManyRequests' }] })
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(refused?.headers.get('RateLimit-Limit')).toBe('5')
  },
  async offline({ send }) {
    for (const [method, path] of [
      ['GET', base],
      ['POST', base],
      ['GET', `${base}/namespace-action`],
    ] as const) {
      await expect(send(method, path, method === 'POST' ? { json: draft } : {})).rejects.toMatchObject({
        cause: { code: 'ECONNRESET' },
      })
    }
  },
  async truncated({ fetch, send }) {
    for (const path of [base, `${base}/sorted-query-parameters`, `${base}/namespace-action-with-example`]) {
      const response = await fetch(path)
      expect(response.status).toBe(200)
      await expect(response.text()).rejects.toThrow('terminated')
    }
    expect((await send('POST', base, { json: draft })).status).toBe(201)
  },
  custom1: (visitor) => seeCustom(visitor, 'custom1'),
  custom2: (visitor) => seeCustom(visitor, 'custom2'),
  async 'large-catalog'({ send, prepare }) {
    const totalOf = ({ body }: Answered) => (body as { readonly total: number }).total
    for (const path of [base, `${base}/sorted-query-parameters`, `${base}/searchApiPattern`]) {
      expect(totalOf(await send('GET', path))).toBe(totalOf(await prepare('GET', path)) + 2000)
    }
    expect((await send('GET', `${base}/key=generated-2000`)).status).toBe(200)
    expect((await send('POST', base, { json: draft })).status).toBe(201)
  },
}

describe('the built-in scenario', () => {
  const all = names.flatMap((name) => ways.map((way) => [name, way] as const))
  const oneWayEach = names.map((name, at) => [name, ways[at % ways.length] ?? 'flag'] as const)
  it.each(pick(all, oneWayEach))(
    '%s has its documented effect on %s, and names itself in a header',
    async (name, way) => {
      const visitor = await visit(name, way)
      const see = sights[name] ?? expect.fail(`tell what a client sees of ${name}`)
      await see(visitor)
      expect(visitor.log.flatMap(({ scenarios }) => scenarios)).toContain(name)
      const told = [...visitor.told].filter((one) => one !== null)
      expect(told).toEqual(name === 'offline' ? [] : [name])
    },
  )
})
