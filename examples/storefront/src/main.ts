import './styles/index.css'
import { createScenarioSwitch } from './demo/scenario-switch.ts'
import { visit } from './page.ts'
import type { Page } from './page.ts'
import { parseRoute } from './route.ts'
import type { Route } from './route.ts'
import { createShell } from './shell.ts'
import { hasInput } from './ui/input.ts'
import { showCart } from './views/cart.ts'
import { showEdit } from './views/edit.ts'
import { showList } from './views/list.ts'
import { showNew } from './views/new.ts'
import { showNowhere } from './views/nowhere.ts'
import { showProduct } from './views/product.ts'
import { showSignIn } from './views/sign-in.ts'

function showRoute(route: Route, page: Page): Promise<void> {
  switch (route.name) {
    case 'list':
      return showList(route, page)
    case 'product':
      return showProduct(route.id, page)
    case 'edit':
      return showEdit(route.id, page)
    case 'new':
      return showNew(page)
    case 'cart':
      return showCart(route.locale, page)
    case 'sign-in':
      return showSignIn(page)
    case 'nowhere':
      return showNowhere(page)
  }
}

const shell = createShell()
let leaving = new AbortController()

/** Renders the page that the address names. Moves the focus to the heading only if the user comes from another page. */
function load(route: Route, isArrival: boolean): void {
  leaving.abort()
  leaving = new AbortController()
  void visit((page) => showRoute(route, page), {
    main: shell.main,
    signal: leaving.signal,
    reload: () => open(true),
    takesFocus: () => isArrival && !shell.isSearching(),
    onLanguage: shell.translate,
  })
  void scenarios.refresh()
}

function open(isArrival: boolean): void {
  const route = parseRoute(location.hash)
  shell.update(route)
  if (isArrival) window.scrollTo(0, 0)
  load(route, isArrival)
}

/** Reloads the page to show a change, unless the user is entering or answering something there. */
function refresh(): void {
  if (!hasInput(shell.main) && document.querySelector('dialog[open]') === null) load(parseRoute(location.hash), false)
}

const scenarios = createScenarioSwitch(refresh)

document.querySelector('#shop')?.append(shell.root, scenarios.root)
window.addEventListener('hashchange', () => open(true))
window.addEventListener('online', refresh)
window.addEventListener('focus', () => void scenarios.refresh())
open(false)
