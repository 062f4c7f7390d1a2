import { createMock } from '/work/main/dist/mock.js'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import fs from 'fs'
getRequestListener(() => {}, { overrideGlobalObjects: true })
const text = fs.readFileSync('/tmp/one.json', 'utf8')
const mock = await createMock({ fixtures: { 'resources.json': text }, onRequest: () => {} })
const resources = new Map(JSON.parse(text).map((r) => [r.id, r]))
const app = new Hono()
app.get('/:projectKey/resource', (c) => c.json({}))
app.get('/:projectKey/resource/:id', (c) => {
  const f = resources.get(c.req.param('id'))
  return c.json({ version: f.version, objectTypeProperty: f.objectTypeProperty })
})
app.post('/:projectKey/resource', (c) => c.json({}))
app.post('/:projectKey/resource/:id', (c) => c.json({}))
const raw = ['Host', 'localhost:4010', 'Connection', 'keep-alive', 'Authorization', 'Bearer x']
class H {
  get(n) {
    n = n.toLowerCase()
    for (let i = 0; i < raw.length; i += 2)
      if (raw[i].length === n.length && raw[i].toLowerCase() === n) return raw[i + 1]
    return null
  }
}
const headers = new H()
const mk = () => ({
  url: 'http://localhost:4010/bench/resource/ff430732-10f4-4b89-afe8-9b6aaaa66ed3',
  method: 'GET',
  headers,
  signal: undefined,
})
for (let r = 0; r < 6; r++) {
  let t = performance.now()
  for (let i = 0; i < 50000; i++) await app.fetch(mk())
  const a = (performance.now() - t) / 50
  t = performance.now()
  for (let i = 0; i < 50000; i++) await mock.fetch(mk())
  const b = (performance.now() - t) / 50
  console.log('bare', a.toFixed(2), 'mock', b.toFixed(2), 'us/req')
}
