import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { RedactedExchange } from '../../../src/sessions/journal/record.ts'
import { isUnmatched, readEntries } from '../../../src/sessions/journal/record.ts'
import { createJournals } from '../../../src/sessions/journal/journal.ts'
import { createRedactor } from '../../../src/sessions/journal/redact.ts'
import { createMemory } from '../../../src/service/state/memory.ts'
import type { Journal } from '../../../src/sessions/journal/journal.ts'
import { toExchange, toTestEntry } from './exchanges.ts'
import type { ExchangeMembers } from './exchanges.ts'
import { hurry } from '../../support/hurry.ts'
import { runs } from '../../support/thorough.ts'

const redactor = createRedactor([])

function createNumbered(capacity: number): Journal {
  let made = 0
  const newId = () => {
    made += 1
    return `entry-${made}`
  }
  return createJournals({ redactor, capacity, memory: createMemory(Infinity), newId }).open('one')
}

const entriesOf = (journal: Journal): readonly RedactedExchange[] => journal.exchanges().map(({ entry }) => entry)

/** Removes the exchanges with these correlation ids. */
function remove(journal: Journal, isMeant: (correlationId: string) => boolean): readonly RedactedExchange[] {
  const meant = journal.exchanges().filter(({ correlationId }) => isMeant(correlationId))
  return journal.remove(new Set(meant.map(({ entry }) => entry.id)))
}

const recordAll = (journal: Journal, names: readonly string[]): void => {
  for (const correlationId of names) journal.record(toExchange({ correlationId }))
}
const namesOf = (entries: readonly RedactedExchange[]): readonly string[] =>
  entries.map(({ correlationId }) => correlationId)

