import { createChance } from '../chance.ts'
import type { Chance } from '../chance.ts'
import type { Effect } from './effect-schema.ts'
import { compileMatch } from './match.ts'
import type { Facts, Matcher } from './match.ts'
import type { Rule, Scenario } from './schema.ts'
import { createTokenBucket } from './token-bucket.ts'
import type { Limited, TokenBucket } from './token-bucket.ts'

/** How often a rule was asked and how often it acted, in one session. */
export interface Counter {
  readonly seen: number
  readonly fired: number
  /** How often it may still act; undefined for a rule without `times`. */
  readonly left?: number
}

/** A rule that acts on a request. */
export interface Acting {
  readonly scenario: Scenario
  readonly effect: Effect
  /** Of a rate limit: what its bucket said. */
  readonly limited?: Limited
}

/** Before authentication and validation, or after both. */
export type Stage = 'gateway' | 'operation'

interface RuleState {
  seen: number
  fired: number
  readonly chance: Chance
  bucket?: TokenBucket
}

/** Plays scenarios in one session: counts its requests, and decides which rules act. */
export interface Player {
  /**
   * The rules of a stage that act on a request, in order; the first that ends the request is the last. Where the gateway ends it,
   * the rules of other writers before that one act too.
   */
  play(stage: Stage, scenarios: readonly Scenario[], facts: Facts): Promise<readonly Acting[]>
  counter(rule: Rule): Counter
  /** One scenario back to the start: its rules as if they had never been asked. */
  forget(scenario: Scenario): void
  /** Back to the start with all of them. */
  reset(): void
}

interface Asked {
  readonly scenario: Scenario
  readonly rule: Rule
}

interface PlayerParts {
  readonly seed: number
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
}

/** Whether a rule ends the request, so that no later one is asked; a limit does once its bucket is empty. */
const isEnding = ({ effect: { answer, fault }, limited }: Acting): boolean =>
  answer !== undefined || fault !== undefined || limited?.isAllowed === false

/** Twists of the state and answers after validation come late, everything else before authentication. */
export function toStage({ advanceVersion, hideResources, generate, answer, fault }: Effect): Stage {
  const isLate =
    advanceVersion !== undefined ||
    hideResources !== undefined ||
    generate !== undefined ||
    (answer !== undefined && answer.stage === undefined) ||
    fault === 'TRUNCATED_BODY'
  return isLate ? 'operation' : 'gateway'
}

/** What `generate` adds can be read only: to a write it is not there (D65). */
const canBend = ({ generate }: Effect, { method }: Facts): boolean =>
  generate === undefined || method === 'GET' || method === 'HEAD'

/** A rule's own seed, so that what other rules draw does not change what it draws. */
function toSeed(seed: number, name: string, at: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (const character of `${name}#${at}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

const matchers = new WeakMap<Rule, Matcher>()

function matcherOf(rule: Rule): Matcher {
  const known = matchers.get(rule)
  if (known !== undefined) return known
  const matcher = compileMatch(rule.match)
  matchers.set(rule, matcher)
  return matcher
}

/** `after` lets requests pass, `every` takes each n-th, `probability` draws, `times` ends it. */
function decide({ after = 0, every = 1, times = Infinity, probability = 1 }: Rule, state: RuleState): boolean {
  state.seen += 1
  const past = state.seen - after
  if (past <= 0 || past % every !== 0 || state.fired >= times) return false
  if (probability < 1 && state.chance.next() >= probability) return false
  state.fired += 1
  return true
}

export function createPlayer({ seed, elapsed }: PlayerParts): Player {
  // Rules of files that were read anew since take their states along.
  let states = new WeakMap<Rule, RuleState>()

  function stateOf(scenario: Scenario, rule: Rule): RuleState {
    const known = states.get(rule)
    if (known !== undefined) return known
    const state: RuleState = {
      seen: 0,
      fired: 0,
      chance: createChance(toSeed(seed, scenario.name, scenario.rules.indexOf(rule))),
    }
    states.set(rule, state)
    return state
  }

  function takeToken({ rateLimit }: Effect, state: RuleState): Pick<Acting, 'limited'> {
    if (rateLimit === undefined) return {}
    state.bucket ??= createTokenBucket(rateLimit, elapsed)
    return { limited: state.bucket.take() }
  }

  /** What a rule does to a request; undefined where it does not act on it. */
  async function ask({ scenario, rule }: Asked, facts: Facts): Promise<Acting | undefined> {
    const isMatch = matcherOf(rule)(facts)
    if (!(typeof isMatch === 'boolean' ? isMatch : await isMatch)) return undefined
    const state = stateOf(scenario, rule)
    const { effect } = rule
    return decide(rule, state) ? { scenario, effect, ...takeToken(effect, state) } : undefined
  }

  async function askAll(rules: readonly Asked[], facts: Facts): Promise<readonly Acting[]> {
    const acting: Acting[] = []
    for (const one of rules) {
      const act = await ask(one, facts)
      if (act !== undefined) acting.push(act)
    }
    return acting
  }

  return {
    async play(stage, scenarios, facts) {
      const acting: Acting[] = []
      /** Rules of another writer: they act at the gateway only before a rule that ends the request there. */
      const writers: Asked[] = []
      for (const scenario of scenarios) {
        for (const rule of scenario.rules) {
          if (!canBend(rule.effect, facts)) continue
          if (toStage(rule.effect) !== stage) {
            if (stage === 'gateway' && rule.effect.advanceVersion !== undefined) writers.push({ scenario, rule })
            continue
          }
          const act = await ask({ scenario, rule }, facts)
          if (act === undefined) continue
          acting.push(act)
          if (isEnding(act)) return [...(await askAll(writers, facts)), ...acting]
        }
      }
      return acting
    },
    counter(rule) {
      const { seen = 0, fired = 0 } = states.get(rule) ?? {}
      return { seen, fired, ...(rule.times === undefined ? {} : { left: Math.max(0, rule.times - fired) }) }
    },
    forget({ rules }) {
      for (const rule of rules) states.delete(rule)
    },
    reset() {
      states = new WeakMap()
    },
  }
}
