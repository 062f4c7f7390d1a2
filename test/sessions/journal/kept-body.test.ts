import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KEPT_BYTES, toBodyAsBase64, toKeptBody, toRecordedBody } from '../../../src/sessions/journal/record.ts'

const keep = (body: string | Uint8Array) => toKeptBody(toRecordedBody(body))
const bytesOf = (text: string) => new TextEncoder().encode(text)
/** A euro sign takes three bytes, so that 64 KiB end inside one. */
const EUROS = '€'.repeat(KEPT_BYTES)

describe('a body', () => {
  it.each([
    ['text', 'äöü', { text: 'äöü', encoding: 'utf-8', size: 6, isCut: false }],
    ['bytes of text', bytesOf('{"a":"ä"}'), { text: '{"a":"ä"}', encoding: 'utf-8', size: 10, isCut: false }],
    ['binary bytes', Uint8Array.of(0x89, 0x50, 0xff), { text: 'iVD/', encoding: 'base64', size: 3, isCut: false }],
    [
      'a byte order mark',
      Uint8Array.of(0xef, 0xbb, 0xbf),
      { text: '\uFEFF', encoding: 'utf-8', size: 3, isCut: false },
    ],
  ])('of %s is kept whole', (_what, body, kept) => {
    expect(keep(body)).toEqual(kept)
  })

  it('that is empty is undefined', () => {
    expect(keep('')).toBeUndefined()
    expect(keep(new Uint8Array())).toBeUndefined()
    expect(toKeptBody(undefined)).toBeUndefined()
  })

  it.each([
    ['a long text', 'x'.repeat(KEPT_BYTES + 1), KEPT_BYTES, KEPT_BYTES + 1],
    ['a long text of multi-byte characters', EUROS, KEPT_BYTES - 1, KEPT_BYTES * 3],
    ['a short text of multi-byte characters', EUROS.slice(0, KEPT_BYTES / 2), KEPT_BYTES - 1, (KEPT_BYTES / 2) * 3],
    ['the bytes of a long text', bytesOf(EUROS), KEPT_BYTES - 1, KEPT_BYTES * 3],
  ])('of %s is truncated between two characters', (_what, body, length, size) => {
    const kept = keep(body)
    expect(kept).toMatchObject({ encoding: 'utf-8', size, isCut: true })
    expect(bytesOf(kept?.text ?? '')).toHaveLength(length)
    expect(kept?.text).not.toContain('\uFFFD')
  })

  it('with many non-text bytes is truncated too', () => {
    const kept = keep(new Uint8Array(KEPT_BYTES * 2).fill(0xff))
    expect(kept).toMatchObject({ encoding: 'base64', size: KEPT_BYTES * 2, isCut: true })
    expect(atob(kept?.text ?? '')).toHaveLength(KEPT_BYTES)
  })

  it('that is small is recorded by reference, but not if it is a view of something large', () => {
    const small = bytesOf('small')
    expect(toRecordedBody(small)).toBe(small)
    const recorded = toRecordedBody(new Uint8Array(KEPT_BYTES * 4).subarray(0, 10))
    expect(recorded).toBeInstanceOf(Uint8Array)
    expect(recorded).toHaveProperty('buffer.byteLength', 10)
  })

  it('is never retained in full if it is large', () => {
    for (const body of ['x'.repeat(KEPT_BYTES * 3), Buffer.alloc(KEPT_BYTES * 3)]) {
      expect(toRecordedBody(body)).toHaveProperty('bytes.buffer.byteLength', KEPT_BYTES)
    }
  })

  it('is available as base64, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        const kept = keep(bytes)
        expect(kept && toBodyAsBase64(kept)).toBe(Buffer.from(bytes).toString('base64'))
      }),
    )
  })
})
