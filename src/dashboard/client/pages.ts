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

async function readPage(response: Response): Promise<Document> {
  const page = new DOMParser().parseFromString(policy.createHTML(await response.text()), 'text/html')
  localize(page)
  return page
}

/** Loads a page of the dashboard, which was escaped where it was written; nothing in it runs. */
export const loadPage = async (url: string): Promise<Document> =>
  readPage(await fetch(url, { headers: HEADERS, cache: 'no-store' }))

/** A page that a form led to. */
export interface SentPage {
  readonly page: Document
  /** Where it is, by which it can be opened again; undefined where the form was answered with the page itself. */
  readonly address: string | undefined
}

/** Sends a form of the dashboard. */
export async function sendForm(action: string, body: URLSearchParams | FormData): Promise<SentPage> {
  const response = await fetch(action, { method: 'POST', body, headers: HEADERS, cache: 'no-store' })
  const url = new URL(response.url)
  // Told of once.
  url.searchParams.delete('done')
  return { page: await readPage(response), address: response.redirected ? url.href : undefined }
}
