import { describe, expect, it } from 'vitest'
import { createAsk } from './ask.ts'
import type { Ask } from './ask.ts'

const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'
const PATH = `/acme/resource/${TABLE}`
const NOW = '2026-01-31T12:00:00Z'
const INSTANT = '2026-01-31T12:00:00.000Z'
const CLOCK = '12:00:00.000 UTC'

interface Explanation {
  readonly sentence?: string
  readonly remedy?: string
  readonly cause: { readonly kind?: string; readonly code?: string }
  readonly conflict?: unknown
  readonly nearMisses?: readonly { readonly operation: string; readonly method: string; readonly path: string }[]
  readonly retry?: { readonly state?: string }
  readonly contract: { readonly kind: string; readonly violations?: readonly { readonly path: string }[] }
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
    const [, first] = await sendAll(ask, [updateOf(3), updateOf(4), ['GET', PATH]])
    const [last] = await sendAll(ask, [updateOf(3)])
    expect(await explain(ask, last)).toMatchObject({
      sentence: `You sent version 3, but version 5 had been current since ${CLOCK}, written by POST ${PATH} of session default (request ${first}).`,
      cause: { kind: 'conflict', code: 'ConcurrentModification' },
      conflict: {
        sent: { version: 3, kind: 'fixture' },
        current: { version: 5, kind: 'put', time: INSTANT, writer: { kind: 'request', request: first } },
      },
      remedy: 'Read the resource, reapply the change, and send it with the version just read.',
    })
  })

  it('names the version that was current at the time, not a later one', async () => {
    const { ask } = await createAsk()
    const [writer, conflict] = await sendAll(ask, [updateOf(3), updateOf(3), updateOf(4)])
    const { sentence } = await explain(ask, conflict)
    expect(sentence).toContain('You sent version 3, but version 4 had been current since')
    expect(sentence).toContain(`(request ${writer})`)
  })

  it('names the scenario whose concurrent writer came first', async () => {
    const { ask } = await createAsk({ clock: NOW, scenario: 'conflict-once' })
    expect(await explainLast(ask, [updateOf(3)])).toMatchObject({
      sentence: `You sent version 3, but version 4 had been current since ${CLOCK}, written by the scenario conflict-once, which simulates a concurrent write.`,
      conflict: {
        sent: { version: 3 },
        current: { version: 4, writer: { kind: 'scenario', scenario: 'conflict-once' } },
      },
    })
  })

  it('names the admin API and the time of its write, whatever the timestamps of the record', async () => {
    const { ask } = await createAsk({ clock: NOW })
    const json = { version: 9, lastModifiedAt: '2020-01-01T00:00:00.000Z', objectTypeProperty: {} }
    await ask('PUT', `/@a/__admin/state/acme/resources/${TABLE}`, { json })
    await ask(...updateOf(3, `/@a${PATH}`))
    const { body } = await ask('GET', '/@a/__admin/requests')
    const [{ id }] = (body as { requests: readonly [{ id: string }] }).requests
    const explained = (await ask('GET', `/@a/__admin/requests/${id}/explanation`)).body as Explanation
    expect(explained.sentence).toBe(
      `You sent version 3, but version 9 had been current since ${CLOCK}, written through the admin API in session a.`,
    )
  })

  it('reports that no request of this session wrote it, with the date of another day, and shows an int64 exactly', async () => {
    const { ask } = await createAsk({ clock: '2030-01-31T12:00:00Z' })
    const { sentence, conflict } = await explainLast(ask, [updateOf(9223372036854775807n)])
    expect(sentence).toMatch(
      /^You sent version 9223372036854775807, but version 3 had been current since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC; it is the first version in the history of the session\.$/,
    )
    expect(conflict).toMatchObject({
      sent: { version: 9223372036854775807n },
      current: { version: 3, kind: 'fixture' },
    })
  })

  it('names the snapshot whose restore made the version current, and when', async () => {
    const { ask } = await createAsk({ clock: NOW })
    await sendAll(ask, [updateOf(3)])
    await ask('PUT', '/__admin/snapshots/before')
    await sendAll(ask, [updateOf(4)])
    await ask('POST', '/__admin/snapshots/before/restore')
    const { sentence, conflict } = await explainLast(ask, [updateOf(5)])
    expect(sentence).toBe(
      `You sent version 5, but version 4 had been current since ${CLOCK}, when the snapshot before was restored.`,
    )
    expect(conflict).toMatchObject({ current: { version: 4, restored: { snapshot: 'before', time: INSTANT } } })
    await ask('PUT', '/__admin/state/acme', { json: [{ id: TABLE, version: 8, objectTypeProperty: {} }] })
    expect((await explainLast(ask, [updateOf(5)])).sentence).toContain('it is the first version in the history')
  })

  it('covers a deletion, whose version is in the query', async () => {
    const { ask } = await createAsk()
    const { sentence } = await explainLast(ask, [updateOf(3), ['DELETE', `${PATH}?version=3`]])
    expect(sentence).toContain('You sent version 3, but version 4 had been current since')
  })

  it('names no writer of a version that a scenario made up', async () => {
    const { ask } = await createAsk()
    const error = { code: 'ConcurrentModification', message: 'No', currentVersion: 70 }
    const json = { description: 'Stale', rules: [{ effect: { answer: { status: 409, error } } }] }
    await ask('PUT', '/__admin/scenarios/stale', { json })
    const [method, path, sending] = updateOf(3)
    const { sentence, conflict } = await explainLast(ask, [
      [method, path, { ...sending, headers: { 'X-Mock-Scenario': 'stale' } }],
    ])
    expect(sentence).toBe('You sent version 3, but the response reports 70 as the current version.')
    expect(conflict).toMatchObject({ sent: { version: 3, kind: 'fixture' }, current: { version: 70 } })
  })

  it('says that a retry sent the old version again', async () => {
    const { ask } = await createAsk({ clock: NOW })
    const [, first, retry] = await sendAll(ask, [updateOf(3), updateOf(3), updateOf(3)])
    expect((await explain(ask, first)).cause.kind).toBe('conflict')
    const explained = await explain(ask, retry)
    expect(explained).toMatchObject({
      cause: { kind: 'repeated-version' },
      retry: { state: 'none', retryOf: first, previous: { id: first, status: 409 } },
    })
    expect(explained.sentence).toMatch(
      /^The app sent version 3 again, although the previous response reported version 4\. You sent version 3, but/,
    )
    expect(explained.remedy).toMatch(/^Read the resource before each retry/)
  })

  it('is absent from other failures', async () => {
    const { ask } = await createAsk()
    const explained = await explainLast(ask, [['GET', '/acme/resource/none']])
    expect(explained.cause).toMatchObject({ kind: 'not-found', code: 'ResourceNotFound' })
    expect(explained).not.toHaveProperty('conflict')
  })
})

