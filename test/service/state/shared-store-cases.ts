import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCoverage } from '../../../src/sessions/journal/counts.ts'
import type { AnsweredRequest } from '../../../src/sessions/journal/counts.ts'
import type { RedactedExchange } from '../../../src/sessions/journal/record.ts'
import { createTokenBucket } from '../../../src/service/scenarios/rule-runner.ts'
import { RUNS } from '../../../src/sessions/shared-store.ts'
import type {
  OpenSharedStore,
  SharedSession,
  SharedStore,
  SharedStoreParts,
} from '../../../src/sessions/shared-store.ts'
import { createLoggedStore } from '../../../src/service/state/logged-store.ts'
import { storeCases } from './store-cases.ts'

const MINUTE = 60_000

/** Opens a store as a mock does; it closes with the test. */
async function open(store: SharedStore, parts: Partial<SharedStoreParts> = {}): Promise<OpenSharedStore> {
  const opened = await store.open({
    identity: { text: 'mocks of a test', describe: (text) => [`they are ${text}`] },
    useInterval: MINUTE,
    journal: 100,
    maxSessions: 100,
    sessionTtl: MINUTE,
    metrics: { observe: () => undefined, retry: () => undefined },
    now: Date.now,
    elapsed: () => performance.now(),
    onNotice: () => undefined,
    ...parts,
  })
  onTestFinished(() => opened.close())
  return opened
}

const toSession = (store: OpenSharedStore, passed = () => 0): SharedSession => store.session('s1', passed)

// A store keeps the JSON of an entry and reads only its id.
const toEntry = (id: string) => ({ id, session: 's1' }) as RedactedExchange

async function record(session: SharedSession, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    session.record(toEntry(id))
    await session.settled()
  }
}

const idsOf = (entries: readonly { readonly entry: RedactedExchange }[]) => entries.map(({ entry }) => entry.id)

/** A request that is answered after a delay. */
interface TimedRequest {
  readonly after: number
  readonly request: Omit<AnsweredRequest, 'time'>
}

const timedRequests: fc.Arbitrary<TimedRequest[]> = fc.array(
  fc.record({
    after: fc.constantFrom(0, 0, 2 * MINUTE),
    request: fc.record({
      operation: fc.constantFrom('updateResource', 'updateResource', 'getResourceById'),
      path: fc.constantFrom('/acme/resource/a', '/acme/resource/a', '/acme/resource/b'),
      authorization: fc.constantFrom(undefined, 'Bearer one', 'Bearer two'),
      scenarios: fc.constantFrom([], ['flaky'], ['flaky', 'slow']),
      status: fc.constantFrom(200, 200, 0, 401, 404, 409, 418, 429, 503),
      body: fc.constantFrom(undefined, '{"errors":[{"code":"ConcurrentModification"},{"code":"Unknown"}]}'),
      retryAfter: fc.constantFrom(undefined, '60'),
    }),
  }),
  { maxLength: 15 },
)

/**
 * The cases of every store that mocks share.
 *
 * @param createStore creates a store with its own data
 */
