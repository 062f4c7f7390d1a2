import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../../src/admin/api/history.ts'
import { findHistoryPath, toStory } from '../../../src/admin/dashboard/app/views/requests/story-steps.ts'
import { create, createAsk, update } from '../api/ask.ts'
import type { Ask } from '../api/ask.ts'

/** The steps of the story of the newest conflict, as `who: what`. */
async function tell(ask: Ask): Promise<readonly string[]> {
  const { body } = await ask('GET', '/__admin/requests?filter=status:409&limit=1')
  const { requests } = body as {
    readonly requests: readonly { readonly id: string; readonly request: { url: string } }[]
  }
  const [{ id, request } = expect.fail('There is no conflict.')] = requests
  const path = findHistoryPath(request.url, '') ?? expect.fail('The request is about no resource.')
  const { history } = (await ask('GET', `/__admin${path}`)).body as { readonly history: readonly HistoryEvent[] }
  return toStory(history, id).map(({ by, name, label, isSubject }) => `${name || by}: ${label}${isSubject ? ' !' : ''}`)
}

describe('the story of a conflict', () => {
  it('starts with the read of the version that was sent, and ends with the retry', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    await update(ask, path, 1)
    await ask('GET', path)
    await ask('POST', path, {
      json: { version: 2, actions: [{ action: 'doSomeThing' }] },
      headers: { 'X-Mock-Scenario': 'conflict-once' },
    })
    await update(ask, path, 3)
    expect(await tell(ask)).toEqual([
      'app: GET got version 2',
      'conflict-once: wrote version 3',
      'app: sent version 2 → 409 !',
      'app: wrote version 4',
    ])
  })

  it('shows a genuine conflict of two writers', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    await update(ask, path, 1)
    await update(ask, path, 1)
    expect(await tell(ask)).toEqual(['app: wrote version 1', 'app: wrote version 2', 'app: sent version 1 → 409 !'])
  })

  it('starts with the read even if the same old version was refused before', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    await update(ask, path, 1)
    await ask('GET', path)
    await update(ask, path, 2)
    await update(ask, path, 2)
    await update(ask, path, 2)
    expect(await tell(ask)).toEqual([
      'app: GET got version 2',
      'app: wrote version 3',
      'app: sent version 2 → 409',
      'app: sent version 2 → 409 !',
    ])
  })

  it('leaves out steps in the middle if there are many', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    for (let version = 1; version < 12; version += 1) await update(ask, path, version)
    await update(ask, path, 1)
    const steps = await tell(ask)
    expect(steps).toHaveLength(9)
    expect(steps.slice(0, 3)).toEqual(['app: wrote version 1', 'app: 5 more', 'app: wrote version 7'])
  })
})

describe('findHistoryPath', () => {
  it.each([
    ['/acme/resource/1', '/resources/1/history?projectKey=acme&limit=1000'],
    ['/@worker-1/acme/resource/key=oak?version=2', '/resources/oak/history?projectKey=acme&limit=1000'],
    ['/eu/gcp/acme/resource/1', '/resources/1/history?projectKey=acme&limit=1000&region=eu&cloudProvider=gcp'],
    ['/acme/resource', '/resources/a%20b/history?projectKey=acme&limit=1000'],
    ['/acme/nothing', undefined],
  ])('of %s is %s', (url, path) => {
    expect(findHistoryPath(url, '{"key": "a b"}')).toBe(path)
  })
})
