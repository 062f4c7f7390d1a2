import * as z from 'zod'
import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { MOST_ITEMS, MOST_MEMBERS, MOST_STRING } from '../http/json-problems.ts'
import type { JsonLimits } from '../http/json-problems.ts'
import { effectSchema } from './effect-table.ts'
import type { ReadonlyDeep } from '../contract/types.ts'

const toList = <Value extends string>(value: Value | readonly Value[]): readonly Value[] =>
  typeof value === 'string' ? [value] : value

type OneOrMany<Value> = Value | readonly Value[] | undefined

/** The operations that a rule's `operation` and `method` select; HEAD works on every GET (D9). */
export function findOperations(operation: OneOrMany<OperationId>, method: OneOrMany<string>): readonly OperationId[] {
  const named = operation === undefined ? operationIds : toList(operation)
  if (method === undefined) return named
  const methods = toList(method)
  return named.filter(
    (id) => methods.includes(endpoints[id].method) || (endpoints[id].method === 'GET' && methods.includes('HEAD')),
  )
}

const count = z.int().min(0)
const positive = z.int().min(1)
/** Text in which `*` matches any characters; in a path, `*` matches within a segment and `**` across segments. */
const glob = z.string().max(1000)
const oneOrMany = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema).min(1)])

export const matchSchema = z
  .strictObject({
    operation: oneOrMany(z.enum(operationIds)).optional().describe('Operation id, one or many'),
    project: glob.optional().describe('Project key; * matches any characters'),
    method: oneOrMany(z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])).optional(),
    path: glob.optional().describe('Glob of the path after session and base URL: /acme/resource/*'),
    query: z
      .record(z.string(), glob)
      .optional()
      .describe('Each named parameter must have a value that matches its glob'),
    headers: z
      .record(z.string(), glob)
      .optional()
      .describe('Each named header must have a value that matches its glob'),
    body: z
      .unknown()
      .optional()
      .describe('Matches when the JSON body has at least these members; * in a string matches any characters'),
  })
  .refine(({ operation, method }) => findOperations(operation, method).length > 0, {
    path: ['method'],
    error: 'a method of the operation expected.',
  })
  .meta({ id: 'Match', description: 'Which requests a rule applies to; omitted members match every endpoint' })

const MOST_SECONDS = 1_000_000
const moment = z.number().min(0).max(MOST_SECONDS)
const duration = z.number().min(0.001).max(MOST_SECONDS)

const during = z
  .strictObject({ from: moment.optional(), to: moment.optional() })
  .refine(({ from = 0, to = Infinity }) => from < to, { path: ['to'], error: 'a time after from expected.' })

export const ruleSchema = z
  .strictObject({
    match: matchSchema.optional(),
    during: during.optional().describe('Acts only between these seconds after the scenario was activated'),
    flapping: z
      .strictObject({ up: duration, down: duration })
      .optional()
      .describe('Does nothing for up seconds and then acts for down seconds, in turn'),
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

/** The JSON Schema (draft 2020-12) of scenario files, which they name in `$schema`. */
export const toScenarioJsonSchema = (): unknown =>
  z.toJSONSchema(scenarioSchema, { io: 'input', unrepresentable: 'any' })

export type Match = z.output<typeof matchSchema>
export type Rule = z.output<typeof ruleSchema>
export type ScenarioFile = z.output<typeof scenarioSchema>

/** A scenario that can be selected by its name. */
export interface Scenario extends Pick<ScenarioFile, 'description' | 'rules'> {
  readonly name: string
  /** `built-in` and `file` come from files, `session` was defined at run time in one session. */
  readonly source: 'built-in' | 'file' | 'session'
  /** Texts of the body files that its answers name. */
  readonly bodyFiles: ReadonlyMap<string, string>
  /** The length of the text that defined it at run time, in characters. */
  readonly length?: number
}

/** A scenario's name: a file name without its extension, a word in a header. */
export const SCENARIO_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i

/** The limits on the JSON of a scenario that is defined at run time (D97). */
export const DEFINITION_LIMITS: JsonLimits = {
  values: 20_000,
  nested: 5_000,
  members: MOST_MEMBERS,
  items: MOST_ITEMS,
  string: MOST_STRING,
}

/** The name that turns off all scenarios for a request. */
export const NO_SCENARIO = 'none'

type File = ReadonlyDeep<z.input<typeof scenarioSchema>>

/**
 * A scenario as an object: the content of a scenario file and, optionally, a name, which responses return as
 * `X-Mock-Scenario`. Default: `inline-1` for the first of a call, and so on.
 *
 * @example
 * const brokenCart: ScenarioDefinition = {
 *   name: 'broken-cart',
 *   rules: [{ match: { operation: 'getActionWithExample' }, effect: { answer: { status: 502 } } }],
 * }
 */
export interface ScenarioDefinition extends Pick<File, '$schema' | 'rules'> {
  readonly name?: string
  readonly description?: string
}
