import type { ListPage } from '../rows.ts'
import { localize } from './localize.ts'

interface Policy {
  createHTML(text: string): string
}

/** With Trusted Types, only this policy turns text into markup, and only for pages of the mock. */
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

/** Loads a page of the dashboard. The server has escaped it, and nothing in it runs. */
export const loadPage = async (url: string): Promise<Document> =>
  readPage(await fetch(url, { headers: HEADERS, cache: 'no-store' }))

/** The page after a form was sent. */
export interface SentPage {
  readonly page: Document
  /** Its URL; undefined if the form was not redirected. */
  readonly address: string | undefined
}

/** Sends a form of the dashboard. */
export async function sendForm(action: string, body: URLSearchParams | FormData): Promise<SentPage> {
  const response = await fetch(action, { method: 'POST', body, headers: HEADERS, cache: 'no-store' })
  const url = new URL(response.url)
  // The notice is shown once.
  url.searchParams.delete('done')
  return { page: await readPage(response), address: response.redirected ? url.href : undefined }
}

/** Loads the newest requests, with what the text of the filter says of their bodies; undefined if the mock does not respond. */
export async function loadRows(address: string, limit: number, text: string): Promise<ListPage | undefined> {
  const url = new URL(address, location.href)
  url.searchParams.set('text', text)
  url.searchParams.set('limit', String(limit))
  try {
    const response = await fetch(url, { cache: 'no-store' })
    return response.ok ? ((await response.json()) as ListPage) : undefined
  } catch {
    return undefined
  }
}
