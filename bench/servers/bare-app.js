import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'

const toBody = ({ version, objectTypeProperty }) => ({ version, objectTypeProperty })

/**
 * The baseline: the same routes and the same responses from bare Hono, with a Map as the store and JSON.stringify for
 * responses. It has no authentication, no validation and no log.
 *
 * @param {readonly object[]} records of a fixture file
 */
export function createBareApp(records) {
  const resources = new Map(records.map((record) => [record.id, record]))
  const app = new Hono()

  app.get('/:projectKey/resource', (c) => {
    const limit = Number(c.req.query('limit') ?? 20)
    const results = []
    for (const { id, key, version, objectTypeProperty, createdAt, lastModifiedAt } of resources.values()) {
      if (results.length === limit) break
      results.push({ id, key, version, objectTypeProperty, createdAt, lastModifiedAt })
    }
    const first = results[0]?.objectTypeProperty
    return c.json({ ...first, limit, offset: 0, count: results.length, total: resources.size, results })
  })

  app.get('/:projectKey/resource/:id', (c) => {
    const found = resources.get(c.req.param('id'))
    return found === undefined ? c.json({ statusCode: 404 }, 404) : c.json(toBody(found))
  })

  app.post('/:projectKey/resource', async (c) => {
    const { objectTypeProperty } = await c.req.json()
    const now = new Date().toISOString()
    const created = { id: randomUUID(), version: 1, createdAt: now, lastModifiedAt: now, objectTypeProperty }
    resources.set(created.id, created)
    return c.json(toBody(created), 201)
  })

  app.post('/:projectKey/resource/:id', async (c) => {
    const { version, actions } = await c.req.json()
    const found = resources.get(c.req.param('id'))
    if (found === undefined) return c.json({ statusCode: 404 }, 404)
    if (found.version !== version) return c.json({ statusCode: 409, currentVersion: found.version }, 409)
    const changed = { ...found, version: version + 1, lastModifiedAt: new Date().toISOString() }
    for (const { action, someProperty } of actions) {
      if (action === 'changeSomeProperty') changed.someProperty = someProperty
    }
    resources.set(found.id, changed)
    return c.json(toBody(changed))
  })
  return app
}
