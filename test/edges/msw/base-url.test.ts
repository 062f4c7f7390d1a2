import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SetupError } from '../../../src/errors.ts'
import { handlers } from '../../../src/msw.ts'
import { parseBase } from '../../../src/edges/msw/handlers.ts'

describe('the base URL of handlers', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com', ''],
    ['https://API.example.com:443/', 'https://api.example.com', ''],
    ['http://localhost:4010/shop/v1/', 'http://localhost:4010/shop/v1', '/shop/v1'],
  ])('%s is %s', (text, url, path) => {
    expect(parseBase(text)).toEqual({ url, path })
  })

  it('may be a URL', () => {
    expect(parseBase(new URL('https://api.example.com/v1'))).toEqual({ url: 'https://api.example.com/v1', path: '/v1' })
  })

  it('may be a path on a page', () => {
    vi.stubGlobal('location', { href: 'http://localhost:5173/orders/1?a=b#c' })
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(parseBase('/api')).toEqual({ url: 'http://localhost:5173/api', path: '/api' })
  })

  it('names no session', () => {
    expect(() => handlers('https://api.example.com/@checkout')).toThrow(
      'The base URL https://api.example.com/@checkout names a session. Remove it from the URL, and pass the session instead of',
    )
  })

  it('does not hide an invalid option', () => {
    // @ts-expect-error -- as a caller without a compiler may pass it
    expect(() => handlers('https://api.example.com', { senario: 'slow' })).toThrow('Unknown option "senario".')
  })

  it.each<readonly [string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['5', 5],
    ['{"url":"https://api.example.com"}', { url: 'https://api.example.com' }],
  ])('cannot be %s', (shown, given) => {
    // @ts-expect-error -- as a caller without a compiler may pass it
    expect(() => handlers(given)).toThrow(
      `${shown} is not a valid base URL for an API. Use one such as https://api.example.com`,
    )
    // @ts-expect-error -- as a caller without a compiler may pass it
    expect(() => handlers(given)).toThrow(SetupError)
  })

  it('does not mistake an object with a member fetch for a mock', () => {
    // @ts-expect-error -- as a caller without a compiler may pass it
    expect(() => handlers('https://api.example.com', { fetch: true })).toThrow('Unknown option "fetch".')
  })

  it.each([
    '',
    '/api',
    'api.example.com',
    '*/api',
    'ftp://example.com',
    'https://example.com/?a',
    'https://example.com/#a',
  ])('cannot be %j', (text) => {
    expect(() => handlers(text)).toThrow(SetupError)
    expect(() => handlers(text)).toThrow(`${JSON.stringify(text)} is not a valid base URL for an API. Use one such as`)
  })
})
