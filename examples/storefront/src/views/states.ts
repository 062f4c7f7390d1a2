import { Failure, isFailure } from '../api/failure.ts'
import type { FailureKind } from '../api/failure.ts'
import type { Staleness } from '../api/send.ts'
import type { Language } from '../page.ts'
import { SIGN_IN, toList } from '../route.ts'
import { element } from '../ui/element.ts'

/** Grey placeholders for the content. */
export function toLoading(): HTMLElement {
  const cards = Array.from({ length: 8 }, () => element('div', { class: 'ghost' }))
  return element('div', { class: 'loading shelf', 'aria-hidden': 'true' }, ...cards)
}

/** A panel with a sentence and actions. */
export const toPanel = (...content: readonly Node[]): HTMLElement => element('div', { class: 'panel' }, ...content)

interface Words {
  readonly title: string
  readonly sentence: string
  readonly remedy: 'retry' | 'sign-in' | 'shop'
}

const somethingBroke: Words = {
  title: 'Something went wrong',
  sentence: 'The error is on our side. If it happens again, send us the reference.',
  remedy: 'retry',
}

const words: Readonly<Partial<Record<FailureKind, Words>>> = {
  offline: {
    title: 'You seem to be offline',
    sentence: 'Cannot reach the shop. Check your connection and try again.',
    remedy: 'retry',
  },
  broken: {
    title: 'The response was incomplete',
    sentence: 'The connection failed twice during the response. Try again in a moment.',
    remedy: 'retry',
  },
  'signed-out': {
    title: 'You are signed out',
    sentence: 'Your session has expired. Sign in again to continue.',
    remedy: 'sign-in',
  },
  forbidden: {
    title: 'Access denied',
    sentence: 'You do not have permission to see this. Sign in with more permissions, or ask for them.',
    remedy: 'sign-in',
  },
  missing: {
    title: 'Nothing here',
    sentence: 'This product is no longer available.',
    remedy: 'shop',
  },
  'rate-limited': {
    title: 'Too many requests',
    sentence: 'Try again in a few seconds.',
    remedy: 'retry',
  },
  unavailable: {
    title: 'Closed for a moment',
    sentence: 'The shop is not responding after several attempts. Try again in a minute.',
    remedy: 'retry',
  },
}

/** The message if a whole page cannot be shown. */
export function toProblem(fault: unknown, retry: () => void): { readonly title: string; readonly content: Node } {
  const failure = isFailure(fault) ? fault : new Failure({ kind: 'fault', detail: String(fault) })
  const { title, sentence, remedy } = words[failure.kind] ?? somethingBroke
  const remedies = {
    retry: () => element('button', { type: 'button', class: 'primary', onclick: retry }, 'Try again'),
    'sign-in': () => element('a', { class: 'button primary', href: SIGN_IN }, 'Sign in'),
    shop: () => element('a', { class: 'button primary', href: toList() }, 'Back to the shop'),
  }
  const reference =
    failure.reference !== undefined &&
    element('p', { class: 'reference' }, 'Reference ', element('code', {}, failure.reference))
  const content = element('div', { class: 'panel' }, element('p', {}, sentence), remedies[remedy](), reference)
  return { title, content }
}

interface StaleWords {
  readonly offline: string
  readonly broken: string
  readonly retry: string
}

/** The messages about earlier data. */
export const staleWords: Readonly<Record<Language, StaleWords>> = {
  'en-GB': {
    offline: 'You seem to be offline. You see the data from your last visit.',
    broken: 'The response was incomplete. You see the data from your last visit.',
    retry: 'Try again',
  },
  'de-DE': {
    offline: 'Sie sind offline. Sie sehen die Daten Ihres letzten Besuchs.',
    broken: 'Die Antwort war unvollständig. Sie sehen die Daten Ihres letzten Besuchs.',
    retry: 'Erneut versuchen',
  },
}

/** A strip above earlier data; nothing above current data. */
export function toStale(stale: Staleness, reload: () => void, lang: Language = 'en-GB'): readonly Node[] {
  if (stale === undefined) return []
  const words = staleWords[lang]
  const retry = element('button', { type: 'button', class: 'quiet', onclick: reload }, words.retry)
  return [element('div', { class: 'strip' }, element('p', {}, words[stale]), retry)]
}
