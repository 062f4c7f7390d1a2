import { describe, expect, it } from 'vitest'
import { parsePage } from '../../../src/service/query/list.ts'
import { catchProblem } from './samples.ts'

describe('paging', () => {
  it.each([
    [{}, { limit: 20, offset: 0, withTotal: true }],
    [
      { limit: 0, offset: 0 },
      { limit: 0, offset: 0, withTotal: true },
    ],
    [
      { limit: 500, offset: 10_000, withTotal: false },
      { limit: 500, offset: 10_000, withTotal: false },
    ],
  ])('%j', (query, page) => {
    expect(parsePage(query)).toEqual(page)
  })

  it.each([
    [{ limit: 501 }, 'limit', 'from 0 to 500, got 501.'],
    [{ limit: -1 }, 'limit', 'from 0 to 500, got -1.'],
    [{ limit: 20.5 }, 'limit', 'expected a whole number from 0 to 500, got 20.5.'],
    [{ limit: Number.NaN }, 'limit', 'got NaN.'],
    [{ offset: 10_001 }, 'offset', 'from 0 to 10000, got 10001.'],
    [{ offset: -0.5 }, 'offset', 'got -0.5.'],
  ])('refuses %j', (query, field, sentence) => {
    const { status, errors, message } = catchProblem(() => parsePage(query))
    expect(status).toBe(400)
    expect(errors[0]).toMatchObject({ code: 'InvalidField', field, invalidValue: Object.values(query)[0] })
    expect(message).toContain(sentence)
  })
})
