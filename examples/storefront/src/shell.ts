import { currentAccess } from './api/token.ts'
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
}

export function createShell(): Shell {
  const main = element('main', { id: 'main' })
  const search = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search oak, lamp, Küche…',
    autocomplete: 'off',
    'aria-label': 'Search the shop',
  })
  const shop = element('a', { href: toList() }, 'Shop')
  const cart = element('a', { href: toCart('en-GB') }, 'Cart')
  const account = element('a', { href: SIGN_IN })

  const header = element(
    'header',
    { class: 'top' },
    element('a', { class: 'skip', href: '#main', onclick: skip }, 'Skip to content'),
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
    element('nav', { 'aria-label': 'Shop' }, shop, cart, account),
  )

  /** The address after the `#` belongs to the shop's routes, so the link to the content is not one of them. */
  function skip(event: Event): void {
    event.preventDefault()
    main.querySelector('h1')?.focus()
  }

  const places: readonly (readonly [HTMLAnchorElement, readonly Route['name'][]])[] = [
    [shop, ['list', 'product', 'edit', 'new']],
    [cart, ['cart']],
    [account, ['sign-in']],
  ]

  return {
    root: element('div', { class: 'shop' }, header, main, notice),
    main,
    isSearching: () => document.activeElement === search,
    update(route) {
      search.value = route.name === 'list' ? route.text : ''
      const access = currentAccess()
      account.textContent = access === 'guest' ? 'Sign in' : accounts[access].label
      for (const [link, names] of places) {
        if (names.includes(route.name)) link.setAttribute('aria-current', 'page')
        else link.removeAttribute('aria-current')
      }
    },
  }
}
