/** The element with an id that the page always has. */
export function expectElement<Kind extends HTMLElement>(
  id: string,
  kind: new () => Kind,
  from: Document = document,
): Kind {
  const found = from.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`The page has no #${id} that is a ${kind.name}.`)
}

/** The closest element around an event's target that matches a selector. */
export const findTarget = (event: Event, selector: string): HTMLElement | undefined =>
  event.target instanceof Element ? (event.target.closest<HTMLElement>(selector) ?? undefined) : undefined

/** Whether an element takes text, so that keys belong to it. */
export const isWriting = (element: Element | null): boolean =>
  element !== null && element.matches('input, textarea, select, [contenteditable]')

/** Calls `act` at once, then at most once per interval, and a last time after the last call. */
export function throttle(act: () => void, milliseconds: number): () => void {
  let isWaiting = false
  let isWanted = false
  return function run() {
    if (isWaiting) {
      isWanted = true
      return
    }
    isWaiting = true
    act()
    setTimeout(() => {
      isWaiting = false
      if (!isWanted) return
      isWanted = false
      run()
    }, milliseconds)
  }
}
