import { describe, expect, it } from 'vitest'
import { keepWarning, toWarningHeader, toWarningList } from '../../../src/service/contract/check.ts'

const many = (count: number, sentence = 'D4 unknown') =>
  Array.from({ length: count }, (_none, at) => `${sentence} ${at}`)

describe('toWarningHeader', () => {
  it('shows up to five', () => {
    expect(toWarningHeader(['D4 a', 'D9 b'])).toBe('D4 a, D9 b')
    expect(toWarningHeader(many(5))).toBe('D4 unknown 0, D4 unknown 1, D4 unknown 2, D4 unknown 3, D4 unknown 4')
  })

  it('counts the rest', () => {
    expect(toWarningHeader(many(7))).toMatch(/, D4 unknown 4, and 2 more$/)
  })

  it.each([
    ['ä', '\\u00e4'],
    ['a\r\nSet-Cookie: b', 'a\\u000d\\u000aSet-Cookie: b'],
    ['\u{1f600}', '\\ud83d\\ude00'],
    ['\u007f', '\\u007f'],
  ])('escapes %j', (warning, shown) => {
    expect(toWarningHeader([warning])).toBe(shown)
  })

  it.each([
    ['one long sentence', ['x'.repeat(5000)]],
    ['one long non-ASCII sentence', ['ä'.repeat(5000)]],
    ['many long sentences', many(1000, 'x'.repeat(400))],
    ['sentences that just fit', many(5, 'x'.repeat(198))],
  ])('stays within 1 KiB with %s', (_case, warnings) => {
    expect(toWarningHeader(warnings).length).toBeLessThanOrEqual(1024)
  })

  it('counts those that were dropped', () => {
    expect(toWarningHeader(many(5), 129_995)).toMatch(/, D4 unknown 4, and 129995 more$/)
  })

  it('can be sent as a header', () => {
    const headers = new Headers({ 'X-Mock-Warning': toWarningHeader(['D4 \u0000\u{1f600}\r\n'.repeat(100)]) })
    expect(headers.get('X-Mock-Warning')).toMatch(/^D4 \\u0000/)
  })
})

describe('the warnings in the journal', () => {
  const keepAll = (warnings: readonly string[]) => {
    const kept = { warnings: [], unkeptWarnings: 0 }
    for (const warning of warnings) keepWarning(kept, warning)
    return toWarningList(kept)
  }

  it('are complete up to 1,000', () => {
    expect(keepAll(many(1000))).toEqual(many(1000))
  })

  it('are the first 1,000, and then the number of the others', () => {
    expect(keepAll(many(1003))).toEqual([...many(1000), 'and 3 more'])
  })

  it('are limited to 1,000 characters each', () => {
    expect(keepAll(['x'.repeat(1000), 'x'.repeat(1001)])).toEqual(['x'.repeat(1000), `${'x'.repeat(1000)}…`])
  })
})
