import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import { createFakePersistence } from '../../service/state/fake-persistence.ts'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'

const NOON = '2026-01-31T12:00:00.000Z'
const TWO_LATER = '2026-01-31T14:00:00.000Z'

const advance = (ask: Ask, time: unknown, prefix = '') =>
  ask('PUT', `${prefix}/__admin/clock`, { json: { advance: time } })

/** Gets a token of the default session. */
async function issueToken(ask: Ask): Promise<string> {
  const { body } = await ask('POST', '/oauth/token', {
    headers: { Authorization: `Basic ${btoa('shop:secret')}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  return (body as { readonly access_token: string }).access_token
}

describe('the clock of a session', () => {
  it('is the clock of the mock until it is moved', async () => {
    const { ask } = await createAsk({ clock: NOON })
    expect((await ask('GET', '/__admin/clock')).body).toEqual({ now: NOON })
    expect((await advance(ask, '2h')).body).toEqual({ now: TWO_LATER })
    expect((await ask('GET', '/__admin/clock')).body).toEqual({ now: TWO_LATER })
    expect((await ask('DELETE', '/__admin/clock')).body).toEqual({ now: NOON })
  })

  it.each([
    ['2h', TWO_LATER],
    ['90s', '2026-01-31T12:01:30.000Z'],
    [1500, '2026-01-31T12:00:01.500Z'],
  ])('advances by %j', async (time, now) => {
    const { ask } = await createAsk({ clock: NOON })
    expect((await advance(ask, time)).body).toEqual({ now })
  })

  it('can be set to any time, even an earlier one', async () => {
    const { ask } = await createAsk({ clock: NOON })
    const { body } = await ask('PUT', '/__admin/clock', { json: { now: '1999-12-31T23:59:59Z' } })
    expect(body).toEqual({ now: '1999-12-31T23:59:59.000Z' })
  })

  it('does not move those of other sessions', async () => {
    const { ask } = await createAsk({ clock: NOON })
    await advance(ask, '2h', '/@a')
    expect((await ask('GET', '/@b/__admin/clock')).body).toEqual({ now: NOON })
  })

  it.each(['POST /__admin/reset', 'DELETE /__admin/sessions/default'])('is restored by %s', async (request) => {
    const { ask } = await createAsk({ clock: NOON })
    await advance(ask, '2h')
    const [method = '', path = ''] = request.split(' ')
    await ask(method, path)
    expect((await ask('GET', '/__admin/clock')).body).toEqual({ now: NOON })
  })

  it.each([
    [{}, 'Send either'],
    [{ advance: '2h', now: NOON }, 'Send either'],
    [{ advance: '-2h' }, '\\"advance\\" must be a duration above 0'],
    [{ advance: '2 hours' }, '\\"advance\\" must be a duration above 0'],
    [{ now: 'tomorrow' }, '\\"now\\" must be an ISO 8601 date-time'],
    [{ advance: '999999999d' }, 'advance'],
    [{ forward: '2h' }, 'unknown member'],
  ])('refuses %j', async (json, sentence) => {
    const { ask } = await createAsk({ clock: NOON })
    const { status, text } = await ask('PUT', '/__admin/clock', { json })
    expect(status).toBe(400)
    expect(text).toContain(sentence)
    expect((await ask('GET', '/__admin/clock')).body).toEqual({ now: NOON })
  })

  it('never passes the year 9999', async () => {
    const { ask } = await createAsk({ clock: NOON })
    await ask('PUT', '/__admin/clock', { json: { now: '9999-12-31T23:00:00Z' } })
    const { status, text } = await advance(ask, '1h')
    expect([status, text]).toEqual([400, expect.stringContaining('cannot go beyond the year 9999')])
  })
})

describe('the clock at the ends of ISO 8601', () => {
  it.each([
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00'],
    ['0000-01-01T00:00:00+14:00', '0000-01-01T00:00'],
  ])('stays within the years 0000 to 9999 when set to %s', async (now, minute) => {
    const { ask } = await createAsk({ identity: 'body' })
    await ask('PUT', '/__admin/clock', { json: { now } })
    const path = await create(ask)
    expect((await ask('GET', path)).text).toContain(`"createdAt":"${minute}`)
    expect((await ask('GET', '/__admin/clock')).text).toContain(`"now":"${minute}`)
  })

  it('can be moved to and fro as often as a test likes', async () => {
    const persistence = createFakePersistence()
    const { ask } = await createAsk({ clock: NOON, persistence })
    for (let at = 0; at < 30; at += 1) {
      for (const now of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
        expect((await ask('PUT', '/__admin/clock', { json: { now } })).body).toEqual({ now })
      }
    }
    const { ask: askNext } = await createAsk({ clock: NOON, persistence })
    expect((await askNext('GET', '/__admin/clock')).body).toEqual({ now: '9999-12-31T23:59:59.999Z' })
  })
})

