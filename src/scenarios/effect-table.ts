import { drawDelay, NO_EFFECTS, toAnswer, toLimitAnswer, toLimitHeaders } from './effects.ts'
import type { Chance } from '../util/chance.ts'
import type { Effect } from './effect-schema.ts'
import type { Effects, FindExample, FiredRule } from './effects.ts'

/** Before authentication and validation, or after both. */
export type Stage = 'gateway' | 'operation'

/** The value of each effect. */
type Values = { readonly [Name in keyof Effect]-?: NonNullable<Effect[Name]> }

type EffectName = keyof Values

interface CombineContext {
  /** The combined effects of the rules before. */
  readonly before: Effects
  readonly rule: FiredRule
  readonly chance: Chance
  readonly findExample: FindExample
}

/** Everything about an effect except its schema, whose keys name the effects. */
interface EffectEntry<Value> {
  /** A short description for the dashboard, MCP and the command line. */
  readonly toText: (value: Value) => string
  /** When it acts. */
  readonly toStage: (value: Value) => Stage
  /** Whether it can change an operation's result, so that an error may come from the scenario (D78). */
  readonly changesOperation: boolean
  /** Whether it also applies to requests that are forwarded to another service. */
  readonly isEverywhere: boolean
  /** What it changes in the combined effects of a request. */
  readonly combine: (value: Value, context: CombineContext) => Partial<Effects>
}

/** An entry for each effect: without one, it does not compile. */
export type EffectTable = { readonly [Name in EffectName]: EffectEntry<Values[Name]> }

const atGateway = (): Stage => 'gateway'
const atOperation = (): Stage => 'operation'

function toDelayText({ fixedDelayMilliseconds, delayDistribution }: NonNullable<Effect['delay']>): string {
  if (fixedDelayMilliseconds !== undefined) return `waits ${fixedDelayMilliseconds} ms`
  if (delayDistribution?.type === 'uniform') return `waits ${delayDistribution.lower}–${delayDistribution.upper} ms`
  return `waits about ${delayDistribution?.median ?? 0} ms`
}

export const effectTable: EffectTable = {
  advanceVersion: {
    toText: (versions) =>
      versions === 1 ? 'another writer updates first' : `another writer updates first, by ${versions} versions`,
    toStage: atOperation,
    changesOperation: true,
    isEverywhere: false,
    combine: (versions, { before, rule }) => ({
      otherWriters: [...before.otherWriters, { scenario: rule.scenario.name, versions }],
    }),
  },
  dropScopes: {
    toText: (scopes) => `the token loses ${scopes.includes('*') ? 'every scope' : scopes.join(', ')}`,
    toStage: atGateway,
    changesOperation: true,
    isEverywhere: false,
    combine: (scopes, { before }) => ({ droppedScopes: new Set([...before.droppedScopes, ...scopes]) }),
  },
  expireToken: {
    toText: () => 'the token has expired',
    toStage: atGateway,
    changesOperation: true,
    isEverywhere: false,
    combine: () => ({ isTokenExpired: true }),
  },
  hideResources: {
    toText: () => 'the project looks empty',
    toStage: atOperation,
    changesOperation: true,
    isEverywhere: false,
    combine: () => ({ areResourcesHidden: true }),
  },
  generate: {
    toText: (count) => `adds ${count} resources`,
    toStage: atOperation,
    changesOperation: true,
    isEverywhere: false,
    combine: (count, { before }) => ({ generated: before.generated + count }),
  },
  delay: {
    toText: toDelayText,
    toStage: atGateway,
    changesOperation: false,
    isEverywhere: true,
    combine: (delay, { before, chance }) => ({ delay: before.delay + drawDelay(delay, chance) }),
  },
  chunkedDribbleDelay: {
    toText: ({ numberOfChunks, totalDuration }) =>
      `sends the body in ${numberOfChunks} pieces over ${totalDuration} ms`,
    toStage: atGateway,
    changesOperation: false,
    isEverywhere: false,
    combine: (dribble, { before }) => ({ dribble: before.dribble ?? dribble }),
  },
  answer: {
    toText({ status, error, example, stage }) {
      const what = error?.code ?? example ?? ''
      return `answers ${status}${what === '' ? '' : ` ${what}`}${stage === undefined ? '' : ', at the gateway'}`
    },
    toStage: ({ stage }) => stage ?? 'operation',
    changesOperation: false,
    isEverywhere: true,
    combine: (answer, { rule, findExample }) => ({
      outcome: { kind: 'answer', answer: toAnswer(answer, rule.scenario, findExample) },
    }),
  },
  rateLimit: {
    toText: ({ requests, perSeconds }) => `${requests} requests in ${perSeconds} s, then 429`,
    toStage: atGateway,
    changesOperation: false,
    isEverywhere: true,
    combine: (_limit, { before, rule: { limited } }) =>
      limited === undefined
        ? {}
        : {
            headers: { ...before.headers, ...toLimitHeaders(limited) },
            ...(limited.isAllowed ? {} : { outcome: { kind: 'answer', answer: toLimitAnswer(limited) } }),
          },
  },
  fault: {
    toText: (fault) => `breaks the connection: ${fault}`,
    // A truncated answer needs an answer first.
    toStage: (fault) => (fault === 'TRUNCATED_BODY' ? 'operation' : 'gateway'),
    changesOperation: false,
    isEverywhere: true,
    combine: (fault) => ({ outcome: { kind: 'fault', fault } }),
  },
}

