import { createChance, toPartSeed } from '../../util/chance.ts'
import { timeSlices } from '../../util/time-slices.ts'
import type { Chance } from '../../util/chance.ts'
import { FEW_RULES, toStage } from './effect-table.ts'
import { TOKEN_OPERATION } from '../contract/endpoints.ts'
import { isRead } from '../http/request-head.ts'
import { compileMatch, isForOtherPaths, isForToken } from './match.ts'
import type { MatchInput, Matcher } from './match.ts'
import type { Effect, FiredRule, Stage } from './effect-table.ts'
import type { Limited } from './effects.ts'
import type { Rule, Scenario } from './schema.ts'

export type RateLimit = NonNullable<Effect['rateLimit']>

/** Refill rate in tokens per millisecond. */
export const perMillisecondOf = ({ requests, perSeconds }: RateLimit): number => requests / (perSeconds * 1000)

/** The rate limit state of a bucket with this many tokens left. */
export function toLimited(limit: RateLimit, isAllowed: boolean, left: number): Limited {
  const toSeconds = (tokens: number) => Math.ceil(tokens / perMillisecondOf(limit) / 1000)
  return {
    isAllowed,
    limit: limit.requests,
    remaining: Math.floor(left),
    retryAfter: Math.max(1, toSeconds(1 - left)),
    reset: toSeconds(limit.requests - left),
  }
}

/**
 * Creates a token bucket that starts full and refills at a constant rate; each allowed request takes one token.
 *
 * @param elapsed milliseconds of a monotonic clock
 */
export function createTokenBucket(limit: RateLimit, elapsed: () => number) {
  const { requests } = limit
  let left = requests
  let at = elapsed()
  return {
    take(): Limited {
      const now = elapsed()
      left = Math.min(requests, left + (now - at) * perMillisecondOf(limit))
      at = now
      const isAllowed = left >= 1
      if (isAllowed) left -= 1
      return toLimited(limit, isAllowed, left)
    },
  }
}

/** Whether a rule has a time condition. */
const isTimed = ({ during, flapping }: Rule): boolean => during !== undefined || flapping !== undefined

/** Whether a rule's time conditions hold this many seconds after its scenario was activated. */
function isDue({ during: { from = 0, to = Infinity } = {}, flapping }: Rule, seconds: number): boolean {
  if (seconds < from || seconds >= to) return false
  return flapping === undefined || (seconds - from) % (flapping.up + flapping.down) >= flapping.up
}

/**
 * Tracks when a session's scenarios were activated.
 *
 * @param elapsed milliseconds of a monotonic clock
 */
function createSchedule(elapsed: () => number) {
  let starts = new WeakMap<Scenario, number>()
  let restartedAt: number | undefined

  /** Returns the activation time. Scenarios from the command line or a header are activated by their first request. */
  function findStart(scenario: Scenario): number {
    const start = starts.get(scenario) ?? restartedAt ?? elapsed()
    starts.set(scenario, start)
    return start
  }

  return {
    /** Milliseconds since the scenario was activated. */
    elapsed(scenario: Scenario): number {
      const start = findStart(scenario)
      return elapsed() - start
    },
    restart(scenario: Scenario): void {
      starts.set(scenario, elapsed())
    },
    restartAll(): void {
      starts = new WeakMap()
      restartedAt = elapsed()
    },
  }
}

/** The number of matches and the number of times a rule fired, in one session. */
export interface Counter {
  readonly seen: number
  readonly fired: number
  /** Remaining number of times the rule can fire; undefined for a rule without `times`. */
  readonly left?: number
}

interface RuleState {
  seen: number
  fired: number
  readonly chance: Chance
  bucket?: ReturnType<typeof createTokenBucket>
}

/** Runs the rules of scenarios in one session: counts matching requests and decides which rules fire. */
export type RuleRunner = ReturnType<typeof createRuleRunner>

interface ScenarioRule {
  readonly scenario: Scenario
  readonly rule: Rule
}

/** The name of a rule, unique within its session. */
const nameOfRule = ({ name, rules }: Scenario, rule: Rule): string => `${name}#${rules.indexOf(rule)}`

