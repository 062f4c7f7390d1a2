import { findTarget } from './dom.ts'

// What someone holds in the page: what is under a pressed pointer or key must not move, or it is not clicked, and a text
// that is selected must not go.

let isDown = false
/** Who waits for the hands to be free. */
const waiting: (() => void)[] = []

/** Whether the pointer or a key is pressed, so that a click may come of it. */
export const isPressed = (): boolean => isDown

/** Resolves once nothing is pressed. */
export const untilFree = (): Promise<void> =>
  isDown ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()

/** Whether a text is selected in an element, such as to be copied. */
export function isSelected(element: Element): boolean {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true)
}

/** Hears the pointer before anything in the page does. */
const watch = (
  kind: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
  hear: (event: PointerEvent) => void,
): void => document.addEventListener(kind, hear, { capture: true, passive: true })

/** Calls back when someone lets go: the pointer, a selected text, or a field. */
export function watchHands(onFree: () => void): void {
  function release(): void {
    if (!isDown) return
    // The click comes first.
    setTimeout(() => {
      isDown = false
      for (const resolve of waiting.splice(0)) resolve()
      onFree()
    })
  }
  watch('pointerdown', ({ button }) => {
    if (button === 0) isDown = true
  })
  watch('pointerup', release)
  watch('pointercancel', release)
  // Let go where no event tells, such as on a scroll bar.
  watch('pointermove', ({ buttons }) => {
    if (buttons === 0) release()
  })
  // A button is pressed by the space bar when that is let go.
  document.addEventListener('keydown', (event) => {
    if (event.key === ' ' && findTarget(event, 'button') !== undefined) isDown = true
  })
  document.addEventListener('keyup', release)
  window.addEventListener('blur', release)
  document.addEventListener('selectionchange', () => {
    if (getSelection()?.isCollapsed !== false) onFree()
  })
  document.addEventListener('focusout', () => setTimeout(onFree))
}
