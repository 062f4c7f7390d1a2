import { beforeEach, describe, expect, it } from 'vitest'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'
import { hurry } from '../../support/hurry.ts'

interface Listed {
  readonly active: readonly string[]
  readonly default: readonly string[]
  readonly scenarios: readonly {
    readonly name: string
    readonly description: string
    readonly source: string
    readonly rules: readonly { readonly counter: object }[]
  }[]
}

let ask: Ask
beforeEach(async () => {
  ;({ ask } = await createAsk({ scenario: 'conflict-once' }))
})

const list = async (prefix = ''): Promise<Listed> => (await ask('GET', `${prefix}/__admin/scenarios`)).body as Listed
const find = async (name: string) => (await list()).scenarios.find((one) => one.name === name)
const activate = (active: readonly string[], prefix = '') =>
  ask('PUT', `${prefix}/__admin/scenarios/active`, { json: { active } })

const teapot = { description: 'Only tea', rules: [{ effect: { answer: { status: 418 } } }] }
const define = (name: string, json: unknown = teapot) => ask('PUT', `/__admin/scenarios/${name}`, { json })

describe('the scenarios', () => {
  it('are listed with their rules and counters', async () => {
    const path = await create(ask)
    expect([await update(ask, path, 1), await update(ask, path, 2)]).toEqual([409, 200])
    const { active, default: defaults, scenarios } = await list()
    expect([active, defaults]).toEqual([['conflict-once'], ['conflict-once']])
    expect(scenarios.map(({ name }) => name)).toEqual(expect.arrayContaining(['conflict', 'slow', 'offline']))
    const { source, rules } = (await find('conflict-once')) ?? expect.fail('conflict-once is not listed')
    expect(source).toBe('built-in')
    expect(rules[0]).toMatchObject({ times: 1, effect: { advanceVersion: 1 }, counter: { seen: 2, fired: 1, left: 0 } })
  })

  it('let others run after each one in the list', async () => {
    const yields = hurry()
    const { scenarios } = await list()
    expect(yields.mock.calls.length).toBeGreaterThanOrEqual(scenarios.length)
  })

  it('are selected for one session only', async () => {
    expect((await activate(['not-found'], '/@s1')).body).toEqual({ active: ['not-found'] })
    expect((await ask('GET', '/@s1/__admin/scenarios/active')).body).toEqual({ active: ['not-found'] })
    expect((await list()).active).toEqual(['conflict-once'])
    const path = await create(ask, '/@s1')
    expect((await ask('GET', path)).status).toBe(404)
    expect((await ask('GET', await create(ask))).status).toBe(200)
  })

  it('can all be disabled, until those of the command line are restored', async () => {
    expect((await activate([])).body).toEqual({ active: [] })
    const path = await create(ask)
    expect(await update(ask, path, 1)).toBe(200)
    expect((await ask('DELETE', '/__admin/scenarios/active')).body).toEqual({ active: ['conflict-once'] })
    expect(await update(ask, path, 2)).toBe(409)
  })

  it('are activated once even if named twice, and not by the name "none"', async () => {
    expect((await activate(['slow', 'flaky', 'slow'])).body).toEqual({ active: ['slow', 'flaky'] })
    expect((await activate(['none'])).body).toEqual({ active: [] })
  })

  it('stay as they were when a name is unknown', async () => {
    await activate(['not-found'])
    const { status, text } = await activate(['conflict', 'conflit'])
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({
      message: expect.stringMatching(/^Unknown scenario "conflit"\. Did you mean "conflict"\?/),
    })
    expect((await list()).active).toEqual(['not-found'])
  })

  it('restart when they are selected again', async () => {
    const path = await create(ask)
    expect(await update(ask, path, 1)).toBe(409)
    expect(await update(ask, path, 2)).toBe(200)
    await activate(['conflict-once'])
    expect(await update(ask, path, 3)).toBe(409)
  })

  it('keep their counters on request', async () => {
    const path = await create(ask)
    expect(await update(ask, path, 1)).toBe(409)
    const json = { active: ['conflict-once', 'slow'] }
    await ask('PUT', '/__admin/scenarios/active?keepCounters=true', { json })
    expect((await find('conflict-once'))?.rules[0]?.counter).toEqual({ seen: 1, fired: 1, left: 0 })
    await activate(['slow'])
    await ask('PUT', '/__admin/scenarios/active?keepCounters=true', { json })
    expect((await find('conflict-once'))?.rules[0]?.counter).toEqual({ seen: 1, fired: 1, left: 0 })
  })

  it('restart only the one that is enabled individually', async () => {
    const path = await create(ask)
    expect(await update(ask, path, 1)).toBe(409)
    expect((await ask('PUT', '/__admin/scenarios/active/slow')).body).toEqual({ active: ['conflict-once', 'slow'] })
    expect((await ask('PUT', '/__admin/scenarios/active/conflict-once')).body).toEqual({
      active: ['conflict-once', 'slow'],
    })
    expect((await find('conflict-once'))?.rules[0]?.counter).toEqual({ seen: 1, fired: 1, left: 0 })
    expect((await ask('DELETE', '/__admin/scenarios/active/conflict-once')).body).toEqual({ active: ['slow'] })
    expect((await ask('DELETE', '/__admin/scenarios/active/conflict-once')).body).toEqual({ active: ['slow'] })
    expect((await ask('PUT', '/__admin/scenarios/active/conflict-once')).body).toEqual({
      active: ['slow', 'conflict-once'],
    })
    expect((await find('conflict-once'))?.rules[0]?.counter).toEqual({ seen: 0, fired: 0, left: 1 })
  })

  it('keep running if moved before or after another, while one that is added there starts again', async () => {
    const path = await create(ask)
    expect(await update(ask, path, 1)).toBe(409)
    const put = async (place: string) => (await ask('PUT', `/__admin/scenarios/active/${place}`)).body
    expect(await put('slow?before=conflict-once')).toEqual({ active: ['slow', 'conflict-once'] })
    expect(await put('flaky?after=slow')).toEqual({ active: ['slow', 'flaky', 'conflict-once'] })
    expect(await put('conflict-once?before=flaky')).toEqual({ active: ['slow', 'conflict-once', 'flaky'] })
    expect(await put('slow?after=flaky')).toEqual({ active: ['conflict-once', 'flaky', 'slow'] })
    expect((await find('conflict-once'))?.rules[0]?.counter).toEqual({ seen: 1, fired: 1, left: 0 })
  })

  it.each([
    ['slow?before=flaky', '"flaky" is not another active scenario'],
    ['slow?after=conflict-onc', 'Did you mean "conflict-once"'],
    ['conflict-once?after=conflict-once', 'is not another active scenario'],
    ['slow?before=conflict-once&after=conflict-once', 'Use one of them'],
  ])('cannot be moved next to an inactive one: %s', async (place, sentence) => {
    const { status, text } = await ask('PUT', `/__admin/scenarios/active/${place}`)
    expect([status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining(sentence) }),
    ])
    expect((await ask('GET', '/__admin/scenarios/active')).body).toEqual({ active: ['conflict-once'] })
  })

  it.each(['PUT', 'DELETE'])('must exist: %s', async (method) => {
    const { status, text } = await ask(method, '/__admin/scenarios/active/conflict-onc')
    expect(status).toBe(400)
    expect(text).toContain('Did you mean')
    expect((await ask('GET', '/__admin/scenarios/active')).body).toEqual({ active: ['conflict-once'] })
  })

  it('restart after a reset, and stay selected', async () => {
    await activate(['conflict-once', 'slow'])
    await activate(['conflict-once'])
    const path = await create(ask)
    expect(await update(ask, path, 1)).toBe(409)
    expect((await ask('POST', '/__admin/scenarios/reset')).body).toEqual({ active: ['conflict-once'] })
    expect(await update(ask, path, 2)).toBe(409)
    expect((await find('conflict-once'))?.rules[0]?.counter).toEqual({ seen: 1, fired: 1, left: 0 })
  })
})

