import { announce } from './announce.ts'
import { findTarget } from './dom.ts'
import { sendForm } from './pages.ts'
import type { SentPage } from './pages.ts'
import { refreshRegions, replaceParts } from './replace.ts'

/** Whether what a form leads to is the view that is shown already, of the same session. */
const isSameView = (page: Document): boolean =>
  ['view', 'session'].every((name) => page.body.dataset[name] === document.body.dataset[name])

/** Puts a page in the place of the one that is shown. Of the view of requests, which lives by itself, only what is live. */
function show({ page, address }: SentPage, sent: HTMLFormElement): void {
  if (document.body.dataset['view'] === 'requests') {
    replaceParts(page, ['.side', '#notice'], sent)
    refreshRegions(page)
  } else {
    replaceParts(page, ['.side', '#main'], sent)
    if (address !== undefined) history.replaceState(undefined, '', address)
  }
  announce(document.querySelector('#notice p')?.textContent ?? '')
  // What was tried stands under a long form.
  document.getElementById('tried')?.scrollIntoView({ block: 'nearest' })
  findFault()
}

/** Puts the cursor where the mock says that a text is wrong. */
export function findFault(): void {
  const area = document.querySelector<HTMLTextAreaElement>('textarea[aria-invalid]')
  const line = Number(area?.dataset['line'])
  if (area === null || Number.isNaN(line)) return
  const before = area.value.split('\n').slice(0, line - 1)
  const at = before.join('\n').length + (line > 1 ? 1 : 0) + Number(area.dataset['column']) - 1
  area.focus()
  area.setSelectionRange(at, at + 1)
}

/** Lets forms that change something do so without the page being loaded anew. */
export function bindForms(onDone: () => void): void {
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset['act'] === undefined) return
    event.preventDefault()
    if (form.getAttribute('aria-busy') !== 'true') void send(form, event.submitter).then(onDone)
  })
  document.addEventListener('click', (event) => {
    // What a double click does twice could be undone only once.
    if (event.detail > 1 && findTarget(event, 'form button')?.closest('form')?.elements.namedItem('undo')) {
      event.preventDefault()
    }
  })
}

/** No form of the dashboard sends files. */
const toText = (value: FormDataEntryValue): string => (typeof value === 'string' ? value : value.name)

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const fields = new FormData(form, submitter)
  const body = new URLSearchParams(Array.from(fields, ([name, value]) => [name, toText(value)]))
  form.setAttribute('aria-busy', 'true')
  try {
    const led = await sendForm(form.action, body)
    if (isSameView(led.page)) show(led, form)
    else if (led.address === undefined) form.submit()
    else location.assign(led.address)
  } catch {
    announce('The mock does not answer.')
  } finally {
    form.removeAttribute('aria-busy')
  }
}
