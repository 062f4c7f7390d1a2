import { SetupError } from '../errors.ts'
import { recoveryStatuses } from '../journal/coverage-counts.ts'
import type { RecoveryKind } from '../journal/coverage-counts.ts'
import { RECOVERY_TEXTS } from '../journal/coverage-text.ts'
import type { SessionHandle } from '../client/session-handle.ts'
import type { JournaledRequest } from '../journal/logged-request.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { toAnsweredLine } from './received-text.ts'

/** @throws {SetupError} for a kind that does not exist. */
export function expectKind(kind: string): void {
  const kinds = Object.keys(recoveryStatuses)
  if (kinds.includes(kind)) return
  throw new SetupError(
    `Unknown recovery ${JSON.stringify(kind)}.${didYouMean(kind, kinds)} Use one of ${kinds.join(', ')}.`,
  )
}

/** How often clients recovered from a kind of failure in a session. */
export async function countRecovered({ coverage }: Pick<SessionHandle, 'coverage'>, kind: RecoveryKind) {
  const { recoveries } = await coverage()
  return recoveries.find((recovery) => recovery.kind === kind)?.recovered ?? 0
}

/** As many as a person reads. */
const MOST_SHOWN = 5

interface RecoveryOutcome {
  readonly kind: RecoveryKind
  readonly times: number | undefined
  readonly isNot: boolean
  readonly timeout: number
  readonly count: number
  /** All of the session, in the order they came. */
  readonly requests: readonly JournaledRequest[]
}

/** Tells what a recovery is, how many there were, and what came from the first failure on. */
export function toRecoveredText({ kind, times, isNot, timeout, count, requests }: RecoveryOutcome): string {
  const status = recoveryStatuses[kind]
  const first = requests.findIndex(({ response }) => response.status === status)
  const since = first === -1 ? [] : requests.slice(first)
  const more = since.length - MOST_SHOWN
  return [
    `Recovery: ${kind} (${RECOVERY_TEXTS[kind]})`,
    `Expected: ${isNot ? 'not ' : ''}${times ?? 'at least 1'}`,
    `Received: ${count}`,
    `Timeout:  ${timeout}ms`,
    '',
    ...(first === -1
      ? [`The session had no response with status ${status}. Is a scenario active that causes it?`]
      : ['Requests since the first failure:', ...since.slice(0, MOST_SHOWN).map(toAnsweredLine)]),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n')
}
