import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MAX_BYTES } from '../../../src/service/http/sizes.ts'
import { pick } from '../../support/thorough.ts'
import { createAsk } from './ask.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const MIB = 1024 * 1024

const seed = (records: readonly unknown[]) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'seed_resources', arguments: { projectKey: 'acme', records } },
})
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const scenario = { description: 'Fails', rules: [{ effect: { answer: { status: 500 } } }] }

describe('a body', () => {
  it.each<readonly [method: string, path: string, json: object, limit: number]>([
    ['POST', '/acme/resource', { objectTypeProperty: {} }, MIB],
    ['POST', '/acme/resource/namespace-action', {}, MIB],
    ['PUT', '/__admin/state/acme/resources/r1', { objectTypeProperty: {} }, MIB],
    ['PUT', '/__admin/clock', { now: '2024-01-01T00:00:00Z' }, MIB],
    ['PUT', '/__admin/scenarios/active', { active: [] }, MIB],
    ['POST', '/__admin/near-misses/request', { method: 'GET', url: '/' }, MIB],
    ['POST', '/__admin/requests/{id}/resend', {}, MIB],
    ['POST', '/_pactSetup', { state: '' }, MIB],
    ['POST', '/__admin/mcp', seed([]), MIB],
    ['POST', '/__admin/mcp', list, MAX_BYTES.message],
    ['PUT', '/__admin/scenarios/own', scenario, MAX_BYTES.definition],
    ['POST', '/__admin/requests/find', {}, MAX_BYTES.pattern],
    ['POST', '/__admin/requests/count', {}, MAX_BYTES.pattern],
    ['POST', '/__admin/requests/remove', { method: 'PATCH' }, MAX_BYTES.pattern],
    ['POST', '/__admin/near-misses/request-pattern', {}, MAX_BYTES.pattern],
    ['PUT', '/__admin/sessions/a/test', { run: 'r', title: ['t'], file: 'f', line: 1 }, MAX_BYTES.test],
    // Each takes seconds.
    ...pick(
      [
        ['PUT', '/__admin/state', { projects: [] }, MAX_BYTES.state] as const,
        ['PUT', '/__admin/state/acme', [], MAX_BYTES.state] as const,
      ],
      [],
    ),
  ])('of %s %s may have its size, and not a byte more: %j', async (method, path, json, limit) => {
    const { ask } = await createAsk()
    await ask('GET', '/acme/resource')
    const { requests } = (await ask('GET', '/__admin/requests')).body as { requests: readonly { id: string }[] }
    const send = (size: number) =>
      ask(method, path.replace('{id}', requests[0]?.id ?? ''), {
        body: gzipSync(JSON.stringify(json).padEnd(size)),
        headers: {
          ...JSON_TYPE,
          'Content-Encoding': 'gzip',
          Accept: 'application/json, text/event-stream',
          Authorization: 'Bearer any',
        },
      })
    expect((await send(limit)).status).toBeLessThan(300)
    const { status, body } = await send(limit + 1)
    expect([status, body]).toEqual([413, expect.objectContaining({ errors: [expect.objectContaining({ limit })] })])
  })
})

it('takes the size of a body of the API from --max-body, and that of others from their kind', async () => {
  const { ask } = await createAsk({ maxBody: 100 })
  const send = async (method: string, path: string, json: object) =>
    (await ask(method, path, { body: JSON.stringify(json).padEnd(1000), headers: JSON_TYPE })).status
  expect(await send('POST', '/acme/resource', { objectTypeProperty: {} })).toBe(413)
  expect(await send('PUT', '/__admin/scenarios/active', { active: [] })).toBe(413)
  expect(await send('PUT', '/__admin/scenarios/own', scenario)).toBe(201)
  expect(await send('POST', '/__admin/requests/find', {})).toBe(200)
})

it('refuses to resend a request with more than 200 headers', async () => {
  const { ask } = await createAsk()
  await ask('GET', '/acme/resource')
  const { requests } = (await ask('GET', '/__admin/requests')).body as { requests: readonly { id: string }[] }
  const json = { headers: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`x-${at}`, 'a'])) }
  const { status, text } = await ask('POST', `/__admin/requests/${requests[0]?.id ?? ''}/resend`, { json })
  expect([status, text]).toEqual([400, expect.stringContaining('headers: at most 200 headers expected.')])
})
