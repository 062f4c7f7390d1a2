import { isFailure } from '../api/failure.ts'
import { getProduct, saveProduct } from '../api/products.ts'
import type { Page } from '../page.ts'
import { fieldNames, toFields } from '../product/fields.ts'
import type { Fields } from '../product/fields.ts'
import { merge } from '../product/merge.ts'
import { nameOf } from '../product/product.ts'
import type { Product } from '../product/product.ts'
import { toProduct } from '../route.ts'
import { element } from '../ui/element.ts'
import { askAboutConflict } from './conflict.ts'
import { createProductForm } from './product-form.ts'

/**
 * Saves, and asks the user each time that somebody else was first.
 *
 * @returns the result; undefined: the user wants to keep editing
 */
async function save(before: Product, mine: Fields, signal: AbortSignal): Promise<'saved' | 'theirs' | undefined> {
  try {
    await saveProduct(before, mine)
    return 'saved'
  } catch (fault) {
    if (!isFailure(fault, 'conflict')) throw fault
    // The question would appear on another page.
    if (signal.aborted) throw fault
    const theirs = await getProduct(before.id)
    const choice = await askAboutConflict({ before, theirs, mine }, signal)
    if (choice !== 'mine') return choice
    return save(theirs, merge(toFields(before), toFields(theirs), mine), signal)
  }
}

/** The form for an existing product. */
export async function showEdit(id: string, { show, signal, finish }: Page): Promise<void> {
  const product = await getProduct(id, signal)
  const isWhole = product.key !== undefined
  const form = createProductForm({
    fields: toFields(product),
    names: isWhole ? fieldNames : ['note'],
    submit: 'Save',
    cancel: toProduct(id),
    complaint: `${nameOf(product)} was not saved.`,
    async onSubmit(fields) {
      const outcome = await save(product, fields, signal)
      if (outcome === undefined) return
      finish(toProduct(id), outcome === 'saved' ? 'Saved.' : 'Kept their changes and discarded yours.')
    },
  })
  show(
    `Edit ${nameOf(product)}`,
    ...(isWhole ? [] : [element('p', { class: 'hint' }, 'Without a key, you can change only the note.')]),
    form,
  )
}
