import { describe, expect, it } from 'vitest'
import { memoizeLast, memoize } from '../../src/util/collections.ts'

/** A function that converts a text to an object, and the texts it was called with. */
function createMaker() {
  const asked: string[] = []
  const make = (text: string) => {
    asked.push(text)
    return { text }
  }
  return { asked, make }
}

describe('memoizeLast', () => {
  it('computes a value once for repeated calls, and again after another argument', () => {
    const { asked, make } = createMaker()
    const remembered = memoizeLast(make)
    expect(['a', 'a', 'b', 'a'].map((text) => remembered(text).text)).toEqual(['a', 'a', 'b', 'a'])
    expect(asked).toEqual(['a', 'b', 'a'])
  })
})

describe('memoize', () => {
  it('computes each value once', () => {
    const { asked, make } = createMaker()
    const remembered = memoize(make)
    expect(['a', 'b', 'a', 'b'].map((text) => remembered(text).text)).toEqual(['a', 'b', 'a', 'b'])
    expect(asked).toEqual(['a', 'b'])
  })

  it('keeps up to a thousand values and removes the oldest', () => {
    const { asked, make } = createMaker()
    const remembered = memoize(make)
    for (let at = 0; at <= 1000; at += 1) remembered(String(at))
    asked.length = 0
    remembered('1000')
    remembered('1')
    expect(asked).toEqual([])
    remembered('0')
    expect(asked).toEqual(['0'])
  })

  it('does not keep values for texts of more than 256 characters', () => {
    const { asked, make } = createMaker()
    const remembered = memoize(make)
    for (const length of [256, 256, 257, 257]) remembered('x'.repeat(length))
    expect(asked.map(({ length }) => length)).toEqual([256, 257, 257])
  })

  it('does not keep errors', () => {
    let count = 0
    const remembered = memoize((text) => {
      count += 1
      if (count === 1) throw new Error(`No ${text}.`)
      return count
    })
    expect(() => remembered('a')).toThrow('No a.')
    expect([remembered('a'), remembered('a')]).toEqual([2, 2])
  })
})
