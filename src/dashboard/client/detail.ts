import { announce } from './announce.ts'
import { expectElement } from './dom.ts'
import { hasEnded } from './ended.ts'
import { createLatestWins } from './latest-wins.ts'
import { loadPage } from './pages.ts'
import { morph } from './morph.ts'
import { localize } from './localize.ts'

/** The panel with the details of a request. */
export interface Detail {
  readonly id: string | undefined
  /** Whether it shows a successful retry. */
  readonly isMended: boolean
  open(id: string, how: { readonly takesFocus: boolean; readonly isNew: boolean }): void
  close(how: { readonly isNew: boolean }): void
  /** Loads the open request again. */
  reload(): void
}

interface DetailParts {
  /** The URL of a request, or of the list for the empty id. */
  readonly toHref: (id: string) => string
  readonly onChange: (id: string | undefined) => void
}

/** Below this width the panel covers everything else. */
const narrow = window.matchMedia('(max-width: 1080px)')

/** Makes everything under the panel inert while it is covered. */
function coverRest(isCovered: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>(
    '.side, .view-requests > :not(.split, #notice), .list',
  )) {
    element.inert = isCovered
  }
}

/** The content of the panel while its request cannot be loaded. */
function toWaiting(sentence: string, href: string): readonly HTMLElement[] {
  const [text, close] = [document.createElement('p'), document.createElement('a')]
  text.textContent = sentence
  Object.assign(close, { id: 'close', className: 'button small', href, textContent: 'Close' })
  return [text, close]
}

/** Makes the panel live, with the request in the URL. */
export function createDetail({ toHref, onChange }: DetailParts): Detail {
  const panel = expectElement('detail', HTMLElement)
  const split = panel.parentElement
  let openId = new URLSearchParams(location.search).get('request') ?? undefined
  /** The request that the panel shows or waits for. */
  let shownId = openId
  let isWaiting = false
  const order = createLatestWins()
  /** What had the focus when a request was opened that is to take it; undefined if none is. */
  let left: Element | null | undefined

  /** Says why the request is not shown; if it is already shown, it stays. */
  function wait(id: string, sentence: string): void {
    announce(sentence)
    if (shownId === id) return
    shownId = id
    isWaiting = true
    panel.replaceChildren(...toWaiting(sentence, toHref('')))
  }

  async function load(id: string): Promise<void> {
    if (hasEnded()) return wait(id, 'The session has ended and its requests are gone.')
    const asked = order.ask()
    const page = await loadPage(`${toHref(id)}&part=detail`).catch(() => undefined)
    // Another request was opened meanwhile, or a later response arrived first.
    if (openId !== id || !order.accept(asked)) return
    if (page === undefined) return wait(id, 'The mock is not responding. The request appears when it does.')
    const loaded = page.getElementById('detail')
    // An error page, for example because a token is now needed.
    if (loaded === null) return location.assign(toHref(id))
    const isSame = shownId === id && !isWaiting
    const isOpened = left !== undefined
    // Do not take the focus if it has moved since.
    const hasStayed = isOpened && [left, document.body].includes(document.activeElement)
    const takesHeading = hasStayed || (!isSame && panel.contains(document.activeElement))
    left = undefined
    shownId = id
    isWaiting = false
    if (isSame) morph(panel, loaded)
    else panel.replaceChildren(...loaded.childNodes)
    if (isOpened) panel.scrollTop = 0
    if (takesHeading) panel.querySelector('h2')?.focus({ preventScroll: true })
  }

  function arrange(): void {
    panel.hidden = openId === undefined
    split?.toggleAttribute('data-split', openId !== undefined)
    coverRest(openId !== undefined && narrow.matches)
    onChange(openId)
  }

  narrow.addEventListener('change', arrange)
  localize(panel)
  arrange()
  return {
    get id() {
      return openId
    },
    get isMended() {
      return panel.querySelector('.recovery') !== null
    },
    open(id, { takesFocus, isNew }) {
      if (isNew && openId !== id) {
        // The back button leads to the list, however many requests were opened.
        if (openId === undefined) history.pushState(undefined, '', toHref(id))
        else history.replaceState(undefined, '', toHref(id))
      }
      openId = id
      left = takesFocus ? document.activeElement : undefined
      arrange()
      void load(id)
    },
    close({ isNew }) {
      if (openId === undefined) return
      openId = undefined
      shownId = undefined
      panel.replaceChildren()
      if (isNew) history.pushState(undefined, '', toHref(''))
      arrange()
    },
    reload() {
      if (openId !== undefined) void load(openId)
    },
  }
}
