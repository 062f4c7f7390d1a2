import { describe, expect, it } from 'vitest'
import { createGenerator } from '../../src/state/generator.ts'

describe('what a scenario generates', () => {
  it('is made once, however many counts are asked for', async () => {
    const { more } = createGenerator(1, 5)
    const largest = (await more(300)).all()
    for (const count of [1, 2, 3, 150, 300]) {
      const some = (await more(count)).all()
      expect(some).toHaveLength(count)
      expect(some.every((resource, at) => resource === largest[at])).toBe(true)
    }
  })

  it('grows when more is asked for, also at the same time', async () => {
    const { more } = createGenerator(1, 0)
    const all = await Promise.all([10, 30, 20, 40].map(async (count) => (await more(count)).all()))
    expect(all.map(({ length }) => length)).toEqual([10, 30, 20, 40])
    expect(new Set(all.flat()).size).toBe(40)
  })

  it('is found by id and key as far as it was asked for', async () => {
    const { more } = createGenerator(1, 0)
    const [twenty, ten] = [await more(20), await more(10)]
    const [last, within] = [twenty.all()[19], twenty.all()[9]]
    for (const [extras, expected] of [
      [twenty, last],
      [ten, undefined],
    ] as const) {
      expect(extras.find(last?.id ?? '')).toBe(expected)
      expect(extras.findByKey(last?.key ?? '')).toBe(expected)
    }
    expect(ten.find(within?.id ?? '')).toBe(within)
  })

  it('is bounded, whatever several scenarios ask for together', async () => {
    const { more } = createGenerator(1, 0, 50)
    expect((await more(300)).all()).toHaveLength(50)
  })
})
