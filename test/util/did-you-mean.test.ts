import { expect, it } from 'vitest'
import { didYouMean, findTypoDistance } from '../../src/util/did-you-mean.ts'

it('suggests the nearest candidate, ignoring case', () => {
  expect(didYouMean('Limti', ['limit', 'offset'])).toBe(' Did you mean "limit"?')
})

it('suggests the candidate that a name continues with more words, rather than one that is spelled like it', () => {
  const ids = ['getResourceById', 'getResourceByKey', 'deleteResource', 'putResource']
  expect(didYouMean('deleteResourceById', ids)).toBe(' Did you mean "deleteResource"?')
  expect(didYouMean('putResourceById', ids)).toBe(' Did you mean "putResource"?')
  expect(didYouMean('conflict-onc', ['conflict', 'conflict-once'])).toBe(' Did you mean "conflict-once"?')
})

it('suggests the candidate that continues a name with more words, rather than one that is spelled like it', () => {
  expect(didYouMean('getResource', ['putResource', 'getResourceById'])).toBe(' Did you mean "getResourceById"?')
})

it('suggests nothing for distant candidates, or for names too long for a typo', () => {
  expect(didYouMean('colour', ['limit', 'offset'])).toBe('')
  const long = 'x'.repeat(201)
  expect(didYouMean(long, [long])).toBe('')
  expect(findTypoDistance(long, long)).toBeUndefined()
})
