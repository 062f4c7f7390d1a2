import type { Detail } from './detail.ts'
import { isWriting } from './dom.ts'
import type { List } from './virtual-list.ts'

interface KeysParts {
  readonly list: List
  readonly detail: Detail
  readonly filter: HTMLFormElement
}

/** How long a row must have the focus before its request is opened, in milliseconds. */
const GLANCE = 90

/** Keyboard shortcuts of the Requests view: j and k or arrows, /, Escape. */
export function bindKeys({ list, detail, filter }: KeysParts): void {
  let glance: ReturnType<typeof setTimeout> | undefined

  /** Moves one row up or down; the open request follows. */
  function move(by: number): void {
    const from = list.focusedAt() === -1 && detail.id !== undefined ? list.placeOf(detail.id) : list.focusedAt()
    const at = Math.max(0, from + by)
    const id = list.idAt(at)
    if (id === undefined) return
    list.focus(at)
    const open = detail.id
    if (open === undefined) return
    clearTimeout(glance)
    glance = setTimeout(() => {
      // Unless it was closed or another one opened since.
      if (detail.id === open) detail.open(id, { takesFocus: false, isNew: true })
    }, GLANCE)
  }

  function leave(): void {
    const id = detail.id
    if (id === undefined) return
    detail.close({ isNew: true })
    list.focus(list.placeOf(id))
  }

  const search = filter.querySelector<HTMLInputElement>('input[type=search]')

  document.addEventListener('keydown', (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
    const focused = document.activeElement
    if (event.key === 'Escape') {
      if (focused !== search) leave()
      else search?.blur()
      return
    }
    if (isWriting(focused)) return
    const isInList = focused === document.body || focused?.closest('.list') !== null
    const down = event.key === 'j' || (event.key === 'ArrowDown' && isInList)
    const up = event.key === 'k' || (event.key === 'ArrowUp' && isInList)
    if (down || up) move(down ? 1 : -1)
    else if (event.key === '/') search?.focus()
    else return
    event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.target.closest('#close') === null) return
    event.preventDefault()
    leave()
  })
}
