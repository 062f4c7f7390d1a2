import * as z from 'zod'
import { endpoints, operationIds, TOKEN_OPERATION } from '../contract/endpoints.ts'
import type { CalledOperation, OperationId } from '../contract/endpoints.ts'
import { describeKind, operationKinds, operationSelectors, toOperations } from '../contract/operation-kinds.ts'
import type { OperationSelector } from '../contract/operation-kinds.ts'
import { MAX_GLOB } from '../http/sizes.ts'
import type { FileContent } from '../../util/load-partially.ts'
import { effectSchema, positive } from './effect-table.ts'
import type { ReadonlyDeep } from '../contract/types.ts'

/** One value or several, as a list. */
export const toArray = <Value extends string>(value: Value | readonly Value[]): readonly Value[] =>
  typeof value === 'string' ? [value] : value

type OneOrMany<Value> = Value | readonly Value[] | undefined

/** The operations of the table that a rule's `operation` and `method` select; HEAD is available for every GET (D9). */
export function findOperations(
  operation: OneOrMany<OperationSelector>,
  method: OneOrMany<string>,
): readonly OperationId[] {
  const named = operation === undefined ? operationIds : [...new Set(toArray(operation).flatMap(toOperations))]
  if (method === undefined) return named
  const methods = toArray(method)
  return named.filter(
    (id) => methods.includes(endpoints[id].method) || (endpoints[id].method === 'GET' && methods.includes('HEAD')),
  )
}

/** Whether a rule selects token requests: only if it names them, so that a login works in most scenarios. */
export const selectsToken = (operation: OneOrMany<OperationSelector>, method: OneOrMany<string>): boolean =>
  operation !== undefined &&
  toArray(operation).includes(TOKEN_OPERATION) &&
  (method === undefined || toArray(method).includes('POST'))

/** Everything that a rule's `operation` and `method` select. */
export const findCalledOperations = (
  operation: OneOrMany<OperationSelector>,
  method: OneOrMany<string>,
): readonly CalledOperation[] => [
  ...findOperations(operation, method),
  ...(selectsToken(operation, method) ? [TOKEN_OPERATION] : []),
]

const naturalNumber = z.int().min(0)
/** A pattern in which `*` matches any characters; in a path, `*` matches within a segment and `**` across segments. */
const glob = z.string().max(1000)
const oneOrSeveral = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema).min(1)])

export const matchSchema = z
  .strictObject({
    operation: oneOrSeveral(z.enum(operationSelectors))
      .optional()
      .describe(
        `One or more operation ids or kinds. ${operationKinds.map((kind) => `${kind}: ${describeKind(kind)}`).join('; ')}; token: the token endpoints`,
      ),
    project: glob.optional().describe('Project key; * matches any characters'),
    method: oneOrSeveral(z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])).optional(),
    path: z
      .string()
      .max(MAX_GLOB)
      .optional()
      .describe('Glob for the path after session and base URL, such as /acme/resource/*'),
    query: z
      .record(z.string(), glob)
      .optional()
      .describe('Each listed parameter must have a value that matches its glob'),
    headers: z
      .record(z.string(), glob)
      .optional()
      .describe('Each listed header must have a value that matches its glob'),
    body: z
      .unknown()
      .optional()
      .describe('The JSON body must have at least these members; * in a string matches any characters'),
  })
  .refine(({ operation, method }) => findCalledOperations(operation, method).length > 0, {
    path: ['method'],
    error: 'a method supported by the operation expected.',
  })
  .meta({ id: 'Match', description: 'The requests that a rule applies to. Omitted members match any request.' })

const MOST_SECONDS = 1_000_000
const moment = z.number().min(0).max(MOST_SECONDS)
const period = z.number().min(0.001).max(MOST_SECONDS)

const during = z
  .strictObject({ from: moment.optional(), to: moment.optional() })
  .refine(({ from = 0, to = Infinity }) => from < to, { path: ['to'], error: 'a value greater than from expected.' })

export const ruleSchema = z
  .strictObject({
    match: matchSchema.optional(),
    during: during.optional().describe('Fires only between these seconds after the scenario was activated'),
    flapping: z
      .strictObject({ up: period, down: period })
      .optional()
      .describe('Alternates between up seconds without effect and down seconds in which it can fire'),
    after: naturalNumber.optional().describe('Skips this many matching requests first'),
    every: positive.optional().describe('Fires only for every n-th match after that'),
    probability: z.number().min(0).max(1).optional().describe('Fires with this probability, drawn from the seed'),
    times: positive.optional().describe('Fires at most this many times in a session'),
    effect: effectSchema,
  })
  .meta({ id: 'Rule' })

export const scenarioSchema = z
  .strictObject({
    $schema: z.string().optional(),
    title: z.string().min(1).optional().describe('What users of an app notice, in a few plain words'),
    description: z.string().min(1).describe('A one-sentence description, shown in the list of scenarios'),
    rules: z.array(ruleSchema).min(1),
  })
  .meta({ title: 'A resource-mock scenario' })

/** The JSON Schema (draft 2020-12) that scenario files reference as `$schema`. */
export const toScenarioJsonSchema = (): unknown =>
  z.toJSONSchema(scenarioSchema, { io: 'input', unrepresentable: 'any' })

export type Match = z.output<typeof matchSchema>
export type Rule = z.output<typeof ruleSchema>
export type ScenarioFile = z.output<typeof scenarioSchema>

/** A named scenario. */
export interface Scenario extends Pick<ScenarioFile, 'title' | 'description' | 'rules'> {
  readonly name: string
  /** `built-in` and `file` scenarios come from files; `session` scenarios are defined at run time in one session. */
  readonly source: 'built-in' | 'file' | 'session'
  /** The contents of the referenced body files, by file name. */
  readonly bodyFiles: ReadonlyMap<string, FileContent>
  /** For scenarios defined at run time: the length of the JSON text in characters. */
  readonly length?: number
}

/** Allowed scenario names: usable as a file name without extension and as a word in a header. */
export const SCENARIO_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i

type File = ReadonlyDeep<z.input<typeof scenarioSchema>>

/**
 * A scenario as an object: the content of a scenario file and an optional name, which responses return in
 * `X-Mock-Scenario`. The default names are `inline-1`, `inline-2` and so on within each call.
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
