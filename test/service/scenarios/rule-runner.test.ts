import { describe, expect, it } from 'vitest'
import { parseRawQuery } from '../../../src/service/http/request-head.ts'
import type { MatchInput } from '../../../src/service/scenarios/match.ts'
import { toStage } from '../../../src/service/scenarios/effect-table.ts'
import type { Effect, Stage } from '../../../src/service/scenarios/effect-table.ts'
import { createRuleRunner } from '../../../src/service/scenarios/rule-runner.ts'
import type { RuleRunner } from '../../../src/service/scenarios/rule-runner.ts'
import type { Rule, Scenario } from '../../../src/service/scenarios/schema.ts'

const input: MatchInput = {
  operation: 'getResourceById',
  projectKey: 'acme',
  method: 'GET',
  path: '/acme/resource/1',
  query: parseRawQuery(''),
  headers: new Headers(),
  body: () => Promise.resolve(undefined),
}

const toScenario = (rules: readonly Rule[], name = 'test'): Scenario => ({
  name,
  description: 'For a test',
  rules: [...rules],
  source: 'file',
  bodyFiles: new Map(),
})

const expire: Effect = { expireToken: true }
const create = (seed = 1, elapsed = () => 0): RuleRunner => createRuleRunner({ seed, elapsed })

/** One character per request: `!` if a rule fired. */
async function play(runner: RuleRunner, scenario: Scenario, requests: number): Promise<string> {
  let acted = ''
  for (let at = 0; at < requests; at += 1) {
    acted += (await runner.run('gateway', [scenario], input)).length > 0 ? '!' : '.'
  }
  return acted
}

describe('when a rule fires', () => {
  it.each<readonly [Omit<Rule, 'effect'>, string]>([
    [{}, '!!!!!!'],
    [{ after: 2 }, '..!!!!'],
    [{ every: 2 }, '.!.!.!'],
    [{ times: 2 }, '!!....'],
    [{ after: 1, every: 2 }, '..!.!.'],
    [{ after: 1, every: 2, times: 1 }, '..!...'],
    [{ probability: 1 }, '!!!!!!'],
    [{ probability: 0 }, '......'],
  ])('%j: %s', async (gates, expected) => {
    expect(await play(create(), toScenario([{ ...gates, effect: expire }]), expected.length)).toBe(expected)
  })

  it.each<readonly [Omit<Rule, 'effect'>, string]>([
    [{ during: { from: 2, to: 4 } }, '..!!....'],
    [{ during: { from: 6 } }, '......!!'],
    [{ during: { to: 1 } }, '!.......'],
    [{ flapping: { up: 2, down: 1 } }, '..!..!..'],
    [{ flapping: { up: 1, down: 2 } }, '.!!.!!.!'],
    [{ during: { from: 1, to: 5 }, flapping: { up: 1, down: 1 } }, '..!.!...'],
    [{ during: { from: 2 }, after: 1, times: 2 }, '...!!...'],
  ])('by the clock, %j, with a request each second from the first one: %s', async (gates, expected) => {
    let now = 5000
    const runner = create(1, () => now)
    const scenario = toScenario([{ ...gates, effect: expire }])
    let acted = ''
    for (const _ of expected) {
      acted += await play(runner, scenario, 1)
      now += 1000
    }
    expect(acted).toBe(expected)
  })

  it('restarts by the clock if a scenario is activated again, or all counters are reset', async () => {
    let now = 0
    const runner = create(1, () => now)
    const scenario = toScenario([{ during: { to: 10 }, effect: expire }])
    const other = toScenario([{ during: { to: 10 }, effect: expire }], 'other')
    const playBoth = async () => (await play(runner, scenario, 1)) + (await play(runner, other, 1))
    expect(await playBoth()).toBe('!!')
    now = 20_000
    runner.restart(scenario)
    now = 25_000
    expect(await playBoth()).toBe('!.')
    runner.reset()
    now = 34_000
    expect(await playBoth()).toBe('!!')
    now = 36_000
    expect(await playBoth()).toBe('..')
  })

  it('is drawn before `times` counts, so a rule with `times: 1` fires once', async () => {
    const acted = await play(create(), toScenario([{ probability: 0.2, times: 2, effect: expire }]), 100)
    expect(acted.replaceAll('.', '')).toBe('!!')
    expect(acted.startsWith('!!')).toBe(false)
  })

  it('counts only the matching requests', async () => {
    const runner = create()
    const rule: Rule = { match: { method: 'POST' }, after: 1, effect: expire }
    const scenario = toScenario([rule])
    expect(await play(runner, scenario, 5)).toBe('.....')
    expect(runner.counter(scenario, rule)).toEqual({ seen: 0, fired: 0 })
    await runner.run('gateway', [scenario], { ...input, method: 'POST' })
    expect(runner.counter(scenario, rule)).toEqual({ seen: 1, fired: 0 })
  })

  it('is shown by its counter until it is reset or forgotten', async () => {
    const runner = create()
    const [one, two]: readonly Rule[] = [{ times: 3, effect: expire }, { effect: expire }]
    const [first, second] = [toScenario([one as Rule], 'one'), toScenario([two as Rule], 'two')]
    const counters = () => [runner.counter(first, one as Rule), runner.counter(second, two as Rule)]
    await play(runner, first, 4)
    await play(runner, second, 1)
    expect(counters()).toEqual([
      { seen: 4, fired: 3, left: 0 },
      { seen: 1, fired: 1 },
    ])
    runner.forget(first)
    expect(counters()).toEqual([
      { seen: 0, fired: 0, left: 3 },
      { seen: 1, fired: 1 },
    ])
    runner.reset()
    expect(counters()).toEqual([
      { seen: 0, fired: 0, left: 3 },
      { seen: 0, fired: 0 },
    ])
  })
})