/** Whether a rule ends the request, so that no later rule runs. A rate limit ends it when the bucket is empty. */
const endsRequest = ({ effect: { answer, fault }, limited }: FiredRule): boolean =>
  answer !== undefined || fault !== undefined || limited?.isAllowed === false

/** Resources from `generate` are visible to reads only; writes do not see them (D65). */
function canApply(rule: Rule, { operation, method }: MatchInput): boolean {
  if (operation === undefined) return isForOtherPaths(rule)
  if (operation === TOKEN_OPERATION) return isForToken(rule)
  return rule.effect.generate === undefined || isRead(method)
}

const ruleMatchers = new WeakMap<Rule, Matcher>()

function matcherOf(rule: Rule): Matcher {
  const known = ruleMatchers.get(rule)
  if (known !== undefined) return known
  const matcher = compileMatch(rule.match)
  ruleMatchers.set(rule, matcher)
  return matcher
}

/**
 * Counts a match and decides whether the rule fires: `after` skips the first matches, `every` selects each n-th,
 * `probability` draws a random number, and `times` is the maximum.
 */
function decide({ after = 0, every = 1, times = Infinity, probability = 1 }: Rule, state: RuleState): boolean {
  state.seen += 1
  const past = state.seen - after
  if (past <= 0 || past % every !== 0 || state.fired >= times) return false
  if (probability < 1 && state.chance.next() >= probability) return false
  state.fired += 1
  return true
}

/**
 * @param elapsed milliseconds of a monotonic clock
 * @param counters shared counters; by default, the runner keeps its own
 */
