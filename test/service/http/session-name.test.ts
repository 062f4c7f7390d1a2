import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { forwardSession } from '../../../src/service/http/forward-session.ts'
import type { HeadersSource } from '../../../src/service/http/forward-session.ts'
import { findSessionName } from '../../../src/service/http/request-head.ts'

describe('the session of a request', () => {
  it.each([
    ['the header rather than the cookie', { 'X-Mock-Session': 'h', Cookie: 'mock-session=c' }, 'h'],
    ['the cookie', { Cookie: 'a=b; mock-session=c; d=e' }, 'c'],
    ['a quoted cookie', { Cookie: 'mock-session="c"' }, 'c'],
    ['no cookie with a longer name', { Cookie: 'x-mock-session=c' }, undefined],
    ['nothing if there is neither header nor cookie', {}, undefined],
  ])('is named by %s', (_what, given, name) => {
    const headers = new Headers(Object.entries(given))
    expect(findSessionName((header) => headers.get(header) ?? undefined)).toBe(name)
  })
})

/** As Node's server provides it. */
function createIncoming(headers: Readonly<Record<string, string>>): IncomingMessage {
  const message = new IncomingMessage(new Socket())
  Object.assign(message.headers, headers)
  return message
}

describe('forwardSession', () => {
  const cookie = 'theme=dark; mock-session=worker-1'

  it.each<[what: string, source: HeadersSource]>([
    ['Headers', new Headers({ Cookie: cookie })],
    ['Headers with the header', new Headers({ 'X-Mock-Session': 'worker-1' })],
    ['a Request', new Request('http://app', { headers: { 'X-Mock-Session': 'worker-1' } })],
    ['an IncomingMessage', createIncoming({ cookie })],
    ['the headers of an IncomingMessage', createIncoming({ cookie }).headers],
    ['a plain object', { Cookie: cookie }],
    ['a plain object with the header in any case', { 'X-Mock-Session': 'worker-1' }],
    ['several cookie headers', { cookie: ['theme=dark', 'mock-session=worker-1'] }],
  ])('names the session of %s', (_what, source) => {
    expect(forwardSession(source)).toEqual({ 'x-mock-session': 'worker-1' })
  })

  it.each<[what: string, source: HeadersSource]>([
    ['Headers', new Headers()],
    ['a plain object', { cookie: 'theme=dark' }],
    ['an IncomingMessage', createIncoming({})],
  ])('adds nothing for %s without a session', (_what, source) => {
    expect(forwardSession(source)).toEqual({})
  })

  it('reports that the headers of Next.js must be awaited', () => {
    const source: object = Promise.resolve(new Headers())
    expect(() => forwardSession(source as HeadersSource)).toThrow('Use forwardSession(await headers()).')
  })
})
