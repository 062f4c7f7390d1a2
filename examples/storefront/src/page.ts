import { isAbort, isFailure } from './api/failure.ts'
import { toLoading, toProblem } from './views/states.ts'
import { element } from './ui/element.ts'
import { sayWhile, tellListeners } from './ui/notice.ts'

/** What a page is called, and in which language if not in the shop's own. */
interface Heading {
  readonly title: string
  readonly lang: string
}

/** What a view shows itself on; it is one visit's own, and silent once the person has gone elsewhere. */
export interface Page {
  /** Aborted when the person goes elsewhere. */
  readonly signal: AbortSignal
  /** Shows content under a heading, which gets the focus when the person has just come. */
  show(heading: string | Heading, ...content: readonly Node[]): void
  /** Loads the page again. */
  readonly reload: () => void
}

interface Visit {
  readonly main: HTMLElement
  readonly signal: AbortSignal
  readonly reload: () => void
  /** Whether the focus is to go to the heading: a reader hears where they are then. */
  readonly takesFocus: () => boolean
}

/** Runs a view on the page's main part: loading first, then what it shows, or why it cannot. */
export async function visit(view: (page: Page) => Promise<void>, { main, signal, reload, takesFocus }: Visit) {
  let isShown = false
  const takeBack = sayWhile('Loading…')
  signal.addEventListener('abort', takeBack)

  function show(named: string | Heading, ...content: readonly Node[]): void {
    if (signal.aborted) return
    const { title, lang } = typeof named === 'string' ? { title: named, lang: undefined } : named
    const heading = element('h1', { tabindex: -1, lang }, title)
    document.title = `${title} · Odd Shelf`
    takeBack()
    main.removeAttribute('aria-busy')
    main.replaceChildren(heading, ...content)
    if (!isShown && takesFocus()) heading.focus()
    isShown = true
  }

  main.setAttribute('aria-busy', 'true')
  main.replaceChildren(toLoading())
  try {
    await view({ signal, show, reload })
  } catch (fault) {
    if (isAbort(fault) || signal.aborted) return
    const { title, content } = toProblem(fault, reload)
    show(title, content)
    tellListeners(`${title}.`)
    // What is no failure of a call is a fault of the page itself, for its developers to see.
    if (!isFailure(fault)) throw fault
  }
}
