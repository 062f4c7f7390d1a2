import { describe, expect, it } from 'vitest'
import { memoizeLast, memoize } from '../../src/util/collections.ts'

/** Makes an object of a text, and tells which texts it was asked for. */
function createMaker() {
  const asked: string[] = []
  const make = (text: string) => {
    asked.push(text)
    return { text }
  }
  return { asked, make }
}

describe('a value that is remembered for the last call', () => {
  it('is made once for calls in a row, and again after another', () => {
    const { asked, make } = createMaker()
    const remembered = memoizeLast(make)
    expect(['a', 'a', 'b', 'a'].map((text) => remembered(text).text)).toEqual(['a', 'a', 'b', 'a'])
    expect(asked).toEqual(['a', 'b', 'a'])
  })
})

describe('values that are remembered for many texts', () => {
  it('are made once for each', () => {
    const { asked, make } = createMaker()
    const remembered = memoize(make)
    expect(['a', 'b', 'a', 'b'].map((text) => remembered(text).text)).toEqual(['a', 'b', 'a', 'b'])
    expect(asked).toEqual(['a', 'b'])
  })

  it('are a thousand at most, of which the oldest goes', () => {
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

  it('are not kept for a text of more than 256 characters', () => {
    const { asked, make } = createMaker()
    const remembered = memoize(make)
    for (const length of [256, 256, 257, 257]) remembered('x'.repeat(length))
    expect(asked.map(({ length }) => length)).toEqual([256, 257, 257])
  })

  it('are not remembered where making them throws', () => {
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
