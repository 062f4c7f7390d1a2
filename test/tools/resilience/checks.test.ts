import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/index.ts'
import type { SessionHandle } from '../../../src/index.ts'
import { failuresOf, resilienceMatchers } from '../../../src/resilience.ts'
import type { FailureName } from '../../../src/resilience.ts'

const ID = 'df3775a4-90ef-4965-b751-d48698f3949f'
const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

async function open(operation: Parameters<typeof failuresOf>[0], name: FailureName): Promise<SessionHandle> {
  const session = (await createMock()).session('test')
  await session.use((failuresOf(operation).find((one) => one.name === name) ?? expect.fail()).scenario)
  return session
}

const post = (session: SessionHandle, path: string, body: unknown) =>
  session.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })

const save = (session: SessionHandle, version: number, someProperty: string) =>
  post(session, `/acme/resource/${ID}`, { version, actions: [{ action: 'changeSomeProperty', someProperty }] })

const kept = (session: unknown) => resilienceMatchers.toHaveKeptOtherChanges(session)
const once = (session: unknown) => resilienceMatchers.toHaveCreatedOnce(session)

describe('toHaveKeptOtherChanges', () => {
  it('fails if the old values were sent with the new version', async () => {
    const session = await open('updateResource', 'conflict')
    expect((await save(session, 3, 'mine')).status).toBe(409)
    expect((await save(session, 4, 'mine')).status).toBe(200)
    const { pass, message } = await kept(session)
    expect(pass).toBe(false)
    expect(message()).toBe(
      `After the 409 for version 3, POST /acme/resource/${ID} sent the old values with version 4. The other writer's someProperty, "Changed by another writer", is lost.`,
    )
  })

  it('fails if the new version was read only for its number', async () => {
    const session = await open('updateResource', 'conflict')
    await save(session, 3, 'mine')
    await session.fetch(`/acme/resource/${ID}`, { headers })
    await save(session, 4, 'mine')
    expect((await kept(session)).pass).toBe(false)
  })

  it('fails if the resource was deleted with the new version', async () => {
    const session = await open('deleteResource', 'conflict')
    const remove = (version: number) =>
      session.fetch(`/acme/resource/${ID}?version=${version}`, { method: 'DELETE', headers })
    expect((await remove(3)).status).toBe(409)
    expect((await remove(4)).status).toBe(200)
    expect((await kept(session)).pass).toBe(false)
  })

  it('passes if both changes were merged', async () => {
    const session = await open('updateResource', 'conflict')
    await save(session, 3, 'mine')
    await save(session, 4, 'Changed by another writer; mine')
    expect((await kept(session)).pass).toBe(true)
  })

  it('passes if the action does not touch what the other writer changed', async () => {
    const session = await open('updateResource', 'conflict')
    const touch = (version: number) =>
      post(session, `/acme/resource/${ID}`, { version, actions: [{ action: 'doSomeThing' }] })
    expect((await touch(3)).status).toBe(409)
    expect((await touch(4)).status).toBe(200)
    expect((await kept(session)).pass).toBe(true)
  })

  it('passes if the app gave up, or if there was no conflict', async () => {
    const session = await open('updateResource', 'conflict')
    await save(session, 3, 'mine')
    expect((await kept(session)).pass).toBe(true)
    await session.reset()
    await save(session, 3, 'mine')
    expect((await kept(session)).pass).toBe(true)
  })
})

describe('toHaveCreatedOnce', () => {
  const draft = { objectTypeProperty: { arrayOfStringExample: ['linen'] } }

  it.each([
    ['a draft without a key', '/acme/resource', draft, false],
    ['a draft with a key, which overwrites itself', '/acme/resource', { ...draft, key: 'linen' }, true],
    ['an action', '/acme/resource/namespace-action', { a: 1 }, false],
  ])('after a lost response, judges %s that was sent again', async (_what, path, body, pass) => {
    const operation = path.endsWith('action') ? 'postAction' : 'createResource'
    const session = await open(operation, 'reset-after')
    await expect(post(session, path, body)).rejects.toThrow('fetch failed')
    expect((await once(session)).pass).toBe(true)
    expect((await post(session, path, body)).ok).toBe(true)
    expect((await once(session)).pass).toBe(pass)
  })

  it('says what was done twice', async () => {
    const session = await open('createResource', 'reset-after')
    await post(session, '/acme/resource', draft).catch(() => undefined)
    await post(session, '/acme/resource', draft)
    expect((await once(session)).message()).toBe(
      'POST /acme/resource took effect, although its response was lost, and the same was sent again: it was done twice.',
    )
  })

  it('passes if the second draft differs', async () => {
    const session = await open('createResource', 'error')
    await post(session, '/acme/resource', draft)
    await post(session, '/acme/resource', draft)
    await post(session, '/acme/resource', { objectTypeProperty: {} })
    expect((await once(session)).pass).toBe(true)
  })
})

it('checks the default session of a mock', async () => {
  const mock = await createMock()
  expect((await once(mock)).pass).toBe(true)
  expect((await kept(mock)).pass).toBe(true)
})

it('refuses anything else', async () => {
  await expect(once('mock')).rejects.toThrow(
    'toHaveCreatedOnce expects a mock or a session. Write: await expect(session).toHaveCreatedOnce()',
  )
})
