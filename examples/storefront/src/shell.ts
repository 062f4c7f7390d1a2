import { currentAccess } from './api/token.ts'
import type { Access } from './api/token.ts'
import type { Language } from './page.ts'
import { SIGN_IN, go, toCart, toList } from './route.ts'
import type { Route } from './route.ts'
import { element } from './ui/element.ts'
import { notice } from './ui/notice.ts'
import { accounts } from './views/sign-in.ts'

/** The frame around every page of the shop. */
export interface Shell {
  readonly root: HTMLElement
  readonly main: HTMLElement
  /** Whether the user is searching: the focus then stays in the search field. */
  isSearching(): boolean
  /** Shows the current page and the current user. */
  update(route: Route): void
  /** Follows the language of the page. */
  readonly translate: (lang: Language) => void
}

interface Words {
  readonly skip: string
  readonly search: string
  readonly placeholder: string
  readonly shop: string
  readonly cart: string
  readonly account: Readonly<Record<Access, string>>
}

const words: Readonly<Record<Language, Words>> = {
  'en-GB': {
    skip: 'Skip to content',
    search: 'Search the shop',
    placeholder: 'Search oak, lamp, kitchen…',
    shop: 'Shop',
    cart: 'Cart',
    account: { manager: accounts.manager.label, viewer: accounts.viewer.label, guest: 'Sign in' },
  },
  'de-DE': {
    skip: 'Zum Inhalt springen',
    search: 'Im Laden suchen',
    placeholder: 'Eiche, Leuchte, Küche suchen…',
    shop: 'Laden',
    cart: 'Warenkorb',
    account: { manager: 'Leitung', viewer: 'Nur Lesen', guest: 'Anmelden' },
  },
}

export function createShell(): Shell {
  let lang: Language = 'en-GB'
  const main = element('main', { id: 'main' })
  const search = element('input', { type: 'search', id: 'search', autocomplete: 'off' })
  const skip = element('a', { class: 'skip', href: '#main', onclick: skipToContent })
  const shop = element('a', { href: toList() })
  const cart = element('a')
  const account = element('a', { href: SIGN_IN })
  const places = element('nav', {}, shop, cart, account)

  const header = element(
    'header',
    { class: 'top' },
    skip,
    element('a', { class: 'brand', href: toList() }, 'Odd Shelf'),
    element(
      'form',
      {
        role: 'search',
        onsubmit(event) {
          event.preventDefault()
          go(toList({ text: search.value.trim() }))
        },
      },
      search,
    ),
    places,
  )

  /** The address after the `#` belongs to the shop's routes, so the link to the content is not one of them. */
  function skipToContent(event: Event): void {
    event.preventDefault()
    main.querySelector('h1')?.focus()
  }

  const links: readonly (readonly [HTMLAnchorElement, readonly Route['name'][]])[] = [
    [shop, ['list', 'product', 'edit', 'new']],
    [cart, ['cart']],
    [account, ['sign-in']],
  ]

  function translate(next: Language): void {
    lang = next
    const told = words[lang]
    document.documentElement.lang = lang
    skip.textContent = told.skip
    search.placeholder = told.placeholder
    search.setAttribute('aria-label', told.search)
    places.setAttribute('aria-label', told.shop)
    shop.textContent = told.shop
    cart.textContent = told.cart
    cart.href = toCart(lang)
    account.textContent = told.account[currentAccess()]
  }
  translate(lang)

  return {
    root: element('div', { class: 'shop' }, header, main, notice),
    main,
    isSearching: () => document.activeElement === search,
    update(route) {
      search.value = route.name === 'list' ? route.text : ''
      account.textContent = words[lang].account[currentAccess()]
      for (const [link, names] of links) {
        if (names.includes(route.name)) link.setAttribute('aria-current', 'page')
        else link.removeAttribute('aria-current')
      }
    },
    translate,
  }
}
