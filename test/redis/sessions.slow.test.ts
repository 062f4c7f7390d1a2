import { expect, it, onTestFinished, vi } from 'vitest'
import { base, create, newStoreUrl, startReplica, startThree } from './replicas.ts'
import type { Replica } from './replicas.ts'

const inSession = (session: string) => ({ 'X-Mock-Session': session })

const listNames = async ({ call }: Replica): Promise<readonly string[]> =>
  (await call('GET', '/__admin/sessions')).body.sessions.map(({ name }: { name: string }) => name)

it('has a session that begins again where it was used before another mock deleted it', async () => {
  const [one, two] = await startThree()
  await create(one.call, 'first', inSession('again'))
  expect((await two.call('DELETE', '/__admin/sessions/again')).status).toBe(200)
  await create(one.call, 'second', inSession('again'))
  await expect.poll(() => listNames(two)).toContain('again')
})

it('ends no session as idle that another mock has used, if --session-ttl is shorter than a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const url = newStoreUrl()
  const options = { maxSessions: 1, sessionTtl: '30s' } as const
  const [one, two] = [await startReplica(url, options), await startReplica(url, options)]
  await create(one.call, 'kept', inSession('used'))
  vi.advanceTimersByTime(10_000)
  await one.call('GET', base, undefined, inSession('used'))
  vi.advanceTimersByTime(25_000)
  expect(await listNames(two)).toContain('used')
  const refused = await two.call('GET', base, undefined, inSession('other'))
  expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('used in the last 30 s')])
  expect((await one.call('GET', `${base}/key=kept`, undefined, inSession('used'))).status).toBe(200)
})
