import { describe, expect, it } from 'vitest'
import { createClient, errorOf } from '../../support/client.ts'
import type { Client } from '../../support/client.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'

/** A scenario that responds with its own status at the gateway. */
const answering = (status: number, more: object = {}) =>
  JSON.stringify({ description: 'For a test', rules: [{ ...more, effect: { answer: { status, stage: 'gateway' } } }] })
const slowing = JSON.stringify({
  description: 'For a test',
  rules: [{ effect: { delay: { fixedDelayMilliseconds: 1 } } }],
})
const scenarios = {
  'five.json': answering(500),
  'six.json': answering(502),
  'once.json': answering(503, { times: 1 }),
  'wait.json': slowing,
}

const create = (options: MockOptions = {}) => createClient({ scenarios, ...options })
const ask = async (client: Client, scenario?: string, session?: string) => {
  const { status, headers } = await client.get('/acme/resource', {
    'X-Mock-Scenario': scenario,
    'X-Mock-Session': session,
  })
  return [status, headers.get('X-Mock-Scenario')]
}

describe('the scenarios of a request', () => {
  it('are empty by default', async () => {
    expect(await ask(await create())).toEqual([200, null])
  })

  it("are the command line's", async () => {
    const client = await create({ scenario: 'five' })
    expect(await ask(client)).toEqual([500, 'five'])
    expect(await ask(client, undefined, 'another')).toEqual([500, 'five'])
  })

  it('act by the clock from the moment the scenario is activated', async () => {
    const client = await create({
      scenarios: {
        'now.json': answering(503, { during: { to: 100_000 } }),
        'later.json': answering(500, { during: { from: 100_000 } }),
        'up.json': answering(502, { flapping: { up: 100_000, down: 1 } }),
      },
    })
    expect(await ask(client, 'now')).toEqual([503, 'now'])
    expect(await ask(client, 'later, up')).toEqual([200, null])
  })

  it('are exactly those of the header if it has one', async () => {
    const client = await create({ scenario: 'five' })
    expect(await ask(client, 'six')).toEqual([502, 'six'])
    expect(await ask(client, 'wait')).toEqual([200, 'wait'])
    expect(await ask(client)).toEqual([500, 'five'])
  })

  it.each(['none', '', ' , '])('are empty for the header %j', async (header) => {
    expect(await ask(await create({ scenario: 'five' }), header)).toEqual([200, null])
  })

  it('apply in the named order until the first one that ends the request', async () => {
    const client = await create()
    expect(await ask(client, 'wait, five, six')).toEqual([500, 'wait, five'])
    expect(await ask(client, 'six,wait,five')).toEqual([502, 'six'])
    expect(await ask(await create({ scenario: ['wait', 'six'] }))).toEqual([502, 'wait, six'])
  })

  it('apply once if one is named twice', async () => {
    const client = await create()
    expect(await ask(client, 'once, once')).toEqual([503, 'once'])
    expect(await ask(client, 'once, once')).toEqual([200, null])
  })

  it.each([
    ['fiv', 'Unknown scenario "fiv". Did you mean "five"? The scenarios are: conflict, conflict-once, custom1,'],
    ['five, conflit', 'Unknown scenario "conflit". Did you mean "conflict"?'],
    ['FIVE', 'Unknown scenario "FIVE". Did you mean "five"?'],
    ['None', 'Unknown scenario "None". Did you mean "none"?'],
    ['none, five', 'The name "none" means no scenario and cannot be combined with others.'],
    ['x'.repeat(300), `Unknown scenario "${'x'.repeat(100)}".`],
  ])('are refused for the header %j, and the active ones stay active', async (header, sentence) => {
    const client = await create({ scenario: 'five' })
    const refused = errorOf(await client.get('/acme/resource', { 'X-Mock-Scenario': header }))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput', field: 'scenario' })
    expect(refused.message).toContain(sentence)
    expect(refused.allowedValues).toContain('conflict')
    expect(await ask(client)).toEqual([500, 'five'])
  })

  it('stop if the file of an active one is removed, and resume when it is back', async () => {
    // Mocks that share a store cannot reload.
    const client = await create({ scenario: ['wait', 'five'], store: undefined })
    const { 'five.json': five, ...others } = scenarios
    await client.mock.reload({ scenarios: others })
    expect(await ask(client)).toEqual([200, 'wait'])
    await client.mock.reload({ scenarios: { ...others, 'five.json': five } })
    expect(await ask(client)).toEqual([500, 'wait, five'])
  })

  it('count in each session separately', async () => {
    const client = await create({ scenario: 'once' })
    const statuses = []
    for (const session of ['a', 'b', 'a', 'b']) statuses.push((await ask(client, undefined, session))[0])
    expect(statuses).toEqual([503, 503, 200, 200])
  })

  it('apply only to the endpoint table: tokens are still issued', async () => {
    const client = await create({ scenario: 'offline' })
    const { status } = await client.send(
      'POST',
      '/oauth/token',
      {
        Authorization: `Basic ${btoa('id:secret')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      'grant_type=client_credentials',
    )
    expect(status).toBe(200)
  })
})
