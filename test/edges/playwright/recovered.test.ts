import { expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import { toRecoveredText } from '../../../src/edges/playwright/matchers.ts'

const PATH = '/acme/resource/df3775a4-90ef-4965-b751-d48698f3949f'

/** The message of `toHaveRecovered('conflict')` after requests of a session. */
async function describeRecovery(...requests: readonly (readonly [method: string, path: string])[]) {
  const session = (await createMock({ scenario: 'conflict' })).session('s')
  for (const [method, path] of requests) {
    const body = method === 'POST' ? '{"version":3,"actions":[]}' : null
    const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
    // oxlint-disable-next-line no-await-in-loop -- requests must be in order
    await session.fetch(path, { method, body, headers })
  }
  const sent = await session.requests()
  const about = { kind: 'conflict', times: undefined, isNot: false, timeout: 400, count: 0 } as const
  return toRecoveredText({ ...about, requests: sent, hint: 'Does it?' })
}

it('says first that the session received nothing', async () => {
  expect(await describeRecovery()).toMatch(/^The session received no requests\.\nDoes it\?\n\nRecovery: conflict/)
})

it('says that nothing failed', async () => {
  expect(await describeRecovery(['GET', PATH])).toMatch(/The session had no response with status 409\. Is a scenario/)
})

it('says that no request came after the failure', async () => {
  expect(await describeRecovery(['GET', PATH], ['POST', PATH])).toMatch(/ → 409\nNo request came after it\.$/)
})

it('says that the failed request was not sent again', async () => {
  expect(await describeRecovery(['POST', PATH], ['GET', PATH])).toMatch(/ → 200\nIt was not sent again\.$/)
})

it('lists the retry that failed too', async () => {
  expect(await describeRecovery(['POST', PATH], ['POST', PATH])).toMatch(/ → 409\n.* → 409$/)
})
