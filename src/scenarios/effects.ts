import type { Chance } from '../util/chance.ts'
import type { Answer } from '../contract/handler.ts'
import { toEnvelope } from '../http/envelope.ts'
import { problem } from '../errors.ts'
import type { FaultName } from '../http/fault.ts'
import { stringifyJson } from '../http/json.ts'
import { toAnswer } from './answer.ts'
import type { FindExample } from './answer.ts'
import { drawDelay } from './draw-delay.ts'
import type { Effect } from './effect-schema.ts'
import { changesOperation } from './effect-table.ts'
import type { FiredRule } from './rule-runner.ts'
import type { Limited } from './token-bucket.ts'

/** How a scenario ends a request: with an answer, or with a broken connection, possibly in the middle of an answer. */
export type ScenarioOutcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'fault'; readonly fault: FaultName; readonly answer?: Answer }

type Dribble = NonNullable<Effect['chunkedDribbleDelay']>

/** Another writer that updates the resource of a request first. */
export interface OtherWriter {
  /** The name of the scenario that it is part of. */
  readonly scenario: string
  readonly versions: number
}

/** The combined effects of all rules that fire for a request. */
export interface Effects {
  /** Names of the scenarios whose rules fired, each once. */
  readonly scenarios: readonly string[]
  /** Milliseconds, added up. */
  readonly delay: number
  readonly droppedScopes: ReadonlySet<string>
  readonly isTokenExpired: boolean
  readonly areResourcesHidden: boolean
  readonly generated: number
  readonly otherWriters: readonly OtherWriter[]
  readonly dribble: Dribble | undefined
  /** Of rate limits. */
  readonly headers: Readonly<Record<string, string>>
  readonly outcome: ScenarioOutcome | undefined
  /** Whether the operation may answer otherwise because of them. */
  readonly isTwisted: boolean
}

/** What scenarios add to any answer. */
export type Additions = Pick<Effects, 'dribble' | 'headers'>

const toLimitHeaders = ({ limit, remaining, reset }: Limited): Readonly<Record<string, string>> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset),
})

function toLimitAnswer(limited: Limited): Answer {
  const fault = problem.tooManyRequests(limited.limit, limited.retryAfter)
  return {
    status: fault.status,
    body: stringifyJson(toEnvelope(fault)),
    headers: { ...fault.headers, ...toLimitHeaders(limited) },
  }
}

function findOutcome({ scenario, effect, limited }: FiredRule, findExample: FindExample): ScenarioOutcome | undefined {
  if (limited?.isAllowed === false) return { kind: 'answer', answer: toLimitAnswer(limited) }
  if (effect.fault !== undefined) return { kind: 'fault', fault: effect.fault }
  if (effect.answer !== undefined) {
    return { kind: 'answer', answer: toAnswer(effect.answer, scenario, findExample) }
  }
  return undefined
}

/** No rule fired. */
export const NO_EFFECTS: Effects = {
  scenarios: [],
  delay: 0,
  droppedScopes: new Set(),
  isTokenExpired: false,
  areResourcesHidden: false,
  generated: 0,
  otherWriters: [],
  dribble: undefined,
  headers: {},
  outcome: undefined,
  isTwisted: false,
}

/** Combines fired rules, at least one: all their effects in order, and the outcome of the last. */
export function combineEffects(
  fired: readonly FiredRule[],
  { chance, findExample }: { readonly chance: Chance; readonly findExample: FindExample },
): Effects {
  const last = fired.at(-1)
  const effects = fired.map(({ effect }) => effect)
  const sum = (of: (effect: Effect) => number) => effects.reduce((total, effect) => total + of(effect), 0)
  const limits = fired.map(({ limited }) => (limited === undefined ? {} : toLimitHeaders(limited)))
  return {
    scenarios: [
      ...new Set(fired.filter(({ limited }) => limited?.isAllowed !== true).map(({ scenario }) => scenario.name)),
    ],
    delay: sum(({ delay }) => (delay === undefined ? 0 : drawDelay(delay, chance))),
    droppedScopes: new Set(effects.flatMap(({ dropScopes = [] }) => dropScopes)),
    isTokenExpired: effects.some(({ expireToken }) => expireToken === true),
    areResourcesHidden: effects.some(({ hideResources }) => hideResources === true),
    generated: sum(({ generate = 0 }) => generate),
    otherWriters: fired.flatMap(({ scenario, effect: { advanceVersion: versions } }) =>
      versions === undefined ? [] : [{ scenario: scenario.name, versions }],
    ),
    dribble: effects.find(({ chunkedDribbleDelay }) => chunkedDribbleDelay !== undefined)?.chunkedDribbleDelay,
    headers: Object.assign({}, ...limits) as Readonly<Record<string, string>>,
    outcome: last === undefined ? undefined : findOutcome(last, findExample),
    isTwisted: effects.some(changesOperation),
  }
}
