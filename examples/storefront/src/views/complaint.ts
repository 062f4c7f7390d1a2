import { isFailure } from '../api/failure.ts'
import type { FailureKind } from '../api/failure.ts'
import { element } from '../ui/element.ts'

/** Why an action failed, and what the user can do now. */
const reasons: Readonly<Partial<Record<FailureKind, string>>> = {
  offline: 'The shop cannot be reached. Check your connection, then try again: nothing that you entered is lost.',
  broken: 'The answer broke off, so it may be done or not. Look before you try again.',
  'signed-out': 'You are signed out. Sign in again, then try once more.',
  forbidden: 'Your access does not allow it. Ask for write access, or sign in with it.',
  missing: 'It is not in the shop any more.',
  'rate-limited': 'The shop asks for a pause. Try again in a few seconds.',
  unavailable: 'The shop is not answering just now. Try again in a moment.',
}

/** An alert: the failed action, the reason, and the service's message if it helps. */
export function toComplaint(fault: unknown, what: string): HTMLElement {
  if (!isFailure(fault)) throw fault
  const { kind, message, reference } = fault
  const reason = reasons[kind] ?? message
  return element(
    'div',
    { class: 'complaint', role: 'alert' },
    element('p', {}, element('strong', {}, what), ` ${reason}`),
    kind === 'fault' && reference !== undefined && element('p', { class: 'reference' }, `Reference ${reference}`),
  )
}
