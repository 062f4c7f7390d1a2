import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { parseJson, stringifyJson } from '../../../src/service/http/json.ts'
import type { Fetch } from './fetch-transport.ts'

/** What a half-built service gets wrong. */
export interface Gaps {
  /** POST answers this status instead of 201. */
  readonly created?: 200
  /** Whether POST sends `Location` or the id in its body. Default: it does. */
  readonly namesIds?: false
  /** Whether queries list resources. Default: they do. */
  readonly lists?: false
  /** Whether a token needs a scope. Default: it does. */
  readonly checksScopes?: false
  /** Whether two tokens in one header are refused. Default: they are. */
  readonly refusesTwoTokens?: false
  /** Whether a stale version is a conflict. Default: it is. */
  readonly checksVersions?: false
}

interface Stored {
  readonly id: string
  readonly key: string | undefined
  readonly version: number
  readonly objectTypeProperty: object
  readonly someProperty?: unknown
}

/** Codes of errors (decisions, "Errors"). */
const CODES: Readonly<Record<number, string>> = {
  400: 'InvalidField',
  401: 'invalid_token',
  403: 'insufficient_scope',
  404: 'ResourceNotFound',
  409: 'ConcurrentModification',
}

interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const refuse = (status: number, details: object = {}) => ({
  status,
  body: { statusCode: status, message: 'Refused.', errors: [{ code: CODES[status], message: 'Refused.', ...details }] },
})

/** A 401 or 403, whose envelope has the members of RFC 6750, too. */
function refuseToken(status: 401 | 403, headers: Readonly<Record<string, string>>): Reply {
  const { body } = refuse(status)
  return { status, body: { ...body, error: CODES[status], error_description: 'Refused.' }, headers }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A small service with the seven operations on resources, and a token endpoint: everything else is a 404. */
export function createHalfBuilt({
  created,
  namesIds,
  lists,
  checksScopes,
  refusesTwoTokens,
  checksVersions,
}: Gaps): Fetch {
  const app = new Hono()
  const stored = new Map<string, Stored>()

  const show = ({ version, objectTypeProperty }: Stored) => ({ version, objectTypeProperty })
  const locate = (c: Context, name: string, { id, version }: Stored): Readonly<Record<string, string>> => ({
    ETag: `"${version}"`,
    ...(namesIds === false ? {} : { [name]: `/${c.req.param('project') ?? ''}/resource/${id}` }),
  })
  const findByKey = (key: unknown) => [...stored.values()].find((one) => one.key === key)

  /** Sends the reply of `handle`, unless the token is missing or has none of the scopes. */
  const guard =
    (scopes: readonly string[], handle: (c: Context, body: unknown) => Reply) =>
    async (c: Context): Promise<Response> => {
      const { status, body, headers = {} } = await reply()
      const common = {
        'Content-Type': 'application/json; charset=utf-8',
        'X-Content-Type-Options': 'nosniff',
        'X-Correlation-ID': c.req.header('X-Correlation-ID') ?? randomUUID(),
      }
      return new Response(stringifyJson(body), { status, headers: { ...common, ...headers } })

      async function reply(): Promise<Reply> {
        const pattern = refusesTwoTokens === false ? /^Bearer ([\w:+-]+)/ : /^Bearer ([\w:+-]+)$/
        const token = pattern.exec(c.req.header('Authorization') ?? '')?.[1]
        const project = c.req.param('project') ?? ''
        const challenge = (error: string, scope = '') => ({
          'WWW-Authenticate': `Bearer realm="${project}", error="${error}"${scope}`,
        })
        if (token === undefined) return refuseToken(401, challenge('invalid_token'))
        const accepted = [...scopes, 'manage_project'].map((scope) => `${scope}:${project}`)
        if (
          scopes.length > 0 &&
          checksScopes !== false &&
          token !== 'all' &&
          !token.split('+').some((one) => accepted.includes(one))
        ) {
          const scope = `, scope="${accepted.slice(0, -1).join(' ')}"`
          return refuseToken(403, challenge('insufficient_scope', scope))
        }
        try {
          const text = await c.req.text()
          return handle(c, text === '' ? undefined : parseJson(text))
        } catch {
          return refuse(400)
        }
      }
    }

  app.post('/oauth/token', async (c) => {
    const scope = new URLSearchParams(await c.req.text()).get('scope') ?? undefined
    return c.json({ access_token: scope?.replaceAll(' ', '+') ?? 'all', token_type: 'Bearer', expires_in: 3600, scope })
  })
  app.post(
    '/:project/resource',
    guard(['manage_test'], (c, body) => {
      if (!isObject(body) || !isObject(body['objectTypeProperty'])) return refuse(400, { field: 'objectTypeProperty' })
      const { key, objectTypeProperty } = body
      if (key !== undefined && (typeof key !== 'string' || key === '')) return refuse(400, { field: 'key' })
      const old = findByKey(key ?? NaN)
      const one = { id: old?.id ?? randomUUID(), key, version: (old?.version ?? 0) + 1, objectTypeProperty }
      stored.set(one.id, one)
      return { status: created ?? 201, body: show(one), headers: locate(c, 'Location', one) }
    }),
  )
  app.get(
    '/:project/resource',
    guard(['view_test', 'manage_test'], (c) => {
      const limit = Number(c.req.query('limit') ?? 20)
      const createdAt = '2026-01-01T00:00:00.000Z'
      const all = lists === false ? [] : [...stored.values()]
      const results = all.slice(0, limit).map((one) => ({ ...one, createdAt, lastModifiedAt: createdAt }))
      return { status: 200, body: { limit, offset: 0, count: results.length, total: all.length, results } }
    }),
  )
  app.get(
    '/:project/resource/:id',
    guard(['view_test', 'manage_test'], (c) => {
      const name = c.req.param('id') ?? ''
      const one = stored.get(name) ?? findByKey(/^key=(.*)$/.exec(name)?.[1] ?? NaN)
      return one === undefined
        ? refuse(404)
        : { status: 200, body: show(one), headers: locate(c, 'Content-Location', one) }
    }),
  )
  app.post(
    '/:project/resource/:id',
    guard(['manage_test'], (c, body) => {
      const one = stored.get(c.req.param('id') ?? '')
      if (one === undefined) return refuse(404)
      const { version, actions } = isObject(body) ? body : {}
      if (!Array.isArray(actions) || typeof version !== 'number') return refuse(400)
      if (checksVersions !== false && version !== one.version) return refuse(409, { currentVersion: one.version })
      const next = { ...one, version: one.version + actions.length }
      stored.set(one.id, next)
      return { status: 200, body: show(next), headers: locate(c, 'Location', next) }
    }),
  )
  app.delete(
    '/:project/resource/:id',
    guard(['manage_test'], (c) => {
      const one = stored.get(c.req.param('id') ?? '')
      if (one === undefined) return refuse(404)
      const version = c.req.query('version')
      if (checksVersions !== false && version !== undefined && Number(version) !== one.version) {
        return refuse(409, { currentVersion: one.version })
      }
      stored.delete(one.id)
      return { status: 200, body: show(one), headers: { ETag: `"${one.version}"` } }
    }),
  )
  app.notFound(guard([], () => refuse(404)))
  return async (request) => app.fetch(request)
}

/** Serves a half-built service until the test ends. Resolves with its URL. */
export async function serveHalfBuilt(gaps: Gaps): Promise<string> {
  const server = createAdaptorServer({ fetch: createHalfBuilt(gaps), overrideGlobalObjects: false }).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // A server on a TCP port.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
