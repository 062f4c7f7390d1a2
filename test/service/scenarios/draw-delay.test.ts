import { describe, expect, it } from 'vitest'
import { createChance } from '../../../src/util/chance.ts'
import { drawDelay } from '../../../src/service/scenarios/effects.ts'

type DelayEffect = Parameters<typeof drawDelay>[0]

const draw = (delay: DelayEffect, count: number, seed = 1): readonly number[] => {
  const chance = createChance(seed)
  return Array.from({ length: count }, () => drawDelay(delay, chance)).toSorted((a, b) => a - b)
}
const uniform = (lower: number, upper: number): DelayEffect => ({
  delayDistribution: { type: 'uniform', lower, upper },
})
const lognormal = (median: number, sigma: number): DelayEffect => ({
  delayDistribution: { type: 'lognormal', median, sigma },
})

describe('a delay', () => {
  it('is fixed', () => {
    expect(draw({ fixedDelayMilliseconds: 250 }, 3)).toEqual([250, 250, 250])
  })

  it('is uniform between its bounds, which it can reach', () => {
    const drawn = draw(uniform(500, 2000), 1000)
    expect(drawn[0]).toBeGreaterThanOrEqual(500)
    expect(drawn[0]).toBeLessThan(520)
    expect(drawn[500]).toBeGreaterThan(1150)
    expect(drawn[500]).toBeLessThan(1350)
    expect(drawn[999]).toBeLessThanOrEqual(2000)
    expect(drawn[999]).toBeGreaterThan(1980)
    expect(draw(uniform(5, 5), 2)).toEqual([5, 5])
  })

  it('is lognormal around its median, with a long tail', () => {
    const drawn = draw(lognormal(100, 0.5), 1001)
    expect(drawn[500]).toBeGreaterThan(90)
    expect(drawn[500]).toBeLessThan(110)
    // One standard deviation up is median * e^sigma: 84 of 100 are below it.
    expect(drawn[841]).toBeGreaterThan(150)
    expect(drawn[841]).toBeLessThan(180)
    expect(draw(lognormal(100, 0), 2)).toEqual([100, 100])
  })

  it('is limited to a minute', () => {
    expect(draw(lognormal(60_000, 10), 100).at(-1)).toBe(60_000)
  })

  it.each([uniform(0, 1000), lognormal(100, 1)])('%j draws the same values for the same seed', (delay) => {
    expect(draw(delay, 20, 3)).toEqual(draw(delay, 20, 3))
    expect(draw(delay, 20, 3)).not.toEqual(draw(delay, 20, 4))
  })
})