describe('the journal', () => {
  it('keeps exchanges, the oldest first', () => {
    const journal = createNumbered(10)
    recordAll(journal, ['a', 'b', 'c'])
    expect(namesOf(entriesOf(journal))).toEqual(['a', 'b', 'c'])
    expect(journal.size).toBe(3)
  })

  it('reads an exchange only when its entry is accessed', () => {
    let read = 0
    const newId = () => {
      read += 1
      return `entry-${read}`
    }
    const journal = createJournals({ redactor, capacity: 10, memory: createMemory(Infinity), newId }).open('one')
    recordAll(journal, ['a', 'b', 'c'])
    const [, second] = journal.exchanges()
    expect([second?.time, second?.id, second?.isUnmatched]).toEqual([toExchange({}).time, undefined, false])
    expect(journal.find('entry-1')).toBeUndefined()
    expect(read).toBe(0)
    expect(second?.entry.correlationId).toBe('b')
    expect(second?.id).toBe('entry-1')
    expect(journal.find('entry-1')).toBe(second?.entry)
    expect(read).toBe(1)
  })

  it('drops the oldest when it is full', () => {
    const journal = createNumbered(2)
    recordAll(journal, ['a', 'b', 'c'])
    expect(namesOf(entriesOf(journal))).toEqual(['b', 'c'])
  })

  it('keeps exactly the last n of its session in order, whatever is recorded, removed and cleared in any session', () => {
    const session = fc.nat({ max: 2 })
    const step = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constant('record'),
          session,
          name: fc.string({ maxLength: 3 }),
          times: fc.nat({ max: 20 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('remove'),
          session,
          name: fc.string({ maxLength: 1 }),
          times: fc.constant(1),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constantFrom('read', 'clear'),
          session,
          name: fc.constant(''),
          times: fc.constant(1),
        }),
      },
    )
    fc.assert(
      fc.property(fc.nat({ max: 20 }), fc.array(step, { maxLength: 40 }), (capacity, steps) => {
        const journals = createJournals({
          redactor,
          capacity,
          memory: createMemory(Infinity),
          newId: () => crypto.randomUUID(),
        })
        const sessions = [0, 1, 2].map(() => ({ journal: journals.open('one'), expected: [] as string[] }))
        for (const { kind, session: at, name, times } of steps) {
          const one = sessions[at] ?? expect.fail('There is no such session.')
          if (kind === 'record') {
            const names = Array.from({ length: times }, (_, number) => `${name}${number}`)
            recordAll(one.journal, names)
            one.expected = capacity === 0 ? [] : [...one.expected, ...names].slice(-capacity)
          } else if (kind === 'remove') {
            remove(one.journal, (correlationId) => correlationId.startsWith(name))
            one.expected = one.expected.filter((kept) => !kept.startsWith(name))
          } else if (kind === 'clear') {
            one.journal.clear()
            one.expected = []
          } else expect(namesOf(entriesOf(one.journal))).toEqual(one.expected)
        }
        for (const { journal, expected } of sessions) {
          expect(journal.size).toBe(expected.length)
          expect(namesOf(entriesOf(journal))).toEqual(expected)
        }
      }),
    )
  })

  it('keeps nothing if its capacity is 0', () => {
    const journal = createNumbered(0)
    recordAll(journal, ['a'])
    expect(entriesOf(journal)).toEqual([])
    expect(journal.size).toBe(0)
  })

  it('finds an entry by the id that it was read with', () => {
    const journal = createNumbered(3)
    recordAll(journal, ['a', 'b', 'c', 'd'])
    const [, second] = entriesOf(journal)
    expect(journal.find(second?.id ?? '')).toBe(second)
    expect(journal.find('nobody')).toBeUndefined()
  })

  it('gives an id only to entries that are read, and the same one each time', () => {
    let asked = 0
    const newId = () => {
      asked += 1
      return `entry-${asked}`
    }
    const journal = createJournals({ redactor, capacity: 2, memory: createMemory(Infinity), newId }).open('one')
    recordAll(journal, ['a', 'b', 'c'])
    expect(asked).toBe(0)
    expect(entriesOf(journal)).toEqual(entriesOf(journal))
    expect(asked).toBe(2)
  })

  it('returns every exchange as it was recorded, whatever its length and neighbours', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '☕', '\u{1F600}', ' ', '"', '%'), maxLength: 400 })
    const headerValues = fc.oneof(
      fc.constant(''),
      fc.constantFrom('"1"', '\u0001', '\u0002'),
      fc.string({ maxLength: 300 }),
    )
    const headers = fc.oneof(
      fc.dictionary(fc.constantFrom('ETag', 'Location', 'X-Mock-Warning'), headerValues),
      fc.constant(new Headers([['Set-Cookie', 'a=1; Path=/']])),
    )
    const records = fc.record(
      {
        time: fc.date({ noInvalidDate: true }).map(Number),
        durationMilliseconds: fc.double({ min: 0, noNaN: true }),
        correlationId: fc.stringMatching(/^[\w-]{8,60}$/),
        operation: fc.constantFrom('getResourceById', 'createResource', undefined),
        projectKey: fc.oneof(fc.constant('acme'), text),
        session: fc.constantFrom('default', 's1'),
        warnings: fc.array(text, { maxLength: 2 }),
        method: fc.constantFrom('GET', 'POST'),
        url: fc.webUrl({ withQueryParameters: true, size: 'large' }),
        requestBody: fc.option(text, { nil: undefined }),
        status: fc.constantFrom(0, 200, 404),
        responseHeaders: headers,
        responseBody: fc.option(text, { nil: undefined }),
        fault: fc.constantFrom(undefined, 'TIMEOUT'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.array(records, { maxLength: 300 }), (capacity, drafts) => {
        const journals = createJournals({ redactor, capacity, memory: createMemory(Infinity), newId: () => 'entry-1' })
        const [even, odd] = [journals.open('one'), journals.open('one')]
        for (const [at, draft] of drafts.entries()) (at % 2 === 0 ? even : odd).record(toExchange(draft))
        for (const [rest, journal] of [even, odd].entries()) {
          const own = drafts.filter((_, at) => at % 2 === rest)
          expect(entriesOf(journal)).toEqual(own.slice(-capacity).map((draft) => toTestEntry(draft)))
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('returns what it removes', () => {
    const journal = createNumbered(2)
    recordAll(journal, ['a', 'b', 'c'])
    expect(namesOf(remove(journal, (correlationId) => correlationId === 'b'))).toEqual(['b'])
    recordAll(journal, ['d', 'e'])
    expect(namesOf(entriesOf(journal))).toEqual(['d', 'e'])
  })

  it('reads no other entry to find or to remove one', () => {
    let read = 0
    const newId = () => {
      read += 1
      return `entry-${read}`
    }
    const journal = createJournals({ redactor, capacity: 10, memory: createMemory(Infinity), newId }).open('one')
    recordAll(journal, ['a', 'b', 'c'])
    const [, second] = journal.exchanges()
    const id = second?.entry.id ?? ''
    expect(journal.find(id)).toBe(second?.entry)
    expect(namesOf(journal.remove(new Set([id])))).toEqual(['b'])
    expect([journal.size, read]).toEqual([2, 1])
  })

  it('reads the bodies of the others no second time to remove one', () => {
    const body = vi.fn(redactor.body)
    const parts = { capacity: 10, memory: createMemory(Infinity), newId: () => crypto.randomUUID() }
    const journal = createJournals({ ...parts, redactor: { ...redactor, body } }).open('one')
    for (const version of [1, 2, 3, 4]) {
      const requestBody = `{"version":${version},"actions":[]}`
      journal.record(toExchange({ correlationId: `${version}`, status: version === 3 ? 200 : 409, requestBody }))
    }
    const id = journal.exchanges()[0]?.entry.id ?? ''
    body.mockClear()
    expect(journal.remove(new Set([id]))).toHaveLength(1)
    expect(body).not.toHaveBeenCalled()
  })

  it('stays as it is if it has none of the exchanges to remove', () => {
    const journal = createNumbered(1)
    journal.record(toExchange({ status: 409 }))
    journal.record(toExchange({ status: 503 }))
    expect(journal.remove(new Set(['none']))).toEqual([])
    expect(journal.seen()).toMatchObject({ requests: 2, failures: 2 })
    journal.clear()
    expect(journal.seen()).toMatchObject({ requests: 0, failures: 0, responses: [] })
  })

  it.each([0, 1])('returns an exchange that it has just recorded, with room for %i', (capacity) => {
    const journal = createNumbered(capacity)
    const kept = journal.record(toExchange({ correlationId: 'a' }))
    expect(kept.entry.correlationId).toBe('a')
    expect(journal.find(kept.entry.id)).toBe(capacity === 0 ? undefined : kept.entry)
  })

  it('counts what it dropped until it is cleared', () => {
    const journal = createNumbered(2)
    recordAll(journal, ['a', 'b', 'c', 'd'])
    remove(journal, (correlationId) => correlationId === 'd')
    expect(journal.dropped).toBe(2)
    journal.clear()
    expect(journal.dropped).toBe(0)
  })
})

describe('entries read one after the other', () => {
  it('let others run in between', async () => {
    const yields = hurry()
    const turns: string[] = []
    const exchanges = ['a', 'b', 'c'].map((name) => ({ entry: toTestEntry({ correlationId: name }) }))
    for await (const { correlationId } of readEntries(exchanges))
      turns.push(`${yields.mock.calls.length} ${correlationId}`)
    expect(turns).toEqual(['0 a', '1 b', '2 c'])
  })

  it('are read only as far as the reader goes', async () => {
    let read = 0
    const exchanges = Array.from({ length: 10 }, () => ({
      get entry() {
        read += 1
        return toTestEntry()
      },
    }))
    for await (const _first of readEntries(exchanges)) break
    expect(read).toBe(1)
  })
})

describe('the memory of all journals', () => {
  const KIB = 1024

  function open(limit = Infinity, capacity = 1000) {
    const memory = createMemory(limit)
    const journals = createJournals({ redactor, capacity, memory, newId: () => 'entry-1' })
    memory.freeInOrder({ all: [journals.dropOldest], one: [journals.dropOldest] })
    return {
      ...journals,
      get bytes() {
        return memory.uses.get('journals') ?? NaN
      },
    }
  }

  const large = (correlationId: string) => toExchange({ correlationId, responseBody: 'x'.repeat(20 * KIB) })

  it('are limited: the oldest exchange of any session is dropped first', () => {
    const journals = open(200 * KIB)
    const [one, other] = [journals.open('one'), journals.open('other')]
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      one.record(large(`${name}1`))
      other.record(large(`${name}2`))
      expect(journals.bytes).toBeLessThanOrEqual(200 * KIB)
    }
    expect(namesOf(entriesOf(one))).toEqual(['e1', 'f1'])
    expect(namesOf(entriesOf(other))).toEqual(['e2', 'f2'])
    expect([one.dropped, other.dropped]).toEqual([4, 4])
  })

  it('of a session is at most half of it', () => {
    const journals = open(100 * KIB)
    const [one, other] = [journals.open('one'), journals.open('other')]
    other.record(large('a'))
    for (const name of ['b', 'c', 'd']) one.record(large(name))
    expect([namesOf(entriesOf(one)), namesOf(entriesOf(other))]).toEqual([['d'], ['a']])
  })

  it.each<[string, ExchangeMembers]>([
    ['the target', { url: `http://mock/${'x'.repeat(10 * KIB)}` }],
    ['request headers', { requestHeaders: new Headers({ Cookie: 'x'.repeat(10 * KIB) }) }],
    ["request headers in Node's format", { requestHeaders: ['Cookie', 'x'.repeat(10 * KIB)] }],
    ['response headers', { responseHeaders: { Location: 'x'.repeat(10 * KIB) } }],
    ['the request body', { requestBody: 'x'.repeat(10 * KIB) }],
    ['a binary body', { responseBody: new Uint8Array(10 * KIB) }],
    ['warnings', { warnings: ['x'.repeat(10 * KIB)] }],
  ])('count %s', (_what, members) => {
    const journals = open()
    const journal = journals.open('one')
    journal.record(toExchange())
    const small = journals.bytes
    journal.record(toExchange(members))
    expect(journals.bytes - 2 * small).toBeGreaterThan(9 * KIB)
  })

  it('count only the retained part of a body', () => {
    const journals = open()
    journals
      .open('one')
      .record(toExchange({ requestBody: 'x'.repeat(1000 * KIB), responseBody: Buffer.alloc(1000 * KIB) }))
    expect(journals.bytes).toBeLessThan(300 * KIB)
  })

  it('are free again after exchanges are removed, dropped and cleared', () => {
    const journals = open(Infinity, 2)
    const journal = journals.open('one')
    for (const name of ['a', 'b', 'c', 'd']) journal.record(large(name))
    remove(journal, (correlationId) => correlationId === 'c')
    journal.clear()
    expect(journals.bytes).toBe(0)
  })

  it('may be too few for a single exchange, which can still be read', () => {
    const journal = open(1).open('one')
    expect(journal.record(large('a')).entry.correlationId).toBe('a')
    expect([journal.size, journal.dropped]).toEqual([0, 1])
  })
})

describe('an entry of the journal', () => {
  it('cannot be changed by its readers', () => {
    const { request, response, scenarios } = toTestEntry()
    for (const part of [request, request.headers, request.body, response, response.headers, scenarios]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  it('omits missing parts of the exchange', () => {
    const entry = toTestEntry({
      operation: undefined,
      projectKey: undefined,
      clientAddress: undefined,
      requestBody: '',
      responseBody: '',
    })
    for (const member of ['operation', 'projectKey']) expect(entry).not.toHaveProperty(member)
    for (const member of ['body', 'clientAddress']) expect(entry.request).not.toHaveProperty(member)
    for (const member of ['body', 'fault']) expect(entry.response).not.toHaveProperty(member)
  })

  it('has its headers by lower-case name, whatever their spelling', () => {
    const { request, response } = toTestEntry({
      requestHeaders: new Headers([
        ['X-One', '1'],
        ['x-one', '2'],
        ['__proto__', 'mine'],
      ]),
      responseHeaders: new Headers([
        ['Set-Cookie', 'a=1; Path=/'],
        ['Set-Cookie', 'b=2'],
      ]),
    })
    expect(Object.entries(request.headers)).toEqual([
      ['__proto__', 'mine'],
      ['x-one', '1, 2'],
    ])
    expect(response.headers['set-cookie']).toBe('a=[redacted]; Path=/\nb=[redacted]')
  })

  it.each([
    [undefined, 404, true],
    [undefined, 405, true],
    [undefined, 200, false],
    [undefined, 400, false],
    ['getResourceById', 404, false],
  ])('of operation %s with status %i is unmatched: %s', (operation, status, expected) => {
    expect(isUnmatched(toTestEntry({ operation, status }))).toBe(expected)
  })
})
