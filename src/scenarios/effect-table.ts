import * as z from 'zod'
import { endpoints } from '../contract/endpoints.ts'
import { faultNames } from '../http/connection.ts'
import type { Chance } from '../util/chance.ts'
import {
  answerSchema,
  countGiven,
  delaySchema,
  drawDelay,
  milliseconds,
  NO_EFFECTS,
  toAnswer,
  toLimitAnswer,
  toLimitHeaders,
} from './effects.ts'
import type { AnsweringScenario, Effects, FindExample, Limited } from './effects.ts'

/** Before authentication and validation, or after both. */
export type Stage = 'gateway' | 'operation'

interface CombineContext {
  /** The combined effects of the rules before. */
  readonly before: Effects
  readonly scenario: AnsweringScenario
  /** For a rate limit: the state of its bucket. */
  readonly limited: Limited | undefined
  readonly chance: Chance
  readonly findExample: FindExample
}

/** Everything about an effect. */
export interface EffectEntry<Schema extends z.ZodType> {
  /** Its value in a scenario file. */
  readonly schema: Schema
  /** For the JSON Schema of scenario files. */
  readonly description: string
  /** A short sentence for the dashboard, MCP and the command line. */
  readonly toText: (value: z.output<Schema>) => string
  /** When it acts. */
  readonly stage: Stage | ((value: z.output<Schema>) => Stage)
  /** Whether it can change an operation's result, so that an error may come from the scenario (D78). */
  readonly changesOperation: boolean
  /** Whether it also applies to requests that are forwarded to another service. */
  readonly isEverywhere: boolean
  /** What it changes in the combined effects of a request. */
  readonly combine: (value: z.output<Schema>, context: CombineContext) => Partial<Effects>
}

/** An entry of the table; it does not compile while a part is missing. */
const effect = <Schema extends z.ZodType>(entry: EffectEntry<Schema>): EffectEntry<Schema> => entry

const positive = z.int().min(1)

/** The scopes that endpoints ask for, and the one word for all of them. */
const scopes = [
  ...new Set(Object.values(endpoints).flatMap(({ scopes }) => (scopes === 'anyToken' ? [] : scopes))),
  '*',
]

function toDelayText({ fixedDelayMilliseconds, delayDistribution }: z.output<typeof delaySchema>): string {
  if (fixedDelayMilliseconds !== undefined) return `waits ${fixedDelayMilliseconds} ms`
  if (delayDistribution?.type === 'uniform') return `waits ${delayDistribution.lower}–${delayDistribution.upper} ms`
  return `waits about ${delayDistribution?.median ?? 0} ms`
}

/** Every effect. The schema of scenario files, their descriptions and the engine read this table. */
export const effectTable = {
  advanceVersion: effect({
    schema: positive.max(1000),
    description: 'Simulates this many updates by another writer first',
    toText: (versions) =>
      versions === 1 ? 'another writer updates first' : `another writer updates first, by ${versions} versions`,
    stage: 'operation',
    changesOperation: true,
    isEverywhere: false,
    combine: (versions, { before, scenario }) => ({
      otherWriters: [...before.otherWriters, { scenario: scenario.name, versions }],
    }),
  }),
  dropScopes: effect({
    schema: z.array(z.enum(scopes)).min(1),
    description: 'Scopes that no token has any more; * for all',
    toText: (scopes) => `the token loses ${scopes.includes('*') ? 'every scope' : scopes.join(', ')}`,
    stage: 'gateway',
    changesOperation: true,
    isEverywhere: false,
    combine: (scopes, { before }) => ({ droppedScopes: new Set([...before.droppedScopes, ...scopes]) }),
  }),
  expireToken: effect({
    schema: z.literal(true),
    description: 'The token has expired',
    toText: () => 'the token has expired',
    stage: 'gateway',
    changesOperation: true,
    isEverywhere: false,
    combine: () => ({ isTokenExpired: true }),
  }),
  hideResources: effect({
    schema: z.literal(true),
    description: 'The project looks empty',
    toText: () => 'the project looks empty',
    stage: 'operation',
    changesOperation: true,
    isEverywhere: false,
    combine: () => ({ areResourcesHidden: true }),
  }),
  generate: effect({
    schema: positive.max(100_000),
    description: 'This many resources more',
    toText: (count) => `adds ${count} resources`,
    stage: 'operation',
    changesOperation: true,
    isEverywhere: false,
    combine: (count, { before }) => ({ generated: before.generated + count }),
  }),
  delay: effect({
    schema: delaySchema,
    description: 'Waits',
    toText: toDelayText,
    stage: 'gateway',
    changesOperation: false,
    isEverywhere: true,
    combine: (delay, { before, chance }) => ({ delay: before.delay + drawDelay(delay, chance) }),
  }),
  chunkedDribbleDelay: effect({
    schema: z.strictObject({ numberOfChunks: positive.max(1000), totalDuration: milliseconds }),
    description: 'The body comes in pieces over the total duration in milliseconds',
    toText: ({ numberOfChunks, totalDuration }) =>
      `sends the body in ${numberOfChunks} pieces over ${totalDuration} ms`,
    stage: 'gateway',
    changesOperation: false,
    isEverywhere: false,
    combine: (dribble, { before }) => ({ dribble: before.dribble ?? dribble }),
  }),
  answer: effect({
    schema: answerSchema,
    description: 'Answers in the place of the service',
    toText({ status, error, example, stage }) {
      const what = error?.code ?? example ?? ''
      return `answers ${status}${what === '' ? '' : ` ${what}`}${stage === undefined ? '' : ', at the gateway'}`
    },
    stage: ({ stage }) => stage ?? 'operation',
    changesOperation: false,
    isEverywhere: true,
    combine: (answer, { scenario, findExample }) => ({
      outcome: { kind: 'answer', answer: toAnswer(answer, scenario, findExample) },
    }),
  }),
  rateLimit: effect({
    schema: z.strictObject({ requests: positive, perSeconds: z.number().positive().max(86_400) }),
    description: 'A token bucket; 429 when it is empty',
    toText: ({ requests, perSeconds }) => `${requests} requests in ${perSeconds} s, then 429`,
    stage: 'gateway',
    changesOperation: false,
    isEverywhere: true,
    combine: (_limit, { before, limited }) =>
      limited === undefined
        ? {}
        : {
            headers: { ...before.headers, ...toLimitHeaders(limited) },
            ...(limited.isAllowed ? {} : { outcome: { kind: 'answer', answer: toLimitAnswer(limited) } }),
          },
  }),
  fault: effect({
    schema: z.enum(faultNames),
    description: 'What happens to the connection instead of an answer',
    toText: (fault) => `breaks the connection: ${fault}`,
    // A truncated answer needs an answer first.
    stage: (fault) => (fault === 'TRUNCATED_BODY' ? 'operation' : 'gateway'),
    changesOperation: false,
    isEverywhere: true,
    combine: (fault) => ({ outcome: { kind: 'fault', fault } }),
  }),
}

