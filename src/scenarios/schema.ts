import * as z from 'zod'
import { operationIds } from '../contract/endpoints.ts'
import { anyJson } from '../contract/models.ts'
import { faultNames } from '../http/fault.ts'

/** The longest delay of a scenario in milliseconds. */
const MAX_DELAY = 60_000

const milliseconds = z.number().min(0).max(MAX_DELAY)
const count = z.int().min(0)
const positive = z.int().min(1)
/** Text in which `*` stands for any run of characters; in a path, of one segment, and `**` of several. */
const glob = z.string()
const oneOrMany = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema).min(1)])

export const matchSchema = z
  .strictObject({
    operation: oneOrMany(z.enum(operationIds)).optional().describe('Operation id, one or many'),
    project: glob.optional().describe('Project key; * stands for any run of characters'),
    method: oneOrMany(z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])).optional(),
    path: glob.optional().describe('Glob of the path after session and base URL: /acme/resource/*'),
    query: z.record(z.string(), glob).optional().describe('Each named parameter must have a value that its glob admits'),
    headers: z.record(z.string(), glob).optional().describe('Each named header must have a value that its glob admits'),
    body: anyJson.optional().describe('Holds when the JSON body has at least these members'),
  })
  .meta({ id: 'Match', description: 'Which requests a rule is about; what is omitted admits every endpoint' })

const delayDistribution = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('uniform'), lower: milliseconds, upper: milliseconds }),
  z.strictObject({ type: z.literal('lognormal'), median: milliseconds, sigma: z.number().min(0).max(10) }),
])

const delaySchema = z.union([
  z.strictObject({ fixedDelayMilliseconds: milliseconds }),
  z.strictObject({ delayDistribution }),
])

const answerSchema = z
  .strictObject({
    status: z.int().min(200).max(599),
    error: z.looseObject({ code: z.string().min(1), message: z.string().min(1) }).optional(),
    body: anyJson.optional(),
    bodyFile: z.string().min(1).optional().describe("A file in the scenario file's own folder"),
    example: z.string().min(1).optional().describe('The name of a documented example of that status'),
    headers: z.record(z.string(), z.string()).optional(),
    stage: z
      .literal('gateway')
      .optional()
      .describe('Answers before authentication and validation; omitted, after both'),
  })
  .refine(({ error, body, bodyFile, example }) => [error, body, bodyFile, example].filter(isGiven).length <= 1, {
    error: 'at most one of error, body, bodyFile and example expected.',
  })
  .refine(({ headers = {} }) => Object.entries(headers).every(isHeader), {
    error: 'header names and values without control characters expected.',
  })
  .meta({ id: 'Answer' })

export const effectSchema = z
  .strictObject({
    advanceVersion: positive.max(1000).optional().describe('Another writer comes first, this many times'),
    dropScopes: z.array(z.string()).min(1).optional().describe('Scopes that no token has any more; * for all'),
    expireToken: z.literal(true).optional().describe('The token has expired'),
    hideResources: z.literal(true).optional().describe('The project looks empty'),
    generate: positive.max(100_000).optional().describe('This many resources more'),
    delay: delaySchema.optional(),
    chunkedDribbleDelay: z
      .strictObject({ numberOfChunks: positive.max(1000), totalDuration: milliseconds })
      .optional()
      .describe('The body comes in pieces over the total duration in milliseconds'),
    answer: answerSchema.optional(),
    rateLimit: z
      .strictObject({ requests: positive, perSeconds: z.number().positive().max(86_400) })
      .optional()
      .describe('A token bucket; 429 when it is empty'),
    fault: z.enum(faultNames).optional().describe('What happens to the connection instead of an answer'),
  })
  .refine((effect) => Object.values(effect).filter(isGiven).length === 1, {
    error: 'exactly one effect expected; give each effect a rule of its own.',
  })
  .meta({ id: 'Effect', minProperties: 1, maxProperties: 1 })

export const ruleSchema = z
  .strictObject({
    match: matchSchema.optional(),
    after: count.optional().describe('Lets this many matching requests pass first'),
    every: positive.optional().describe('Then takes each n-th'),
    probability: z.number().min(0).max(1).optional().describe('Then acts with this probability, by the seed'),
    times: positive.optional().describe('Then acts this many times in a session, and stops'),
    effect: effectSchema,
  })
  .meta({ id: 'Rule' })

export const scenarioSchema = z
  .strictObject({
    $schema: z.string().optional(),
    description: z.string().min(1).describe('One sentence that the list of scenarios shows'),
    rules: z.array(ruleSchema).min(1),
  })
  .meta({ title: 'A scenario of resource-mock' })

export type Match = z.output<typeof matchSchema>
export type Effect = z.output<typeof effectSchema>
export type EffectKind = keyof Effect
export type AnswerEffect = z.output<typeof answerSchema>
export type DelayEffect = z.output<typeof delaySchema>
export type Rule = z.output<typeof ruleSchema>
export type ScenarioFile = z.output<typeof scenarioSchema>

/** A scenario that can be chosen by its name. */
export interface Scenario extends Pick<ScenarioFile, 'description' | 'rules'> {
  readonly name: string
  /** `built-in` and `file` come from files, `session` was defined at run time in one session. */
  readonly source: 'built-in' | 'file' | 'session'
  /** Texts of the body files that its answers name. */
  readonly bodyFiles: ReadonlyMap<string, string>
}

/** What names a scenario: a file name without its ending, a word in a header. */
export const SCENARIO_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i

/** The name that switches every scenario off for a request. */
export const NO_SCENARIO = 'none'

function isGiven(value: unknown): boolean {
  return value !== undefined
}

function isHeader([name, value]: readonly [string, string]): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && !/[\r\n\0]/.test(value)
}
