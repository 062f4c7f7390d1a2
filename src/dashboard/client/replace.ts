import { isPressed, isSelected } from './input-state.ts'

/** What tells one control from another across two versions of a page; what its text does not tell, the server names. */
const toKey = (element: HTMLElement): string =>
  element.dataset['key'] ??
  [
    element.tagName,
    element.id,
    element.getAttribute('name'),
    element.getAttribute('aria-label'),
    element.textContent,
  ].join('\n')

const FOCUSABLE = 'a, button, input, select, summary, textarea, [tabindex]'

/** Finds what has the focus in one element in the one that comes in its place; returns what gives it the focus there. */
export function keepFocus(old: Element, next: Element): () => void {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !old.contains(focused)) return () => undefined
  const key = toKey(focused)
  const found = [...next.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) => toKey(element) === key)
  // Links may be called the same.
  const again = found.find((element) => element.getAttribute('href') === focused.getAttribute('href')) ?? found[0]
  const closed = again?.matches('summary') === true ? null : again?.closest('details:not([open])')
  const open = closed?.querySelector<HTMLElement>('summary') ?? again
  const target = open?.matches(':disabled') === true ? findBeside(open) : open
  return () => (target ?? document.getElementById('main'))?.focus({ preventScroll: true })
}

/** What can be pressed beside a button that no longer can: what does the like, before what does something else. */
function findBeside(button: Element): HTMLElement | undefined {
  for (const selector of ['.order', 'li, .tools']) {
    const beside = button.closest(selector)?.querySelector<HTMLElement>('a[href], button:enabled')
    if (beside) return beside
  }
  return undefined
}

/** What can be opened in an element, by its summary; of several of one summary, by their order. */
function findDetails(element: Element): ReadonlyMap<string, HTMLDetailsElement> {
  const found = new Map<string, HTMLDetailsElement>()
  for (const details of element.querySelectorAll('details')) {
    let key = details.querySelector('summary')?.textContent ?? ''
    while (found.has(key)) key += ' again'
    found.set(key, details)
  }
  return found
}

/** Lets what someone opened in one element be open in the one that comes in its place; not what a form was sent from. */
export function keepOpen(old: Element, next: Element, sent?: HTMLFormElement): void {
  const known = findDetails(old)
  for (const [key, details] of findDetails(next)) {
    const before = known.get(key)
    if (before !== undefined && !before.contains(sent ?? null)) details.open = before.open
  }
}

/** Puts one element in the place of another: as far out of reach as that was, and the focus where it was. */
function replace(old: HTMLElement, next: HTMLElement): void {
  const refocus = keepFocus(old, next)
  next.inert = old.inert
  old.replaceWith(next)
  refocus()
}

type Field = HTMLInputElement | HTMLTextAreaElement

/** What someone may write in. */
const FIELDS = 'form :is(input:not([type=hidden]), textarea)'

const isChanged = (field: Field): boolean =>
  field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue

/** Whether someone's own text may stand in it: one that was changed, that the mock refused, or that can be tried again. */
const isWritten = (field: Field): boolean =>
  isChanged(field) || field.ariaInvalid === 'true' || field.form?.elements.namedItem('try') instanceof HTMLInputElement

/** Whether someone writes in it, or has written and not sent it, which must not be lost. */
const isBeingWritten = (element: Element): boolean =>
  (element.contains(document.activeElement) && document.activeElement?.matches('input, textarea') === true) ||
  [...element.querySelectorAll<Field>(FIELDS)].some(isWritten)

/**
 * Puts what changed of a page into the one that is shown: its live regions, and nothing that someone writes or holds. Tells
 * whether that is all that there is.
 */
export function refreshRegions(page: Document): boolean {
  let isAll = true
  for (const old of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const next = page.getElementById(old.id)
    if (next === null) continue
    keepOpen(old, next)
    if (next.outerHTML === old.outerHTML) continue
    if (isPressed() || isSelected(old) || isBeingWritten(old)) isAll = false
    else replace(old, next)
  }
  return isAll
}

/** A form that the mock has answered. */
export interface SentForm {
  readonly form: HTMLFormElement
  /** Whether someone has written on in it since. */
  readonly isWrittenOn: boolean
  /** Whether the focus is where it was. */
  readonly hasStayed: boolean
}

/** Lets the forms that someone has written in, and not sent, stay as they are in what comes in their place. */
function keepWriting(old: Element, next: Element, sent: SentForm): void {
  const fields = old.querySelectorAll<Field>(FIELDS)
  const written = new Set([...fields].filter(isWritten).map(({ form }) => form))
  for (const form of written) {
    const named = Array.from(form?.elements ?? []).find(({ id }) => id !== '')
    const again = named === undefined ? undefined : next.querySelector(`#${CSS.escape(named.id)}`)?.closest('form')
    if (form === null || (form === sent.form && !sent.isWrittenOn) || !again) continue
    again.closest('details')?.setAttribute('open', '')
    again.replaceWith(form)
  }
}

/** How far down the control is that has the focus, in CSS pixels of what is seen; undefined where none has it. */
function findSight(): number | undefined {
  const focused = document.activeElement
  return focused?.matches('body, #main') === false ? focused.getBoundingClientRect().top : undefined
}

/** Notes where the control that has the focus is in sight; returns what scrolls it there again. */
function keepSight(): () => void {
  const before = findSight()
  return () => {
    const after = findSight()
    if (before !== undefined && after !== undefined) scrollBy({ top: after - before, behavior: 'instant' })
  }
}

/** Puts parts of a page in the place of those that are shown, after a form was sent. */
export function replaceParts(page: Document, selectors: readonly string[], sent: SentForm): void {
  const keepInSight = keepSight()
  for (const selector of selectors) {
    const old = document.querySelector<HTMLElement>(selector)
    const next = page.querySelector<HTMLElement>(selector)
    if (old === null || next === null) continue
    const focused = document.activeElement
    const scrolled = Array.from(old.querySelectorAll('textarea'), (area) => [area, area.scrollTop] as const)
    keepOpen(old, next, sent.form)
    keepWriting(old, next, sent)
    replace(old, next)
    for (const [area, top] of scrolled) area.scrollTop = top
    if (
      focused instanceof HTMLElement &&
      (sent.isWrittenOn || focused.closest('form') !== sent.form) &&
      next.contains(focused)
    ) {
      focused.focus({ preventScroll: true })
    }
  }
  keepInSight()
}
