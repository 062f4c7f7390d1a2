import { describe, expect, it } from 'vitest'
import { createAdminClient } from '../../../src/admin/client/admin-client.ts'
import { createJournalReader } from '../../../src/edges/playwright/server.ts'
import { createAsk, update } from '../../admin/api/ask.ts'

const PATH = '/acme/resource/df3775a4-90ef-4965-b751-d48698f3949f'

describe('the explanation of failures for a report', () => {
  it('has each failed request that was not sent again, with its cause and remedy, oldest first', async () => {
    const { ask, mock } = await createAsk({ clock: '2026-01-31T12:00:00Z', scenario: 'conflict-once' })
    const reader = createJournalReader(createAdminClient({ baseUrl: 'http://localhost:4010', send: mock.fetch }))
    expect(await reader.explainFailures()).toBe('')
    // The retry succeeds.
    expect([await update(ask, PATH, 3), await update(ask, PATH, 4)]).toEqual([409, 200])
    expect(await reader.explainFailures()).toBe('')
    await ask('GET', '/acme/resource/none')
    await ask('GET', '/acme/resouce')
    expect(await reader.explainFailures()).toBe(`GET /acme/resource/none (404)
  The Resource with ID 'none' was not found.
  Check the id or key, the project key, and whether this session has the resource.

GET /acme/resouce (404)
  No operation has the path of GET /acme/resouce. The nearest operation is GET /{projectKey}/resource (queryResources).
  Correct the path. Paths start with /{projectKey}/resource.`)
  })
})
