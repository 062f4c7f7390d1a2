import { html } from 'hono/html'
import type { JSX } from 'hono/jsx/jsx-runtime'

/** A page as the text of its document. What its parts are given was escaped where it was written into them. */
export async function toPageText(page: JSX.Element): Promise<string> {
  return String(await html`<!doctype html>${page}`)
}
