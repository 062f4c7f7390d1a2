import { describe, expect, it } from 'vitest'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'

interface Listed {
  readonly id: string
  readonly correlationId: string
  readonly request: {
    readonly url: string
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
  }
  readonly response: { readonly status: number }
}

/** The newest request of a session. */
async function last(ask: Ask, prefix = ''): Promise<Listed> {
  const { body } = await ask('GET', `${prefix}/__admin/requests?limit=1`)
  const [latest] = (body as { readonly requests: readonly Listed[] }).requests
  return latest ?? expect.fail('the journal is empty')
}

describe('POST /__admin/requests/{id}/resend', () => {
  it('resends a request and returns the new exchange, which names the original', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    await update(ask, path, 1)
    const first = await last(ask)
    const { status, body } = await ask('POST', `/__admin/requests/${first.id}/resend`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ request: { method: 'POST', url: path }, response: { status: 409 } })
    expect((body as Listed).correlationId).toContain(`resend-${first.id}-`)
    expect(await last(ask)).toMatchObject({ id: (body as Listed).id })
  })

  it('applies changes to method, path, headers and body', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    await update(ask, path, 1)
    const { id } = await last(ask)
    const again = await ask('POST', `/__admin/requests/${id}/resend`, {
      json: { body: { version: 2, actions: [{ action: 'doSomeThing' }] } },
    })
    expect(again.body).toMatchObject({ response: { status: 200 } })
    const read = await ask('POST', `/__admin/requests/${id}/resend`, {
      json: { method: 'GET', url: '/acme/resource?limit=1', headers: { 'X-Own': 'a', 'content-type': null } },
    })
    expect(read.body).toMatchObject({
      request: { method: 'GET', url: '/acme/resource?limit=1', headers: { 'x-own': 'a' } },
      response: { status: 200 },
    })
    expect((read.body as Listed).request.headers).not.toHaveProperty('content-type')
  })

  it.each([
    [414, { url: `/acme/resource?${'a'.repeat(70_000)}` }],
    [431, { headers: { 'X-Own': 'a'.repeat(70_000) } }],
  ])('responds with %i to changes that are longer than the server accepts', async (status, json) => {
    const { ask } = await createAsk()
    await ask('GET', '/acme/resource')
    const { id } = await last(ask)
    expect(await ask('POST', `/__admin/requests/${id}/resend`, { json })).toMatchObject({ status })
    expect(await last(ask)).toMatchObject({ id })
  })

  it('sends to the session of the original request, however that was named', async () => {
    const { ask } = await createAsk()
    const headers = { Cookie: 'mock-session=a' }
    await ask('GET', '/acme/resource', { headers })
    const { id } = await last(ask, '/@a')
    const { body } = await ask('POST', `/@a/__admin/requests/${id}/resend`)
    expect(body).toMatchObject({ session: 'a' })
  })

  it('sends bytes unchanged', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    const bytes = new Uint8Array([255, 216, 1])
    const upload = await ask('POST', `${path}/images`, { body: bytes, headers: { 'Content-Type': 'image/jpeg' } })
    const { id } = await last(ask)
    const { body } = await ask('POST', `/__admin/requests/${id}/resend`)
    expect(body).toMatchObject({ request: { bodyAsBase64: '/9gB' }, response: { status: upload.status } })
  })

  it('returns the exchange of a connection that a scenario broke', async () => {
    const { ask } = await createAsk()
    await ask('GET', '/acme/resource')
    const { id } = await last(ask)
    await ask('PUT', '/__admin/scenarios/active', { json: { active: ['offline'] } })
    const { body } = await ask('POST', `/__admin/requests/${id}/resend`)
    expect(body).toMatchObject({ response: { status: 0, fault: 'CONNECTION_RESET_BY_PEER' } })
  })

  it.each([
    ['an unknown member', { path: '/acme' }, 'path: unknown member.'],
    ['the URL of another session', { url: '/@b/acme/resource' }, 'The URL names session "b"'],
    ['the admin API', { url: '/__admin/reset' }, 'Only requests to the service can be resent'],
    ['a method that cannot be sent', { method: 'CONNECT' }, 'Cannot send the request: '],
    ['a body with GET', { method: 'GET', body: 'a' }, 'Cannot send the request: '],
  ])('refuses %s', async (_what, json, sentence) => {
    const { ask } = await createAsk()
    await update(ask, await create(ask), 1)
    const { id } = await last(ask)
    const { status, text } = await ask('POST', `/__admin/requests/${id}/resend`, { json })
    expect(status).toBe(400)
    expect(text).toContain(JSON.stringify(sentence).slice(1, -1))
  })

  it('requires the body if the journal has truncated it', async () => {
    const { ask } = await createAsk()
    const json = { objectTypeProperty: { stringExample: 'x'.repeat(70_000) } }
    await ask('POST', '/acme/resource', { json })
    const { id } = await last(ask)
    const refused = await ask('POST', `/__admin/requests/${id}/resend`)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Send the whole body as \\"body\\".')
    const { body } = await ask('POST', `/__admin/requests/${id}/resend`, { json: { body: { objectTypeProperty: {} } } })
    expect(body).toMatchObject({ response: { status: 201 } })
  })

  it.each(['/%2e%2e/__admin/reset', '/a/..%2f__admin/reset', '/.%2e/@a/__admin/reset', '/x/../__admin/reset'])(
    'never reaches the admin API, even as %s',
    async (url) => {
      const { ask } = await createAsk()
      const path = await create(ask)
      const { id } = await last(ask)
      await ask('POST', `/__admin/requests/${id}/resend`, { json: { method: 'POST', url, body: '' } })
      expect((await ask('GET', path)).status).toBe(200)
    },
  )

  it.each(['`whoami`', 'patch', 'NOTHING'])('refuses the method %s, which cannot be sent', async (method) => {
    const { ask } = await createAsk()
    await create(ask)
    const { id } = await last(ask)
    const { status, text } = await ask('POST', `/__admin/requests/${id}/resend`, { json: { method } })
    expect([status, text]).toEqual([
      400,
      expect.stringContaining('an HTTP method in capitals, such as PATCH, expected.'),
    ])
  })

  it('is 404 for a request that is not in the journal', async () => {
    const { ask } = await createAsk()
    expect((await ask('POST', '/__admin/requests/none/resend')).status).toBe(404)
  })
})
