import { localize } from './localize.ts'

interface Policy {
  createHTML(text: string): string
}

/** Where the browser knows Trusted Types, this policy alone turns text into markup, and only for pages of the mock. */
const { trustedTypes } = window as Window & {
  readonly trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
}
const policy: Policy = trustedTypes?.createPolicy('dashboard', { createHTML: (text) => text }) ?? {
  createHTML: (text) => text,
}

const HEADERS = { Accept: 'text/html' }

/** Loads a page of the dashboard, which was escaped where it was written; nothing in it runs. */
export async function loadPage(url: string, init: RequestInit = {}): Promise<Document> {
  const response = await fetch(url, { ...init, headers: HEADERS, cache: 'no-store' })
  const page = new DOMParser().parseFromString(policy.createHTML(await response.text()), 'text/html')
  localize(page)
  return page
}

/** What tells one control from another across two versions of a page. */
const toKey = (element: Element): string =>
  [
    element.tagName,
    element.id,
    element.getAttribute('name'),
    element.getAttribute('aria-label'),
    element.textContent,
  ].join('\n')

/** Puts one element in the place of another, and the focus where it was. */
export function replace(old: Element, next: Element): void {
  const focused = document.activeElement
  const key = focused !== null && old.contains(focused) ? toKey(focused) : undefined
  old.replaceWith(next)
  if (key === undefined) return
  const again = [...next.querySelectorAll<HTMLElement>('a, button, input, select, summary, textarea')].find(
    (element) => toKey(element) === key,
  )
  const target = again ?? document.getElementById('main')
  target?.focus({ preventScroll: true })
}

/** Whether someone has begun to write in it, which must not be lost. */
const isBeingWritten = (element: Element): boolean =>
  element.contains(document.activeElement) && document.activeElement?.matches('input, textarea') === true

/** Puts what changed of a page into the one that is shown: its live regions, and nothing that is being written. */
export function refreshRegions(page: Document): void {
  for (const old of document.querySelectorAll('[data-live]')) {
    const next = page.getElementById(old.id)
    if (next === null || isBeingWritten(old) || next.outerHTML === old.outerHTML) continue
    replace(old, next)
  }
}

/** Puts parts of a page in the place of those that are shown, and its colours. */
export function replaceParts(page: Document, selectors: readonly string[]): void {
  document.documentElement.dataset['theme'] = page.documentElement.dataset['theme'] ?? 'auto'
  for (const selector of selectors) {
    const [old, next] = [document.querySelector(selector), page.querySelector(selector)]
    if (old !== null && next !== null) replace(old, next)
  }
}
