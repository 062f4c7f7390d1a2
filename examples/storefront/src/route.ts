import type { Wish } from './api/products.ts'

/** A page of the shop, as in the address bar after the `#`. */
export type Route =
  | ({ readonly name: 'list' } & Wish)
  | { readonly name: 'product'; readonly id: string }
  | { readonly name: 'edit'; readonly id: string }
  | { readonly name: 'new' }
  | { readonly name: 'cart'; readonly locale: string }
  | { readonly name: 'sign-in' }
  | { readonly name: 'nowhere' }

function toPage(text: string | null): number {
  const page = Number(text ?? 1)
  return Number.isInteger(page) && page > 0 ? page : 1
}

/** @example parseRoute('#/?q=oak&page=2') // { name: 'list', text: 'oak', room: '', page: 2 } */
export function parseRoute(hash: string): Route {
  const { pathname, searchParams } = new URL(hash.slice(1) || '/', 'http://shop')
  const [, first = '', id = '', third] = pathname.split('/')
  if (first === 'product' && id !== '') {
    const name = third === 'edit' ? 'edit' : 'product'
    return { name, id: decodeURIComponent(id) }
  }
  switch (first) {
    case '':
      return {
        name: 'list',
        text: searchParams.get('q') ?? '',
        room: searchParams.get('room') ?? '',
        page: toPage(searchParams.get('page')),
      }
    case 'new':
      return { name: 'new' }
    case 'cart':
      return { name: 'cart', locale: searchParams.get('locale') ?? 'en-GB' }
    case 'sign-in':
      return { name: 'sign-in' }
    default:
      return { name: 'nowhere' }
  }
}

/** The address of a catalogue page; omits default values. */
export function toList({ text = '', room = '', page = 1 }: Partial<Wish> = {}): string {
  const query = new URLSearchParams()
  if (text !== '') query.set('q', text)
  if (room !== '') query.set('room', room)
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? '#/' : `#/?${query}`
}

export const toProduct = (id: string): string => `#/product/${encodeURIComponent(id)}`
export const toEdit = (id: string): string => `${toProduct(id)}/edit`
export const toCart = (locale: string): string => `#/cart?locale=${locale}`
export const SIGN_IN = '#/sign-in'
export const NEW = '#/new'

/** Opens the page; reloads it if it is already open. */
export function go(hash: string): void {
  if (location.hash === hash) window.dispatchEvent(new HashChangeEvent('hashchange'))
  else location.hash = hash
}
