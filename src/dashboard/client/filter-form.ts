import type { Filter } from '../filter.ts'

/** Reads the filter from its form. */
export function readFilter(form: HTMLFormElement): Filter {
  const chosen = new FormData(form)
  const read = (name: string): string => {
    const value = chosen.get(name)
    return typeof value === 'string' ? value : ''
  }
  return { text: read('text'), operation: read('operation'), status: read('status') }
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
