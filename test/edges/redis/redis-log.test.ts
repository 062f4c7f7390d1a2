import { expect, it, onTestFinished } from 'vitest'
import type { Engine } from '../../../src/edges/redis/redis-connection.ts'
import { createKeys } from '../../../src/edges/redis/redis-connection.ts'
import { createRedisLog } from '../../../src/edges/redis/redis-log.ts'
import { START } from '../../../src/service/state/change.ts'

it('handles the failure of a later command', async () => {
  const rejected: unknown[] = []
  const note = (cause: unknown) => void rejected.push(cause)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  let answer: ((reply: unknown) => void) | undefined
  const replies = [
    new Promise((resolve) => {
      answer = resolve
    }),
    Promise.reject(new Error('the connection broke')),
  ]
  // The only engine features that reading the log needs.
  const engine = { sendWithRetry: () => replies.shift() } as unknown as Engine
  const keys = createKeys({ prefix: 'p', database: 0 })
  const { since } = createRedisLog(engine, keys)
  const first = since('a', START)
  const second = since('a', START)
  await new Promise((resolve) => setImmediate(resolve))
  answer?.(['tail', []])
  expect(await first).toEqual([])
  await expect(second).rejects.toThrow('the connection broke')
  expect(rejected).toEqual([])
})
