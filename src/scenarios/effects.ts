import type { Chance } from '../chance.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Answer } from '../contract/handler.ts'
import { toEnvelope } from '../envelope.ts'
import { problem } from '../errors.ts'
import type { FaultName } from '../http/fault.ts'
import { stringifyJson } from '../http/json.ts'
import type { Acting, Limited } from './player.ts'
import type { AnswerEffect, DelayEffect, Effect, Scenario } from './schema.ts'

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

/** A draw from the normal distribution around 0 (Box and Muller). */
const drawNormal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next())

const LONGEST_DELAY = 60_000

/** Milliseconds of one delay, drawn where it is a distribution. */
export function drawDelay(delay: DelayEffect, chance: Chance): number {
  if ('fixedDelayMilliseconds' in delay) return delay.fixedDelayMilliseconds
  const { delayDistribution: distribution } = delay
  if (distribution.type === 'uniform') {
    return distribution.lower + (distribution.upper - distribution.lower) * chance.next()
  }
  return Math.min(LONGEST_DELAY, distribution.median * Math.exp(distribution.sigma * drawNormal(chance)))
}

const toLimitHeaders = ({ limit, remaining, reset }: Limited): Readonly<Record<string, string>> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset),
})

function toLimitAnswer(limited: Limited): Answer {
  const fault = problem.tooManyRequests(limited.limit, limited.retryAfter)
  return { status: fault.status, body: stringifyJson(toEnvelope(fault)), headers: { ...fault.headers, ...toLimitHeaders(limited) } }
}

/** Names that the mock itself sets are spelled as it spells them, so that none is sent twice. */
const toHeaders = (headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace(/(^|-)([a-z])/g, (part) => part.toUpperCase()), value]),
  )

/** An error answer always has the envelope: what the scenario does not say is said for it. */
function toErrorBody(status: number, error: AnswerEffect['error'], scenario: Scenario): string | undefined {
  if (error === undefined && status < 400) return undefined
  const item = error ?? { code: 'General', message: `The scenario "${scenario.name}" answers with status ${status}.` }
  return stringifyJson({ statusCode: status, message: item.message, errors: [item] })
}

/** Payloads of an endpoint's named examples, by status and name. */
export type FindExample = (endpoint: Endpoint, status: number, name: string) => string | undefined

function toAnswer(effect: AnswerEffect, scenario: Scenario, endpoint: Endpoint, findExample: FindExample): Answer {
  const { status, error, body, bodyFile, example } = effect
  const headers = toHeaders(effect.headers)
  if (body !== undefined) return { status, body: stringifyJson(body), headers }
  const text =
    bodyFile === undefined
      ? example === undefined
        ? toErrorBody(status, error, scenario)
        : findExample(endpoint, status, example)
      : scenario.bodyFiles.get(bodyFile)
  return { status, headers, ...(text === undefined ? {} : { body: text }) }
}

function findEnding({ scenario, effect, limited }: Acting, endpoint: Endpoint, findExample: FindExample): Ending | undefined {
  if (limited?.isAllowed === false) return { kind: 'answer', answer: toLimitAnswer(limited) }
  if (effect.fault !== undefined) return { kind: 'fault', fault: effect.fault }
  if (effect.answer !== undefined) {
    return { kind: 'answer', answer: toAnswer(effect.answer, scenario, endpoint, findExample) }
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
  { endpoint, chance, findExample }: { endpoint: Endpoint; chance: Chance; findExample: FindExample },
): Bending {
  if (acting.length === 0) return UNBENT
  const last = acting.at(-1)
  const effects = acting.map(({ effect }) => effect)
  const sum = (of: (effect: Effect) => number) => effects.reduce((total, effect) => total + of(effect), 0)
  const limits = acting.map(({ limited }) => (limited === undefined ? {} : toLimitHeaders(limited)))
  return {
    scenarios: [...new Set(acting.filter(({ limited }) => limited?.isAllowed !== true).map(({ scenario }) => scenario.name))],
    delay: sum(({ delay }) => (delay === undefined ? 0 : drawDelay(delay, chance))),
    droppedScopes: new Set(effects.flatMap(({ dropScopes = [] }) => dropScopes)),
    isTokenExpired: effects.some(({ expireToken }) => expireToken === true),
    areResourcesHidden: effects.some(({ hideResources }) => hideResources === true),
    generated: sum(({ generate = 0 }) => generate),
    versionsAhead: sum(({ advanceVersion = 0 }) => advanceVersion),
    dribble: effects.find(({ chunkedDribbleDelay }) => chunkedDribbleDelay !== undefined)?.chunkedDribbleDelay,
    headers: Object.assign({}, ...limits) as Readonly<Record<string, string>>,
    ending: last === undefined ? undefined : findEnding(last, endpoint, findExample),
  }
}
