import { isFailure } from '../api/failure.ts'
import { addToCart } from '../api/cart.ts'
import { deleteProduct, getProduct } from '../api/products.ts'
import { currentAccess, mayWrite } from '../api/token.ts'
import { pictureOf } from '../art/picture.ts'
import { listPhotos } from '../demo/mock-admin.ts'
import type { Page } from '../page.ts'
import { englishLabelsOf, nameOf, priceOf, toFacts, toPriceText, toStock } from '../product/product.ts'
import type { Product } from '../product/product.ts'
import { SIGN_IN, toEdit, toList } from '../route.ts'
import { element } from '../ui/element.ts'
import { ask } from '../ui/ask.ts'
import { askAboutDeletion } from './conflict.ts'
import { say } from '../ui/notice.ts'
import { complain } from './complaint.ts'
import { createPhotoForm } from './photo-form.ts'
import { toStale } from './states.ts'

function toFactList(product: Product): HTMLElement {
  const rows = toFacts(product, currentAccess() !== 'guest').map(([term, text]) =>
    element('div', {}, element('dt', {}, term), element('dd', {}, text)),
  )
  return element('dl', { class: 'facts' }, ...rows)
}

const toLabels = (product: Product): HTMLElement =>
  element(
    'ul',
    { class: 'labels', 'aria-label': 'Labels' },
    ...englishLabelsOf(product).map((label) => element('li', {}, label)),
  )

/** Deletes the version that the user saw; if it has changed in the meantime, asks again. */
async function remove(product: Product, signal: AbortSignal): Promise<boolean> {
  try {
    await deleteProduct(product)
    return true
  } catch (fault) {
    if (!isFailure(fault, 'conflict')) throw fault
    // The question would appear on another page.
    if (signal.aborted) throw fault
    const theirs = await getProduct(product.id)
    return (await askAboutDeletion(product, theirs, signal)) === 'delete' && remove(theirs, signal)
  }
}

function toTools(product: Product, { signal, finish }: Page): HTMLElement {
  const name = nameOf(product)
  const complaint = element('div', { class: 'complaint-place' })

  async function onDelete(): Promise<void> {
    const choice = await ask(
      {
        title: `Delete ${name}?`,
        body: [element('p', {}, 'This removes it from the shop for everyone.')],
        choices: [
          { name: 'delete', label: 'Delete', kind: 'danger' },
          { name: 'keep', label: 'Keep it', kind: 'quiet' },
        ],
      },
      signal,
    )
    if (choice !== 'delete') return
    complaint.replaceChildren()
    try {
      if (await remove(product, signal)) finish(toList(), `${name} was deleted.`)
    } catch (fault) {
      complain(complaint, fault, `${name} was not deleted.`)
    }
  }

  return element(
    'div',
    { class: 'tools' },
    element(
      'div',
      { class: 'buttons' },
      element('a', { class: 'button', href: toEdit(product.id) }, 'Edit'),
      element('button', { type: 'button', class: 'danger', onclick: () => void onDelete() }, 'Delete'),
    ),
    complaint,
  )
}

/** Only a product with a price that is in stock can be bought. */
function toPurchase(product: Product): HTMLElement {
  const place = element('div', { class: 'complaint-place' })
  const button = element('button', { type: 'button', class: 'primary', onclick: () => void onAdd() }, 'Add to cart')

  async function onAdd(): Promise<void> {
    if (button.getAttribute('aria-disabled') === 'true') return
    button.setAttribute('aria-disabled', 'true')
    place.replaceChildren()
    try {
      await addToCart(product)
      say(`${nameOf(product)} was added to your cart.`)
    } catch (fault) {
      complain(place, fault, `${nameOf(product)} was not added to your cart.`)
    } finally {
      button.removeAttribute('aria-disabled')
    }
  }

  return element('div', { class: 'tools' }, button, place)
}

const toInvitation = (): HTMLElement =>
  element(
    'p',
    { class: 'invitation' },
    currentAccess() === 'viewer' ? 'You have read-only access. ' : 'Do you work here? ',
    element('a', { href: SIGN_IN }, 'Sign in as manager'),
    ' to change this product.',
  )

/** A product, with actions for managers. */
export async function showProduct(id: string, page: Page): Promise<void> {
  const { show, signal, reload } = page
  const [product, photos] = await Promise.all([getProduct(id, signal), listPhotos()])
  const { key, someProperty: note, version } = product
  const isStaff = currentAccess() !== 'guest'
  const stock = toStock(product)
  const picture = element('div', { class: 'stage' }, pictureOf(product, photos.get(product.id)))

  show(
    nameOf(product),
    ...toStale(product.stale, reload),
    element(
      'div',
      { class: 'product' },
      picture,
      element(
        'div',
        { class: 'about' },
        element('p', { class: 'price' }, toPriceText(product)),
        element('p', { class: 'stock', 'data-stock': stock.kind }, stock.text),
        note !== undefined && note !== '' && element('p', { class: 'note' }, note),
        toLabels(product),
        toFactList(product),
        priceOf(product) !== undefined && stock.kind !== 'none' && toPurchase(product),
        mayWrite() ? toTools(product, page) : toInvitation(),
        mayWrite() && key !== undefined && createPhotoForm(key, reload),
        isStaff && element('p', { class: 'version' }, `Version ${version}`),
      ),
    ),
  )
}
