import { describe, expect, it } from 'vitest'
import { createAsk } from '../admin/ask.ts'
import type { Ask } from '../admin/ask.ts'
import type { Mock } from '../../src/mock.ts'

const PAGE = { Accept: 'text/html' }

/** The id of the newest request. */
async function lastId(ask: Ask, prefix = ''): Promise<string> {
  const { body } = await ask('GET', `${prefix}/__admin/requests?limit=1`)
  const [latest] = (body as { readonly requests: readonly { readonly id: string }[] }).requests
  return latest?.id ?? expect.fail('the journal is empty')
}

/** Sends the form with these fields, and gives the page that it leads to. */
async function sendAgain(mock: Mock, id: string, fields: Readonly<Record<string, string>>, prefix = '') {
  const sent = await mock.fetch(`http://localhost${prefix}/__admin?view=requests&request=${id}`, {
    method: 'POST',
    body: new URLSearchParams({ resend: id, ...fields }),
    headers: PAGE,
  })
  const location = sent.headers.get('Location')
  const shown = location === null ? sent : await mock.fetch(`http://localhost${location}`, { headers: PAGE })
  return { status: shown.status, text: await shown.text() }
}

describe('the form "Edit and resend"', () => {
  it('has the request as it was sent, with a placeholder of its token', async () => {
    const { ask } = await createAsk()
    await ask('POST', '/acme/resource?a=1', {
      json: { objectTypeProperty: {} },
      headers: { Authorization: 'Bearer s3cret', 'X-Own': 'b' },
    })
    const { text } = await ask('GET', `/__admin?view=requests&request=${await lastId(ask)}`, { headers: PAGE })
    expect(text).toMatch(/name="resend-method"[^>]* value="POST"/)
    expect(text).toMatch(/name="resend-url"[^>]* value="\/acme\/resource\?a=1"/)
    expect(text).toContain('authorization: Bearer any-token\ncontent-type: application/json\nx-own: b')
    expect(text).toMatch(/<textarea id="resend-body"[^>]*>\{\s*&quot;objectTypeProperty&quot;: \{\}\s*\}</)
  })

  it('leads to the new request, with both responses side by side', async () => {
    const { mock, ask } = await createAsk()
    await ask('GET', '/acme/resource/none')
    const first = await lastId(ask)
    const { status, text } = await sendAgain(mock, first, { 'resend-url': '/acme/resource?limit=1' })
    expect(status).toBe(200)
    expect(text).toContain('Sent again.')
    expect(text).toContain('<h3>Both responses</h3>')
    expect(text).toMatch(/<h4>Before<\/h4>.*404.*<h4>Now<\/h4>.*200/s)
    expect(text).toContain('Differences of the bodies')
    expect(text).toContain(`request=${first}`)
  })

  it('says that the bodies are the same', async () => {
    const { mock, ask } = await createAsk()
    await ask('GET', '/acme/resource?limit=1')
    const { text } = await sendAgain(mock, await lastId(ask), {})
    expect(text).toContain('The bodies are the same.')
  })

  it('leaves out the headers that were removed, and sends the others', async () => {
    const { mock, ask } = await createAsk()
    await ask('GET', '/acme/resource', { headers: { 'X-Own': 'a', 'X-Other': 'b' } })
    await sendAgain(mock, await lastId(ask), { 'resend-headers': 'X-Other: c:d\r\n' })
    const { body } = await ask('GET', '/__admin/requests?limit=1')
    const [{ request } = expect.fail('no request')] = (body as { requests: { request: { headers: object } }[] })
      .requests
    expect(request.headers).toMatchObject({ 'x-other': 'c:d' })
    expect(request.headers).not.toHaveProperty('x-own')
  })

  it('sends a request of another session to that session', async () => {
    const { mock, ask } = await createAsk()
    await ask('GET', '/@b/acme/resource')
    const first = await lastId(ask, '/@b')
    await ask('GET', '/@a/acme/resource')
    await sendAgain(mock, first, { 'resend-url': '/acme/resource?limit=1' }, '/@a')
    expect(await lastId(ask, '/@b')).not.toBe(first)
  })

  it('shows what is wrong, and what was typed', async () => {
    const { mock, ask } = await createAsk()
    await ask('GET', '/acme/resource')
    const { status, text } = await sendAgain(mock, await lastId(ask), { 'resend-headers': 'no name' })
    expect(status).toBe(400)
    expect(text).toContain('The header &quot;no name&quot; has no name.')
    expect(text).toMatch(/<textarea id="resend-headers"[^>]*>no name</)
    expect(text).toMatch(/<details class="more" open/)
  })

  it('says that the journal no longer has the request', async () => {
    const { mock } = await createAsk()
    const { status, text } = await sendAgain(mock, 'none', {})
    expect(status).toBe(404)
    expect(text).toContain('The journal no longer has this request.')
  })
})
