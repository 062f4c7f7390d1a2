import { useLayoutEffect, useState } from 'hono/jsx/dom'

/**
 * The address of the page is its state: `?view=data&resource=…`. The session is in the path (`/@worker-1/__admin`) or in
 * `?session=`, and stays the same until another page is loaded.
 */
export interface PageAddress {
  /** Empty for the first view. */
  readonly view: string
  readonly params: URLSearchParams
}

type AddressValues = Readonly<Record<string, string | undefined>>

const listeners = new Set<() => void>()

/** Parameters that decide which editor is open. */
const EDITED = ['view', 'project', 'base', 'resource', 'edit', 'operation', 'from']

/** The editors with text that is not saved. */
const unsaved = new Set<object>()
/** The address of the page, also while the history has gone to another one. */
let current = ''

/** Whether the user stays, to keep text that leaving for a URL would discard. */
function staysFor(href: string): boolean {
  const [from, to] = [new URL(current).searchParams, new URL(href, location.href).searchParams]
  if (unsaved.size === 0 || EDITED.every((name) => from.get(name) === to.get(name))) return false
  return !confirm('Your text is not saved. Leave and discard it?')
}

/** Shows the page of the current address. */
function showAddress(): void {
  current = location.href
  for (const listener of listeners) listener()
}

/** Follows the history, and asks before the page is left with text that is not saved. */
export function watchHistory(): void {
  current = location.href
  window.addEventListener('beforeunload', (event) => {
    if (unsaved.size > 0) event.preventDefault()
  })
  window.addEventListener('popstate', () => {
    if (staysFor(location.href)) history.pushState(null, '', current)
    else showAddress()
  })
}

/** Asks the user before text is discarded that is not saved. */
export function useUnsaved(isUnsaved: boolean): void {
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined
    const editor = {}
    unsaved.add(editor)
    return () => void unsaved.delete(editor)
  }, [isUnsaved])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The current address. The component renders again when it changes. */
export function useAddress(): PageAddress {
  const [, setSearch] = useState(location.search)
  useLayoutEffect(() => subscribe(() => setSearch(location.search)), [])
  const params = new URLSearchParams(location.search)
  return { view: params.get('view') ?? '', params }
}

function toHref(params: URLSearchParams): string {
  return params.size === 0 ? location.pathname : `${location.pathname}?${params}`
}

/** The URL of a view in the same session; parameters that are empty or undefined are left out. */
export function toView(view: string, values: AddressValues = {}): string {
  const params = new URLSearchParams()
  const session = new URLSearchParams(location.search).get('session')
  for (const [name, value] of Object.entries({ view, ...values, session: session ?? undefined })) {
    if (value !== undefined && value !== '') params.set(name, value)
  }
  return toHref(params)
}

/** The URL of this page with other parameters; an undefined one is removed. */
export function toHere(values: AddressValues): string {
  const params = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') params.delete(name)
    else params.set(name, value)
  }
  return toHref(params)
}

/** The URL of a view of another session. Opening it loads a new page. */
export function toSession(name: string, view = ''): string {
  // In the path of a file, `/@` names a folder.
  const { protocol, pathname } = location
  const shared = protocol === 'file:' ? pathname : pathname.replace(/\/@[^/]*/, '')
  const query = new URLSearchParams({ ...(view === '' ? {} : { view }), session: name })
  return `${shared}?${query}`
}

/**
 * Goes to a URL of this session without loading a page. `replace` adds no entry to the history, and discards text without
 * asking, since it follows from what the user did.
 */
export function go(href: string, how: 'push' | 'replace' = 'push'): void {
  if (href === `${location.pathname}${location.search}` || (how === 'push' && staysFor(href))) return
  if (how === 'push') history.pushState(null, '', href)
  else history.replaceState(null, '', href)
  showAddress()
}

/** A random UUID. `crypto.randomUUID` is missing over `http://` from another machine. */
export const createId = (): string =>
  '10000000-1000-4000-8000-100000000000'.replaceAll(/[018]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1))
    return (Number(digit) ^ (random & (15 >> (Number(digit) / 4)))).toString(16)
  })
