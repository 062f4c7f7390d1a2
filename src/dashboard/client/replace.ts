/** What tells one control from another across two versions of a page. */
const toKey = (element: Element): string =>
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
  if (focused === null || !old.contains(focused)) return () => undefined
  const key = toKey(focused)
  const again = [...next.querySelectorAll<HTMLElement>(FOCUSABLE)].find((element) => toKey(element) === key)
  const target = again?.matches(':disabled') === true ? findBeside(again) : again
  return () => (target ?? document.getElementById('main'))?.focus({ preventScroll: true })
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

/** Lets what someone opened in one element be open in the one that comes in its place. */
export function keepOpen(old: Element, next: Element): void {
  const known = findDetails(old)
  for (const [key, details] of findDetails(next)) details.open = known.get(key)?.open ?? details.open
}

/** Puts one element in the place of another, and the focus where it was. */
function replace(old: Element, next: Element): void {
  const refocus = keepFocus(old, next)
  old.replaceWith(next)
  refocus()
}

/** What can be pressed beside a button that no longer can. */
const findBeside = (button: Element): HTMLElement | null | undefined =>
  button.closest('li, .tools')?.querySelector<HTMLElement>('a[href], button:enabled')

/** Whether someone has begun to write in it, which must not be lost. */
const isBeingWritten = (element: Element): boolean =>
  element.contains(document.activeElement) && document.activeElement?.matches('input, textarea') === true

/** Puts what changed of a page into the one that is shown: its live regions, and nothing that is being written. */
export function refreshRegions(page: Document): void {
  for (const old of document.querySelectorAll('[data-live]')) {
    const next = page.getElementById(old.id)
    if (next === null || isBeingWritten(old)) continue
    keepOpen(old, next)
    if (next.outerHTML !== old.outerHTML) replace(old, next)
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement

const isChanged = (field: Field): boolean =>
  field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue

/** Whether someone's own text stands in it: one that was changed, that the mock refused, or that was tried. */
const isWritten = (field: Field): boolean =>
  isChanged(field) || field.ariaInvalid === 'true' || field.form?.elements.namedItem('try') instanceof HTMLInputElement

/** Lets the forms that someone has written in, and not sent, stay as they are in what comes in their place. */
function keepWriting(old: Element, next: Element, sent: HTMLFormElement): void {
  const fields = old.querySelectorAll<Field>('form[data-act] :is(input:not([type=hidden]), textarea)')
  const written = new Set([...fields].filter(isWritten).map(({ form }) => form))
  for (const form of written) {
    const named = Array.from(form?.elements ?? []).find(({ id }) => id !== '')
    const again = named === undefined ? undefined : next.querySelector(`#${CSS.escape(named.id)}`)?.closest('form')
    if (form === null || form === sent || !again) continue
    again.closest('details')?.setAttribute('open', '')
    again.replaceWith(form)
  }
}

/** Puts parts of a page in the place of those that are shown, and its colours, after a form was sent. */
export function replaceParts(page: Document, selectors: readonly string[], sent: HTMLFormElement): void {
  document.documentElement.dataset['theme'] = page.documentElement.dataset['theme'] ?? 'auto'
  for (const selector of selectors) {
    const [old, next] = [document.querySelector(selector), page.querySelector(selector)]
    if (old === null || next === null) continue
    const focused = document.activeElement
    keepWriting(old, next, sent)
    replace(old, next)
    if (focused instanceof HTMLElement && focused.closest('form') !== sent && next.contains(focused)) {
      focused.focus({ preventScroll: true })
    }
  }
}
