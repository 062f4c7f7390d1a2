import { MAX_DELAY } from '../http/connection.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { Answer } from '../contract/types.ts'
import { toOAuthMembers } from '../auth/oauth.ts'
import { problem } from '../../errors.ts'
import { commonHeaderNames } from '../http/request-head.ts'
import { toEnvelope } from '../http/envelope.ts'
import type { FaultName } from '../http/connection.ts'
import { stringifyJson } from '../http/json.ts'
import type { FileContent } from '../../util/load-partially.ts'
import type { Chance } from '../../util/chance.ts'
import * as z from 'zod'

/** All documented examples. */
const documentedExamples = Object.values(endpoints).flatMap((endpoint: Endpoint) =>
  Object.entries(endpoint.responses).flatMap(([status, { examples = {} }]) =>
    Object.keys(examples).map((name) => ({ endpoint, status: Number(status), name })),
  ),
)

/** Counts the members of an object that are not undefined. */
export function countGiven(members: object): number {
  return Object.values(members).filter((value) => value !== undefined).length
}

export const delayMilliseconds = z.number().min(0).max(MAX_DELAY)

const delayDistribution = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('uniform'), lower: delayMilliseconds, upper: delayMilliseconds })
    .refine(({ lower, upper }) => lower <= upper, { error: 'lower must not exceed upper.' }),
  z.strictObject({ type: z.literal('lognormal'), median: delayMilliseconds, sigma: z.number().min(0).max(10) }),
])

export const delaySchema = z
  .strictObject({
    fixedDelayMilliseconds: delayMilliseconds.optional(),
    delayDistribution: delayDistribution.optional(),
  })
  .refine((delay) => countGiven(delay) === 1, {
    error: 'exactly one of fixedDelayMilliseconds and delayDistribution expected.',
  })
  .meta({ minProperties: 1, maxProperties: 1 })

/** Only the server may set these: other values would break the connection, and faults exist for that. */
const FRAMING = new Set(['connection', 'content-length', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade'])

const headerName = z
  .string()
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, { error: 'a header name expected.' })
  .refine((name) => !FRAMING.has(name.toLowerCase()), {
    error: 'a header that is not reserved for the server expected.',
  })
const headerValue = z
  .string()
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'a header value in ISO 8859-1 without control characters expected.' })

/** Responses with these statuses have no body (Fetch standard, "null body status"). */
const BODILESS_STATUSES = [204, 205, 304]

/** The content coding that headers name; undefined for a body that is not encoded (RFC 9110, section 8.4). */
export function findBodyEncoding(headers: Readonly<Record<string, string>> = {}): string | undefined {
  const [, value = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-encoding') ?? []
  const coding = value.trim().toLowerCase()
  return coding === '' || coding === 'identity' ? undefined : coding
}

/** How many of the members that define a body are given. */
const countBodies = (answer: Readonly<Record<string, unknown>>): number =>
  ['error', 'body', 'text', 'bodyFile', 'example'].filter((name) => answer[name] !== undefined).length

export const answerSchema = z
  .strictObject({
    status: z.int().min(200).max(599),
    error: z.looseObject({ code: z.string().min(1), message: z.string().min(1) }).optional(),
    body: z.unknown().optional(),
    text: z
      .string()
      .optional()
      .describe('The body as it is, such as a page of HTML; set its Content-Type. Default: text/plain'),
    bodyFile: z
      .string()
      .regex(/^(?!\.{1,2}$)[^/\\]+$/, { error: "the name of a file in the scenario file's folder expected." })
      .optional()
      .describe("The name of a file in the scenario file's folder"),
    example: z
      .enum(documentedExamples.map(({ name }) => name))
      .optional()
      .describe('The name of a documented example to return as the body'),
    headers: z.record(headerName, headerValue).optional(),
    stage: z
      .literal('gateway')
      .optional()
      .describe('Responds before authentication and validation; by default, after both'),
  })
  .refine((answer) => countBodies(answer) <= 1, {
    error: 'at most one of error, body, text, bodyFile and example expected.',
  })
  .refine((answer) => !BODILESS_STATUSES.includes(answer.status) || countBodies(answer) === 0, {
    error: `no body expected with status ${BODILESS_STATUSES.join(', ')}.`,
  })
  .refine(({ bodyFile, headers }) => bodyFile !== undefined || findBodyEncoding(headers) === undefined, {
    path: ['headers'],
    error: 'no Content-Encoding expected: the mock does not encode the body. Send an encoded file as bodyFile.',
  })
  .meta({ id: 'Answer' })

/** Headers that the mock itself sets, in its own spelling. */
const OWN_HEADERS = [
  ...commonHeaderNames,
  'Content-Type',
  'Vary',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
]
const spellings: ReadonlyMap<string, string> = new Map(OWN_HEADERS.map((name) => [name.toLowerCase(), name]))

/** Uses the mock's spelling for headers that the mock also sets, so that they are not sent twice. */
const toScenarioHeaders = (headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [spellings.get(name.toLowerCase()) ?? name, value]))

