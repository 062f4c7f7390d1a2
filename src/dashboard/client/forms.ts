import { announce } from './announce.ts'
import { findTarget } from './dom.ts'
import { hasEnded } from './ended.ts'
import { sendForm } from './pages.ts'
import type { SentPage } from './pages.ts'
import { untilFree } from './input-state.ts'
import { createLatestWins } from './latest-wins.ts'
import { morphParts, refreshRegions } from './morph.ts'
import type { SentForm } from './morph.ts'

/** Shows the page after a form was sent. The Requests view updates its list by itself. */
function show({ page, address }: SentPage, sent: SentForm): void {
  if (sent.form.matches('.themes')) return recolour(page, sent)
  // The response may be older than the last change of the theme.
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
  // The result is below a long form.
  if (sent.form.elements.namedItem('try')) document.getElementById('tried')?.scrollIntoView({ block: 'nearest' })
  const text = findWrongText(document)
  if (isWrong && text !== null && sent.hasStayed) pointAt(text)
}

const announceNotice = (page: Document): void => announce(page.querySelector('#notice p')?.textContent ?? '')

/** Applies the chosen theme, and changes nothing else. */
function recolour(page: Document, sent: SentForm): void {
  document.documentElement.dataset['theme'] = page.documentElement.dataset['theme'] ?? 'auto'
  morphParts(page, ['.themes'], sent)
}

const findWrongText = (page: Document) => page.querySelector<HTMLTextAreaElement>('textarea[aria-invalid]')

/** Moves the cursor to the position of an error in a text. */
function pointAt(area: HTMLTextAreaElement): void {
  const line = Number(area.dataset['line'])
  if (Number.isNaN(line)) return
  const before = area.value.split('\n').slice(0, line - 1)
  const at = before.join('\n').length + (line > 1 ? 1 : 0) + Number(area.dataset['column']) - 1
  area.focus()
  area.setSelectionRange(at, at + 1)
}

/** Whether a button was pressed by accident: by holding down Enter, or by a double click on an action with an undo. */
function isPressedAgain(event: Event): boolean {
  const form = findTarget(event, 'form button')?.closest('form')
  if (!form) return false
  if (event instanceof KeyboardEvent) return event.repeat && event.key === 'Enter'
  return form.dataset['once'] !== undefined && event instanceof UIEvent && event.detail > 1
}

/**
 * Sends forms without reloading the page. Calls back when the response is shown, and says whether the form started an
 * ended session again.
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

/** A file is compared by its name. */
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
    // An element that is being pressed must not move.
    await untilFree()
    const isWrittenOn = String(readFields(form, submitter)) !== String(body)
    const hasStayed = [focused, document.body].includes(document.activeElement)
    const isSameView = led.page.body.dataset['view'] === document.body.dataset['view']
    // An error page.
    if (!isSameView) return form.submit()
    // A change of the theme replaces nothing else.
    if (form.matches('.themes') || order.accept(asked)) show(led, { form, isWrittenOn, hasStayed })
    else announceNotice(led.page)
    onShown(isBegun)
  } catch {
    announce('The mock is not responding.')
  } finally {
    form.removeAttribute('aria-busy')
  }
}