export function createRuleRunner(parts: {
  readonly seed: number
  readonly elapsed: () => number
  readonly counters?: RuleCounters | undefined
}) {
  const { seed, elapsed, counters } = parts
  // Keyed by rule object, so the rules of a reloaded file start with new counters.
  let states = new WeakMap<Rule, RuleState>()
  const schedule = createSchedule(elapsed)

  const createState = (scenario: Scenario, rule: Rule): RuleState => ({
    seen: 0,
    fired: 0,
    // Each rule has its own seed, so that other rules do not affect its random numbers.
    chance: createChance(toPartSeed(seed, nameOfRule(scenario, rule))),
  })

  function stateOf(scenario: Scenario, rule: Rule): RuleState {
    const known = states.get(rule)
    if (known !== undefined) return known
    const state = createState(scenario, rule)
    states.set(rule, state)
    return state
  }

  /** Advances the state to the n-th match, and returns whether the rule fires for it. */
  function decideUpTo(rule: Rule, state: RuleState, n: number): boolean {
    let isFired = false
    while (state.seen < n) isFired = decide(rule, state)
    return isFired
  }

  /** Counts a match, and returns whether the rule fires for it. */
  function isFiring(scenario: Scenario, rule: Rule): boolean | Promise<boolean> {
    if (counters === undefined) return decide(rule, stateOf(scenario, rule))
    return counters.count(nameOfRule(scenario, rule)).then((n) => {
      const state = stateOf(scenario, rule)
      if (n > state.seen) return decideUpTo(rule, state, n)
      // A later match was already decided, or the counter was reset.
      return decideUpTo(rule, createState(scenario, rule), n)
    })
  }

  function takeToken(scenario: Scenario, rule: Rule, limit: RateLimit): Limited | Promise<Limited> {
    if (counters !== undefined) return counters.take(nameOfRule(scenario, rule), limit)
    const state = stateOf(scenario, rule)
    state.bucket ??= createTokenBucket(limit, elapsed)
    return state.bucket.take()
  }

  async function runRule({ scenario, rule }: ScenarioRule, input: MatchInput): Promise<FiredRule | undefined> {
    if (isTimed(rule)) {
      const elapsed = counters === undefined ? schedule.elapsed(scenario) : await counters.elapsed(scenario.name)
      if (!isDue(rule, elapsed / 1000)) return undefined
    }
    const isMatch = matcherOf(rule)(input)
    if (!(typeof isMatch === 'boolean' ? isMatch : await isMatch)) return undefined
    const { effect } = rule
    const { rateLimit } = effect
    const fires = isFiring(scenario, rule)
    if (!(typeof fires === 'boolean' ? fires : await fires)) return undefined
    return { scenario, effect, ...(rateLimit && { limited: await takeToken(scenario, rule, rateLimit) }) }
  }

  /** Returns the number of matches and the number of times the rule fired. */
  function readState(scenario: Scenario, rule: Rule): Pick<RuleState, 'seen' | 'fired'> {
    if (counters === undefined) return states.get(rule) ?? { seen: 0, fired: 0 }
    const state = createState(scenario, rule)
    decideUpTo(rule, state, counters.seen(nameOfRule(scenario, rule)))
    return state
  }

  /** Deletes the counters of a deleted scenario. */
  function forget(scenario: Scenario): void {
    for (const rule of scenario.rules) states.delete(rule)
    counters?.forget(
      scenario.name,
      scenario.rules.map((rule) => nameOfRule(scenario, rule)),
    )
  }

  async function runAll(rules: readonly ScenarioRule[], input: MatchInput): Promise<readonly FiredRule[]> {
    const fired: FiredRule[] = []
    for (const one of rules) {
      const firedRule = await runRule(one, input)
      if (firedRule !== undefined) fired.push(firedRule)
    }
    return fired
  }

  return {
    /**
     * Returns the rules of a stage that fire for a request, in order, up to and including the first that ends the request.
     * If a rule ends it at the gateway, `advanceVersion` rules that precede it fire too.
     */
    async run(stage: Stage, scenarios: readonly Scenario[], input: MatchInput): Promise<readonly FiredRule[]> {
      const fired: FiredRule[] = []
      /** `advanceVersion` rules. At the gateway, they fire only if a later rule ends the request there. */
      const writers: ScenarioRule[] = []
      const slice = timeSlices.start()
      let looked = 0
      for (const scenario of scenarios) {
        for (const rule of scenario.rules) {
          looked += 1
          if (looked > FEW_RULES && slice.isOver()) await slice.next()
          if (!canApply(rule, input)) continue
          if (toStage(rule.effect) !== stage) {
            if (stage === 'gateway' && rule.effect.advanceVersion !== undefined) writers.push({ scenario, rule })
            continue
          }
          const firedRule = await runRule({ scenario, rule }, input)
          if (firedRule === undefined) continue
          fired.push(firedRule)
          if (endsRequest(firedRule)) return [...(await runAll(writers, input)), ...fired]
        }
      }
      return fired
    },
    counter(scenario: Scenario, rule: Rule): Counter {
      const { seen, fired } = readState(scenario, rule)
      return { seen, fired, ...(rule.times === undefined ? {} : { left: Math.max(0, rule.times - fired) }) }
    },
    /** Restores the match counts of a scenario's rules from an earlier run. */
    restore(scenario: Scenario, seen: readonly number[]): void {
      for (const [at, rule] of scenario.rules.entries()) {
        // Replay the matches: whether a rule fires depends only on its seed and the number of earlier matches.
        decideUpTo(rule, stateOf(scenario, rule), seen[at] ?? 0)
      }
    },
    /** Resets a scenario's counters and clock. */
    restart(scenario: Scenario): void {
      forget(scenario)
      schedule.restart(scenario)
      if (scenario.rules.some(isTimed)) counters?.start(scenario.name)
    },
    forget,
    /** Resets the counters and clocks of all scenarios. */
    reset(): void {
      states = new WeakMap()
      counters?.reset()
      schedule.restartAll()
    },
  }
}

/** A session's scenario counters and clocks, in a store shared by several mocks. */
export interface RuleCounters {
  /** Counts a match of a rule, and resolves with the match number, starting at 1. */
  count(rule: string): Promise<number>
  /** Takes a token from a rule's bucket. */
  take(rule: string, limit: RateLimit): Promise<Limited>
  /** Resolves with the milliseconds since a scenario was activated; its first request activates it if nothing else did. */
  elapsed(scenario: string): Promise<number>
  /** The number of matches of a rule when the counters were last read. */
  seen(rule: string): number
  /** Records that a scenario was activated. */
  start(scenario: string): void
  /** Resets a scenario's clock and the counters of its rules. */
  forget(scenario: string, rules: readonly string[]): void
  /** Resets all counters and clocks. */
  reset(): void
}
