import { findTarget } from './dom.ts'

// What someone holds in the page: what is under a pressed pointer or key must not move, or it is not clicked, and a text
// that is selected must not go.

/** What is pressed. */
const pressed = new Set<'pointer' | 'space'>()
/** Callbacks waiting until nothing is pressed. */
const waiting: (() => void)[] = []

/** Whether the pointer or a key is pressed, so that a click may come of it. */
export const isPressed = (): boolean => pressed.size > 0

/** Resolves once nothing is pressed. */
export const untilFree = (): Promise<void> =>
  isPressed() ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()

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
export function watchInput(onFree: () => void): void {
  function release(what: 'pointer' | 'space'): void {
    if (!pressed.has(what)) return
    // The click comes first.
    setTimeout(() => {
      pressed.delete(what)
      if (isPressed()) return
      for (const resolve of waiting.splice(0)) resolve()
      onFree()
    })
  }
  watch('pointerdown', ({ button }) => {
    if (button === 0) pressed.add('pointer')
  })
  watch('pointerup', () => release('pointer'))
  watch('pointercancel', () => release('pointer'))
  // Let go where no event tells, such as on a scroll bar.
  watch('pointermove', ({ buttons }) => {
    if (buttons === 0) release('pointer')
  })
  // The space bar presses when it is let go.
  document.addEventListener('keydown', (event) => {
    if (event.key === ' ' && findTarget(event, 'button, summary') !== undefined) pressed.add('space')
  })
  document.addEventListener('keyup', ({ key }) => {
    if (key === ' ') release('space')
  })
  window.addEventListener('blur', () => {
    release('pointer')
    release('space')
  })
  document.addEventListener('selectionchange', () => {
    if (getSelection()?.isCollapsed !== false) onFree()
  })
  document.addEventListener('focusout', () => setTimeout(onFree))
}
