import { describe, expect, it } from 'vitest'
import { createAsk } from './ask.ts'
import type { Ask } from './ask.ts'

const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'
const PATH = `/acme/resource/${TABLE}`
const NOW = '2026-01-31T12:00:00Z'
const INSTANT = '2026-01-31T12:00:00.000Z'

interface Explanation {
  readonly cause: { readonly code?: string; readonly conflict?: string }
  readonly versions?: readonly { readonly version: number; readonly kind: string }[]
}

/** Sends requests one after the other; returns their journal ids. */
async function sendAll(ask: Ask, requests: readonly Parameters<Ask>[]): Promise<readonly string[]> {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const request of requests) await ask(...request)
  const { body } = await ask('GET', `/__admin/requests?limit=${requests.length}`)
  return (body as { requests: readonly { id: string }[] }).requests.map(({ id }) => id).toReversed()
}

async function explain(ask: Ask, id: string | undefined): Promise<Explanation> {
  const { status, body } = await ask('GET', `/__admin/requests/${id}/explanation`)
  expect(status).toBe(200)
  return body as Explanation
}

/** Sends requests, and explains the last one. */
async function explainLast(ask: Ask, requests: readonly Parameters<Ask>[]): Promise<Explanation> {
  return explain(ask, (await sendAll(ask, requests)).at(-1))
}

const updateOf = (version: unknown, path = PATH): Parameters<Ask> => [
  'POST',
  path,
  { json: { version, actions: [{ action: 'doSomeThing' }] } },
]

describe('the explanation of a version conflict', () => {
  it('names the request that wrote the current version, and when', async () => {
    const { ask } = await createAsk({ clock: NOW })
    const [, first] = await sendAll(ask, [updateOf(3), updateOf(4), updateOf(3)])
    const [last] = await sendAll(ask, [updateOf(3)])
    expect((await explain(ask, last)).cause).toMatchObject({
      code: 'ConcurrentModification',
      conflict: `You sent version 3, but version 5 had been current since ${INSTANT}, written by POST ${PATH} of session default (request ${first}).`,
    })
  })

  it('names the version that was current at the time, not a later one', async () => {
    const { ask } = await createAsk()
    const [writer, conflict] = await sendAll(ask, [updateOf(3), updateOf(3), updateOf(4)])
    const { cause } = await explain(ask, conflict)
    expect(cause.conflict).toContain('You sent version 3, but version 4 had been current since')
    expect(cause.conflict).toContain(`(request ${writer})`)
  })

  it('names the scenario whose concurrent writer came first', async () => {
    const { ask } = await createAsk({ clock: NOW, scenario: 'conflict-once' })
    const { cause } = await explainLast(ask, [updateOf(3)])
    expect(cause.conflict).toBe(
      `You sent version 3, but version 4 had been current since ${INSTANT}, written by the scenario conflict-once, which simulates a concurrent write.`,
    )
  })

  it('names the admin API and the time of its write, whatever the timestamps of the record', async () => {
    const { ask } = await createAsk({ clock: NOW })
    const json = { version: 9, lastModifiedAt: '2020-01-01T00:00:00.000Z', objectTypeProperty: {} }
    await ask('PUT', `/@a/__admin/state/acme/resources/${TABLE}`, { json })
    await ask(...updateOf(3, `/@a${PATH}`))
    const { body } = await ask('GET', '/@a/__admin/requests')
    const [{ id }] = (body as { requests: readonly [{ id: string }] }).requests
    const explained = (await ask('GET', `/@a/__admin/requests/${id}/explanation`)).body as Explanation
    expect(explained.cause.conflict).toBe(
      `You sent version 3, but version 9 had been current since ${INSTANT}, written through the admin API in session a.`,
    )
  })

  it('reports that no request of this session wrote it, and shows an int64 exactly', async () => {
    const { ask } = await createAsk()
    const { cause } = await explainLast(ask, [updateOf(9223372036854775807n)])
    expect(cause.conflict).toMatch(
      /^You sent version 9223372036854775807, but version 3 had been current since 20.*Z; it is the first version in the history of the session\.$/,
    )
  })

  it('covers a deletion, whose version is in the query', async () => {
    const { ask } = await createAsk()
    const { cause } = await explainLast(ask, [updateOf(3), ['DELETE', `${PATH}?version=3`]])
    expect(cause.conflict).toContain(`You sent version 3, but version 4 had been current since`)
  })

  it('names no writer of a version that a scenario made up', async () => {
    const { ask } = await createAsk()
    const error = { code: 'ConcurrentModification', message: 'No', currentVersion: 70 }
    const json = { description: 'Stale', rules: [{ effect: { answer: { status: 409, error } } }] }
    await ask('PUT', '/__admin/scenarios/stale', { json })
    const [method, path, sending] = updateOf(3)
    const { cause } = await explainLast(ask, [[method, path, { ...sending, headers: { 'X-Mock-Scenario': 'stale' } }]])
    expect(cause.conflict).toBe('You sent version 3, but the response reports 70 as the current version.')
  })

  it('is absent from other failures', async () => {
    const { ask } = await createAsk()
    const { cause } = await explainLast(ask, [['GET', '/acme/resource/none']])
    expect(cause).toMatchObject({ code: 'ResourceNotFound' })
    expect(cause).not.toHaveProperty('conflict')
  })
})

