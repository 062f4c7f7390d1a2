import { isIntegral } from '../../../service/contract/models.ts'
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

/** The answers that are compared: their step, and what is known about both sides. */
export interface Compared {
  readonly step: ConversationStep
  readonly operation: SubjectId
  readonly mock: Side
  readonly service: Side
  /** The request to the service. */
  readonly sent: Message
  /** Whether the conversation has waited for more than a second. */
  readonly hasPaused: boolean
  /** The dates of earlier answers of the conversation, by resource and member. */
  readonly dates: { readonly mock: Map<string, number>; readonly service: Map<string, number> }
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
