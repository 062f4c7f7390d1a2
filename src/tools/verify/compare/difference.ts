import { isIntegral } from '../../../service/contract/models.ts'
import type { DecisionId } from '../../../service/contract/decisions.ts'
import type { ConversationStep } from '../conversations/conversation.ts'
import type { Message, Side } from '../side.ts'
import type { SubjectId } from '../subjects.ts'

/** What differs between the mock's answer and the service's. */
export interface AnswerDifference {
  /** A path into the JSON body, `status`, `body`, `connection`, or the name of a header. */
  readonly at: string
  readonly kind: 'value' | 'missing' | 'extra' | 'header' | 'date'
  readonly mock: unknown
  readonly service: unknown
}

/** What the mock's answer rests on: a number of a decision, or the decisions on errors, which have none. */
export type DecidedBy = DecisionId | 'Errors'

/** Whether a difference contradicts a section of the specification, or only a decision of this project. */
export type Ground =
  | {
      readonly kind: 'violation'
      /** `2, 4.15` */
      readonly section: string
    }
  | { readonly kind: 'difference'; readonly decision: DecidedBy }

export const violation = (...sections: readonly string[]): Ground => ({
  kind: 'violation',
  section: sections.join(', '),
})
export const decided = (decision: DecidedBy): Ground => ({ kind: 'difference', decision })

/** A difference, and what it contradicts. */
export interface JudgedDifference extends AnswerDifference {
  readonly ground: Ground
}

/** What the steps of one conversation share. */
export interface Dialogue {
  /** Whether the conversation has waited for more than a second. */
  hasPaused: boolean
  /** The sections and decisions that its answers rest on. */
  readonly basis: string
  /** Whether a decision alone says which resource its writes are about. */
  readonly isDecided: boolean
  /** The dates of earlier answers, by resource and member. */
  dates: { readonly mock: Map<string, number>; readonly service: Map<string, number> }
  /** The versions of earlier answers, by resource. */
  versions: { readonly mock: Map<string, bigint>; readonly service: Map<string, bigint> }
  /** The last write to each resource that both sides know. */
  readonly writes: Map<string, LastWrite>
}

/** What a write to a resource must have changed. */
export interface LastWrite {
  readonly kind: 'changed' | 'touched' | 'stale' | 'deleted'
  /** The values that `someProperty` must not have now. */
  readonly texts: readonly unknown[]
  /** The value that it has now. */
  readonly current: unknown
}

export const createDialogue = (basis: string, isDecided = false): Dialogue => ({
  hasPaused: false,
  basis,
  isDecided,
  dates: { mock: new Map(), service: new Map() },
  versions: { mock: new Map(), service: new Map() },
  writes: new Map(),
})

/** The answers that are compared: their step, and what is known about both sides. */
export interface Compared {
  readonly step: ConversationStep
  readonly operation: SubjectId
  readonly mock: Side
  readonly service: Side
  /** The request to the service. */
  readonly sent: Message
  readonly dialogue: Dialogue
  /** The correlation ids that the service created in this run. */
  readonly correlationIds: Set<string>
}

export const toDifference = (
  at: string,
  mock: unknown,
  service: unknown,
  kind: AnswerDifference['kind'] = 'value',
): AnswerDifference => ({ at, kind, mock, service })

/** A difference unless a condition holds. */
export const unless = (isRight: boolean, ...about: Parameters<typeof toDifference>): readonly AnswerDifference[] =>
  isRight ? [] : [toDifference(...about)]

export const isExactNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

/** Integers are compared exactly, other numbers as doubles (D3). */
export const isEqualNumber = (one: number | bigint, other: number | bigint): boolean =>
  isIntegral(one) && isIntegral(other) ? BigInt(one) === BigInt(other) : Number(one) === Number(other)

export const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || (isExactNumber(one) && isExactNumber(other) && isEqualNumber(one, other))

/** `results[3].version` → `version` */
export const lastOf = (at: string): string => /([^.[\]]+)(?:\[\d+\])*$/.exec(at)?.[1] ?? at

/** The position without what depends on the resource: differences at one position usually have one cause. */
export const toPosition = (at: string): string =>
  at.replace(/\[\d+\]/g, '[]').replace(/^results\[\]\.(?:objectTypeProperty\.)?/, 'results.')