export function sharedStoreCases(name: string, createStore: () => SharedStore): void {
  storeCases(`the log of ${name}`, async (parts) =>
    createLoggedStore({ ...parts, log: (await open(createStore())).log }),
  )

  describe(`mocks that share ${name}`, () => {
    const openTwo = async (parts: Partial<SharedStoreParts> = {}) => {
      const store = createStore()
      return [await open(store, parts), await open(store, parts)] as const
    }

    it('have one secret and different numbers', async () => {
      const [one, two] = await openTwo()
      expect(two.secret).toBe(one.secret)
      expect([one.number, two.number]).toEqual([1, 2])
    })

    it('must have the same configuration', async () => {
      const store = createStore()
      await open(store)
      const identity = { text: 'other mocks', describe: (text: string) => [`it was started by ${text}`] }
      await expect(open(store, { identity })).rejects.toThrow('it was started by mocks of a test')
    })

    it('count the matches of a rule together', async () => {
      const counters = (await openTwo()).map((store) => toSession(store).counters)
      const all = [0, 1, 0, 1, 0].map(async (at) => counters[at]?.count('rule'))
      expect(new Set(await Promise.all(all))).toEqual(new Set([1, 2, 3, 4, 5]))
    })

    it('reset and delete counters for each other', async () => {
      const sessions = (await openTwo()).map((store) => toSession(store))
      const [one = expect.fail(), two = expect.fail()] = sessions
      for (const rule of ['a', 'b']) await one.counters.count(rule)
      one.counters.forget('scenario', ['a'])
      await one.settled()
      await two.readDelta()
      expect([two.counters.seen('a'), two.counters.seen('b')]).toEqual([0, 1])
      two.counters.reset()
      await two.settled()
      await one.readDelta()
      expect(one.counters.seen('b')).toBe(0)
    })

    it('measure the time of a scenario from one start, including moved clocks', async () => {
      let passed = 0
      const [one, two] = (await openTwo()).map((store) => toSession(store, () => passed))
      one?.counters.start('outage')
      await one?.settled()
      passed = MINUTE
      const elapsed = (await two?.counters.elapsed('outage')) ?? 0
      expect(elapsed).toBeGreaterThanOrEqual(MINUTE)
      expect(elapsed).toBeLessThan(2 * MINUTE)
    })

    it('limit rates exactly like an unshared mock', async () => {
      const limit = fc.record({ requests: fc.integer({ min: 1, max: 5 }), perSeconds: fc.constant(3600) })
      // Usually less than a token, and occasionally a full bucket.
      const pauses = fc.array(fc.constantFrom(0, 0, 5 * MINUTE, 20 * MINUTE, 120 * MINUTE), { maxLength: 12 })
      const stores = await openTwo()
      let run = 0
      await fc.assert(
        fc.asyncProperty(limit, pauses, async (rate, all) => {
          let passed = 0
          run += 1
          const [one, two] = stores.map((store) => toSession(store, () => passed).counters)
          const alone = createTokenBucket(rate, () => passed + performance.now())
          for (const [at, pause] of all.entries()) {
            passed += pause
            const shared = await (at % 2 === 0 ? one : two)?.take(`rule ${run}`, rate)
            const { retryAfter, reset, ...others } = alone.take()
            // Both are in seconds, and the machine may pause between the two.
            const near = { retryAfter: expect.closeTo(retryAfter, -1), reset: expect.closeTo(reset, -1) }
            expect(shared).toEqual({ ...others, ...near })
          }
        }),
        { numRuns: 40 },
      )
    })

    it.each([0, 100])('count coverage exactly like an unshared mock, with a journal of %i', async (journal) => {
      const stores = await openTwo({ journal })
      const sharedTotal = stores[0].coverage
      let run = 0
      await fc.assert(
        fc.asyncProperty(timedRequests, async (all) => {
          let passed = 0
          run += 1
          const sessions = stores.map((store) => store.session(`run-${run}`, () => passed))
          const alone = createCoverage()
          const own = alone.openSession()
          await sharedTotal.clear()
          for (const [at, { after, request }] of all.entries()) {
            passed += after
            const answered = { ...request, time: passed + performance.now() } as AnsweredRequest
            own.count(answered)
            const session = sessions[at % 2] ?? expect.fail('There are two.')
            session.coverage.count(answered)
            if (journal > 0) session.record(toEntry(`entry-${at}`))
            await session.settled()
          }
          for (const session of sessions) expect(await session.coverage.read()).toEqual(own.read())
          expect(await sharedTotal.read()).toEqual(alone.read())
        }),
        { numRuns: 120 },
      )
    })

    it('read one journal, each entry once', async () => {
      const [one, two] = (await openTwo()).map((store) => toSession(store))
      if (one === undefined || two === undefined) return expect.fail('There are two.')
      await record(one, 'a')
      await record(two, 'b')
      for (const session of [one, two]) {
        const { entries, unseen, total } = await session.readDelta()
        expect([idsOf(entries), unseen.map(({ id }) => id), total]).toEqual([['a', 'b'], ['a', 'b'], 2])
        expect(idsOf((await session.readDelta()).entries)).toEqual([])
      }
      await record(one, 'c')
      expect(idsOf((await two.readDelta()).entries)).toEqual(['c'])
    })

    it('record the requests of one turn in order, and clear those recorded before', async () => {
      const [one = expect.fail(), two = expect.fail()] = (await openTwo()).map((store) => toSession(store))
      one.record(toEntry('a'))
      one.clear()
      for (const id of ['b', 'c', 'd']) one.record(toEntry(id))
      await one.settled()
      expect(idsOf((await two.readDelta()).entries)).toEqual(['b', 'c', 'd'])
    })

    it('keep the newest entries of a journal and count all of them', async () => {
      const [one, two] = (await openTwo({ journal: 2 })).map((store) => toSession(store))
      await record(one ?? expect.fail(), 'a', 'b', 'c')
      const { entries, total } = (await two?.readDelta()) ?? {}
      expect([idsOf(entries ?? []), total]).toEqual([['b', 'c'], 3])
    })

    it('remove and clear entries for each other', async () => {
      const [one, two] = (await openTwo()).map((store) => toSession(store))
      if (one === undefined || two === undefined) return expect.fail('There are two.')
      await record(one, 'a', 'b')
      await one.readDelta()
      await two.readDelta()
      one.remove(['a'])
      await one.settled()
      expect(await two.readDelta()).toMatchObject({ isNew: true, isShorter: true, unseen: [], total: 1 })
      two.clear()
      await two.settled()
      expect(await one.readDelta()).toMatchObject({ isNew: true, isShorter: true, entries: [], total: 0 })
    })

    it('publish changed sessions', async () => {
      const heard = new Set<string>()
      const [one, two] = await openTwo()
      two.listen((session) => void heard.add(session))
      await two.changed()
      await record(toSession(one), 'a')
      expect([...(await two.changed())]).toContain('s1')
      await expect.poll(() => [...heard]).toContain('s1')
    })

    it('read the changes of runs by the others, each once', async () => {
      const store = createStore()
      const [one, two] = [await open(store), await open(store)]
      await one.archive.append('1')
      expect(await two.archive.readChanges()).toEqual(['1'])
      await two.archive.append('2')
      await one.archive.append('3')
      expect(await one.archive.readChanges()).toEqual(['2'])
      expect(await two.archive.readChanges()).toEqual(['3'])
      expect(await (await open(store)).archive.readChanges()).toEqual(['1', '2', '3'])
    })

    it('read many changes of runs', async () => {
      const [one, two] = await openTwo()
      const changes = Array.from({ length: 1001 }, (_none, at) => String(at))
      await Promise.all(changes.map((change) => one.archive.append(change)))
      expect(await two.archive.readChanges()).toEqual(changes)
    })

    it('publish changes of runs', async () => {
      const heard = new Set<string>()
      const [, two] = await openTwo()
      two.listen((session) => void heard.add(session))
      await two.archive.append('1')
      await expect.poll(() => [...heard]).toContain(RUNS)
    })

    it('find archived sessions of each other once they are complete', async () => {
      const [one, two] = await openTwo()
      async function* toParts() {
        yield 'a\n'
        expect(await two.archive.get('s1~1')).toBeUndefined()
        yield 'b\n'
      }
      await one.archive.put('s1~1', toParts())
      expect(await two.archive.get('s1~1')).toEqual(['a\n', 'b\n'])
      await two.archive.remove('s1~1')
      expect(await one.archive.get('s1~1')).toBeUndefined()
    })

    it('list their sessions until these end', async () => {
      const [one, two] = await openTwo({ now: () => 5000 })
      expect(await one.begin('s1')).toEqual({ kind: 'begun' })
      expect(await two.begin('s1')).toEqual({ kind: 'begun' })
      expect([...(await two.sessions())]).toEqual([['s1', 5000]])
      expect([await two.usedAt('s1'), await two.usedAt('s2')]).toEqual([5000, undefined])
      two.end('s1')
      await expect.poll(async () => (await one.sessions()).size).toBe(0)
    })

    it('limit their sessions together, and select the one idle longest for eviction', async () => {
      let now = 0
      const [one, two] = await openTwo({ maxSessions: 2, sessionTtl: 1000, now: () => now })
      await one.begin('s1')
      now = 500
      await two.begin('s2')
      expect(await one.begin('s3')).toEqual({ kind: 'full' })
      now = 1200
      expect(await one.begin('s3')).toEqual({ kind: 'idle', name: 's1', usedAt: 0 })
      // Counts as used now, so that only one mock ends it.
      expect(await two.begin('s3')).toEqual({ kind: 'full' })
    })
  })
}