type EffectName = keyof typeof effectTable
type EffectSchemas = { readonly [Name in EffectName]: (typeof effectTable)[Name]['schema'] }

const table: { readonly [Name in EffectName]: EffectEntry<EffectSchemas[Name]> } = effectTable
const effectNames = Object.keys(table) as readonly EffectName[]

/** The `effect` of a rule: exactly one of the table. */
export const effectSchema = z
  .strictObject(
    // `fromEntries` loses the names.
    Object.fromEntries(
      effectNames.map((name) => [name, table[name].schema.optional().describe(table[name].description)]),
    ) as { [Name in EffectName]: z.ZodOptional<EffectSchemas[Name]> },
  )
  .refine((one) => countGiven(one) === 1, {
    error: 'exactly one effect expected; give each effect a rule of its own.',
  })
  .meta({ id: 'Effect', minProperties: 1, maxProperties: 1 })

export type Effect = z.output<typeof effectSchema>

/** A rule that fires for a request. */
export interface FiredRule extends Partial<Pick<CombineContext, 'limited'>> {
  readonly scenario: AnsweringScenario
  readonly effect: Effect
}

/** The effects that need no endpoint. */
export const namesEverywhere = effectNames.filter((name) => table[name].isEverywhere).toSorted()

/** The entry of an effect, applied to its value. */
function findBound<Name extends EffectName>(one: Effect, name: Name) {
  const { stage, ...entry }: EffectEntry<EffectSchemas[Name]> = table[name]
  // TypeScript does not see that the members of Effect are those of EffectSchemas.
  const value = one[name] as z.output<EffectSchemas[Name]> | undefined
  if (value === undefined) return undefined
  return {
    ...entry,
    toText: () => entry.toText(value),
    stage: typeof stage === 'string' ? stage : stage(value),
    combine: (context: CombineContext) => entry.combine(value, context),
  }
}

function bind(one: Effect): Omit<NonNullable<ReturnType<typeof findBound>>, 'schema'> {
  for (const name of effectNames) {
    const bound = findBound(one, name)
    if (bound !== undefined) return bound
  }
  throw new TypeError('An effect has exactly one member.')
}

/** What an effect does, in a few words. */
export const toEffectText = (one: Effect): string => bind(one).toText()

/** When an effect acts. */
export const toStage = (one: Effect): Stage => bind(one).stage

/** Whether an effect needs no endpoint. */
export const isEverywhere = (one: Effect): boolean => bind(one).isEverywhere

/** Combines the effects of the fired rules in order; the outcome is that of the last. */
export function combineEffects(
  fired: readonly FiredRule[],
  tools: Pick<CombineContext, 'chance' | 'findExample'>,
): Effects {
  const effects: Effects = { ...NO_EFFECTS }
  for (const { scenario, effect: one, limited } of fired) {
    const { combine, changesOperation } = bind(one)
    const combined = combine({ ...tools, before: effects, scenario, limited })
    Object.assign(effects, { outcome: undefined, isTwisted: effects.isTwisted || changesOperation }, combined)
  }
  // A rate limit that allows the request leaves only its headers.
  const visible = fired.filter(({ limited }) => limited?.isAllowed !== true)
  return { ...effects, scenarios: [...new Set(visible.map(({ scenario }) => scenario.name))] }
}
