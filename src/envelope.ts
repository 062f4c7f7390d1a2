import type { ErrorItem, Problem } from './errors.ts'

/** The parts of the one error envelope (decisions, "Errors"). */
export interface ErrorEnvelope {
  readonly statusCode: number
  readonly message: string
  readonly errors: readonly ErrorItem[]
  readonly [member: string]: unknown
}

/** The longest text that an error holds: what a client sent is repeated only as far as it helps. */
const LONGEST_TEXT = 1000

const abridge = (value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value

const abridgeTexts = <Members extends object>(members: Members): Members =>
  // A text stays a text, so every member keeps its type.
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, abridge(value)])) as Members

/** Renders a problem as the envelope that every error answer carries. */
export function toEnvelope({ status, message, members, errors }: Problem): ErrorEnvelope {
  const envelope = abridgeTexts({ statusCode: status, message, ...members })
  return { ...envelope, errors: errors.map(abridgeTexts) }
}
