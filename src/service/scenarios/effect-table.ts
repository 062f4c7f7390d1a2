import * as z from 'zod'
import { endpoints } from '../contract/endpoints.ts'
import { faultNames, faultsAfterOperation } from '../http/connection.ts'
import type { Chance } from '../../util/chance.ts'
import {
  answerSchema,
  countGiven,
  delaySchema,
  drawDelay,
  delayMilliseconds,
  NO_EFFECTS,
  toScenarioAnswer,
  toLimitAnswer,
  toLimitHeaders,
} from './effects.ts'
import { timeSlices } from '../../util/time-slices.ts'
import type { AnswerContext, AnsweringScenario, Effects, Limited, OtherWriter } from './effects.ts'

/** `gateway` runs before authentication and validation, `operation` after both. */
export type Stage = 'gateway' | 'operation'

interface CombineContext extends AnswerContext {
  /** The combined effects of the preceding rules. */
  readonly before: Effects
  /** The state of the token bucket, for a rate limit. */
  readonly limited: Limited | undefined
  readonly chance: Chance
}

/** Defines an effect: its schema, description and behavior. */
export interface EffectEntry<Schema extends z.ZodType> {
  /** Schema of the effect's value in a scenario file. */
  readonly schema: Schema
  /** Used in the JSON Schema of scenario files. */
  readonly description: string
  /** A short description for the dashboard, MCP and the command line. */
  readonly toText: (value: z.output<Schema>) => string
  /** The stage at which the effect applies. */
  readonly stage: Stage | ((value: z.output<Schema>) => Stage)
  /** Whether the effect can change an operation's result, in which case the scenario may be the cause of an error (D78). */
  readonly changesOperation: boolean
  /** Whether the effect also applies to requests forwarded to another service. */
  readonly isEverywhere: boolean
  /** Returns the changes to the request's combined effects. */
  readonly combine: (value: z.output<Schema>, context: CombineContext) => Partial<Effects>
}

/** Infers an entry's schema type; incomplete entries do not compile. */
const effect = <Schema extends z.ZodType>(entry: EffectEntry<Schema>): EffectEntry<Schema> => entry

export const positive = z.int().min(1)

/** All scopes that endpoints require, plus `*` for every scope. */
const scopeChoices = [
  ...new Set(Object.values(endpoints).flatMap(({ scopes }) => (scopes === 'anyToken' ? [] : scopes))),
  '*',
]

/** All effects. The scenario file schema, its descriptions and the engine are derived from this table. */
export const effectTable = {
  advanceVersion: effect({
    schema: positive.max(1000),
    description: 'Simulates this many updates by another writer before the operation runs',
    toText: (versions) =>
      versions === 1 ? 'another writer updates first' : `another writer updates first, by ${versions} versions`,
    stage: 'operation',
    changesOperation: true,
    isEverywhere: false,
    // combineEffects adds the other writers.
    combine: () => ({}),
  }),
  dropScopes: effect({
    schema: z.array(z.enum(scopeChoices)).min(1),
    description: 'Scopes to remove from every token; * removes all',
    toText: (scopes) => `the token loses ${scopes.includes('*') ? 'every scope' : scopes.join(', ')}`,
    stage: 'gateway',
    changesOperation: true,
    isEverywhere: false,
    combine: (scopes, { before }) => ({ droppedScopes: new Set([...before.droppedScopes, ...scopes]) }),
  }),
  expireToken: effect({
    schema: z.literal(true),
    description: 'Treats the token as expired',
    toText: () => 'the token has expired',
    stage: 'gateway',
    changesOperation: true,
    isEverywhere: false,
    combine: () => ({ isTokenExpired: true }),
  }),
  hideResources: effect({
    schema: z.literal(true),
    description: 'Treats the project as empty',
    toText: () => 'the project appears empty',
    stage: 'operation',
    changesOperation: true,
    isEverywhere: false,
    combine: () => ({ areResourcesHidden: true }),
  }),
  generate: effect({
    schema: positive.max(100_000),
    description: 'Adds this many generated resources',
    toText: (count) => `adds ${count} resources`,
    stage: 'operation',
    changesOperation: true,
    isEverywhere: false,
    combine: (count, { before }) => ({ generated: before.generated + count }),
  }),
  delay: effect({
    schema: delaySchema,
    description: 'Waits',
    toText: ({ fixedDelayMilliseconds, delayDistribution }: z.output<typeof delaySchema>) => {
      if (fixedDelayMilliseconds !== undefined) return `waits ${fixedDelayMilliseconds} ms`
      if (delayDistribution?.type === 'uniform') return `waits ${delayDistribution.lower}–${delayDistribution.upper} ms`
      return `waits about ${delayDistribution?.median ?? 0} ms`
    },
    stage: 'gateway',
    changesOperation: false,
    isEverywhere: true,
    combine: (delay, { before, chance }) => ({ delay: before.delay + drawDelay(delay, chance) }),
  }),
  chunkedDribbleDelay: effect({
    schema: z.strictObject({ numberOfChunks: positive.max(1000), totalDuration: delayMilliseconds }),
    description: 'Sends the body in chunks over totalDuration milliseconds',
    toText: ({ numberOfChunks, totalDuration }) =>
      `sends the body in ${numberOfChunks} chunks over ${totalDuration} ms`,
    stage: 'gateway',
    changesOperation: false,
    isEverywhere: false,
    combine: (dribble, { before }) => ({ dribble: before.dribble ?? dribble }),
  }),
  answer: effect({
    schema: answerSchema,
    description: 'Responds instead of the service',
    toText({ status, error, example, stage }) {
      const what = error?.code ?? example ?? ''
      return `responds with ${status}${what === '' ? '' : ` ${what}`}${stage === undefined ? '' : ', at the gateway'}`
    },
    stage: ({ stage }) => stage ?? 'operation',
    changesOperation: false,
    isEverywhere: true,
    combine: (answer, context) => ({ outcome: { kind: 'answer', answer: toScenarioAnswer(answer, context) } }),
  }),
  rateLimit: effect({
    schema: z.strictObject({ requests: positive, perSeconds: z.number().positive().max(86_400) }),
    description: 'A token bucket; responds with 429 when it is empty',
    toText: ({ requests, perSeconds }) => `${requests} requests in ${perSeconds} s, then 429`,
    stage: 'gateway',
    changesOperation: false,
    isEverywhere: true,
    combine: (_limit, { before, limited, isToken }) =>
      limited === undefined
        ? {}
        : {
            headers: { ...before.headers, ...toLimitHeaders(limited) },
            ...(limited.isAllowed ? {} : { outcome: { kind: 'answer', answer: toLimitAnswer(limited, isToken) } }),
          },
  }),
  fault: effect({
    schema: z.enum(faultNames),
    description: 'Breaks the connection instead of responding',
    toText: (fault) => `breaks the connection: ${fault}`,
    stage: (fault) => (faultsAfterOperation.has(fault) ? 'operation' : 'gateway'),
    changesOperation: false,
    isEverywhere: true,
    combine: (fault) => ({ outcome: { kind: 'fault', fault } }),
  }),
}

