/** Whether the user has entered or chosen something that is not saved yet. */
export const hasInput = (root: Element): boolean =>
  Array.from(root.querySelectorAll('input, textarea')).some((field) => {
    if (field instanceof HTMLInputElement && field.type === 'radio') return field.checked !== field.defaultChecked
    return (
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value !== field.defaultValue
    )
  })
