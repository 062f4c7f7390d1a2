import { fieldKinds, fieldNames } from '../product/fields.ts'
import type { FieldName, Fields } from '../product/fields.ts'
import { element } from '../ui/element.ts'
import { complain } from './complaint.ts'

interface FormParts {
  readonly fields: Fields
  /** The editable fields. */
  readonly names: readonly FieldName[]
  /** Additional fields before the others. */
  readonly before?: readonly Node[]
  readonly submit: string
  readonly cancel: string
  /** The start of an error message. */
  readonly complaint: string
  readonly onSubmit: (fields: Fields) => Promise<void>
}

function toInput(name: FieldName, value: string): HTMLInputElement | HTMLTextAreaElement {
  const { hint, pattern, isRequired = false } = fieldKinds[name]
  const attributes = {
    id: name,
    name,
    required: isRequired,
    autocomplete: 'off',
    'aria-describedby': hint === undefined ? undefined : `${name}-hint`,
  }
  if (name === 'note') return element('textarea', { ...attributes, rows: 3 }, value)
  return element('input', {
    ...attributes,
    type: 'text',
    value,
    pattern,
    title: pattern === undefined ? undefined : hint,
  })
}

/** A label, its input and a hint. */
export const toField = (id: string, label: string, input: Node, hint?: string): HTMLElement =>
  element(
    'div',
    { class: 'field' },
    element('label', { for: id }, label),
    input,
    hint !== undefined && element('p', { class: 'hint', id: `${id}-hint` }, hint),
  )

/** A form with a product's fields. While it is being saved, it cannot be sent again; errors appear inside it. */
export function createProductForm({ fields, names, before = [], submit, cancel, complaint, onSubmit }: FormParts) {
  const inputs = new Map(names.map((name) => [name, toInput(name, fields[name])]))
  const button = element('button', { type: 'submit', class: 'primary' }, submit)
  const place = element('div', { class: 'complaint-place' })

  const read = (): Fields => ({
    ...fields,
    ...Object.fromEntries(Array.from(inputs, ([name, { value }]) => [name, value.trim()])),
  })

  async function send(): Promise<void> {
    // Not with `disabled`, which would remove the focus.
    if (button.getAttribute('aria-disabled') === 'true') return
    button.setAttribute('aria-disabled', 'true')
    button.textContent = 'Saving…'
    place.replaceChildren()
    try {
      await onSubmit(read())
    } catch (fault) {
      complain(place, fault, complaint)
    } finally {
      button.removeAttribute('aria-disabled')
      button.textContent = submit
    }
  }

  return element(
    'form',
    {
      class: 'form',
      onsubmit(event) {
        event.preventDefault()
        void send()
      },
    },
    ...before,
    ...fieldNames.flatMap((name) => {
      const input = inputs.get(name)
      return input === undefined ? [] : [toField(name, fieldKinds[name].label, input, fieldKinds[name].hint)]
    }),
    place,
    element('div', { class: 'buttons' }, button, element('a', { class: 'button quiet', href: cancel }, 'Cancel')),
  )
}
