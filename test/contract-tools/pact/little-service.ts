import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { onTestFinished } from 'vitest'

interface Stored {
  readonly id: string
  readonly key?: string
  readonly version: number
  readonly objectTypeProperty: object
}

/** An error in the envelope, with the service's own messages. */
function toError(status: number, code: string, more: object = {}, headers: Record<string, string> = {}): Response {
  const message = `Refused with ${status}.`
  return Response.json({ statusCode: status, message, errors: [{ code, message, ...more }] }, { status, headers })
}

/**
 * Starts another service that implements the contract, with opaque tokens and its own error messages. `PUT /test/resources`
 * replaces its resources, `POST /test/tokens` issues a token.
 *
 * @returns its URL
 */
export async function startLittleService(): Promise<string> {
  const tokens = new Map<string, readonly string[]>()
  let resources = new Map<string, Stored>()
  const app = new Hono()

  app.put('/test/resources', async (c) => {
    const stored = await c.req.json<readonly Partial<Stored>[]>()
    const complete = stored.map((one) => ({ id: randomUUID(), version: 1, objectTypeProperty: {}, ...one }))
    resources = new Map(complete.map((one) => [one.id, one]))
    return c.body(null, 204)
  })
  app.post('/test/tokens', async (c) => {
    const token = randomUUID()
    tokens.set(token, await c.req.json<readonly string[]>())
    return c.json(token)
  })

  app.use('/:projectKey/*', async (c, next) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(c.req.header('Authorization') ?? '') ?? []
    const scopes = tokens.get(token)
    if (scopes === undefined) return toError(401, 'invalid_token', {}, { 'WWW-Authenticate': 'Bearer realm="little"' })
    const enough = c.req.method === 'GET' ? ['view_test', 'manage_test'] : ['manage_test']
    if (!enough.some((name) => scopes.includes(`${name}:${c.req.param('projectKey')}`)))
      return toError(403, 'insufficient_scope', {}, { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' })
    return next()
  })

  /** A response with a resource, with the headers of D5. */
  function answer(projectKey: string, stored: Stored, status: 200 | 201, place?: string): Response {
    const { id, version, objectTypeProperty } = stored
    const headers = {
      ETag: `"${version}"`,
      ...(place === undefined ? {} : { [place]: `/${projectKey}/resource/${id}` }),
    }
    return Response.json({ version, objectTypeProperty }, { status, headers })
  }

  app.get('/:projectKey/resource/:id', (c) => {
    const { id, projectKey } = c.req.param()
    const found = id.startsWith('key=')
      ? [...resources.values()].find(({ key }) => `key=${key}` === id)
      : resources.get(id)
    return found === undefined ? toError(404, 'ResourceNotFound') : answer(projectKey, found, 200, 'Content-Location')
  })
  app.post('/:projectKey/resource', async (c) => {
    const draft = await c.req.json<Pick<Stored, 'key' | 'objectTypeProperty'>>()
    if (draft.objectTypeProperty === undefined) return toError(400, 'RequiredField')
    const stored = { ...draft, id: randomUUID(), version: 1 }
    resources.set(stored.id, stored)
    return answer(c.req.param('projectKey'), stored, 201, 'Location')
  })
  app.post('/:projectKey/resource/:id', async (c) => {
    const { id, projectKey } = c.req.param()
    const found = resources.get(id)
    if (found === undefined) return toError(404, 'ResourceNotFound')
    const { version, actions } = await c.req.json<{ readonly version: number; readonly actions: readonly object[] }>()
    if (version !== found.version) return toError(409, 'ConcurrentModification', { currentVersion: found.version })
    const updated = { ...found, version: version + Math.min(actions.length, 1) }
    resources.set(id, updated)
    return answer(projectKey, updated, 200, 'Location')
  })
  app.delete('/:projectKey/resource/:id', (c) => {
    const { id, projectKey } = c.req.param()
    const found = resources.get(id)
    if (found === undefined) return toError(404, 'ResourceNotFound')
    resources.delete(id)
    return answer(projectKey, found, 200)
  })

  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
