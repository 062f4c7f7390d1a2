import { isFailure } from '../api/failure.ts'
import type { FailureKind } from '../api/failure.ts'
import { element } from '../ui/element.ts'
import { say } from '../ui/notice.ts'

/** Why an action failed, and what the user can do now. */
const reasons: Readonly<Partial<Record<FailureKind, string>>> = {
  offline: 'Cannot reach the shop. Check your connection and try again. Your input is not lost.',
  broken: 'The response was incomplete, so the change may or may not be saved. Check before you try again.',
  'signed-out': 'You are signed out. Sign in and try again.',
  forbidden: 'You do not have permission. Ask for write access, or sign in with it.',
  missing: 'It no longer exists.',
  'rate-limited': 'Try again in a few seconds.',
  unavailable: 'The shop is not responding. Try again in a moment.',
}

/**
 * Shows an alert with the failed action, the reason, and the service's message if it helps. If the user has opened another
 * page in the meantime, a notice says it.
 */
export function complain(place: HTMLElement, fault: unknown, what: string): void {
  if (!isFailure(fault)) throw fault
  const { kind, message, reference } = fault
  const reason = reasons[kind] ?? message
  const complaint = element(
    'div',
    { class: 'complaint', role: 'alert' },
    element('p', {}, element('strong', {}, what), ` ${reason}`),
    kind === 'fault' && reference !== undefined && element('p', { class: 'reference' }, `Reference ${reference}`),
  )
  if (place.isConnected) place.replaceChildren(complaint)
  else say(`${what} ${reason}`)
}
