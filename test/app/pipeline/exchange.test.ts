import { describe, expect, it } from 'vitest'
import { createToTime } from '../../../src/app/pipeline/exchange.ts'

describe('createToTime', () => {
  it.each([
    ['the epoch', 0, '1970-01-01T00:00:00.000Z'],
    ['a time with leading zeros in its milliseconds', 1_767_225_600_007, '2026-01-01T00:00:00.007Z'],
    ['the last millisecond of a second', 1_767_225_600_999, '2026-01-01T00:00:00.999Z'],
    ['a fraction of a millisecond', 1_767_225_600_999.9, '2026-01-01T00:00:00.999Z'],
    ['a time before the epoch', -1, '1969-12-31T23:59:59.999Z'],
    ['a fraction of a millisecond before the epoch', -0.5, '1970-01-01T00:00:00.000Z'],
  ])('writes %s as toISOString does', (_name, at, text) => {
    expect(createToTime()(at)).toBe(text)
    expect(new Date(at).toISOString()).toBe(text)
  })

  it.each([
    [253_402_300_800_001, '9999-12-31T23:59:59.999Z'],
    [-1e15, '0000-01-01T00:00:00.000Z'],
  ])('keeps %d within the years of four digits', (at, text) => {
    expect(createToTime()(at)).toBe(text)
  })

  it('writes the times of one second and of others in any order', () => {
    const toTime = createToTime()
    for (const at of [1500, 1501, 2000, 1999, 1500, -1500]) expect(toTime(at)).toBe(new Date(at).toISOString())
  })

  it('refuses what is not a time', () => {
    expect(() => createToTime()(Number.NaN)).toThrow(RangeError)
  })
})
