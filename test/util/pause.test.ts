import { expect, it } from 'vitest'
import { createPace } from '../../src/util/turns.ts'

it('many short steps yield to other requests when their total is too long', () => {
  const pace = createPace(200_000)
  const turns = Array.from({ length: 1000 }, () => pace(500)).filter((turn) => turn !== undefined)
  expect(turns).toHaveLength(2)
})
