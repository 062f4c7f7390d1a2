import { stringifyJson } from '../http/json.ts'
import { findExampleNamed } from './effect-schema.ts'
import { MAX_DELAY } from '../http/connection.ts'
import { toEnvelope } from '../http/envelope.ts'
import { problem } from '../errors.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Answer } from '../contract/handler.ts'
import type { AnswerEffect, DelayEffect, Effect } from './effect-schema.ts'
import type { Scenario } from './schema.ts'
import type { Chance } from '../util/chance.ts'
import type { FaultName } from '../http/connection.ts'

/** Headers that the mock itself sets, as it spells them. */
const OWN_HEADERS = [
  'Content-Type',
  'Vary',
  'X-Correlation-ID',
  'X-Mock-Operation',
  'X-Mock-Scenario',
  'X-Mock-Warning',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
]
const spellings: ReadonlyMap<string, string> = new Map(OWN_HEADERS.map((name) => [name.toLowerCase(), name]))

/** A name that the mock sets too is spelled as it spells it, so that it is not sent twice. */
const toHeaders = (headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [spellings.get(name.toLowerCase()) ?? name, value]))

/** An error answer always has the envelope: what the scenario does not say is said for it. */
function toErrorBody(status: number, error: AnswerEffect['error'], scenario: Scenario): string | undefined {
  if (error === undefined && status < 400) return undefined
  const item = error ?? { code: 'General', message: `The scenario "${scenario.name}" answers with status ${status}.` }
  return stringifyJson({ statusCode: status, message: item.message, errors: [item] })
}

/** Payloads of an endpoint's named examples, by status and name. */
export type FindExample = (endpoint: Endpoint, status: number, name: string) => string | undefined

/** A documented payload may be answered with whatever status, and by any endpoint. */
function takeExample(name: string, findExample: FindExample): string | undefined {
  const example = findExampleNamed(name)
  return example && findExample(example.endpoint, example.status, name)
}

function toBody(effect: AnswerEffect, scenario: Scenario, findExample: FindExample): string | undefined {
  const { status, error, body, bodyFile, example } = effect
  if (body !== undefined) return stringifyJson(body)
  if (bodyFile !== undefined) return scenario.bodyFiles.get(bodyFile)
  return example === undefined ? toErrorBody(status, error, scenario) : takeExample(example, findExample)
}

/** The answer that a scenario's rule gives. */
export function toAnswer(effect: AnswerEffect, scenario: Scenario, findExample: FindExample): Answer {
  const body = toBody(effect, scenario, findExample)
  return { status: effect.status, headers: toHeaders(effect.headers), ...(body === undefined ? {} : { body }) }
}

/** A draw from the normal distribution around 0 (Box and Muller). */
const drawNormal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next())

/** Milliseconds of one delay, drawn if it is a distribution. */
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

/** The result of taking a token from a bucket. */
export interface Limited {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the next request is allowed, and until the bucket is full again; rounded up. */
  readonly retryAfter: number
  readonly reset: number
}

/** A rule that fires for a request. */
export interface FiredRule {
  readonly scenario: Scenario
  readonly effect: Effect
  /** For a rate limit: the state of its bucket. */
  readonly limited?: Limited
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

/** The headers of a rate limit. */
export const toLimitHeaders = ({ limit, remaining, reset }: Limited): Readonly<Record<string, string>> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset),
})

/** The 429 of an exhausted rate limit. */
export function toLimitAnswer(limited: Limited): Answer {
  const error = problem.tooManyRequests(limited.limit, limited.retryAfter)
  return {
    status: error.status,
    body: stringifyJson(toEnvelope(error)),
    headers: { ...error.headers, ...toLimitHeaders(limited) },
  }
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
