import { expect, it } from 'vitest'
import { createPace } from '../../src/redis/commit-text.ts'

it('short commits that are long together let other requests have their turn', () => {
  const pace = createPace()
  const turns = Array.from({ length: 1000 }, () => pace(500)).filter((turn) => turn !== undefined)
  expect(turns).toHaveLength(2)
})
