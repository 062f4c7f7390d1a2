import * as z from 'zod'
import { endpoints } from '../contract/endpoints.ts'
import { MAX_DELAY, faultNames } from '../http/connection.ts'
import type { Endpoint } from '../contract/endpoint.ts'

interface Example {
  readonly endpoint: Endpoint
  readonly status: number
  readonly name: string
}

/** Every example that the contract documents. */
const documented: readonly Example[] = Object.values(endpoints).flatMap((endpoint: Endpoint) =>
  Object.entries(endpoint.responses).flatMap(([status, { examples = {} }]) =>
    Object.keys(examples).map((name) => ({ endpoint, status: Number(status), name })),
  ),
)

/** The names of all documented examples. */
export const exampleNames: readonly string[] = documented.map(({ name }) => name)

/** The example of a name. */
export const findExampleNamed = (name: string): Example | undefined => documented.find((one) => one.name === name)

const milliseconds = z.number().min(0).max(MAX_DELAY)
const positive = z.int().min(1)

/** The scopes that endpoints ask for, and the one word for all of them. */
const scopes = [
  ...new Set(Object.values(endpoints).flatMap(({ scopes }) => (scopes === 'anyToken' ? [] : scopes))),
  '*',
]

const delayDistribution = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('uniform'), lower: milliseconds, upper: milliseconds })
    .refine(({ lower, upper }) => lower <= upper, { error: 'a lower that is not above upper expected.' }),
  z.strictObject({ type: z.literal('lognormal'), median: milliseconds, sigma: z.number().min(0).max(10) }),
])

const delaySchema = z
  .strictObject({ fixedDelayMilliseconds: milliseconds.optional(), delayDistribution: delayDistribution.optional() })
  .refine((delay) => countGiven(delay) === 1, {
    error: 'exactly one of fixedDelayMilliseconds and delayDistribution expected.',
  })
  .meta({ minProperties: 1, maxProperties: 1 })

/** Framing is the server's own: set otherwise, it would break the connection, which is what faults are for. */
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

/** What HTTP lets nothing follow (Fetch standard, "null body status"). */
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
    example: z.enum(exampleNames).optional().describe('The name of a documented example, whose payload is answered'),
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

export const effectSchema = z
  .strictObject({
    advanceVersion: positive.max(1000).optional().describe('Simulates this many updates by another writer first'),
    dropScopes: z.array(z.enum(scopes)).min(1).optional().describe('Scopes that no token has any more; * for all'),
    expireToken: z.literal(true).optional().describe('The token has expired'),
    hideResources: z.literal(true).optional().describe('The project looks empty'),
    generate: positive.max(100_000).optional().describe('This many resources more'),
    delay: delaySchema.optional().describe('Waits'),
    chunkedDribbleDelay: z
      .strictObject({ numberOfChunks: positive.max(1000), totalDuration: milliseconds })
      .optional()
      .describe('The body comes in pieces over the total duration in milliseconds'),
    answer: answerSchema.optional().describe('Answers in the place of the service'),
    rateLimit: z
      .strictObject({ requests: positive, perSeconds: z.number().positive().max(86_400) })
      .optional()
      .describe('A token bucket; 429 when it is empty'),
    fault: z.enum(faultNames).optional().describe('What happens to the connection instead of an answer'),
  })
  .refine((effect) => countGiven(effect) === 1, {
    error: 'exactly one effect expected; give each effect a rule of its own.',
  })
  .meta({ id: 'Effect', minProperties: 1, maxProperties: 1 })

export type Effect = z.output<typeof effectSchema>
export type AnswerEffect = z.output<typeof answerSchema>
export type DelayEffect = z.output<typeof delaySchema>

function countGiven(members: object): number {
  return Object.values(members).filter((value) => value !== undefined).length
}
