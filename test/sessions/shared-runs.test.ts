import { expect, it } from 'vitest'
import { createMemory } from '../../src/service/state/memory.ts'
import { createJournals } from '../../src/sessions/journal/journal.ts'
import { createRedactor } from '../../src/sessions/journal/redact.ts'
import { createSharedRuns } from '../../src/sessions/shared-runs.ts'

it('sends a change that the store refused before the next one, or before it reads those of other mocks', async () => {
  const stored: string[] = []
  let isDown = true
  const shared = {
    async append(change: string) {
      if (isDown) throw new Error('The store is down.')
      stored.push(change)
    },
    readChanges: async () => [],
    put: async () => undefined,
    get: async () => undefined,
    remove: async () => undefined,
  }
  const memory = createMemory(Infinity)
  const journals = createJournals({ capacity: 1, memory, redactor: createRedactor([]), newId: () => '' })
  const runs = createSharedRuns(shared, journals)
  runs.share({ removedRun: 'a' })
  await expect(runs.settled()).rejects.toThrow('The store is down.')
  runs.share({ removedRun: 'b' })
  await expect(runs.settled()).rejects.toThrow('The store is down.')
  isDown = false
  await runs.readChanges()
  expect(stored).toEqual(['{"removedRun":"a"}', '{"removedRun":"b"}'])
})
