import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createMemory } from '../../../src/service/state/memory.ts'
import { createJournals } from '../../../src/sessions/journal/journal.ts'
import type { Journal } from '../../../src/sessions/journal/journal.ts'
import { Periods } from '../../../src/sessions/journal/summary.ts'
import { KeptExchange } from '../../../src/sessions/journal/kept-exchange.ts'
import { isFailed } from '../../../src/sessions/journal/failure-kinds.ts'
import { createRedactor } from '../../../src/sessions/journal/redact.ts'
import { toExchange } from './exchanges.ts'
import type { ExchangeMembers } from './exchanges.ts'

function createJournal(capacity = 1000): Journal {
  const memory = createMemory(Infinity)
  const newId = () => crypto.randomUUID()
  return createJournals({ capacity, memory, redactor: createRedactor([]), newId }).open('default')
}

function record(journal: Journal, ...exchanges: readonly ExchangeMembers[]): void {
  for (const members of exchanges) {
    const read = { operation: 'getResourceById', method: 'GET', url: 'http://mock/acme/resource/1', status: 200 }
    journal.record(toExchange({ ...read, requestBody: undefined, ...members }))
  }
}

describe('what was seen of a session', () => {
  it('has its responses, failures, retries and scenarios', () => {
    const journal = createJournal()
    record(journal, { status: 503, scenarios: ['flaky'] }, { status: 503, url: 'http://mock/acme/resource/2' }, {})
    expect(journal.seen()).toEqual({
      requests: 3,
      failures: 2,
      scenarios: ['flaky'],
      responses: [
        { operation: 'getResourceById', method: 'GET', status: 503, count: 2, retried: 1 },
        { operation: 'getResourceById', method: 'GET', status: 200, count: 1, retried: 0 },
      ],
    })
  })

  it('reads an exchange once, when it comes', () => {
    const journal = createJournal()
    record(journal, {}, { status: 503 })
    const reads = (['status', 'time', 'url', 'entry'] as const).map((name) =>
      vi.spyOn(KeptExchange.prototype, name, 'get'),
    )
    expect(journal.seen()).toEqual(journal.seen())
    expect(Periods.toHistogram([journal.periods()], 2)?.counts).toEqual([2])
    for (const read of reads) expect(read).not.toHaveBeenCalled()
  })

  it('has at most 100 kinds of responses', () => {
    const journal = createJournal()
    record(journal, ...Array.from({ length: 200 }, (_, at) => ({ status: 100 + at })))
    expect(journal.seen().responses).toHaveLength(100)
  })
})

/** The numbers of the first, previous, next and last attempt, found by comparing all exchanges. */
function recountAttempts(exchanges: readonly KeptExchange[]) {
  const open = new Map<string, KeptExchange[]>()
  const found = new Map<KeptExchange, KeptExchange[]>()
  for (const one of exchanges) {
    const key = `${one.method} ${one.url} ${one.requestBody?.text}`
    const hasFailed = isFailed(one)
    const earlier = open.get(key) ?? []
    const last = earlier.at(-1)
    const failsAgain = one.method === 'GET' && [404, 409].includes(one.status) && last?.status === one.status
    const attempts = failsAgain ? [] : earlier
    if (attempts.length === 0 && !hasFailed) continue
    attempts.push(one)
    found.set(one, attempts)
    if (hasFailed) open.set(key, attempts)
    else open.delete(key)
  }
  return exchanges.map((one) => {
    const attempts = found.get(one)
    if (attempts === undefined) return undefined
    const at = attempts.indexOf(one)
    return [attempts[0], attempts[at - 1], attempts[at + 1], attempts.at(-1)].map((other) => other?.number)
  })
}

const readAttempts = (exchanges: readonly KeptExchange[]) =>
  exchanges.map(
    ({ attempt }) =>
      attempt &&
      [attempt.attempts.first, attempt.previous, attempt.next, attempt.attempts.last].map((other) => other?.number),
  )

const START = Date.parse('2026-01-31T12:00:00Z')

it('counts attempts and periods as a recount does, whatever is recorded, dropped, removed and cleared', () => {
  const recorded = fc.record({
    kind: fc.constant('record' as const),
    method: fc.constantFrom('GET', 'POST'),
    url: fc.constantFrom(
      'http://mock/acme/resource',
      'http://mock/acme/resource?limit=1',
      'http://mock/acme/resource/1',
    ),
    requestBody: fc.constantFrom(undefined, '{"key":"a"}', '{"key":"b"}', 'a=1'),
    status: fc.constantFrom(200, 200, 404, 409, 503, 0),
    time: fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 100_000_000 }), fc.integer({ min: -1e12, max: 1e12 })),
  })
  const removed = fc.record({ kind: fc.constant('remove' as const), which: fc.nat({ max: 5 }) })
  const cleared = fc.record({ kind: fc.constantFrom('clear' as const, 'read' as const) })
  const steps = fc.array(
    fc.oneof({ weight: 30, arbitrary: recorded }, { weight: 2, arbitrary: removed }, { weight: 1, arbitrary: cleared }),
    { maxLength: 150 },
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 250 }), steps, (capacity, wanted, all) => {
      const journal = createJournal(capacity)
      for (const step of all) {
        if (step.kind === 'record') record(journal, { ...step, time: START + step.time })
        else if (step.kind === 'clear') journal.clear()
        else {
          const ids = journal.exchanges().map(({ entry }) => entry.id)
          if (step.kind === 'remove') journal.remove(new Set(ids.filter((_, at) => at % 6 === step.which)))
        }
        const exchanges = journal.exchanges()
        expect(readAttempts(exchanges)).toEqual(recountAttempts(exchanges))
        const histogram = Periods.toHistogram([journal.periods()], wanted)
        if (histogram === undefined) {
          expect(exchanges).toEqual([])
          continue
        }
        const { from, step: length, counts, failed } = histogram
        expect(counts.length).toBeLessThanOrEqual(Math.min(wanted, 200))
        const count = (some: readonly KeptExchange[]) =>
          counts.map((_, at) => {
            const start = Date.parse(from) + at * length
            return some.filter(({ time }) => time >= start && time < start + length).length
          })
        expect(counts).toEqual(count(exchanges))
        expect(failed).toEqual(count(exchanges.filter(isFailed)))
        expect(counts.reduce((sum, one) => sum + one, 0)).toBe(exchanges.length)
      }
    }),
    { numRuns: 60 },
  )
})

describe('a histogram', () => {
  const at = (time: number, status = 200) => ({ time, status })

  it('counts requests and failures in equal periods', () => {
    const periods = new Periods([at(1000), at(2047, 409), at(1500, 0)])
    expect(Periods.toHistogram([periods], 2)).toEqual({
      from: new Date(0).toISOString(),
      step: 1024,
      counts: [1, 2],
      failed: [0, 2],
    })
    expect(Periods.toHistogram([new Periods()], 2)).toBeUndefined()
  })

  it('joins those of several journals', () => {
    const long = new Periods([at(0), at(1_000_000)])
    const short = new Periods([at(10), at(11, 500)])
    expect(Periods.toHistogram([long, short], 120)).toEqual(
      Periods.toHistogram([new Periods([at(0), at(1_000_000), at(10), at(11, 500)])], 120),
    )
  })

  it('has short periods again once the old requests are dropped', () => {
    const journal = createJournal(3)
    record(journal, ...[0, 100_000_000, 100_000_010, 100_000_020].map((time) => ({ time })))
    expect(Periods.toHistogram([journal.periods()], 120)).toMatchObject({ step: 1, counts: { length: 21 } })
  })
})
