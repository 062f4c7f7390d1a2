import { expect, it } from 'vitest'
import { didYouMean, findTypoDistance } from '../../src/util/did-you-mean.ts'

it('names the nearest candidate, whatever its case', () => {
  expect(didYouMean('Limti', ['limit', 'offset'])).toBe(' Did you mean "limit"?')
})

it('names none that is far away, and none for a name that is too long for a typo', () => {
  expect(didYouMean('colour', ['limit', 'offset'])).toBe('')
  const long = 'x'.repeat(201)
  expect(didYouMean(long, [long])).toBe('')
  expect(findTypoDistance(long, long)).toBeUndefined()
})
