import { SetupError } from '../errors.ts'
import { showValue } from '../http/show-value.ts'

/** Where an app believes its API to be. */
export interface BaseAddress {
  /** Such as `https://api.example.com/v1`, without a slash at its end. */
  readonly url: string
  /** Its path alone, such as `/v1`; the empty string for none. */
  readonly path: string
}

/** The page's address, where there is a page: in the browser, in a worker, in jsdom. */
const findPage = (): string | undefined => {
  const { location } = globalThis as { readonly location?: { readonly href: string } }
  return location?.href
}

const noBase = (given: unknown): SetupError =>
  new SetupError(
    `${showValue(given)} is no base URL of an API. Give one such as https://api.example.com, or a path such as /api where there is a page.`,
  )

/**
 * Reads a base URL: an absolute one, or the path of one where there is a page.
 *
 * @throws {SetupError} for anything else.
 */
export function parseBase(given: string | URL): BaseAddress {
  const text = given instanceof URL ? given.href : given
  // Whoever has no compiler may give anything.
  if (typeof text !== 'string') throw noBase(text)
  const page = text.startsWith('/') ? findPage() : undefined
  const url = URL.canParse(text, page) ? new URL(text, page) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw noBase(text)
  }
  if (/\/@/.test(url.pathname)) {
    throw new SetupError(
      `The base URL ${text} names a session. Give it without, and the session in place of the mock: handlers(url, mock.session(name)).`,
    )
  }
  const path = url.pathname.replace(/\/+$/, '')
  return { url: url.origin + path, path }
}

/** Matches the base URL, and all that is below it. */
export const toPattern = ({ url }: BaseAddress): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?:/|$)`)