describe('the versions in an explanation', () => {
  const record = { version: 7, key: 'wool-hat', objectTypeProperty: {} }
  const put = (id: string): Parameters<Ask> => ['PUT', `/__admin/state/acme/resources/${id}`, { json: record }]

  it.each([
    ['an id that is not a UUID', '/acme/resource/hat_1'],
    ['a percent-encoded id', '/acme/resource/%68at%5F1'],
    ['a key', '/acme/resource/key=wool-hat'],
    ['a percent-encoded key', '/acme/resource/key=%77ool%2Dhat'],
    ['a session in the path', '/@default/acme/resource/key=wool-hat'],
  ])('are found by %s', async (_what, path) => {
    const { ask } = await createAsk()
    expect((await ask(...put('hat_1'))).status).toBe(201)
    const { versions } = await explainLast(ask, [['GET', path]])
    expect(versions).toMatchObject([{ version: 7, kind: 'put', writer: { kind: 'admin' } }])
  })

  it('are found by the key of a resource that was deleted', async () => {
    const { ask } = await createAsk()
    const deletion: Parameters<Ask> = ['DELETE', `${PATH}?version=3`]
    const { cause, versions } = await explainLast(ask, [deletion, ['GET', '/acme/resource/key=oak-side-table']])
    expect(cause.code).toBe('ResourceNotFound')
    expect(versions).toMatchObject([
      { version: 3, kind: 'removed' },
      { version: 3, kind: 'fixture' },
    ])
  })

  it('are found by the Location of a creation', async () => {
    const { ask } = await createAsk()
    const { versions } = await explainLast(ask, [
      ['POST', '/acme/resource', { json: { key: 'new', objectTypeProperty: {} } }],
    ])
    expect(versions).toMatchObject([{ version: 1, kind: 'put', writer: { kind: 'request' } }])
  })

  it('are those of the project with the base URL of the request', async () => {
    const { ask } = await createAsk()
    await ask(...updateOf(3, `/eu/gcp${PATH}`))
    const { versions } = await explainLast(ask, [['GET', `/eu/gcp${PATH}`]])
    expect(versions).toMatchObject([{ version: 4 }, { version: 3 }])
    expect((await explainLast(ask, [['GET', PATH]])).versions).toMatchObject([{ version: 3 }])
  })

  it('are omitted for a request that addresses no resource', async () => {
    const { ask } = await createAsk()
    expect(await explainLast(ask, [['GET', '/acme/resource?limit=1']])).not.toHaveProperty('versions')
    expect(await explainLast(ask, [['GET', '/acme/resource/none']])).not.toHaveProperty('versions')
  })
})

it('a request that is not in the journal has no explanation', async () => {
  const { ask } = await createAsk()
  expect((await ask('GET', '/__admin/requests/none/explanation')).status).toBe(404)
})
