import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/journal/entry.ts'
import { isUnmatched } from '../../src/journal/entry.ts'
import { createJournals } from '../../src/journal/journal.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { toRecord, toTestEntry } from './exchanges.ts'

function createNumbered(capacity: number): Journal {
  let made = 0
  const newId = () => {
    made += 1
    return `entry-${made}`
  }
  return createJournals({ capacity, newId })()
}

const recordAll = (journal: Journal, names: readonly string[]): void => {
  for (const correlationId of names) journal.record(toRecord({ correlationId }))
}
const namesOf = (entries: readonly JournalEntry[]): readonly string[] =>
  entries.map(({ correlationId }) => correlationId)

describe('the journal', () => {
  it('keeps exchanges, the oldest first', () => {
    const journal = createNumbered(10)
    recordAll(journal, ['a', 'b', 'c'])
    expect(namesOf(journal.entries())).toEqual(['a', 'b', 'c'])
    expect(journal.size).toBe(3)
  })

  it('lets the oldest go when it is full', () => {
    const journal = createNumbered(2)
    recordAll(journal, ['a', 'b', 'c'])
    expect(namesOf(journal.entries())).toEqual(['b', 'c'])
  })

  it('keeps exactly the last n of its session in order, whatever is recorded, removed and cleared in any of them', () => {
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
        const openJournal = createJournals({ capacity, newId: () => 'entry-1' })
        const sessions = [0, 1, 2].map(() => ({ journal: openJournal(), expected: [] as string[] }))
        for (const { kind, session: at, name, times } of steps) {
          const one = sessions[at] ?? expect.fail('There is no such session.')
          if (kind === 'record') {
            const names = Array.from({ length: times }, (_, number) => `${name}${number}`)
            recordAll(one.journal, names)
            one.expected = capacity === 0 ? [] : [...one.expected, ...names].slice(-capacity)
          } else if (kind === 'remove') {
            one.journal.remove(({ correlationId }) => correlationId.startsWith(name))
            one.expected = one.expected.filter((kept) => !kept.startsWith(name))
          } else if (kind === 'clear') {
            one.journal.clear()
            one.expected = []
          } else expect(namesOf(one.journal.entries())).toEqual(one.expected)
        }
        for (const { journal, expected } of sessions) {
          expect(journal.size).toBe(expected.length)
          expect(namesOf(journal.entries())).toEqual(expected)
        }
      }),
    )
  })

  it('keeps nothing at all when its capacity is 0', () => {
    const journal = createNumbered(0)
    recordAll(journal, ['a'])
    expect(journal.entries()).toEqual([])
    expect(journal.size).toBe(0)
  })

  it('finds an entry by the id that it was read with', () => {
    const journal = createNumbered(3)
    recordAll(journal, ['a', 'b', 'c', 'd'])
    const [, second] = journal.entries()
    expect(journal.find(second?.id ?? '')).toBe(second)
    expect(journal.find('nobody')).toBeUndefined()
  })

  it('gives an id to what is read only, and the same one each time', () => {
    let asked = 0
    const newId = () => {
      asked += 1
      return `entry-${asked}`
    }
    const journal = createJournals({ capacity: 2, newId })()
    recordAll(journal, ['a', 'b', 'c'])
    expect(asked).toBe(0)
    expect(journal.entries()).toEqual(journal.entries())
    expect(asked).toBe(2)
  })

  it('gives every exchange back as it was recorded, however long, and whatever its neighbours are', () => {
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
        const openJournal = createJournals({ capacity, newId: () => 'entry-1' })
        const [even, odd] = [openJournal(), openJournal()]
        for (const [at, draft] of drafts.entries()) (at % 2 === 0 ? even : odd).record(toRecord(draft))
        for (const [rest, journal] of [even, odd].entries()) {
          const own = drafts.filter((_, at) => at % 2 === rest)
          expect(journal.entries()).toEqual(own.slice(-capacity).map((draft) => toTestEntry(draft)))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('reads no header before someone asks', () => {
    const headers = new Headers()
    headers[Symbol.iterator] = () => {
      throw new Error('read too early')
    }
    const journal = createNumbered(1)
    journal.record(toRecord({ responseHeaders: headers }))
    expect(() => journal.entries()).toThrow('read too early')
  })

  it('returns what it removes', () => {
    const journal = createNumbered(2)
    recordAll(journal, ['a', 'b', 'c'])
    expect(namesOf(journal.remove(({ correlationId }) => correlationId === 'b'))).toEqual(['b'])
    recordAll(journal, ['d', 'e'])
    expect(namesOf(journal.entries())).toEqual(['d', 'e'])
  })

  it('tells subscribers of each exchange until they end it, even where it keeps none', () => {
    for (const capacity of [0, 1]) {
      const journal = createNumbered(capacity)
      const heard: JournalEntry[] = []
      const end = journal.subscribe((entry) => heard.push(entry))
      recordAll(journal, ['a', 'b'])
      end()
      recordAll(journal, ['c'])
      expect(namesOf(heard)).toEqual(['a', 'b'])
    }
  })

  it('tells a subscriber of the very entry that is found later', () => {
    const journal = createNumbered(1)
    journal.subscribe((entry) => expect(journal.find(entry.id)).toBe(entry))
    const heard: JournalEntry[] = []
    journal.subscribe((entry) => heard.push(entry))
    recordAll(journal, ['a'])
    expect(journal.find(heard[0]?.id ?? '')).toBe(heard[0])
  })
})

describe('an entry of the journal', () => {
  it('cannot be changed by who reads it', () => {
    const { request, response, scenarios } = toTestEntry()
    for (const part of [request, request.headers, request.body, response, response.headers, scenarios]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  it('leaves out what the exchange did not have', () => {
    const entry = toTestEntry({
      operation: undefined,
      projectKey: undefined,
      clientAddress: undefined,
      requestBody: '',
      responseBody: undefined,
    })
    for (const member of ['operation', 'projectKey']) expect(entry).not.toHaveProperty(member)
    for (const member of ['body', 'clientAddress']) expect(entry.request).not.toHaveProperty(member)
    for (const member of ['body', 'fault']) expect(entry.response).not.toHaveProperty(member)
  })

  it('has its headers by lower-case name, whatever they are called', () => {
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
