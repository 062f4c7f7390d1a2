import { expect, it, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { createTimeSlices, inSlices, toDefer } from '../../src/util/time-slices.ts'
import { hurry } from '../support/hurry.ts'

/** Time slices with a clock and an event loop of the test. */
function createLoop() {
  const loop = { now: 0, deferred: new Array<() => void>() }
  const slices = createTimeSlices({ elapsed: () => loop.now, defer: (task) => void loop.deferred.push(task) })
  return {
    loop,
    slices,
    /** Runs what was deferred before, and what follows from it. */
    async turn() {
      for (const task of loop.deferred.splice(0)) task()
      for (let tick = 0; tick < 10; tick += 1) await Promise.resolve()
    },
  }
}

it('a task yields once its slice is over, and goes on with a new one', async () => {
  const { loop, slices, turn } = createLoop()
  const slice = slices.start()
  expect(slice.isOver()).toBe(false)
  loop.now += 3
  expect(slice.isOver()).toBe(true)
  const next = slice.next()
  await turn()
  await next
  expect(slice.isOver()).toBe(false)
})

it('one task goes on per turn of the event loop, in order, however many have yielded', async () => {
  const { slices, turn } = createLoop()
  const done: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const slice = slices.start()
    void (async () => {
      for (let step = 1; step <= 2; step += 1) {
        await slice.next()
        done.push(`${name}${step}`)
      }
    })()
  }
  const seen: number[] = []
  for (let nth = 0; nth < 6; nth += 1) {
    await turn()
    seen.push(done.length)
  }
  expect(seen).toEqual([1, 2, 3, 4, 5, 6])
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
})

it('sockets are served between two slices', () => {
  const setImmediate = vi.fn<(task: () => void) => void>()
  const setTimeout = vi.fn()
  const task = () => undefined
  toDefer({ setImmediate, setTimeout } as never)(task)
  expect(setImmediate).toHaveBeenCalledWith(task)
  expect(setTimeout).not.toHaveBeenCalled()
})

it('a browser defers by messages, each of which runs one task', async () => {
  const { MessageChannel } = globalThis
  const defer = toDefer({ MessageChannel })
  const done: number[] = []
  for (const at of [1, 2, 3]) {
    await new Promise<void>((resolve) =>
      defer(() => {
        done.push(at)
        resolve()
      }),
    )
  }
  expect(done).toEqual([1, 2, 3])
})

it('items are visited in slices', async () => {
  const yields = hurry()
  const seen: number[] = []
  for await (const item of inSlices([1, 2, 3])) seen.push(item)
  expect(seen).toEqual([1, 2, 3])
  expect(yields).toHaveBeenCalledTimes(3)
})

it.each([
  ['sorted', '/acme/resource?limit=500&sort=key asc'],
  ['filtered', '/acme/resource?where=version > 0'],
  ['searched', '/acme/resource/searchApiPattern?text.en=shirt&facet=arrayOfIntExample'],
])('a long list is %s under fake timers', async (_what, path) => {
  const mock = await createMock({ generate: 50, auth: 'off' })
  const yields = hurry()
  vi.useFakeTimers()
  try {
    expect((await mock.fetch(new Request(new URL(path, 'http://mock')))).status).toBe(200)
  } finally {
    vi.useRealTimers()
  }
  expect(yields.mock.calls.length).toBeGreaterThan(50)
})
