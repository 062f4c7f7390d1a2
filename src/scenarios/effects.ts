import { MAX_DELAY } from '../http/connection.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { Answer } from '../contract/types.ts'
import { problem } from '../errors.ts'
import { toEnvelope } from '../http/envelope.ts'
import type { FaultName } from '../http/connection.ts'
import { stringifyJson } from '../http/json.ts'
import type { Chance } from '../util/chance.ts'
import * as z from 'zod'

interface Example {
  readonly endpoint: Endpoint
  readonly status: number
  readonly name: string
}

/** Every documented example. */
const documented: readonly Example[] = Object.values(endpoints).flatMap((endpoint: Endpoint) =>
  Object.entries(endpoint.responses).flatMap(([status, { examples = {} }]) =>
    Object.keys(examples).map((name) => ({ endpoint, status: Number(status), name })),
  ),
)

/** How many members an object has that are not undefined. */
export function countGiven(members: object): number {
  return Object.values(members).filter((value) => value !== undefined).length
}

export const milliseconds = z.number().min(0).max(MAX_DELAY)

const delayDistribution = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('uniform'), lower: milliseconds, upper: milliseconds })
    .refine(({ lower, upper }) => lower <= upper, { error: 'a lower that is not above upper expected.' }),
  z.strictObject({ type: z.literal('lognormal'), median: milliseconds, sigma: z.number().min(0).max(10) }),
])

export const delaySchema = z
  .strictObject({ fixedDelayMilliseconds: milliseconds.optional(), delayDistribution: delayDistribution.optional() })
  .refine((delay) => countGiven(delay) === 1, {
    error: 'exactly one of fixedDelayMilliseconds and delayDistribution expected.',
  })
  .meta({ minProperties: 1, maxProperties: 1 })

/** Only the server sets these: other values would break the connection, for which there are faults. */
const FRAMING = new Set(['connection', 'content-length', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade'])

const headerName = z
  .string()
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, { error: 'the name of a header expected.' })
  .refine((name) => !FRAMING.has(name.toLowerCase()), {
    error: 'a header that the server does not set itself expected.',
  })
const headerValue = z
  .string()
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'a header value of ISO 8859-1 without control characters expected.' })

/** Responses with these statuses have no body (Fetch standard, "null body status"). */
const BODILESS = [204, 205, 304]

export const answerSchema = z
  .strictObject({
    status: z.int().min(200).max(599),
    error: z.looseObject({ code: z.string().min(1), message: z.string().min(1) }).optional(),
    body: z.unknown().optional(),
    bodyFile: z
      .string()
      .regex(/^(?!\.{1,2}$)[^/\\]+$/, { error: "the name of a file in the scenario file's own folder expected." })
      .optional()
      .describe("A file in the scenario file's own folder"),
    example: z
      .enum(documented.map(({ name }) => name))
      .optional()
      .describe('The name of a documented example, whose payload is answered'),
    headers: z.record(headerName, headerValue).optional(),
    stage: z
      .literal('gateway')
      .optional()
      .describe('Answers before authentication and validation; omitted, after both'),
  })
  .refine(({ error, body, bodyFile, example }) => countGiven({ error, body, bodyFile, example }) <= 1, {
    error: 'at most one of error, body, bodyFile and example expected.',
  })
  .refine(
    ({ status, error, body, bodyFile, example }) =>
      !BODILESS.includes(status) || countGiven({ error, body, bodyFile, example }) === 0,
    {
      error: `no body expected with the statuses ${BODILESS.join(', ')}.`,
    },
  )
  .meta({ id: 'Answer' })

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

/** A header that the mock sets, too, gets the mock's spelling, so that it is not sent twice. */
const toHeaders = (headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [spellings.get(name.toLowerCase()) ?? name, value]))

/** What an answer needs of its scenario. */
export interface AnsweringScenario {
  readonly name: string
  /** Texts of the body files that its answers name. */
  readonly bodyFiles: ReadonlyMap<string, string>
}

/** An error always has the envelope, with defaults for what the scenario omits. */
function toErrorBody(
  status: number,
  error: z.output<typeof answerSchema>['error'],
  scenario: AnsweringScenario,
): string | undefined {
  if (error === undefined && status < 400) return undefined
  const item = error ?? { code: 'General', message: `The scenario "${scenario.name}" answers with status ${status}.` }
  return stringifyJson({ statusCode: status, message: item.message, errors: [item] })
}

/** Payloads of an endpoint's named examples, by status and name. */
export type FindExample = (endpoint: Endpoint, status: number, name: string) => string | undefined

/** Any endpoint may return a documented payload, with any status. */
function takeExample(name: string, findExample: FindExample): string | undefined {
  const example = documented.find((one) => one.name === name)
  return example && findExample(example.endpoint, example.status, name)
}

function toBody(
  effect: z.output<typeof answerSchema>,
  scenario: AnsweringScenario,
  findExample: FindExample,
): string | undefined {
  const { status, error, body, bodyFile, example } = effect
  if (body !== undefined) return stringifyJson(body)
  if (bodyFile !== undefined) return scenario.bodyFiles.get(bodyFile)
  return example === undefined ? toErrorBody(status, error, scenario) : takeExample(example, findExample)
}

/** The answer that a scenario's rule gives. */
export function toAnswer(
  effect: z.output<typeof answerSchema>,
  scenario: AnsweringScenario,
  findExample: FindExample,
): Answer {
  const body = toBody(effect, scenario, findExample)
  return { status: effect.status, headers: toHeaders(effect.headers), ...(body === undefined ? {} : { body }) }
}

/** A draw from the normal distribution around 0 (Box and Muller). */
const drawNormal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next())

/** Milliseconds of one delay, drawn if it is a distribution. */
export function drawDelay(
  { fixedDelayMilliseconds = 0, delayDistribution: distribution }: z.output<typeof delaySchema>,
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

/** Another writer that updates the resource of a request first. */
export interface OtherWriter {
  /** The scenario's name. */
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

/** The combined effects of all rules that fire for a request. */
export interface Effects {
  /** Names of the scenarios whose rules fired, each once. */
  readonly scenarios: readonly string[]
  /** Milliseconds in total. */
  readonly delay: number
  readonly droppedScopes: ReadonlySet<string>
  readonly isTokenExpired: boolean
  readonly areResourcesHidden: boolean
  readonly generated: number
  readonly otherWriters: readonly OtherWriter[]
  readonly dribble: { readonly numberOfChunks: number; readonly totalDuration: number } | undefined
  /** Of rate limits. */
  readonly headers: Readonly<Record<string, string>>
  readonly outcome: ScenarioOutcome | undefined
  /** Whether they may change the operation's result. */
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
