/** What can take the focus. */
const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]'

/** What takes the place of a removed neighbor. */
const ITEMS = 'li, tr, [role="row"]'

/** Where the focus is, or was. */
interface FocusPlace {
  readonly element: HTMLElement
  /** Its ancestors from the closest on, and where in each it is. */
  readonly around: readonly { readonly parent: Element; readonly at: number; readonly isItem: boolean }[]
}

function toFocusPlace(element: HTMLElement): FocusPlace {
  const around: FocusPlace['around'][number][] = []
  for (let child: Element = element, parent = child.parentElement; parent !== null; parent = child.parentElement) {
    around.push({ parent, at: [...parent.children].indexOf(child), isItem: child.matches(ITEMS) })
    child = parent
  }
  return { element, around }
}

const isVisible = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })

function findHeading(part: Element): HTMLElement | undefined {
  const headings = [...part.querySelectorAll<HTMLElement>('h1, h2, h3')].filter(isVisible)
  const heading = headings.find(({ tagName }) => tagName === 'H1') ?? headings[0]
  if (heading !== undefined) heading.tabIndex = -1
  return heading
}

/** The element that gets the focus of one that went away: what took its place in a list, else the heading around it. */
function findSuccessor({ element, around }: FocusPlace): HTMLElement | undefined {
  // It was only moved.
  if (element.isConnected && isVisible(element)) return element
  for (const { parent, at, isItem } of around) {
    if (!parent.isConnected || !isVisible(parent)) continue
    const item = isItem ? parent.children[Math.min(at, parent.children.length - 1)] : undefined
    const controls = [...(item?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])]
    const successor = controls.find(isVisible) ?? findHeading(parent)
    if (successor !== undefined) return successor
  }
  return undefined
}

/** Whether nothing on the page has the focus, or what has it cannot be seen. */
export const hasLostFocus = (): boolean => {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || !isVisible(activeElement)
}

/** Keeps the focus on the page: an element that is removed hands it on. */
export function keepFocus(root: Element): void {
  let place: FocusPlace | undefined
  // A click beside all controls gives the focus up.
  document.addEventListener('pointerdown', () => (place = undefined), true)
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) place = toFocusPlace(target)
  })
  new MutationObserver(() => {
    if (place !== undefined && hasLostFocus()) findSuccessor(place)?.focus({ preventScroll: true })
  }).observe(root, { childList: true, subtree: true })
}
