import type { Chance } from '../chance.ts'
import type { Answer } from '../contract/handler.ts'
import { toEnvelope } from '../envelope.ts'
import { problem } from '../errors.ts'
import type { FaultName } from '../http/fault.ts'
import { stringifyJson } from '../http/json.ts'
import { toAnswer } from './answer.ts'
import type { FindExample } from './answer.ts'
import { drawDelay } from './draw-delay.ts'
import type { Effect } from './effect-schema.ts'
import type { Acting } from './player.ts'
import type { Limited } from './token-bucket.ts'

/** How a request ends: with an answer, or with a broken connection, which may come amid an answer. */
export type Ending =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'fault'; readonly fault: FaultName; readonly answer?: Answer }

type Dribble = NonNullable<Effect['chunkedDribbleDelay']>

/** What acting rules do to a request, taken together. */
export interface Bending {
  /** Names of the scenarios that acted, each once. */
  readonly scenarios: readonly string[]
  /** Milliseconds, added up. */
  readonly delay: number
  readonly droppedScopes: ReadonlySet<string>
  readonly isTokenExpired: boolean
  readonly areResourcesHidden: boolean
  readonly generated: number
  readonly versionsAhead: number
  readonly dribble: Dribble | undefined
  /** Of rate limits. */
  readonly headers: Readonly<Record<string, string>>
  readonly ending: Ending | undefined
}

/** What scenarios add to an answer that is not the answer's own. */
export type Additions = Pick<Bending, 'dribble' | 'headers'>

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

function findEnding({ scenario, effect, limited }: Acting, findExample: FindExample): Ending | undefined {
  if (limited?.isAllowed === false) return { kind: 'answer', answer: toLimitAnswer(limited) }
  if (effect.fault !== undefined) return { kind: 'fault', fault: effect.fault }
  if (effect.answer !== undefined) {
    return { kind: 'answer', answer: toAnswer(effect.answer, scenario, findExample) }
  }
  return undefined
}

/** Nothing acts. */
export const UNBENT: Bending = {
  scenarios: [],
  delay: 0,
  droppedScopes: new Set(),
  isTokenExpired: false,
  areResourcesHidden: false,
  generated: 0,
  versionsAhead: 0,
  dribble: undefined,
  headers: {},
  ending: undefined,
}

/** Takes acting rules together: every twist in order, and the ending of the last. */
export function toBending(
  acting: readonly Acting[],
  { chance, findExample }: { readonly chance: Chance; readonly findExample: FindExample },
): Bending {
  if (acting.length === 0) return UNBENT
  const last = acting.at(-1)
  const effects = acting.map(({ effect }) => effect)
  const sum = (of: (effect: Effect) => number) => effects.reduce((total, effect) => total + of(effect), 0)
  const limits = acting.map(({ limited }) => (limited === undefined ? {} : toLimitHeaders(limited)))
  return {
    scenarios: [
      ...new Set(acting.filter(({ limited }) => limited?.isAllowed !== true).map(({ scenario }) => scenario.name)),
    ],
    delay: sum(({ delay }) => (delay === undefined ? 0 : drawDelay(delay, chance))),
    droppedScopes: new Set(effects.flatMap(({ dropScopes = [] }) => dropScopes)),
    isTokenExpired: effects.some(({ expireToken }) => expireToken === true),
    areResourcesHidden: effects.some(({ hideResources }) => hideResources === true),
    generated: sum(({ generate = 0 }) => generate),
    versionsAhead: sum(({ advanceVersion = 0 }) => advanceVersion),
    dribble: effects.find(({ chunkedDribbleDelay }) => chunkedDribbleDelay !== undefined)?.chunkedDribbleDelay,
    headers: Object.assign({}, ...limits) as Readonly<Record<string, string>>,
    ending: last === undefined ? undefined : findEnding(last, findExample),
  }
}