describe('chance', () => {
  const half = (): Rule => ({ probability: 0.5, effect: expire })

  it('gives the same sequence for the same seed, in every session and after a reset', async () => {
    const scenario = toScenario([half()])
    const runner = create(7)
    const first = await play(runner, scenario, 200)
    expect(await play(create(7), scenario, 200)).toBe(first)
    runner.reset()
    expect(await play(runner, scenario, 200)).toBe(first)
    expect(await play(create(8), scenario, 200)).not.toBe(first)
  })

  it('has the configured probability', async () => {
    const acted = await play(create(), toScenario([{ probability: 0.3, effect: expire }]), 10_000)
    const share = acted.replaceAll('.', '').length / acted.length
    expect(share).toBeGreaterThan(0.28)
    expect(share).toBeLessThan(0.32)
  })

  it('is independent for each rule: the draws of another one do not change it', async () => {
    const alone = await play(create(), toScenario([half()]), 100)
    const runner = create()
    await play(runner, toScenario([half(), half()], 'other'), 50)
    expect(await play(runner, toScenario([half()]), 100)).toBe(alone)
    expect(await play(create(), toScenario([half()], 'other'), 100)).not.toBe(alone)
  })
})

describe('a rate limit', () => {
  const limited = (requests: number, perSeconds: number) =>
    toScenario([{ effect: { rateLimit: { requests, perSeconds } } }])

  it('is a token bucket that starts full and refills evenly', async () => {
    let now = 1000
    const runner = create(1, () => now)
    const scenario = limited(2, 10)
    const ask = async () => (await runner.run('gateway', [scenario], input))[0]?.limited
    expect(await ask()).toEqual({ isAllowed: true, limit: 2, remaining: 1, retryAfter: 1, reset: 5 })
    expect(await ask()).toMatchObject({ isAllowed: true, remaining: 0, reset: 10 })
    expect(await ask()).toEqual({ isAllowed: false, limit: 2, remaining: 0, retryAfter: 5, reset: 10 })
    now += 4999
    expect(await ask()).toMatchObject({ isAllowed: false, retryAfter: 1 })
    now += 1
    expect(await ask()).toMatchObject({ isAllowed: true, remaining: 0 })
    now += 1_000_000
    expect(await ask()).toMatchObject({ isAllowed: true, remaining: 1 })
  })

  it('is full again after a reset', async () => {
    const runner = create()
    const scenario = limited(1, 10)
    const ask = async () => (await runner.run('gateway', [scenario], input))[0]?.limited?.isAllowed
    expect([await ask(), await ask()]).toEqual([true, false])
    runner.reset()
    expect(await ask()).toBe(true)
  })
})

describe('the rules of a request', () => {
  const kindsOf = async (stage: Stage, effects: readonly Effect[]) => {
    const fired = await create().run(stage, [toScenario(effects.map((effect) => ({ effect })))], input)
    return fired.flatMap(({ effect }) => Object.keys(effect))
  }

  it('all apply in order, until the first one that ends the request', async () => {
    const delay: Effect = { delay: { fixedDelayMilliseconds: 1 } }
    const answer: Effect = { answer: { status: 503, stage: 'gateway' } }
    expect(await kindsOf('gateway', [delay, expire, answer, delay, { fault: 'TIMEOUT' }])).toEqual([
      'delay',
      'expireToken',
      'answer',
    ])
  })

  it('continue after a limit that still allows the request', async () => {
    const limit: Effect = { rateLimit: { requests: 1, perSeconds: 1 } }
    expect(await kindsOf('gateway', [limit, expire])).toEqual(['rateLimit', 'expireToken'])
    expect(await kindsOf('gateway', [limit, limit, expire])).toEqual(['rateLimit', 'rateLimit', 'expireToken'])
  })

  it.each<readonly [Effect, Stage]>([
    [{ advanceVersion: 1 }, 'operation'],
    [{ hideResources: true }, 'operation'],
    [{ generate: 1 }, 'operation'],
    [{ answer: { status: 200 } }, 'operation'],
    [{ fault: 'TRUNCATED_BODY' }, 'operation'],
    [{ answer: { status: 200, stage: 'gateway' } }, 'gateway'],
    [{ fault: 'TIMEOUT' }, 'gateway'],
    [{ dropScopes: ['*'] }, 'gateway'],
    [{ expireToken: true }, 'gateway'],
    [{ delay: { fixedDelayMilliseconds: 1 } }, 'gateway'],
    [{ chunkedDribbleDelay: { numberOfChunks: 1, totalDuration: 1 } }, 'gateway'],
    [{ rateLimit: { requests: 1, perSeconds: 1 } }, 'gateway'],
  ])('%j applies at the stage %s', (effect, stage) => {
    expect(toStage(effect)).toBe(stage)
  })
})
