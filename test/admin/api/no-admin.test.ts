import { describe, expect, it } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { createAsk } from './ask.ts'

describe('a mock without an admin API', () => {
  it.each([
    ['GET', '/__admin'],
    ['GET', '/__admin/'],
    ['GET', '/__admin/health'],
    ['GET', '/__admin/dashboard.svg'],
    ['POST', '/__admin/reset'],
    ['PUT', '/__admin/state'],
    ['GET', '/__admin/requests'],
    ['GET', '/@s1/__admin/requests'],
    ['POST', '/_pactSetup'],
    ['GET', '/__admin/resource'],
  ])('responds to %s %s as to any unknown path', async (method, path) => {
    const { ask } = await createAsk({ admin: false })
    const { status, body, headers } = await ask(method, path, { headers: { Origin: 'https://shop.example' } })
    const { status: other, headers: otherHeaders } = await ask(method, '/nowhere', {
      headers: { Origin: 'https://shop.example' },
    })
    expect([status, other]).toEqual([404, 404])
    expect([...headers.keys()]).toEqual([...otherHeaders.keys()])
    expect(body).toMatchObject({
      errors: [{ code: 'ResourceNotFound', message: expect.stringMatching(/^No endpoint matches /) }],
    })
    expect(JSON.stringify(body)).not.toContain('The dashboard is at')
  })

  it('requires no token, and does not mention one', async () => {
    const { ask } = await createAsk({ admin: false, adminToken: 'secret' })
    expect((await ask('GET', '/__admin?token=secret')).status).toBe(404)
    expect((await ask('GET', '/__admin/requests', { headers: { Authorization: 'Bearer wrong' } })).status).toBe(404)
  })

  it('still has session handles in its own process', async () => {
    const server = await startServer({ port: 0, auth: 'off', admin: false })
    const session = server.mock.session('default')
    await session.use('unavailable')
    expect((await fetch(`${server.url}/acme/resource`)).status).toBe(503)
    expect((await fetch(`${server.url}/__admin/scenarios`)).status).toBe(404)
    expect((await session.requests()).length).toBe(2)
    await server.close()
  })
})
