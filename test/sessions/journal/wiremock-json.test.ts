import { describe, expect, it } from 'vitest'
import { findNearMisses, findNearRequests } from '../../../src/sessions/journal/near-misses.ts'
import { matchEntries, parsePattern } from '../../../src/sessions/journal/patterns.ts'
import {
  parseRequestLine,
  toWireMockRequest,
  toOperationNearMiss,
  toRequestNearMiss,
  toWireMockEvent,
} from '../../../src/sessions/journal/wiremock-json.ts'
import { toTestEntry, toUnmatched } from './exchanges.ts'

describe('a logged request', () => {
  it('has the members of WireMock, and extensions', () => {
    const entry = toTestEntry({
      url: 'http://localhost:4010/@s1/acme/resource?tag=a&tag=b',
      session: 's1',
      requestHeaders: new Headers({ Accept: 'a/b', Cookie: 'theme=dark' }),
      requestBody: 'ä',
      scenarios: ['slow'],
      warnings: ['D4 Unknown'],
    })
    expect(toWireMockRequest(entry)).toEqual({
      url: '/@s1/acme/resource?tag=a&tag=b',
      absoluteUrl: 'http://localhost:4010/@s1/acme/resource?tag=a&tag=b',
      method: 'POST',
      clientIp: '127.0.0.1',
      headers: { accept: 'a/b', cookie: 'theme=[redacted]' },
      cookies: { theme: '[redacted]' },
      browserProxyRequest: false,
      loggedDate: 1769860800000,
      loggedDateString: '2026-01-31T12:00:00.000Z',
      bodyAsBase64: 'w6Q=',
      body: 'ä',
      scheme: 'http',
      host: 'localhost',
      port: 4010,
      queryParams: { tag: { key: 'tag', values: ['a', 'b'] } },
      id: 'entry-1',
      session: 's1',
      correlationId: 'correlation-1',
      operation: 'createResource',
      projectKey: 'acme',
      scenarios: ['slow'],
      warnings: ['D4 Unknown'],
    })
  })

  it.each([
    ['http://mock/', { scheme: 'http', host: 'mock', port: 80, url: '/' }],
    ['https://mock/a', { scheme: 'https', host: 'mock', port: 443, url: '/a' }],
    ['http://[::1]:4010/a', { scheme: 'http', host: '[::1]', port: 4010, url: '/a' }],
  ])('of %s has its destination', (url, expected) => {
    expect(toWireMockRequest(toTestEntry({ url }))).toMatchObject(expected)
  })

  it('has bytes as base64, and empty text', () => {
    const entry = toTestEntry({ requestBody: Uint8Array.of(0xff, 0xfe) })
    expect(toWireMockRequest(entry)).toMatchObject({ body: '', bodyAsBase64: '//4=' })
    expect(toWireMockRequest(toTestEntry({ requestBody: undefined }))).toMatchObject({ body: '', bodyAsBase64: '' })
  })

  it('has the original size of a truncated body', () => {
    expect(toWireMockRequest(toTestEntry({ requestBody: 'x'.repeat(70_000) }))).toMatchObject({ bodySize: 70_000 })
  })

  it('can be sent back to find similar ones', () => {
    const logged = toWireMockRequest(toUnmatched('POST', '/acme/resources'))
    expect(findNearMisses({ request: parseRequestLine(logged) })[0]?.operation).toBe('createResource')
    expect(parseRequestLine({ method: 'get', url: '/acme' })).toEqual({ method: 'GET', url: '/acme' })
  })

  it.each([
    [null, 'request: expected an object, got null.'],
    [{ url: '/' }, 'method: expected a string, got null.'],
    [{ method: 'GET', url: 1 }, 'url: expected a string, got 1.'],
  ])('that is %j is refused if it is sent back', (json, message) => {
    expect(() => parseRequestLine(json)).toThrow(`Malformed pattern: ${message}`)
  })
})

describe('a serve event', () => {
  it('has the members of WireMock, and extensions', () => {
    expect(toWireMockEvent(toTestEntry())).toMatchObject({
      id: 'entry-1',
      request: { method: 'POST', url: '/acme/resource' },
      responseDefinition: {
        status: 201,
        headers: { 'content-type': 'application/json; charset=utf-8', 'x-mock-operation': 'createResource' },
        body: '{"version":1}',
        fromConfiguredStub: true,
      },
      response: { status: 201, body: '{"version":1}', bodyAsBase64: 'eyJ2ZXJzaW9uIjoxfQ==' },
      wasMatched: true,
      timing: { addedDelay: 0, processTime: 5, responseSendTime: 0, serveTime: 5, totalTime: 5 },
      operation: 'createResource',
      session: 'default',
      correlationId: 'correlation-1',
      scenarios: [],
      warnings: [],
    })
  })

  it('tells the delay that was added from the time of the mock', () => {
    const { timing } = toWireMockEvent(toTestEntry({ durationMilliseconds: 305.4, addedDelay: 300 }))
    expect(timing).toEqual({ addedDelay: 300, processTime: 5, responseSendTime: 0, serveTime: 5, totalTime: 305 })
  })

  it('of a request that matched no operation was not matched', () => {
    expect(toWireMockEvent(toUnmatched('GET', '/nowhere'))).toMatchObject({
      wasMatched: false,
      responseDefinition: { status: 404, fromConfiguredStub: false },
    })
  })

  it('names the fault that ended it', () => {
    const entry = toTestEntry({ status: 0, fault: 'EMPTY_RESPONSE', responseBody: undefined, responseHeaders: {} })
    expect(toWireMockEvent(entry)).toMatchObject({
      responseDefinition: { status: 0, fault: 'EMPTY_RESPONSE' },
      response: { status: 0, fault: 'EMPTY_RESPONSE' },
    })
  })

  it('lists several values of one header, and bytes as base64', () => {
    const responseHeaders = new Headers([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ])
    const event = toWireMockEvent(toTestEntry({ responseHeaders, responseBody: Uint8Array.of(0xff) }))
    expect(event.responseDefinition).toMatchObject({
      headers: { 'set-cookie': ['a=[redacted]', 'b=[redacted]'] },
      base64Body: '/w==',
    })
    expect(event.responseDefinition).not.toHaveProperty('body')
  })
})

describe('a near miss', () => {
  it("of a request names the operation in place of WireMock's stub", () => {
    const entry = toUnmatched('POST', '/acme/resources')
    const [miss] = findNearMisses(entry)
    expect(miss && toOperationNearMiss(entry, miss)).toMatchObject({
      request: { method: 'POST', url: '/acme/resources' },
      stubMapping: { name: 'createResource', request: { method: 'POST', urlPathTemplate: '/{projectKey}/resource' } },
      matchResult: { distance: miss?.distance },
      message: expect.stringContaining('nearest is POST /{projectKey}/resource'),
      differences: [{ member: 'path' }],
    })
    expect(miss && toOperationNearMiss(undefined, miss)).not.toHaveProperty('request')
  })

  it('of a pattern names the request and the pattern', async () => {
    const pattern = parsePattern({ method: 'PUT', urlPath: '/acme/resource' })
    const [miss] = await findNearRequests(pattern, matchEntries(pattern, [{ entry: toTestEntry() }]))
    expect(miss && toRequestNearMiss(pattern, miss)).toMatchObject({
      request: { id: 'entry-1' },
      requestPattern: { method: 'PUT', urlPath: '/acme/resource' },
      matchResult: { distance: 1 / 2 },
      differences: [{ member: 'method', expected: 'PUT', actual: 'POST' }],
    })
  })
})
