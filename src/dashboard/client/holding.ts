/** Whether somebody points at a line of the list, or has the focus there. */
export interface Holding {
  isHeld(): boolean
}

/** Watches a mouse over elements and the focus in one; calls back when either has left. A finger holds nothing. */
export function watchHolding(hovered: readonly HTMLElement[], focused: HTMLElement, onLeave: () => void): Holding {
  let isOver = false
  for (const element of hovered) {
    element.addEventListener('pointerenter', ({ pointerType }) => (isOver = pointerType === 'mouse'))
    element.addEventListener('pointerleave', () => {
      isOver = false
      // The pointer may have gone on to another one of them.
      setTimeout(onLeave)
    })
  }
  focused.addEventListener('focusout', () => setTimeout(onLeave))
  return { isHeld: () => isOver || focused.contains(document.activeElement) }
}
