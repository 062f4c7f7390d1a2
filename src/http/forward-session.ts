import { SESSION_HEADER, findSessionName } from './session-name.ts'

/** Headers as a `Headers` object, as a record such as that of Node's `IncomingMessage`, or a request that has them. */
export type HeadersSource =
  | { get(name: string): string | null | undefined }
  | { readonly headers: HeadersSource }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Callers without TypeScript may pass anything; a header may be named `get`, but no text can be called. */
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
 * The header that sends a server's own request in the session of the page request that it serves. Empty where that request
 * names no session, as in production.
 *
 * @param source the page's request, or its headers
 * @throws {TypeError} for a promise: `headers()` of Next.js has to be awaited.
 * @example await fetch(`${API_URL}/acme/resource`, { headers: { ...forwardSession(request.headers) } })
 */
export function forwardSession(source: HeadersSource): Record<string, string> {
  if ('then' in source)
    throw new TypeError('forwardSession was given a promise. Write forwardSession(await headers()).')
  const session = findSessionName((name) => readHeader(source, name))
  return session === undefined ? {} : { [SESSION_HEADER]: session }
}
