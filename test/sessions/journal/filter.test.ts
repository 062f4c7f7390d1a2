import { describe, expect, it } from 'vitest'
import { compileJournalFilter } from '../../../src/sessions/journal/filter.ts'
import type { FilterContext } from '../../../src/sessions/journal/filter.ts'
import { FilterFault, parseFilterTerms } from '../../../src/sessions/journal/filter-terms.ts'
import { toTestEntry } from './exchanges.ts'

const context: FilterContext = {
  now: Date.parse('2026-01-31T12:00:00Z'),
  identify: (idOrKey) => new Set([idOrKey]),
  toTestTitle: (session) => (session === 'worker-1' ? 'cart › saves product 27' : undefined),
}

const matches = (filter: string, session = 'worker-1'): boolean =>
  compileJournalFilter(filter, context).isMatch({ entry: toTestEntry({ session }), retry: undefined })

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

  it('needs retries only for a retry term', () => {
    expect(compileJournalFilter('status>=400 retry', context).needsRetries).toBe(false)
    expect(compileJournalFilter('-retry:none', context).needsRetries).toBe(true)
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