describe('a scenario defined at run time', () => {
  it('can be selected by name, in the list and in the header, in its session only', async () => {
    const defined = await define('teapot')
    expect([defined.status, defined.body]).toEqual([201, { active: ['conflict-once'] }])
    expect(await find('teapot')).toMatchObject({ description: 'Only tea', source: 'session' })
    const path = await create(ask)
    expect((await ask('GET', path, { headers: { 'X-Mock-Scenario': 'teapot' } })).status).toBe(418)
    await activate(['teapot'])
    expect((await ask('GET', path)).headers.get('X-Mock-Scenario')).toBe('teapot')
    expect((await activate(['teapot'], '/@other')).status).toBe(400)
  })

  it('is replaced by another of its name, with new counters', async () => {
    await define('mine', { description: 'x', rules: [{ times: 1, effect: { answer: { status: 418 } } }] })
    await activate(['mine'])
    const path = '/acme/resource'
    expect((await ask('GET', path)).status).toBe(418)
    expect((await define('mine', { description: 'x', rules: [{ effect: { answer: { status: 503 } } }] })).status).toBe(
      200,
    )
    expect((await ask('GET', path)).status).toBe(503)
  })

  it('overrides a built-in one until it is deleted', async () => {
    await define('conflict-once')
    expect((await ask('GET', '/acme/resource')).status).toBe(418)
    expect((await list()).scenarios.filter(({ name }) => name === 'conflict-once')).toHaveLength(1)
    expect((await ask('DELETE', '/__admin/scenarios/conflict-once')).body).toEqual({ active: ['conflict-once'] })
    expect((await find('conflict-once'))?.source).toBe('built-in')
    expect((await ask('GET', '/acme/resource')).status).toBe(200)
  })

  it('is inactive after its deletion', async () => {
    await define('mine')
    await activate(['slow', 'mine'])
    expect((await ask('DELETE', '/__admin/scenarios/mine')).body).toEqual({ active: ['slow'] })
    expect((await ask('GET', '/acme/resource', { headers: { 'X-Mock-Scenario': 'mine' } })).status).toBe(400)
  })

  it('keeps integers exact', async () => {
    const body = { integerExample: 9223372036854775807n }
    await define('large', { description: 'x', rules: [{ effect: { answer: { status: 200, body } } }] })
    expect((await ask('GET', '/__admin/scenarios')).text).toContain('9223372036854775807')
  })

  it('may answer with a page of HTML', async () => {
    const answer = { status: 200, headers: { 'Content-Type': 'text/html' }, text: '<h1>Sign in</h1>' }
    expect((await define('page', { description: 'x', rules: [{ effect: { answer } }] })).status).toBeLessThan(300)
    const { status, headers, text } = await ask('GET', '/acme/resource', { headers: { 'X-Mock-Scenario': 'page' } })
    expect([status, headers.get('Content-Type'), text]).toEqual([200, 'text/html', '<h1>Sign in</h1>'])
  })

  it.each<[string, string, unknown, RegExp]>([
    ['an unknown member', 'mine', { ...teapot, rule: [] }, /^Malformed scenario: rule: unknown member/],
    [
      'an unknown effect',
      'mine',
      { description: 'x', rules: [{ effect: { fualt: 'TIMEOUT' } }] },
      /rules\[0\]\.effect/,
    ],
    ['a non-object', 'mine', [], /Malformed scenario/],
    [
      'a body file',
      'mine',
      { description: 'x', rules: [{ effect: { answer: { status: 200, bodyFile: 'a.json' } } }] },
      /^Malformed scenario: rules\[0\]\.effect\.answer\.bodyFile: scenarios defined at run time cannot read files\. Put the content/,
    ],
    ['the name "none"', 'none', teapot, /Invalid scenario name/],
    ['a name with a space', 'a%20b', teapot, /Invalid scenario name/],
  ])('is refused for %s', async (_case, name, json, sentence) => {
    const before = await list()
    const { status, text } = await define(name, json)
    expect(status).toBe(400)
    expect((JSON.parse(text) as { message: string }).message).toMatch(sentence)
    expect(await list()).toEqual(before)
  })

  it('is refused with the path of its fault', async () => {
    const { text } = await define('mine', { description: 'x', rules: [{ effect: { fualt: 'TIMEOUT' } }] })
    expect((JSON.parse(text) as { errors: readonly { field: string }[] }).errors[0]?.field).toBe(
      'rules[0].effect.fualt',
    )
  })

  it('cannot be deleted if it is unknown or comes from a file', async () => {
    await define('mine')
    const unknown = await ask('DELETE', '/__admin/scenarios/mime')
    expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('Did you mean \\"mine\\"?')])
    const builtIn = await ask('DELETE', '/__admin/scenarios/conflict')
    expect([builtIn.status, builtIn.text]).toEqual([404, expect.stringContaining('was not defined in the session')])
  })

  it('is limited to a hundred', async () => {
    for (let at = 0; at < 100; at += 1) await define(`s${at}`)
    expect((await define('one-more')).status).toBe(503)
    expect((await define('s1')).status).toBe(200)
  })
})