/** The parts of a scenario needed to build its responses. */
export interface AnsweringScenario {
  readonly name: string
  /** The contents of the referenced body files, by file name. */
  readonly bodyFiles: ReadonlyMap<string, FileContent>
}

/** Wraps errors in the envelope, with defaults for members that the scenario omits. */
function toErrorBody(
  status: number,
  error: z.output<typeof answerSchema>['error'],
  { scenario, isToken }: AnswerContext,
): string | undefined {
  if (error === undefined && status < 400) return undefined
  const item = error ?? { code: 'General', message: `The scenario "${scenario.name}" responds with status ${status}.` }
  const members = isToken ? toOAuthMembers(status, item) : {}
  return stringifyJson({ statusCode: status, message: item.message, ...members, errors: [item] })
}

/** Finds the payload of an endpoint's example by status and name. */
export type FindExample = (endpoint: Endpoint, status: number, name: string) => string | undefined

/** What a response depends on besides its definition. */
export interface AnswerContext {
  readonly scenario: AnsweringScenario
  readonly findExample: FindExample
  /** Whether the request is for a token endpoint, whose errors have members of OAuth's (D31). */
  readonly isToken: boolean
}

function toScenarioBody(effect: z.output<typeof answerSchema>, context: AnswerContext): FileContent | undefined {
  const { status, error, body, text, bodyFile, example } = effect
  if (body !== undefined) return stringifyJson(body)
  if (text !== undefined) return text
  if (bodyFile !== undefined) return context.scenario.bodyFiles.get(bodyFile)
  if (example === undefined) return toErrorBody(status, error, context)
  // Any endpoint may return any documented payload, with any status.
  const found = documentedExamples.find((one) => one.name === example)
  return found && context.findExample(found.endpoint, found.status, example)
}

/** Builds the response that a scenario's rule defines. */
export function toScenarioAnswer(effect: z.output<typeof answerSchema>, context: AnswerContext): Answer {
  const body = toScenarioBody(effect, context)
  const headers = {
    ...(effect.text !== undefined && { 'Content-Type': 'text/plain; charset=utf-8' }),
    ...toScenarioHeaders(effect.headers),
  }
  return { status: effect.status, headers, ...(body === undefined ? {} : { body }) }
}

/** Draws from the standard normal distribution (Box–Muller transform). */
const drawNormal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next())

/** Returns the delay in milliseconds, drawn at random if a distribution is given. */
export function drawDelay(
  { fixedDelayMilliseconds = 0, delayDistribution: distribution }: z.output<typeof delaySchema>,
  chance: Chance,
): number {
  if (distribution === undefined) return fixedDelayMilliseconds
  if (distribution.type === 'uniform')
    return distribution.lower + (distribution.upper - distribution.lower) * chance.next()
  return Math.min(MAX_DELAY, distribution.median * Math.exp(distribution.sigma * drawNormal(chance)))
}

/** How a scenario ends a request: with a response or a broken connection, which may cut off a response. */
export type ScenarioOutcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'fault'; readonly fault: FaultName; readonly answer?: Answer }

/** A simulated writer that updates the requested resource first. */
export interface OtherWriter {
  /** The scenario's name. */
  readonly scenario: string
  readonly versions: number
}

/** The result of taking a token from a token bucket. */
export interface Limited {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the next request is allowed. `reset`: seconds until the bucket is full again. Both are rounded up. */
  readonly retryAfter: number
  readonly reset: number
}

/** The combined effects of all rules that fire for a request. */
export interface Effects {
  /** Unique names of the scenarios whose rules fired. */
  readonly scenarios: readonly string[]
  /** Total delay in milliseconds. */
  readonly delay: number
  readonly droppedScopes: ReadonlySet<string>
  readonly isTokenExpired: boolean
  readonly areResourcesHidden: boolean
  readonly generated: number
  readonly otherWriters: readonly OtherWriter[]
  readonly dribble: { readonly numberOfChunks: number; readonly totalDuration: number } | undefined
  /** Rate limit headers. */
  readonly headers: Readonly<Record<string, string>>
  readonly outcome: ScenarioOutcome | undefined
  /** Whether any effect may change the operation's result. */
  readonly changesOperation: boolean
}

/** Effects that apply to any response. */
export type Additions = Pick<Effects, 'dribble' | 'headers'>

export const toLimitHeaders = ({ limit, remaining, reset }: Limited): Readonly<Record<string, string>> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset),
})

/** The 429 response for an exceeded rate limit. */
export function toLimitAnswer(limited: Limited, isToken: boolean): Answer {
  const error = problem.tooManyRequests(limited.limit, limited.retryAfter)
  const members = isToken ? toOAuthMembers(error.status, error.errors[0]) : {}
  return {
    status: error.status,
    body: stringifyJson({ ...toEnvelope(error), ...members }),
    headers: { ...error.headers, ...toLimitHeaders(limited) },
  }
}

/** The effects when no rule fired. */
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
  changesOperation: false,
}
