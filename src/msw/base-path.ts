import type { BaseAddress } from './base-url.ts'

/** What an answer says of where things are, as a path (D5). */
const PLACES = ['Location', 'Content-Location']

/**
 * The request as the mock knows it, which stands at the root of its host. By which name a network found the way is
 * nothing to the mock: there was none.
 */
export async function toMockRequest(request: Request, { url, path }: BaseAddress): Promise<Request> {
  const { method, signal } = request
  const headers = new Headers(request.headers)
  headers.delete('Host')
  const target = request.url.slice(url.length).replace(/^\//, '')
  const root = url.slice(0, url.length - path.length)
  // Not in every browser is a request a template for another: not all of them tell its body.
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  return new Request(`${root}/${target}`, { method, headers, signal, body })
}

/** The answer as a client that asked below the base path knows it. */
export function withBasePath(response: Response, { path }: BaseAddress): Response {
  if (path === '') return response
  for (const name of PLACES) {
    const place = response.headers.get(name)
    if (place?.startsWith('/') === true) response.headers.set(name, path + place)
  }
  return response
}
