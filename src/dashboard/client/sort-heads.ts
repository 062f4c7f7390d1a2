import { isSortKey, toAriaSort, toNextSort } from '../sort.ts'
import { findTarget } from './dom.ts'

/** Makes the names of the columns sort the list, by the field `sort` of the filter. Returns what marks the sorted one. */
export function bindSortHeads(
  table: HTMLElement,
  filter: HTMLFormElement,
  onChange: () => void,
): (sort: string) => void {
  table.addEventListener('click', (event) => {
    const key = findTarget(event, '[data-sort]')?.dataset['sort'] ?? ''
    const field = filter.elements.namedItem('sort')
    if (!isSortKey(key) || !(field instanceof HTMLInputElement)) return
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    field.value = toNextSort(key, field.value)
    onChange()
  })
  const links = [...table.querySelectorAll<HTMLElement>('[data-sort]')]
  return (sort) => {
    for (const link of links) {
      const marked = toAriaSort(link.dataset['sort'] ?? '', sort)
      if (marked === undefined) link.parentElement?.removeAttribute('aria-sort')
      else link.parentElement?.setAttribute('aria-sort', marked)
    }
  }
}
