import { Idiomorph } from 'idiomorph'
import { isPressed, isSelected } from './input-state.ts'

type WritableField = HTMLInputElement | HTMLTextAreaElement

const FIELDS = 'form :is(input:not([type=hidden]), textarea)'

const isChanged = (field: WritableField): boolean =>
  field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue

/** Whether a field may hold text that must not be lost: it was changed, or refused, or is of a form that can be sent again. */
const isWritten = (field: WritableField): boolean =>
  isChanged(field) || field.ariaInvalid === 'true' || field.form?.elements.namedItem('try') instanceof HTMLInputElement

const hasWriting = (element: Element): boolean => [...element.querySelectorAll<WritableField>(FIELDS)].some(isWritten)

const isTyping = (element: Element): boolean =>
  element.contains(document.activeElement) && document.activeElement?.matches('input, textarea') === true

/** A form that the mock has answered. */
export interface SentForm {
  readonly form: HTMLFormElement
  /** Whether it was changed again after it was sent. */
  readonly isWrittenOn: boolean
  /** Whether the focus is where it was. */
  readonly hasStayed: boolean
}

/** The enabled control nearest to a button that was disabled: first one of the same group. */
function findNearby(button: Element): HTMLElement | undefined {
  for (const selector of ['.order', 'li, .tools']) {
    const found = button.closest(selector)?.querySelector<HTMLElement>('a[href], button:enabled')
    if (found) return found
  }
  return undefined
}

/** Moves the focus from a control that is gone, disabled or hidden to one nearby, or to the view as a whole. */
function keepFocus(focused: HTMLElement): void {
  const closed = focused.tagName === 'SUMMARY' ? undefined : focused.closest('details:not([open])')
  const shown = closed?.querySelector('summary') ?? focused
  const target = shown.matches(':disabled') ? findNearby(shown) : shown
  const next = target?.isConnected === true ? target : document.getElementById('main')
  if (next !== document.activeElement) next?.focus({ preventScroll: true })
}

/**
 * Makes one element like another. What is in both stays in the page, with its focus, selection and scroll position; so do
 * details that are open, and forms with text that was not sent.
 */
export function morph(old: HTMLElement, next: HTMLElement, sent?: SentForm): void {
  const focused = document.activeElement
  const isSent = (form: HTMLFormElement): boolean => form === sent?.form && !sent.isWrittenOn
  void Idiomorph.morph(old, next, {
    callbacks: {
      beforeNodeMorphed: (node) => !(node instanceof HTMLFormElement && hasWriting(node) && !isSent(node)),
      // Only the script knows what is inert, and only the reader what is open, until a form in it is answered.
      beforeAttributeUpdated: (name, element) =>
        name === 'open' ? element.contains(sent?.form ?? null) : name !== 'inert',
    },
  })
  if (focused instanceof HTMLElement && focused !== document.body) keepFocus(focused)
}

/**
 * Updates the live regions of the page, but none that someone is using: pressing, selecting text or writing. Returns whether
 * all are up to date.
 */
export function refreshRegions(page: Document): boolean {
  let isAll = true
  for (const old of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const next = page.getElementById(old.id)
    if (next === null || next.isEqualNode(old)) continue
    if (isPressed() || isSelected(old) || isTyping(old) || hasWriting(old)) isAll = false
    else morph(old, next)
  }
  return isAll
}

/** How far down the focused control is, in CSS pixels from the top of the window; undefined if none is focused. */
function findFocusTop(): number | undefined {
  const focused = document.activeElement
  return focused?.matches('body, #main') === false ? focused.getBoundingClientRect().top : undefined
}

/** Updates parts of the page after a form was sent, and keeps the focused control in sight. */
export function morphParts(page: Document, selectors: readonly string[], sent: SentForm): void {
  const before = findFocusTop()
  for (const selector of selectors) {
    const old = document.querySelector<HTMLElement>(selector)
    const next = page.querySelector<HTMLElement>(selector)
    if (old !== null && next !== null) morph(old, next, sent)
  }
  const after = findFocusTop()
  if (before !== undefined && after !== undefined) scrollBy({ top: after - before, behavior: 'instant' })
}