describe('the explanation of a failure goes by its cause', () => {
  const withHeaders = (headers: Readonly<Record<string, string>>): Parameters<Ask> => ['GET', PATH, { headers }]
  const bearer = (token: string, scenario?: string): Parameters<Ask> =>
    withHeaders({
      Authorization: `Bearer ${token}`,
      ...(scenario === undefined ? {} : { 'X-Mock-Scenario': scenario }),
    })

  it.each<[kind: string, sentence: string, remedy: string, request: Parameters<Ask>]>([
    ['missing-token', 'The request has no Authorization header.', 'Send "Authorization: Bearer any".', ['GET', PATH]],
    [
      'rejected-token',
      'The Authorization header does not use the Bearer scheme.',
      'Send the token as "Authorization: Bearer <token>".',
      withHeaders({ Authorization: 'Basic YTpi' }),
    ],
    [
      'expired-token',
      'The token has expired.',
      'Get a new token from POST /oauth/token, and send the request again once. Scenarios that affected the response: expired-token.',
      bearer('any', 'expired-token'),
    ],
    [
      'missing-scope',
      'The token has the scope manage_products:acme, but the operation needs manage_test:acme or view_test:acme.',
      'Get a token with a scope of the operation from POST /oauth/token.',
      bearer('manage_products:acme'),
    ],
    [
      'rejected-client',
      'The client id is missing.',
      'Send a client id and secret.',
      ['POST', '/oauth/token', { body: 'grant_type=client_credentials' }],
    ],
    [
      'unknown-path',
      'No operation has the path of GET /acme/resouce. The nearest operation is GET /{projectKey}/resource (queryResources).',
      'Correct the path.',
      ['GET', '/acme/resouce'],
    ],
    ['unknown-method', `No operation has the method of PUT ${PATH}.`, 'Use a method listed in', ['PUT', PATH]],
    ['not-found', "The Resource with ID 'none' was not found.", 'Check the id or key', ['GET', '/acme/resource/none']],
    [
      'invalid-request',
      'actions: ',
      'Correct the request as described in the message.',
      ['POST', PATH, { json: { version: 3, actions: 1 } }],
    ],
    ['rate-limit', 'Too many requests', 'Wait as long as Retry-After says', bearer('any', 'rate-limited')],
    ['unavailable', '', 'Wait as long as Retry-After says', bearer('any', 'unavailable')],
    [
      'broken-connection',
      'The connection broke before the response was complete (',
      'Retry if it is safe to repeat the request.',
      bearer('any', 'offline'),
    ],
  ])('%s', async (kind, sentence, remedy, [method, path, sending = {}]) => {
    const { ask } = await createAsk({ auth: 'lenient' })
    const headers = kind === 'missing-token' ? {} : { Authorization: 'Bearer any', ...sending.headers }
    const times = kind === 'rate-limit' ? 12 : 1
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (let at = 0; at < times; at += 1) await ask(method, path, { ...sending, headers }).catch(() => undefined)
    const { body } = await ask('GET', '/__admin/requests?limit=1')
    const explained = await explain(ask, (body as { requests: readonly { id: string }[] }).requests[0]?.id)
    expect(explained).toMatchObject({
      cause: { kind },
      sentence: expect.stringContaining(sentence),
      remedy: expect.stringContaining(remedy),
    })
  })

  it('deleted, with the request that deleted the resource', async () => {
    const { ask } = await createAsk({ clock: NOW })
    const [deletion, last] = await sendAll(ask, [
      ['DELETE', PATH],
      ['GET', '/acme/resource/key=oak-side-table'],
    ])
    expect(await explain(ask, last)).toMatchObject({
      cause: { kind: 'deleted', code: 'ResourceNotFound' },
      sentence: `The resource was deleted at ${CLOCK} by DELETE ${PATH} of session default (request ${deletion}).`,
    })
  })

  it('no-match, for a check that finds no resource', async () => {
    const { ask } = await createAsk()
    const explained = await explainLast(ask, [['HEAD', '/acme/resource?where=key%3D%22none%22']])
    expect(explained).toMatchObject({ cause: { kind: 'no-match' } })
    expect(explained).not.toHaveProperty('remedy')
  })

  it('none, for a request that succeeded', async () => {
    const { ask } = await createAsk()
    const explained = await explainLast(ask, [['GET', PATH]])
    expect(explained.cause).toEqual({ scenarios: [], warnings: [] })
    expect(explained).not.toHaveProperty('sentence')
    expect(explained.contract).toEqual({ kind: 'holds' })
  })
})