const effectNames = Object.keys(effectTable) as readonly EffectName[]

/** The effects that need no endpoint. */
export const namesEverywhere = effectNames.filter((name) => effectTable[name].isEverywhere).toSorted()

/** The entry of an effect, which has exactly one member, for its value. */
function findBound<Name extends EffectName>(effect: Effect, name: Name) {
  const entry: EffectEntry<Values[Name]> = effectTable[name]
  // TypeScript does not see that the members of Values are those of Effect without undefined.
  const value = effect[name] as Values[Name] | undefined
  if (value === undefined) return undefined
  return {
    name,
    text: () => entry.toText(value),
    stage: () => entry.toStage(value),
    combine: (context: CombineContext) => entry.combine(value, context),
  }
}

function bind(effect: Effect): NonNullable<ReturnType<typeof findBound>> {
  for (const name of effectNames) {
    const bound = findBound(effect, name)
    if (bound !== undefined) return bound
  }
  throw new TypeError('An effect has exactly one member.')
}

/** What an effect does, in a few words. */
export const toEffectText = (effect: Effect): string => bind(effect).text()

/** When an effect acts. */
export const toStage = (effect: Effect): Stage => bind(effect).stage()

/** Whether an operation may answer otherwise because of an effect (D78). */
export const changesOperation = (effect: Effect): boolean => effectTable[bind(effect).name].changesOperation

/** Whether an effect needs no endpoint. */
export const isEverywhere = (effect: Effect): boolean => effectTable[bind(effect).name].isEverywhere

/** Combines the effects of the fired rules in order; the outcome is that of the last. */
export function combineEffects(
  fired: readonly FiredRule[],
  tools: Pick<CombineContext, 'chance' | 'findExample'>,
): Effects {
  const effects: Effects = { ...NO_EFFECTS }
  for (const rule of fired) {
    const combined = bind(rule.effect).combine({ ...tools, before: effects, rule })
    const isTwisted = effects.isTwisted || changesOperation(rule.effect)
    Object.assign(effects, { outcome: undefined, isTwisted }, combined)
  }
  // A rate limit that allows the request leaves only its headers.
  const visible = fired.filter(({ limited }) => limited?.isAllowed !== true)
  return { ...effects, scenarios: [...new Set(visible.map(({ scenario }) => scenario.name))] }
}
