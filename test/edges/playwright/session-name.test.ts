import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toSessionName } from '../../../src/edges/playwright/fixtures.ts'
import { expectName } from '../../../src/sessions/session-names.ts'

const testId = 'a30a6eba6312f6b87ea5-9c54b7e1d3f0a2b4c6d8'
const random = '5f0c1d2e-0000-4000-8000-000000000000'

describe('the session name of a test', () => {
  it.each([
    ['Saves after a conflict', 0, 'saves-after-a-conflict-a30a6eba9c54b7e1-5f0c1d2e'],
    ['Saves after a conflict', 2, 'saves-after-a-conflict-a30a6eba9c54b7e1-5f0c1d2e-r2'],
    ['says “größer als 3 €”', 0, 'says-gro-er-als-3-a30a6eba9c54b7e1-5f0c1d2e'],
    ['保存', 0, 'test-a30a6eba9c54b7e1-5f0c1d2e'],
  ])('for %j with %i retries is %s', (title, retry, name) => {
    expect(toSessionName({ title, testId, retry }, random)).toBe(name)
  })

  it('is a valid session name for any title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 99 }), (title, retry) => {
        expectName(toSessionName({ title, testId, retry }, random), 'a session')
      }),
    )
  })
})