describe('an explanation', () => {
  it('names the operations that an unmatched request is nearest to', async () => {
    const { ask } = await createAsk()
    const { nearMisses } = await explainLast(ask, [['GET', '/acme/resouce']])
    expect(nearMisses?.[0]).toEqual({
      operation: 'queryResources',
      method: 'GET',
      path: '/{projectKey}/resource',
      message: expect.stringContaining('no such path'),
      differences: [{ member: 'path', expected: '/{projectKey}/resource', actual: '/acme/resouce' }],
    })
  })

  it('names the retry that succeeded', async () => {
    const { ask } = await createAsk({ clock: NOW, scenario: 'conflict-once' })
    const [failed, retry] = await sendAll(ask, [updateOf(3), updateOf(4)])
    expect((await explain(ask, failed)).retry).toEqual({
      state: 'succeeded',
      succeeded: { id: retry, time: INSTANT, status: 200 },
    })
    expect((await explain(ask, retry)).retry).toEqual({
      retryOf: failed,
      previous: { id: failed, time: INSTANT, status: 409 },
    })
  })

  it('lists how the response violates the contract', async () => {
    const { ask } = await createAsk({ checkResponses: false })
    const json = { description: 'Odd', rules: [{ effect: { answer: { status: 200, body: { version: 'one' } } } }] }
    await ask('PUT', '/__admin/scenarios/odd', { json })
    const { contract } = await explainLast(ask, [['GET', PATH, { headers: { 'X-Mock-Scenario': 'odd' } }]])
    expect(contract.kind).toBe('broken')
    expect(contract.violations?.map(({ path }) => path)).toContain('body.version')
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
