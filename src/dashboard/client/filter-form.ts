import type { Filter } from '../filter.ts'
import { findTarget } from './dom.ts'

/** Reads the filter from its form. */
export function readFilter(form: HTMLFormElement): Filter {
  const chosen = new FormData(form)
  const read = (name: string): string => {
    const value = chosen.get(name)
    return typeof value === 'string' ? value : ''
  }
  return { text: read('text'), operation: read('operation'), status: read('status'), sort: read('sort') }
}

/** Writes the filter of a URL into its form. */
export function writeFilter(form: HTMLFormElement, asked: URLSearchParams): void {
  for (const name of Object.keys(readFilter(form))) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = asked.get(name) ?? ''
  }
}

/** The URL of a request, or of the list for the empty id, with the filter. */
export function toListHref(address: string, id: string, form: HTMLFormElement): string {
  const url = new URL(address, location.href)
  const chosen: Readonly<Record<string, string>> = { request: id, ...readFilter(form) }
  for (const [name, value] of Object.entries(chosen)) {
    if (value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.pathname + url.search
}

/** Calls back when the filter is changed, and when Enter is pressed in its text. */
export function bindFilter(form: HTMLFormElement, onChange: () => void, onEnter: () => void): void {
  form.addEventListener('input', (event) => {
    if (findTarget(event, '[name=from]') === undefined) onChange()
  })
  form.addEventListener('change', (event) => {
    // Another selection of sessions is another page.
    if (findTarget(event, '[name=from]') !== undefined) form.submit()
  })
  form.addEventListener('submit', (event) => {
    if (!(document.activeElement instanceof HTMLInputElement)) return
    event.preventDefault()
    onEnter()
  })
}
