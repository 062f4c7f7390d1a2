import { expect, it } from 'vitest'
import { didYouMean, findTypoDistance } from '../../src/util/did-you-mean.ts'

it('suggests the nearest candidate, ignoring case', () => {
  expect(didYouMean('Limti', ['limit', 'offset'])).toBe(' Did you mean "limit"?')
})

it('suggests nothing for distant candidates, or for names too long for a typo', () => {
  expect(didYouMean('colour', ['limit', 'offset'])).toBe('')
  const long = 'x'.repeat(201)
  expect(didYouMean(long, [long])).toBe('')
  expect(findTypoDistance(long, long)).toBeUndefined()
})