describe('when the clock of a session advances', () => {
  it('tokens expire in this session only, and new ones do not', async () => {
    const { ask } = await createAsk({ auth: 'strict', clock: NOON })
    const send = async (token: string, prefix = '') =>
      (await ask('GET', `${prefix}/acme/resource`, { headers: { Authorization: `Bearer ${token}` } })).status
    const token = await issueToken(ask)
    expect(await send(token)).toBe(200)
    await advance(ask, '2d')
    expect([await send(token), await send(token, '/@other')]).toEqual([401, 200])
    expect(await send(await issueToken(ask))).toBe(200)
  })

  it('an expired token is inactive for introspection', async () => {
    const { ask } = await createAsk({ auth: 'strict' })
    const token = await issueToken(ask)
    const introspect = async () => {
      const headers = {
        Authorization: `Basic ${btoa('shop:secret')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      }
      return (await ask('POST', '/oauth/introspect', { headers, body: `token=${token}` })).body
    }
    expect(await introspect()).toMatchObject({ active: true })
    await advance(ask, '2d')
    expect(await introspect()).toEqual({ active: false })
  })

  it('writes have later timestamps', async () => {
    const { ask } = await createAsk({ clock: NOON, identity: 'body' })
    const path = await create(ask)
    await advance(ask, '2h')
    await update(ask, path, 1)
    expect((await ask('GET', path)).body).toMatchObject({ createdAt: NOON, lastModifiedAt: TWO_LATER })
  })

  it('Retry-After elapses', async () => {
    const { ask } = await createAsk({ clock: NOON, scenario: 'rate-limited' })
    const send = () => ask('GET', '/acme/resource')
    for (let at = 0; at < 5; at += 1) await send()
    const refused = await send()
    expect(refused.status).toBe(429)
    await advance(ask, `${refused.headers.get('Retry-After')}s`)
    expect((await send()).status).toBe(200)
    const { text } = await ask('GET', '/__admin/coverage')
    expect(text).toContain('{"kind":"rateLimited","failed":1,"recovered":1}')
  })

  it('outages of scenarios start and end', async () => {
    const { ask } = await createAsk({ clock: NOON })
    const rule = { during: { from: 1800, to: 3600 }, effect: { answer: { status: 503, stage: 'gateway' } } }
    await ask('PUT', '/__admin/scenarios/outage', { json: { description: 'For a test', rules: [rule] } })
    await ask('PUT', '/__admin/scenarios/active', { json: { active: ['outage'] } })
    const send = async () => (await ask('GET', '/acme/resource')).status
    const before = await send()
    await advance(ask, '30m')
    const meanwhile = await send()
    await advance(ask, '30m')
    expect([before, meanwhile, await send()]).toEqual([200, 503, 200])
  })

  it('a clock that moves backwards does not empty a rate limit', async () => {
    const { ask } = await createAsk({ clock: NOON, scenario: 'rate-limited' })
    expect((await ask('GET', '/acme/resource')).status).toBe(200)
    await ask('PUT', '/__admin/clock', { json: { now: '1999-12-31T23:59:59Z' } })
    expect((await ask('GET', '/acme/resource')).status).toBe(200)
  })
})

describe('session.clock', () => {
  it('moves the clock from a test', async () => {
    const mock = await createMock({ clock: NOON })
    const { clock } = mock.session('a')
    expect(await clock.now()).toBe(NOON)
    expect(await clock.advance('2h')).toBe(TWO_LATER)
    expect(await clock.set(new Date(NOON))).toBe(NOON)
    expect(await clock.advance(7_200_000)).toBe(TWO_LATER)
    expect(await clock.reset()).toBe(NOON)
    await expect(clock.advance('soon')).rejects.toThrow('"advance" must be a duration above 0')
  })
})
