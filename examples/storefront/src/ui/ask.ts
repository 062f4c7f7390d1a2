import { element } from './element.ts'

/** An answer to a question. */
export interface Choice<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly kind: 'primary' | 'danger' | 'quiet'
}

interface Question<Name extends string> {
  readonly title: string
  readonly body: readonly Node[]
  readonly choices: readonly Choice<Name>[]
}

/**
 * Asks in a modal dialog. The browser keeps the focus inside and returns it afterwards; Escape chooses no answer, and so
 * does leaving the page.
 *
 * @returns the name of the choice, or undefined if the user closed the dialog
 */
export function ask<Name extends string>(
  { title, body, choices }: Question<Name>,
  signal: AbortSignal,
): Promise<Name | undefined> {
  if (signal.aborted) return Promise.resolve(undefined)
  const heading = element('h2', { id: 'question', tabindex: -1 }, title)
  const buttons = choices.map(({ name, label, kind }) =>
    element('button', { type: 'button', class: kind, onclick: () => dialog.close(name) }, label),
  )
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'question' },
    heading,
    ...body,
    element('div', { class: 'buttons' }, ...buttons),
  )
  signal.addEventListener('abort', () => dialog.close())
  document.body.append(dialog)
  dialog.showModal()
  heading.focus()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(choices.find(({ name }) => name === dialog.returnValue)?.name)
    })
  })
}
