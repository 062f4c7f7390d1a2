import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { createAsk } from './ask.ts'
import type { Ask } from './ask.ts'
import { listen } from '../../support/listen.ts'

const START = { run: 'r1', title: ['saves'], file: 'save.spec.ts', line: 12 }
const TIMED_OUT = { ...START, status: 'timedOut', duration: 400 }

let ask: Ask
beforeEach(async () => {
  ask = (await createAsk({ auth: 'off' })).ask
})

/** Lets everything run that does not wait for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Sends a POST, and resolves once it waits for its delay. */
async function start(session = 'a', headers: Record<string, string> = { 'X-Mock-Delay': '60000' }) {
  const json = { key: 'late', objectTypeProperty: {} }
  const late = ask('POST', `/@${session}/acme/resource`, { json, headers })
  await settle()
  return { late: late.then(({ status, text }) => ({ status, text })) }
}

const methodsOf = async (session: string): Promise<readonly string[]> => {
  const { body } = await ask('GET', `/__admin/requests?session=${session}`)
  return (body as { readonly requests: readonly { readonly request: { readonly method: string } }[] }).requests.map(
    ({ request }) => request.method,
  )
}

describe('a request that still waits', () => {
  it('is answered 503 by a reset, and changes nothing', async () => {
    const { late } = await start()
    await ask('GET', '/@a/acme/resource')
    await ask('POST', '/@a/__admin/reset')
    expect(await late).toEqual({
      status: 503,
      text: expect.stringContaining(
        'Session \\"a\\" was reset while this request waited, so the request changed nothing.',
      ),
    })
    expect((await ask('GET', '/@a/acme/resource/key=late')).status).toBe(404)
    expect(await methodsOf('a')).toEqual(['GET'])
  })

  it.each(['', '?final=true'])('is told that its session has ended, not that it was reset: %s', async (query) => {
    const { late } = await start()
    await ask('DELETE', `/__admin/sessions/a${query}`)
    expect(await late).toEqual({ status: 503, text: expect.stringContaining('Session \\"a\\" ended while') })
  })

  it('is answered 503 if a scenario delays it, also at a token endpoint', async () => {
    const effect = { delay: { fixedDelayMilliseconds: 60_000 } }
    await ask('PUT', '/@a/__admin/scenarios/late', {
      json: { description: 'Late', rules: [{ effect }, { match: { operation: 'token' }, effect }] },
    })
    await ask('PUT', '/@a/__admin/scenarios/active', { json: { active: ['late'] } })
    const { late } = await start('a', {})
    const token = ask('POST', '/@a/oauth/token', { body: 'grant_type=client_credentials' })
    await settle()
    await ask('POST', '/@a/__admin/reset')
    expect([(await late).status, (await token).status]).toEqual([503, 503])
  })

  it('is not affected by the reset of another session', async () => {
    const { late } = await start('a', { 'X-Mock-Delay': '100' })
    await ask('POST', '/@b/__admin/reset')
    expect((await late).status).toBe(201)
  })

  it('changes nothing after a reset if its body arrives only then', async () => {
    const body = new TransformStream<Uint8Array, Uint8Array>()
    const { mock, ask: call } = await createAsk({ auth: 'off' })
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: body.readable,
      duplex: 'half',
    }
    const late = mock.fetch(new Request('http://localhost/acme/resource', init))
    await settle()
    await call('POST', '/__admin/reset')
    const writer = body.writable.getWriter()
    void writer.write(new TextEncoder().encode('{"key":"late","objectTypeProperty":{}}')).then(() => writer.close())
    expect((await late).status).toBe(503)
    expect((await call('GET', '/acme/resource/key=late')).status).toBe(404)
  })

  it.each(['', '?final=true'])('belongs to the archive of its test: %s', async (query) => {
    await ask('PUT', '/__admin/sessions/a/test', { json: START })
    await ask('GET', '/@a/acme/resource')
    const { late } = await start()
    await ask('PUT', '/__admin/sessions/a/test', { json: TIMED_OUT })
    await ask('DELETE', `/__admin/sessions/a${query}`)
    expect((await late).status).toBe(503)
    expect(await methodsOf('a')).toEqual(['POST', 'GET'])
    const { body } = await ask('GET', '/__admin/runs/r1')
    expect(body).toMatchObject({ tests: [{ requests: 2, failures: 1, archive: 'archived' }] })
  })

  it('is neither listed nor kept after its session was permanently deleted', async () => {
    const { late } = await start()
    await ask('GET', '/@b/acme/resource')
    await ask('DELETE', '/__admin/sessions/a?final=true')
    expect((await late).status).toBe(503)
    expect((await ask('GET', '/@a/acme/resource')).status).toBe(400)
    expect(await methodsOf('*')).toEqual(['GET'])
    const { text } = await ask('GET', '/__admin/metrics')
    expect(/^resource_mock_journal_entries (\d+)$/m.exec(text)?.[1]).toBe('1')
  })
})

describe('a request that another service answers after its test has ended', () => {
  it.each([
    ['is in its archive', true, 'a', ['GET', 'GET']],
    ['is in none if its session had no test', false, '*', []],
  ])('%s', async (_where, hasTest, session, methods) => {
    const open: ServerResponse[] = []
    const upstream = createServer((_request, response) => void open.push(response))
    const port = await listen(upstream)
    const server = await startServer({ port: 0, auth: 'off', passthrough: `http://127.0.0.1:${port}` })
    onTestFinished(() => server.close())
    const call = (method: string, path: string, body?: object) =>
      fetch(`${server.url}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    if (hasTest) await call('PUT', '/__admin/sessions/a/test', START)
    await call('GET', '/@a/acme/resource')
    const late = call('GET', '/@a/other/service')
    await once(upstream, 'request')
    await call('DELETE', '/__admin/sessions/a?final=true')
    open[0]?.end('ok')
    expect((await late).status).toBe(200)
    const { requests } = (await (await call('GET', `/__admin/requests?session=${session}`)).json()) as {
      readonly requests: readonly { readonly request: { readonly method: string } }[]
    }
    expect(requests.map(({ request }) => request.method)).toEqual(methods)
  })
})
