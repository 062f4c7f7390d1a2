import { connectMock, createMock } from '../../../src/index.ts'
import type { Resource } from '../../../src/index.ts'

const headers = { 'Content-Type': 'application/json' }

/** Uses a mock in any runtime, and returns the results; none of it needs Node. */
export async function tryOut() {
  const mock = await createMock({ auth: 'off', generate: 1 })
  const direct = await mock.fetch(new Request('http://mock/acme/resource?limit=1'))
  const session = mock.session('try-out')
  await session.seed([{ key: 'linen-shirt', objectTypeProperty: { arrayOfIntExample: [9223372036854775807n] } }])
  const list = (await (await session.fetch('/acme/resource')).json()) as { results: readonly Resource[] }
  const created = await session.fetch('/acme/resource', {
    method: 'POST',
    headers,
    body: '{"key":"wool-hat","objectTypeProperty":{}}',
  })
  const path = created.headers.get('Location') ?? ''
  await session.use('conflict-once')
  const update = async (version: number) => {
    const body = JSON.stringify({ version, actions: [{ action: 'changeSomeProperty', someProperty: 'mine' }] })
    const response = await session.fetch(path, { method: 'POST', headers, body })
    const { currentVersion } = ((await response.json()) as { errors?: { currentVersion: number }[] }).errors?.[0] ?? {}
    return { status: response.status, currentVersion }
  }
  const conflict = await update(1)
  const retry = await update(conflict.currentVersion ?? 0)
  const requests = await session.requests({ method: 'POST', urlPathPattern: '/acme/resource/.+' })
  return {
    direct: direct.status,
    seeded: list.results.map(({ key }) => key),
    created: created.status,
    conflict,
    retry,
    requests: requests.map(({ operation, scenarios, response }) => [operation, scenarios, response.status]),
    refused: await session.use('conflit').catch((fault: unknown) => String(fault)),
  }
}

/** The expected results in every runtime. */
export const outcome: Awaited<ReturnType<typeof tryOut>> = {
  direct: 200,
  seeded: ['linen-shirt'],
  created: 201,
  conflict: { status: 409, currentVersion: 2 },
  retry: { status: 200, currentVersion: undefined },
  requests: [
    ['updateResource', ['conflict-once'], 409],
    ['updateResource', [], 200],
  ],
  refused:
    'SetupError: Unknown scenario "conflit". Did you mean "conflict"? The scenarios are: conflict, conflict-once, custom1, custom2, empty, expired-token, flaky, gateway-html, large-catalog, login-rejected, missing-scope, not-found, offline, rate-limited, read-only, slow, token-service-down, truncated, unauthorized, unavailable, unavailable-twice, upload-corrupt, upload-rejected, upload-too-large.',
}

/** What a page is told if it connects to a mock; undefined if it reaches it. */
export const tryToConnect = (url: string): Promise<string | undefined> =>
  connectMock(url)
    .session('page')
    .reset()
    .then(() => undefined, String)
