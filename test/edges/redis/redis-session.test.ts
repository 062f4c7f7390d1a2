import { expect, it } from 'vitest'
import { createKeys } from '../../../src/edges/redis/redis-connection.ts'
import type { Engine } from '../../../src/edges/redis/redis-connection.ts'
import { createRedisLog } from '../../../src/edges/redis/redis-log.ts'
import { openRedisSession } from '../../../src/edges/redis/redis-session.ts'
import type { SharedSession } from '../../../src/sessions/shared-store.ts'
import { toTestEntry } from '../../sessions/journal/exchanges.ts'

const keys = createKeys({ prefix: 'p', database: 0 })

/** Opens a session over an engine whose commands do what a test says. */
function openSession(send: () => Promise<unknown>): SharedSession {
  // All that writing to a session needs of an engine.
  const engine = { send } as unknown as Engine
  return openRedisSession('a', engine, keys, 10, () => 0, createRedisLog(engine, keys))
}

const fail = () => Promise.reject(new Error('the connection broke'))

it('has nothing to wait for before a write', () => {
  expect(openSession(fail).settled()).toBeUndefined()
})

it('rejects settled() if the store could not keep a write', async () => {
  const session = openSession(fail)
  session.clear()
  await expect(session.settled()).rejects.toThrow('the connection broke')
})

it('reports a failed write once', async () => {
  const session = openSession(fail)
  session.counters.start('slow')
  await expect(session.settled()).rejects.toThrow('the connection broke')
  expect(session.settled()).toBeUndefined()
})

it('resolves settled() if the journal could not keep a request, since its response stays the same', async () => {
  const session = openSession(fail)
  session.record(toTestEntry())
  await expect(session.settled()).resolves.toBeUndefined()
})

it('records the requests of one turn with one command', async () => {
  let commands = 0
  const session = openSession(() => {
    commands += 1
    return Promise.resolve(['kept', [null, null]])
  })
  session.record(toTestEntry())
  session.record(toTestEntry())
  await session.settled()
  expect(commands).toBe(1)
})

it('waits until the store has everything', async () => {
  let answer: ((reply: unknown) => void) | undefined
  const session = openSession(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  session.clear()
  const settled = session.settled()
  answer?.(1)
  await settled
  expect(session.settled()).toBeUndefined()
})
