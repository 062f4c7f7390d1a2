import { SESSION_HEADER, findSessionName } from './request-head.ts'

/** A `Headers` object, a record such as the headers of Node's `IncomingMessage`, or a request with either of them. */
export type HeadersSource =
  | { get(name: string): string | null | undefined }
  | { readonly headers: HeadersSource }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Checks the type because callers without TypeScript may pass anything, and because a record may have a header named `get`,
 * whose value is not a function.
 */
const hasGet = (source: object): source is { get(name: string): string | null | undefined } =>
  'get' in source && typeof source.get === 'function'

const hasHeaders = (source: object): source is { readonly headers: HeadersSource } =>
  'headers' in source && typeof source.headers === 'object' && source.headers !== null

function readHeader(source: HeadersSource, name: string): string | undefined {
  if (hasGet(source)) return source.get(name) ?? undefined
  if (hasHeaders(source)) return readHeader(source.headers, name)
  const [, value] = Object.entries(source).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : value?.join('; ')
}

/**
 * Returns the header that puts a server's own request in the session of the page request it is handling. The result is
 * empty if the page request has no session, as in production.
 *
 * @param source the page request, or its headers
 * @throws {TypeError} for a promise: `headers()` of Next.js must be awaited.
 * @example await fetch(`${API_URL}/acme/resource`, { headers: { ...forwardSession(request.headers) } })
 */
export function forwardSession(source: HeadersSource): Record<string, string> {
  if ('then' in source)
    throw new TypeError('forwardSession expects headers, not a promise. Use forwardSession(await headers()).')
  const session = findSessionName((name) => readHeader(source, name))
  return session === undefined ? {} : { [SESSION_HEADER]: session }
}
