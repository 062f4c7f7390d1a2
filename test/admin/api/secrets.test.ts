import { describe, expect, it } from 'vitest'
import type { LogLine } from '../../../src/sessions/journal/record.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import { createAsk } from './ask.ts'

/** Part of every secret, and of nothing else. */
const MARK = 'S3CR3T'

/** A mock that received secrets everywhere, and its log. */
async function startWithSecrets(options: MockOptions = {}) {
  const lines: LogLine[] = []
  const asking = await createAsk({ ...options, onRequest: (line) => lines.push(line) })
  const { ask } = asking
  const headers = {
    Authorization: `Bearer ${MARK}`,
    'Proxy-Authorization': `Basic ${MARK}`,
    Cookie: `theme=${MARK}`,
    'X-Api-Key': MARK,
    'X-CSRF-Token': MARK,
    Referer: `https://jo:${MARK}@shop.example/?sig=${MARK}`,
    'X-Tenant': MARK,
  }
  const query = `api_key=${MARK}&code=${MARK}&tenant=${MARK}`
  await ask('GET', `/acme/resource?${query}&limit=1`, { headers })
  await ask('POST', `/acme/resource/namespace-action?${query}`, {
    headers,
    json: { password: MARK, deep: [{ accessToken: { value: MARK } }], tenant: MARK, limit: 1 },
  })
  await ask('POST', `/acme/resuorce?${query}`, { headers, json: { client_secret: MARK } })
  const form = new URLSearchParams({ grant_type: 'password', username: 'jo', password: MARK, tenant: MARK })
  await ask('POST', '/oauth/acme/customers/token', { headers, body: form })
  return { ...asking, lines }
}

describe('secrets in requests and responses', () => {
  it.each([
    ['GET', '/__admin/requests', undefined],
    ['GET', '/__admin/requests.har', undefined],
    ['GET', '/__admin/requests/unmatched/near-misses', undefined],
    ['GET', '/__admin/pact?consumer=a&provider=b', undefined],
    ['POST', '/__admin/requests/find', { method: 'POST' }],
    ['POST', '/__admin/near-misses/request-pattern', { method: 'POST', url: '/nowhere' }],
  ])('are not in the response to %s %s', async (method, path, json) => {
    const { ask } = await startWithSecrets({ redact: ['tenant,x-tenant'] })
    const { status, text } = await ask(method, path, json === undefined ? {} : { json })
    expect(status).toBe(200)
    expect(text).toContain('acme')
    expect(text).not.toContain(MARK)
  })

  it('are not in the log', async () => {
    const { lines } = await startWithSecrets({ redact: ['tenant'] })
    expect(lines.length).toBe(4)
    expect(JSON.stringify(lines)).not.toContain(MARK)
  })

  it('are not in live events', async () => {
    const { ask, mock } = await startWithSecrets()
    const controller = new AbortController()
    const events = await mock.fetch('/__admin/events', { signal: controller.signal })
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    await ask('PUT', '/acme/resource', { json: { objectTypeProperty: {}, password: MARK } })
    let text = ''
    while (!text.includes('"method":"PUT"')) text += (await reader?.read())?.value ?? ''
    controller.abort()
    expect(text).toContain('[redacted]')
    expect(text).not.toContain(MARK)
  })

  it('do not stop patterns from finding everything else', async () => {
    const { ask } = await startWithSecrets()
    const count = async (json: unknown) => (await ask('POST', '/__admin/requests/count', { json })).body
    const found = { count: 1, requestJournalDisabled: false }
    expect(await count({ bodyPatterns: [{ contains: '"limit":1' }] })).toMatchObject(found)
    expect(await count({ bodyPatterns: [{ matches: '.*"password":"\\[redacted\\]".*' }] })).toMatchObject(found)
    expect(await count({ method: 'GET', queryParameters: { limit: { equalTo: '1' } } })).toMatchObject(found)
    expect(await count({ method: 'GET', headers: { 'X-Api-Key': { absent: true } } })).toMatchObject({ count: 0 })
  })
})
