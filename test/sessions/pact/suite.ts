import type { Mock } from '../../../src/mock.ts'
import { stringifyJson } from '../../../src/service/http/json.ts'

/** A one-pixel GIF, the smallest possible. */
const gif = Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='), (character) => character.charCodeAt(0))

/** Secrets in the suite's requests, which must not appear in a pact. */
export const SECRET = 'the-token-of-the-suite'

interface Sending {
  readonly json?: unknown
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request to a mock in a session. */
export type Ask = (method: string, path: string, sending?: Sending) => Promise<Response>

/** Sends requests like a frontend's test suite, in its own session. */
export function createAsk(mock: Mock, session: string): Ask {
  return function ask(method, path, { json, body, headers = {} } = {}) {
    return mock.fetch(
      new Request(`http://mock/@${session}/acme/resource${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${SECRET}`,
          Cookie: `sid=${SECRET}`,
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body ?? (json === undefined ? null : stringifyJson(json)),
      }),
    )
  }
}

const LARGEST = 9_223_372_036_854_775_807n

/** Calls every operation of the contract, and triggers each of the usual errors. */
export async function runLifeCycle(ask: Ask): Promise<void> {
  const property = { arrayOfIntExample: [1, LARGEST], arrayOfFloatExample: [1.5, 2], arrayOfStringExample: ['oak'] }
  const created = await ask('POST', '', { json: { key: 'suite', objectTypeProperty: property } })
  const id = created.headers.get('Location')?.split('/').at(-1) ?? ''
  await ask('POST', '', { json: { objectTypeProperty: {} } })
  await ask('GET', `/${id}`)
  await ask('HEAD', `/${id}`)
  await ask('GET', '/key=suite')
  await ask('POST', `/${id}`, { json: { version: 1, actions: [{ action: 'changeSomeProperty', someProperty: 'a' }] } })
  await ask('POST', `/${id}`, { json: { version: 1, actions: [{ action: 'doSomeThing' }] } })
  await ask('POST', `/${id}`, { json: { version: 2, actions: [] } })
  await ask('POST', `/${id}`, { json: { version: 2, actions: [{ action: 'paint' }] } })
  await ask('PUT', '', { json: { key: 'suite', objectTypeProperty: { arrayOfObjectType: [{ integerExample: 1 }] } } })
  await ask('PATCH', '', { json: { objectTypeProperty: { arrayOfStringExample: ['ash', 'elm'] } } })
  await ask('PATCH', '', { json: { key: 'nobody', objectTypeProperty: {} } })
  await ask('POST', '/images?sku=suite&filename=a.gif', { body: gif, headers: { 'Content-Type': 'image/gif' } })
  await ask('POST', '/images?variant=2', { body: gif, headers: { 'Content-Type': 'image/gif' } })
  await ask('POST', '/images', { body: 'no image', headers: { 'Content-Type': 'text/plain' } })
  await ask('GET', '?limit=3&offset=1&stringParameter=oak')
  await ask('GET', '?limit=0')
  await ask('HEAD', '?stringParameter=elm')
  await ask('HEAD', '?stringParameter=nowhere')
  await ask('HEAD', '?arrayOfString=walnut')
  await ask('GET', '/searchApiPattern?text.en=oak&facet=arrayOfStringExample')
  await ask('GET', '/searchApiPattern?text.en=oak&facet=arrayOfIntExample&limit=0')
  await ask('GET', '/searchApiPattern?text.english=oak')
  const where = encodeURIComponent('key in :keys or objectTypeProperty(arrayOfStringExample contains any ("oak"))')
  await ask('GET', `/sorted-query-parameters?where=${where}&var.keys=suite&sort=version desc&sort=id&limit=2`)
  await ask('GET', `/sorted-query-parameters?where=${where}&var.keys=suite&limit=1&offset=1`)
  await ask('GET', '/sorted-query-parameters?where=version > 0&limit=1&offset=25')
  await ask(
    'GET',
    `/sorted-query-parameters?where=${encodeURIComponent('key in ("suite", "walnut-desk")')}&limit=1&offset=1`,
  )
  await ask('GET', '/sorted-query-parameters?where=nonsense')
  const complex = '/artificially-complex/path/uri-parameter-one=a%20b/c?queryParameterOne=1.5'
  await ask('POST', complex, {
    json: { id: '1', createdAt: '2024-01-01T00:00:00.000Z', createdBy: { firstName: 'A' } },
  })
  await ask('POST', complex, { json: { id: '1' } })
  await ask('POST', complex, { json: { id: '1' }, headers: { Prefer: 'code=203, example=custom2' } })
  await ask('POST', '/namespace-action', { json: { basket: [{ count: 2 }], note: null } })
  await ask('GET', '/namespace-action')
  await ask('GET', '/namespace-action-with-example')
  const localised = { Accept: 'application/json', 'Storefront-Locale': 'de-DE' }
  await ask('GET', '/namespace-action-with-headers', { headers: localised })
  await ask('GET', '/namespace-action-with-headers')
  await ask('GET', `/${id}`, { headers: { Authorization: `Basic ${btoa(`a:${SECRET}`)}` } })
  await ask('DELETE', `/${id}`, { headers: { Authorization: 'Bearer view_test:acme' } })
  await ask('DELETE', `/${id}?version=1`)
  await ask('DELETE', `/${id}`)
  await ask('GET', `/${id}`)
}
