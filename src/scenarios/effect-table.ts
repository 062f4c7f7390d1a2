import type { Effect } from './effect-schema.ts'

/** Before authentication and validation, or after both. */
export type Stage = 'gateway' | 'operation'

/** The value of each effect. */
type Values = { readonly [Name in keyof Effect]-?: NonNullable<Effect[Name]> }

type EffectName = keyof Values

/** What there is to know of an effect apart from what it does. */
interface EffectEntry<Value> {
  /** What it does, in a few words that follow those of what it does it to. */
  readonly toText: (value: Value) => string
  /** When it acts. */
  readonly toStage: (value: Value) => Stage
  /** Whether an operation may answer otherwise because of it, so that an error may be the scenario's (D78). */
  readonly changesOperation: boolean
  /** Whether requests that are passed through to another service can have it, too. */
  readonly isEverywhere: boolean
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
  },
  dropScopes: {
    toText: (scopes) => `the token loses ${scopes.includes('*') ? 'every scope' : scopes.join(', ')}`,
    toStage: atGateway,
    changesOperation: true,
    isEverywhere: false,
  },
  expireToken: {
    toText: () => 'the token has expired',
    toStage: atGateway,
    changesOperation: true,
    isEverywhere: false,
  },
  hideResources: {
    toText: () => 'the project looks empty',
    toStage: atOperation,
    changesOperation: true,
    isEverywhere: false,
  },
  generate: {
    toText: (count) => `adds ${count} resources`,
    toStage: atOperation,
    changesOperation: true,
    isEverywhere: false,
  },
  delay: {
    toText: toDelayText,
    toStage: atGateway,
    changesOperation: false,
    isEverywhere: true,
  },
  chunkedDribbleDelay: {
    toText: ({ numberOfChunks, totalDuration }) =>
      `sends the body in ${numberOfChunks} pieces over ${totalDuration} ms`,
    toStage: atGateway,
    changesOperation: false,
    isEverywhere: false,
  },
  answer: {
    toText({ status, error, example, stage }) {
      const what = error?.code ?? example ?? ''
      return `answers ${status}${what === '' ? '' : ` ${what}`}${stage === undefined ? '' : ', at the gateway'}`
    },
    toStage: ({ stage }) => stage ?? 'operation',
    changesOperation: false,
    isEverywhere: true,
  },
  rateLimit: {
    toText: ({ requests, perSeconds }) => `${requests} requests in ${perSeconds} s, then 429`,
    toStage: atGateway,
    changesOperation: false,
    isEverywhere: true,
  },
  fault: {
    toText: (fault) => `breaks the connection: ${fault}`,
    // The answer that is cut off has to be there first.
    toStage: (fault) => (fault === 'TRUNCATED_BODY' ? 'operation' : 'gateway'),
    changesOperation: false,
    isEverywhere: true,
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
  return { name, text: () => entry.toText(value), stage: () => entry.toStage(value) }
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
