import { isAbort, isFailure } from './api/failure.ts'
import { toLoading, toProblem } from './views/states.ts'
import { element } from './ui/element.ts'
import { say, sayWhile, tellListeners } from './ui/notice.ts'
import { go } from './route.ts'

/** A language that a page of the shop can have. */
export type Language = 'en-GB' | 'de-DE'

/** The page's title, and its language if that is not English. */
interface Heading {
  readonly title: string
  readonly lang: Language
}

/** The interface with which a view renders itself. It belongs to one visit, and does nothing once the user has left. */
export interface Page {
  /** Aborted when the user leaves the page. */
  readonly signal: AbortSignal
  /** Shows content under a heading, which gets the focus if the user has just arrived. */
  show(heading: string | Heading, ...content: readonly Node[]): void
  /** Reloads the page. */
  readonly reload: () => void
  /** Reports that an action has ended, and opens the next page unless the user has opened another one in the meantime. */
  finish(hash: string, sentence: string): void
}

interface Visit {
  readonly main: HTMLElement
  readonly signal: AbortSignal
  readonly reload: () => void
  /** Whether the heading gets the focus: a screen reader then announces the page. */
  readonly takesFocus: () => boolean
  /** Called with the language of what is shown, so that the rest of the shop can follow. */
  readonly onLanguage: (lang: Language) => void
}

/** Renders a view in the page's main part: first a loading state, then the content or the failure. */
export async function visit(
  view: (page: Page) => Promise<void>,
  { main, signal, reload, takesFocus, onLanguage }: Visit,
) {
  let isShown = false
  const takeBack = sayWhile('Loading…')
  signal.addEventListener('abort', takeBack)

  function show(named: string | Heading, ...content: readonly Node[]): void {
    if (signal.aborted) return
    const { title, lang } = typeof named === 'string' ? { title: named, lang: 'en-GB' as const } : named
    const heading = element('h1', { tabindex: -1 }, title)
    onLanguage(lang)
    document.title = `${title} · Odd Shelf`
    takeBack()
    main.removeAttribute('aria-busy')
    main.replaceChildren(heading, ...content)
    if (!isShown && takesFocus()) heading.focus()
    isShown = true
  }

  function reloadHere(): void {
    if (!signal.aborted) reload()
  }

  function finish(hash: string, sentence: string): void {
    if (!signal.aborted) go(hash)
    say(sentence)
  }

  main.setAttribute('aria-busy', 'true')
  main.replaceChildren(toLoading())
  try {
    await view({ signal, show, reload: reloadHere, finish })
  } catch (fault) {
    if (isAbort(fault) || signal.aborted) return
    const { title, content } = toProblem(fault, reload)
    show(title, content)
    tellListeners(`${title}.`)
    // Anything else is an error of the page itself, for its developers to see.
    if (!isFailure(fault)) throw fault
  }
}
