import { parseJson, stringifyJson } from '../../../src/service/http/json.ts'
import type { Bend } from './bends.ts'

const UUID = /([\da-f]{8})-([\da-f]{4})-([\da-f]{4})-([\da-f]{4})-([\da-f]{12})/g
const OWN_ID = /r([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})z/g

const toOwnIds = (text: string): string => text.replace(UUID, 'r$1$2$3$4$5z')
const toUuids = (text: string): string => text.replace(OWN_ID, '$1-$2-$3-$4-$5')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same errors in other words, and members beyond the documented ones. */
function reword(body: unknown): void {
  if (!isObject(body)) return
  if ('statusCode' in body) {
    const message = 'Das geht so nicht.'
    Object.assign(body, { message, timestamp: '2026-01-01T00:00:00Z' })
    if ('error_description' in body) body['error_description'] = message
    for (const error of body['errors'] as Record<string, unknown>[]) {
      error['message'] = message
      if ('detailedErrorMessage' in error) error['detailedErrorMessage'] = 'Irgendwo ist ein Fehler.'
      if (typeof error['invalidValue'] !== 'undefined') delete error['invalidValue']
    }
  }
  if ('objectTypeProperty' in body) body['createdBy'] = { clientId: 'somebody' }
  if ('results' in body) body['took'] = 3
  // D14: the terms of a number field may be texts.
  const facets = isObject(body['facets']) ? Object.values(body['facets']) : []
  for (const terms of facets.map((facet) => (isObject(facet) ? facet['terms'] : undefined))) {
    if (!Array.isArray(terms)) continue
    for (const one of terms) if (isObject(one)) one['term'] = String(one['term'])
  }
}

/** RFC 9110 leaves the order of these, and additional values, open. */
function rephrase(headers: Headers): void {
  headers.set('Server', 'other/2.0')
  headers.set('Cache-Control', 'no-store')
  for (const name of ['Location', 'Content-Location']) {
    const place = headers.get(name)
    if (place !== null) headers.set(name, `https://api.example.com/v1${toOwnIds(place)}`)
  }
  const allow = headers.get('Allow')
  if (allow !== null)
    headers.set(
      'Allow',
      allow
        .split(', ')
        .filter((name) => !/HEAD|OPTIONS/.test(name))
        .toReversed()
        .join(','),
    )
  if (allow?.startsWith('POST, OPTIONS') === true) headers.set('Allow', 'POST')
  if (headers.get('Content-Type')?.startsWith('application/json') === true)
    headers.set('Content-Type', 'application/json')
  const challenge = headers.get('WWW-Authenticate')
  if (challenge !== null) headers.set('WWW-Authenticate', challenge.replace('Bearer ', 'Bearer charset="UTF-8", '))
  for (const name of Array.from(headers.keys())) if (name.startsWith('x-mock')) headers.delete(name)
}

/** A correct third-party service: other ids, other words, more headers and members, slower. */
export const stranger: Bend = (fetch) => async (request) => {
  const text = request.headers.get('Content-Encoding') === null ? await request.clone().text() : ''
  const isText = text.startsWith('{') && text.includes('z')
  // D21: a variant past int32 may match no variant.
  const url = toUuids(request.url.replace(/%72(?=[\da-f]{32}z)/, 'r')).replace(
    'variant=2147483648',
    'variant=2147483647',
  )
  const { method, headers } = request
  const sent = isText ? new Request(url, { method, headers, body: toUuids(text) }) : new Request(url, request)
  await new Promise((resolve) => setTimeout(resolve, 1))
  const response = await fetch(sent)
  const answered = await response.text()
  const changed = new Headers(response.headers)
  rephrase(changed)
  if (answered === '') return new Response(null, { status: response.status, headers: changed })
  const body = parseJson(answered)
  reword(body)
  return new Response(toOwnIds(stringifyJson(body, 2)), { status: response.status, headers: changed })
}
