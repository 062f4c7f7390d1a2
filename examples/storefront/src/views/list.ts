import { mayWrite } from '../api/token.ts'
import { listProducts } from '../api/products.ts'
import type { Listed, Wish } from '../api/products.ts'
import { pictureOf } from '../art/picture.ts'
import { listPhotos } from '../demo/mock-admin.ts'
import type { Page } from '../page.ts'
import { englishLabelsOf, nameOf, toPriceText, toStock } from '../product/product.ts'
import type { Product } from '../product/product.ts'
import { NEW, toList, toProduct } from '../route.ts'
import { PAGE_SIZE } from '../settings.ts'
import { element } from '../ui/element.ts'
import { tellListeners } from '../ui/notice.ts'
import { toPages } from './pages.ts'
import { staleWords, toPanel, toStale } from './states.ts'

const rooms = ['living room', 'dining room', 'kitchen', 'bedroom', 'office', 'light', 'garden']

function toCard(product: Product, photo: string | undefined): HTMLLIElement {
  const stock = toStock(product)
  return element(
    'li',
    { class: 'card' },
    pictureOf(product, photo),
    element('h2', {}, element('a', { href: toProduct(product.id) }, nameOf(product))),
    element('p', { class: 'price' }, toPriceText(product)),
    element('p', { class: 'kind' }, englishLabelsOf(product).slice(0, 2).join(', ')),
    // A sufficient stock needs no mention.
    stock.kind !== 'many' && element('p', { class: 'stock', 'data-stock': stock.kind }, stock.text),
  )
}

function toRooms({ room: current }: Wish): HTMLElement {
  const toLink = (room: string, label: string) =>
    element('a', { href: toList({ room }), 'aria-current': room === current ? 'page' : undefined }, label)
  return element(
    'nav',
    { class: 'rooms', 'aria-label': 'Rooms' },
    toLink('', 'Everything'),
    ...rooms.map((room) => toLink(room, room.charAt(0).toUpperCase() + room.slice(1))),
  )
}

function toCountText(total: number): string {
  return total === 1 ? '1 product' : `${total.toLocaleString('en-GB')} products`
}

function toEmpty({ text, room, page }: Wish): HTMLElement {
  const isAll = text === '' && room === '' && page === 1
  if (isAll) {
    return toPanel(
      element('p', {}, 'The shop is empty.'),
      ...(mayWrite() ? [element('a', { class: 'button primary', href: NEW }, 'Add the first product')] : []),
    )
  }
  return toPanel(
    element('p', {}, 'No products match. Try fewer or different words.'),
    element('a', { class: 'button primary', href: toList() }, 'Show everything'),
  )
}

const toTitle = ({ text, room }: Wish): string => {
  if (text !== '') return `Results for “${text}”`
  return room === '' ? 'Things for a calm home' : `For the ${room}`.replace('the light', 'more light')
}

function toShelf(wish: Wish, { results, total }: Listed, photos: ReadonlyMap<string, string>): readonly Node[] {
  if (results.length === 0) return [toEmpty(wish)]
  return [
    element('ul', { class: 'shelf' }, ...results.map((product) => toCard(product, photos.get(product.id)))),
    ...toPages(wish, Math.ceil(total / PAGE_SIZE)),
  ]
}

/** The catalogue or the search results, page by page. */
export async function showList(wish: Wish, { show, signal, reload }: Page): Promise<void> {
  const [listed, photos] = await Promise.all([listProducts(wish, signal), listPhotos()])
  const counted = toCountText(listed.total)
  show(
    toTitle(wish),
    ...toStale(listed.stale, reload),
    element(
      'div',
      { class: 'above' },
      toRooms(wish),
      element('p', { class: 'count' }, counted),
      mayWrite() && element('a', { class: 'button', href: NEW }, 'New product'),
    ),
    ...toShelf(wish, listed, photos),
  )
  if (listed.stale !== undefined) tellListeners(staleWords['en-GB'][listed.stale])
  else if (wish.text !== '' || wish.room !== '') tellListeners(`${counted} found.`)
  else if (listed.total === 0) tellListeners('There are no products yet.')
}
