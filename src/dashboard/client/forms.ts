import { announce } from './announce.ts'
import { findTarget } from './dom.ts'
import { hasEnded } from './ended.ts'
import { sendForm } from './pages.ts'
import type { SentPage } from './pages.ts'
import { untilFree } from './input-state.ts'
import { createLatestWins } from './latest-wins.ts'
import { morphParts, refreshRegions } from './morph.ts'
import type { SentForm } from './morph.ts'

/** Puts a page in the place of the one that is shown. Of the view of requests, which lives by itself, only what is live. */
function show({ page, address }: SentPage, sent: SentForm): void {
  if (sent.form.matches('.themes')) return recolour(page, sent)
  // An answer that was written before colours were chosen does not know of them.
  const { theme } = document.documentElement.dataset
  for (const button of page.querySelectorAll<HTMLButtonElement>('.themes button')) {
    button.ariaPressed = String(button.value === theme)
  }
  const isWrong = findWrongText(page) !== null
  if (document.body.dataset['view'] === 'requests') {
    morphParts(page, ['.side', '#notice'], sent)
    refreshRegions(page)
  } else {
    morphParts(page, ['.side', '#main'], sent)
    if (address !== undefined) history.replaceState(undefined, '', address)
  }
  announceNotice(document)
  // What was tried stands under a long form.
  if (sent.form.elements.namedItem('try')) document.getElementById('tried')?.scrollIntoView({ block: 'nearest' })
  const text = findWrongText(document)
  if (isWrong && text !== null && sent.hasStayed) pointAt(text)
}

/** Says what a page says of what was done. */
const announceNotice = (page: Document): void => announce(page.querySelector('#notice p')?.textContent ?? '')

/** Shows a page in the colours that were chosen, which change nothing else. */
function recolour(page: Document, sent: SentForm): void {
  document.documentElement.dataset['theme'] = page.documentElement.dataset['theme'] ?? 'auto'
  morphParts(page, ['.themes'], sent)
}

const findWrongText = (page: Document) => page.querySelector<HTMLTextAreaElement>('textarea[aria-invalid]')

/** Puts the cursor where the mock says that a text is wrong. */
function pointAt(area: HTMLTextAreaElement): void {
  const line = Number(area.dataset['line'])
  if (Number.isNaN(line)) return
  const before = area.value.split('\n').slice(0, line - 1)
  const at = before.join('\n').length + (line > 1 ? 1 : 0) + Number(area.dataset['column']) - 1
  area.focus()
  area.setSelectionRange(at, at + 1)
}

/** Whether a form's button was pressed once more than it was meant to: Enter was held down, or what is to be done once was clicked twice. */
function isPressedAgain(event: Event): boolean {
  const form = findTarget(event, 'form button')?.closest('form')
  if (!form) return false
  if (event instanceof KeyboardEvent) return event.repeat && event.key === 'Enter'
  return form.dataset['once'] !== undefined && event instanceof UIEvent && event.detail > 1
}

/**
 * Lets forms that change something do so without the page being loaded anew. Calls back once an answer is shown, and tells
 * whether the session had ended when it was asked for, and so began anew.
 */
export function bindForms(onShown: (isBegun: boolean) => void): void {
  const wrong = findWrongText(document)
  if (wrong !== null) pointAt(wrong)
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset['act'] === undefined) return
    event.preventDefault()
    if (form.getAttribute('aria-busy') !== 'true') void send(form, event.submitter, onShown)
  })
  for (const kind of ['click', 'keydown']) {
    document.addEventListener(kind, (event) => {
      if (isPressedAgain(event)) event.preventDefault()
    })
  }
}

/** A file by its name, which tells whether another one was chosen. */
const toText = (value: FormDataEntryValue): string => (typeof value === 'string' ? value : value.name)

function readFields(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const fields = new FormData(form, submitter)
  return new URLSearchParams(Array.from(fields, ([name, value]) => [name, toText(value)]))
}

const order = createLatestWins()

async function send(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  onShown: (isBegun: boolean) => void,
): Promise<void> {
  const body = readFields(form, submitter)
  const sent = form.enctype === 'multipart/form-data' ? new FormData(form, submitter) : body
  const isBegun = hasEnded()
  const asked = order.ask()
  const focused = document.activeElement
  form.setAttribute('aria-busy', 'true')
  try {
    const led = await sendForm(form.action, sent)
    // What is being pressed meanwhile is not taken from under the pointer.
    await untilFree()
    const isWrittenOn = String(readFields(form, submitter)) !== String(body)
    const hasStayed = [focused, document.body].includes(document.activeElement)
    const isSameView = led.page.body.dataset['view'] === document.body.dataset['view']
    // A page that only says what is wrong.
    if (!isSameView) return form.submit()
    // Colours take the place of nothing else.
    if (form.matches('.themes') || order.accept(asked)) show(led, { form, isWrittenOn, hasStayed })
    else announceNotice(led.page)
    onShown(isBegun)
  } catch {
    announce('The mock is not responding.')
  } finally {
    form.removeAttribute('aria-busy')
  }
}
