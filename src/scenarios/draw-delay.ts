import type { Chance } from '../util/chance.ts'
import { MAX_DELAY } from '../http/delay.ts'
import type { DelayEffect } from './effect-schema.ts'

/** A draw from the normal distribution around 0 (Box and Muller). */
const drawNormal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next())

/** Milliseconds of one delay, drawn where it is a distribution. */
export function drawDelay(
  { fixedDelayMilliseconds = 0, delayDistribution: distribution }: DelayEffect,
  chance: Chance,
): number {
  if (distribution === undefined) return fixedDelayMilliseconds
  if (distribution.type === 'uniform') {
    return distribution.lower + (distribution.upper - distribution.lower) * chance.next()
  }
  return Math.min(MAX_DELAY, distribution.median * Math.exp(distribution.sigma * drawNormal(chance)))
}