type EffectName = keyof typeof effectTable
type EffectSchemas = { readonly [Name in EffectName]: (typeof effectTable)[Name]['schema'] }

const effectNames = Object.keys(effectTable) as readonly EffectName[]

/** The `effect` of a rule: exactly one entry of the table. */
export const effectSchema = z
  .strictObject(
    // `Object.fromEntries` widens the keys to `string`.
    Object.fromEntries(
      effectNames.map((name) => [name, effectTable[name].schema.optional().describe(effectTable[name].description)]),
    ) as { [Name in EffectName]: z.ZodOptional<EffectSchemas[Name]> },
  )
  .refine((one) => countGiven(one) === 1, {
    error: 'exactly one effect expected. Use a separate rule for each effect.',
  })
  .meta({ id: 'Effect', minProperties: 1, maxProperties: 1 })

export type Effect = z.output<typeof effectSchema>

/** A rule that fires for a request. */
export interface FiredRule extends Partial<Pick<CombineContext, 'limited'>> {
  readonly scenario: AnsweringScenario
  readonly effect: Effect
}

/** The names of the effects that do not require an endpoint. */
export const namesEverywhere = effectNames.filter((name) => effectTable[name].isEverywhere).toSorted()

/** The table entry of an effect, and the effect's value. */
function findEffectEntry(one: Effect): { readonly entry: EffectEntry<z.ZodType>; readonly value: unknown } {
  const name = effectNames.find((known) => one[known] !== undefined)
  if (name === undefined) throw new TypeError('An effect must have exactly one member.')
  return { entry: effectTable[name], value: one[name] }
}

/** A short description of an effect. */
export function toEffectText(one: Effect): string {
  const { entry, value } = findEffectEntry(one)
  return entry.toText(value)
}

/** The stage at which an effect applies. */
export function toStage(one: Effect): Stage {
  const { entry, value } = findEffectEntry(one)
  return typeof entry.stage === 'string' ? entry.stage : entry.stage(value)
}

/** Whether an effect also applies to requests that match no endpoint. */
export const isEverywhere = (one: Effect): boolean => findEffectEntry(one).entry.isEverywhere

/** A request with at most this many rules never yields: a test with fake timers advances them once it has sent the request. */
export const FEW_RULES = 10

/** Combines the effects of the fired rules in order; the last rule determines the outcome. */
export async function combineEffects(
  fired: readonly FiredRule[],
  tools: Pick<CombineContext, 'chance' | 'findExample' | 'isToken'>,
): Promise<Effects> {
  const otherWriters: OtherWriter[] = []
  const effects: Effects = { ...NO_EFFECTS, otherWriters }
  const slice = timeSlices.start()
  for (const [at, { scenario, effect: one, limited }] of fired.entries()) {
    if (at >= FEW_RULES && slice.isOver()) await slice.next()
    const { entry, value } = findEffectEntry(one)
    const changesOperation = effects.changesOperation || entry.changesOperation
    const combined = entry.combine(value, { ...tools, before: effects, scenario, limited })
    if (one.advanceVersion !== undefined) otherWriters.push({ scenario: scenario.name, versions: one.advanceVersion })
    Object.assign(effects, { outcome: undefined, changesOperation }, combined)
  }
  // A rate limit that allows the request only adds headers, so its scenario is not listed.
  const visible = fired.filter(({ limited }) => limited?.isAllowed !== true)
  return { ...effects, scenarios: [...new Set(visible.map(({ scenario }) => scenario.name))] }
}
