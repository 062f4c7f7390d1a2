import { findTarget } from './dom.ts'

// What someone holds in the page: an element under a pressed pointer or key must not move, or it is not clicked, and
// selected text must not change.

/** What is pressed. */
const pressed = new Set<'pointer' | 'space'>()
/** Callbacks waiting until nothing is pressed. */
const waiting: (() => void)[] = []

/** Whether the pointer or the space bar is pressed, so that a click may follow. */
export const isPressed = (): boolean => pressed.size > 0

/** Resolves once nothing is pressed. */
export const untilFree = (): Promise<void> =>
  isPressed() ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()

/** Whether text in an element is selected. */
export function isSelected(element: Element): boolean {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true)
}

/** Listens to the pointer before anything in the page does. */
const watch = (
  kind: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
  hear: (event: PointerEvent) => void,
): void => document.addEventListener(kind, hear, { capture: true, passive: true })

/** Calls back when the pointer, a text selection or a field is released. */
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
  // Released where no event is sent, such as on a scroll bar.
  watch('pointermove', ({ buttons }) => {
    if (buttons === 0) release('pointer')
  })
  // The space bar clicks when it is released.
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

/** Whether the mouse is over the list, or the focus is in it. */
export interface Holding {
  isHeld(): boolean
}

/** Watches the mouse over elements and the focus in one; calls back when either leaves. Touch does not count. */
export function watchHolding(hovered: readonly HTMLElement[], focused: HTMLElement, onLeave: () => void): Holding {
  let isOver = false
  for (const element of hovered) {
    element.addEventListener('pointerenter', ({ pointerType }) => (isOver = pointerType === 'mouse'))
    element.addEventListener('pointerleave', () => {
      isOver = false
      // The pointer may have moved to another of them.
      setTimeout(onLeave)
    })
  }
  focused.addEventListener('focusout', () => setTimeout(onLeave))
  return { isHeld: () => isOver || focused.contains(document.activeElement) }
}
