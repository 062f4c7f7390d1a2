import { describe, expect, it } from 'vitest'
import { compileJournalFilter } from '../../../src/sessions/journal/filter.ts'
import type { FilterContext } from '../../../src/sessions/journal/filter.ts'
import { FilterFault, parseFilterTerms } from '../../../src/sessions/journal/filter-terms.ts'
import { createMemory } from '../../../src/service/state/memory.ts'
import { createJournals } from '../../../src/sessions/journal/journal.ts'
import { createRedactor } from '../../../src/sessions/journal/redact.ts'
import { toExchange } from './exchanges.ts'

const context: FilterContext = {
  now: Date.parse('2026-01-31T12:00:00Z'),
  identify: (idOrKey) => new Set([idOrKey]),
  toTestTitle: ({ session }) => (session === 'worker-1' ? 'cart › saves product 27' : ''),
}

const redactor = createRedactor([])
const journals = createJournals({ capacity: 1, memory: createMemory(Infinity), redactor, newId: () => 'entry-1' })

const matches = (filter: string, session = 'worker-1'): boolean =>
  compileJournalFilter(filter, context)?.(journals.read(toExchange({ session }))) ?? true

describe('a request filter', () => {
  it('finds the requests of a test by its title', () => {
    expect(matches('test:"Saves product"')).toBe(true)
    expect(matches('test="cart › saves product 27"')).toBe(true)
    expect(matches('test="saves product"')).toBe(false)
    expect(matches('test:saves', 'worker-2')).toBe(false)
    expect(matches('-test:saves', 'worker-2')).toBe(true)
  })

  it.each(['constructor', '__proto__', '-toString', 'hasOwnProperty'])('takes %s as a word', (word) => {
    expect(matches(word)).toBe(word.startsWith('-'))
  })

  it.each(['constructor:x', 'toString=x', 'valueOf>1'])('refuses the field of %s', (filter) => {
    expect(() => compileJournalFilter(filter, context)).toThrow(/unknown field/)
  })

  it.each([
    ['{"key":"oak","access_token":"hidden"}', { 'body:OAK': true, 'body:hidden': false, 'body:[redacted]': true }],
    ['{"key":"oak"}', { 'body:OAK': true, 'body:hidden': false, 'body:[redacted]': false }],
  ])('finds the shown text of %s again and again, and creates no entry', (responseBody, expected) => {
    const exchange = journals.read(toExchange({ responseBody }))
    for (let round = 0; round < 2; round += 1) {
      for (const [filter, isFound] of Object.entries(expected))
        expect([filter, compileJournalFilter(filter, context)?.(exchange)]).toEqual([filter, isFound])
    }
    expect(exchange.id).toBeUndefined()
  })

  it('finds requests whose client left', () => {
    const findIn = (clientLeft: boolean, filter: string) =>
      compileJournalFilter(filter, context)?.(journals.read(toExchange({ clientLeft })))
    expect([findIn(true, 'client:left'), findIn(false, 'client:left')]).toEqual([true, false])
    expect([findIn(true, '-client:left'), findIn(false, '-client:left')]).toEqual([false, true])
    expect(() => findIn(true, 'client:gone')).toThrow('client: "gone" is unknown. Use client:left.')
  })

  it('does not find a secret', () => {
    const exchange = journals.read(toExchange({ url: 'http://mock/acme/resource?access_token=hidden' }))
    for (const filter of ['hidden', 'path:hidden'])
      expect(compileJournalFilter(filter, context)?.(exchange)).toBe(false)
    expect(exchange.id).toBeUndefined()
  })
})

describe('the terms of a filter', () => {
  it('are fields, flags and words', () => {
    expect(parseFilterTerms('status>=400 -Session:"worker 2" passed-through "passed-through" -oak')).toEqual([
      { isExcluded: false, kind: 'field', field: 'status', operator: '>=', value: '400' },
      { isExcluded: true, kind: 'field', field: 'session', operator: ':', value: 'worker 2' },
      { isExcluded: false, kind: 'flag', flag: 'passed-through' },
      { isExcluded: false, kind: 'word', value: 'passed-through' },
      { isExcluded: true, kind: 'word', value: 'oak' },
    ])
  })

  it('report an unknown field, with a suggestion', () => {
    expect(() => parseFilterTerms('metod:GET')).toThrow(
      new FilterFault('unknown field metod. Did you mean "method"? Quote text that contains :.'),
    )
  })

  it('take a field without a value as a word, as while typing', () => {
    expect(parseFilterTerms('status:')).toEqual([{ isExcluded: false, kind: 'word', value: 'status:' }])
  })
})
