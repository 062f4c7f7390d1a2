import { createProduct } from '../api/products.ts'
import type { Page } from '../page.ts'
import { EMPTY, fieldNames } from '../product/fields.ts'
import { toList, toProduct } from '../route.ts'
import { element } from '../ui/element.ts'
import { createProductForm, toField } from './product-form.ts'

/** The form for a new product. */
export async function showNew({ show, finish }: Page): Promise<void> {
  const key = element('input', {
    id: 'key',
    name: 'key',
    type: 'text',
    required: true,
    pattern: '[A-Za-z0-9_\\-]{2,256}',
    title: 'At least two letters, digits, _ or -',
    autocomplete: 'off',
    'aria-describedby': 'key-hint',
    oninput: () => key.setCustomValidity(''),
  })
  const form = createProductForm({
    fields: EMPTY,
    names: fieldNames,
    before: [toField('key', 'Key', key, 'Identifies the product permanently, such as oak-side-table')],
    submit: 'Create',
    cancel: toList(),
    complaint: 'Not created.',
    async onSubmit(fields) {
      const created = await createProduct(key.value, fields)
      if (created === undefined) {
        key.setCustomValidity('Another product has this key. Choose another.')
        key.reportValidity()
        return
      }
      finish(toProduct(created.id), `${fields.name} was added.`)
    },
  })
  show('New product', form)
}
