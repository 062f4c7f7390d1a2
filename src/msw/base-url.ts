import { SetupError } from '../errors.ts'
import { showValue } from '../http/show-value.ts'

/** The address of the API that an app calls. */
export interface BaseAddress {
  /** Such as `https://api.example.com/v1`, without a slash at its end. */
  readonly url: string
  /** Its path alone, such as `/v1`; the empty string for none. */
  readonly path: string
}

/** The address of the page, if there is one: in a browser, a worker or jsdom. */
const findPage = (): string | undefined => {
  const { location } = globalThis as { readonly location?: { readonly href: string } }
  return location?.href
}

const noBase = (given: unknown): SetupError =>
  new SetupError(
    `${showValue(given)} is not the base URL of an API. Give one such as https://api.example.com, or in a page a path such as /api.`,
  )

/**
 * Reads a base URL: an absolute one, or in a page a path.
 *
 * @throws {SetupError} for anything else.
 */
export function parseBase(given: string | URL): BaseAddress {
  const text = given instanceof URL ? given.href : given
  // Callers without TypeScript may pass anything.
  if (typeof text !== 'string') throw noBase(text)
  const page = text.startsWith('/') ? findPage() : undefined
  const url = URL.canParse(text, page) ? new URL(text, page) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw noBase(text)
  }
  if (/\/@/.test(url.pathname)) {
    throw new SetupError(
      `The base URL ${text} names a session. Remove the session from it, and pass the session instead of the mock: handlers(url, mock.session(name)).`,
    )
  }
  const path = url.pathname.replace(/\/+$/, '')
  return { url: url.origin + path, path }
}

/** Matches the base URL and everything below it. */
export const toPattern = ({ url }: BaseAddress): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?:/|$)`)
