import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RedactedExchange } from '../../../src/sessions/journal/record.ts'
import { writeHar } from '../../../src/sessions/journal/har.ts'
import { readEntries } from '../../../src/sessions/journal/record.ts'
import { toTestEntry } from './exchanges.ts'
import type { ExchangeMembers } from './exchanges.ts'
import { har } from './har-rules.ts'

const creator = { name: 'resource-mock', version: '0.1.0' }

/** The titles of tests by session. */
const TITLES = new Map([['of-a-test', 'cart › saves']])

interface Archive {
  readonly log: {
    readonly pages: readonly object[]
    readonly entries: readonly { readonly pageref: string; readonly request: object; readonly response: object }[]
  }
}

async function toArchive(...entries: readonly RedactedExchange[]): Promise<Archive> {
  const unread = entries.map((entry) => ({ entry }))
  let text = ''
  for await (const piece of writeHar(readEntries(unread), creator, (name) => TITLES.get(name))) text += piece
  return JSON.parse(text) as Archive
}
const toHarEntry = async (members: ExchangeMembers) => (await toArchive(toTestEntry(members))).log.entries[0]

describe('an HTTP Archive', () => {
  it('names its creator', async () => {
    expect(await toArchive()).toEqual({ log: { version: '1.2', creator, pages: [], entries: [] } })
  })

  it('has a page for each session, named after its test', async () => {
    const { log } = await toArchive(
      toTestEntry({ session: 'own', time: 0 }),
      toTestEntry({ session: 'of-a-test', time: 1000 }),
      toTestEntry({ session: 'own', time: 2000 }),
    )
    expect(log.pages).toEqual([
      { id: 'own', title: 'own', startedDateTime: '1970-01-01T00:00:00.000Z', pageTimings: {} },
      { id: 'of-a-test', title: 'cart › saves', startedDateTime: '1970-01-01T00:00:01.000Z', pageTimings: {} },
    ])
    expect(log.entries.map(({ pageref }) => pageref)).toEqual(['own', 'of-a-test', 'own'])
  })

  it('contains a complete exchange', async () => {
    const entry = await toHarEntry({
      url: 'http://localhost:4010/acme/resource?tag=a&tag=b%20c',
      session: 's1',
      scenarios: ['slow'],
      warnings: ['D4 Unknown'],
      requestHeaders: new Headers({ 'Content-Type': 'application/json', Cookie: 'theme=dark' }),
      requestBody: '{"a":1}',
      responseHeaders: new Headers([
        ['Content-Type', 'text/plain'],
        ['Set-Cookie', 'a=1; Path=/'],
        ['Set-Cookie', 'b=2'],
      ]),
      responseBody: 'ä',
    })
    expect(entry).toEqual({
      pageref: 's1',
      startedDateTime: '2026-01-31T12:00:00.000Z',
      time: 4.5,
      request: {
        method: 'POST',
        url: 'http://localhost:4010/acme/resource?tag=a&tag=b%20c',
        httpVersion: 'HTTP/1.1',
        cookies: [{ name: 'theme', value: '[redacted]' }],
        headers: [
          { name: 'content-type', value: 'application/json' },
          { name: 'cookie', value: 'theme=[redacted]' },
        ],
        queryString: [
          { name: 'tag', value: 'a' },
          { name: 'tag', value: 'b c' },
        ],
        postData: { mimeType: 'application/json', text: '{"a":1}' },
        headersSize: -1,
        bodySize: 7,
      },
      response: {
        status: 201,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [
          { name: 'a', value: '[redacted]' },
          { name: 'b', value: '[redacted]' },
        ],
        headers: [
          { name: 'content-type', value: 'text/plain' },
          { name: 'set-cookie', value: 'a=[redacted]; Path=/' },
          { name: 'set-cookie', value: 'b=[redacted]' },
        ],
        content: { size: 2, mimeType: 'text/plain', text: 'ä' },
        redirectURL: '',
        headersSize: -1,
        bodySize: 2,
      },
      cache: {},
      timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 4.5, receive: 0 },
      _operation: 'createResource',
      _session: 's1',
      _scenarios: ['slow'],
      _warnings: ['D4 Unknown'],
      _correlationId: 'correlation-1',
    })
  })

  it('contains bytes as base64, both ways', async () => {
    const bytes = Uint8Array.of(0xff, 0xd8, 0xff)
    const entry = await toHarEntry({ requestBody: bytes, responseBody: bytes })
    expect(entry?.request).toMatchObject({ postData: { encoding: 'base64', text: '/9j/' } })
    expect(entry?.response).toMatchObject({ content: { encoding: 'base64', text: '/9j/', size: 3 } })
  })

  it('has no posted data and no text without a body', async () => {
    const entry = await toHarEntry({ requestBody: undefined, responseBody: undefined, responseHeaders: {} })
    expect(entry?.request).not.toHaveProperty('postData')
    expect(entry?.response).toHaveProperty('content', { size: 0, mimeType: 'x-unknown' })
  })

  it('notes the size of a truncated body', async () => {
    const entry = await toHarEntry({ responseBody: 'x'.repeat(70_000) })
    const content = { size: 70_000, comment: 'truncated: the first 65536 of 70000 bytes' }
    expect(entry?.response).toMatchObject({ content })
  })

  it('notes that there was no response to a fault', async () => {
    const entry = await toHarEntry({ status: 0, fault: 'CONNECTION_RESET_BY_PEER', responseBody: undefined })
    expect(entry?.response).toMatchObject({ status: -1, _error: 'CONNECTION_RESET_BY_PEER' })
  })

  it('notes that the client left before the response', async () => {
    const left = {
      status: 0,
      fault: 'CLIENT_DISCONNECTED',
      responseBody: undefined,
      clientLeft: true,
      tookEffect: true,
    }
    const entry = await toHarEntry(left)
    expect(entry).toMatchObject({ _clientLeft: true, _tookEffect: true })
    expect(entry?.response).toMatchObject({ status: -1, _error: 'CLIENT_DISCONNECTED' })
  })

  it('notes that the client left within the body', async () => {
    const entry = await toHarEntry({ status: 200, clientLeft: true })
    expect(entry?.response).toMatchObject({ status: 200, _error: 'CLIENT_DISCONNECTED' })
  })

  it('follows the rules of HAR 1.2, whatever its content', async () => {
    const body = fc.option(fc.oneof(fc.string(), fc.uint8Array()), { nil: undefined })
    const header = fc.stringMatching(/^[A-Za-z-]{1,10}$/)
    const headers = fc.dictionary(fc.oneof(header, fc.constantFrom('Cookie', 'Set-Cookie', 'Location')), header)
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          time: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }).map(Number),
          durationMilliseconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
          operation: fc.constantFrom(undefined, 'getAction'),
          url: fc.webUrl({ withQueryParameters: true }),
          requestHeaders: headers.map((one) => new Headers(one)),
          responseHeaders: headers,
          requestBody: body,
          responseBody: body,
          fault: fc.constantFrom(undefined, 'TIMEOUT'),
        }),
        async (members) => {
          const archive: unknown = await toArchive(toTestEntry(members))
          expect(har.safeParse(archive).error?.issues ?? []).toEqual([])
        },
      ),
    )
  })
})
