import { describe, expect, it } from 'vitest'
import { compileBodyFilter, hasBodyTerm } from '../../src/dashboard/filter-terms.ts'
import { compileFilter, toHiddenText, toShownText } from '../../src/dashboard/filter.ts'
import type { Filter } from '../../src/dashboard/filter.ts'
import type { Row } from '../../src/dashboard/row.ts'
import { sortRows, toAriaSort, toNextSort } from '../../src/dashboard/sort.ts'

const row: Row = {
  id: '1',
  time: 0,
  session: 'default',
  method: 'POST',
  target: '/acme/resource/1?limitt=2',
  operation: 'updateResource',
  status: 409,
  duration: 1,
  scenarios: ['conflict-once'],
  warnings: ['D4 Unknown'],
}

describe('the filter of requests', () => {
  it.each<[Partial<Filter>, boolean]>([
    [{}, true],
    [{ text: 'ACME post' }, true],
    [{ text: 'conflict 409' }, true],
    [{ text: 'acme get' }, false],
    [{ operation: 'updateResource' }, true],
    [{ operation: 'getAction' }, false],
    [{ operation: '-' }, false],
    [{ status: 'failed' }, true],
    [{ status: 'warned' }, true],
    [{ status: '4' }, true],
    [{ status: '2' }, false],
    [{ status: '0' }, false],
  ])('%j', (filter, isShown) => {
    expect(compileFilter({ text: '', operation: '', status: '', sort: '', ...filter })(row)).toBe(isShown)
  })

  it('has twenty terms, so that no text makes it slow', () => {
    const admits = (text: string) => compileFilter({ text, operation: '', status: '', sort: '' })(row)
    expect(admits(`${'post '.repeat(19)}get`)).toBe(false)
    expect(admits(`${'post '.repeat(20)}get`)).toBe(true)
  })

  it.each([
    ['status>=400', true],
    ['status<409', false],
    ['status>408 status<=409', true],
    ['status:4xx', true],
    ['status=5xx', false],
    ['status>x', false],
    ['took<2', true],
    ['took>1.5', false],
    ['session:default', true],
    ['-session:default', false],
    ['-session:worker-2', true],
    ['session=def', false],
    ['SCENARIO:Conflict', true],
    ['scenario=conflict-once method:post', true],
    ['path~"/resource/1"', true],
    ['path:"resource/2"', false],
    ['operation:update', true],
    ['warning:D4', true],
    ['-warning:D4', false],
    ['"post /acme"', true],
    ['-409', false],
    ['-', true],
    ['other:409', false],
    ['body~"anything"', true],
  ])('the term %s', (text, isShown) => {
    expect(compileFilter({ text, operation: '', status: '', sort: '' })(row)).toBe(isShown)
  })

  it.each([
    ['body~"linen shirt"', ['{"a":"Linen shirt"}'], true],
    ['body:shirt', ['', 'SHIRT'], true],
    ['-body~shirt', ['shirt'], false],
    ['-body~shirt', [undefined, undefined], true],
    ['body~a -body~b', ['a', 'b'], false],
    ['body=ab', ['abc', 'ab'], true],
    ['status>=400', [], true],
  ])('says of bodies: %s', (text, bodies, isShown) => {
    expect(compileBodyFilter(text)(bodies)).toBe(isShown)
  })

  it('asks for bodies only if a term is about them', () => {
    expect(hasBodyTerm('-body~x')).toBe(true)
    expect(hasBodyTerm('body "body~x"')).toBe(false)
  })

  it('says which field is misspelt', () => {
    expect(toHiddenText('statsu>=400', { rows: [row, row], older: 0 })).toBe(
      'The filter hides 2 requests. Unknown field statsu. Did you mean "status"?',
    )
    expect(toHiddenText('http://a status:4xx', { rows: [row], older: 0 })).toBe('The filter hides 1 request.')
  })

  it('says how many requests it has not seen', () => {
    const rows = Array.from({ length: 1000 }, () => row)
    const filter = { text: 'status:404', operation: '', status: '', sort: '' }
    expect(toHiddenText('status:404', { rows, older: 49_800 })).toBe(
      'The filter hides 1,000 requests and does not search 49,800 older ones.',
    )
    expect(toShownText(filter, { shown: 12, rows, total: 50_800, older: 49_800 })).toBe(
      '12 of the newest 1,000 requests; the filter does not search the 49,800 older ones',
    )
    expect(toShownText(filter, { shown: 12, rows, total: 1000, older: 0 })).toBe('12 of 1,000 requests')
    expect(toShownText({ ...filter, text: '' }, { shown: 1000, rows, total: 50_800, older: 49_800 })).toBe(
      '1,000 of 50,800 requests',
    )
  })

  it('says which terms and how much of a path count', () => {
    const long = { ...row, target: `/${'a'.repeat(2000)}b` }
    const toText = (text: string, rows: readonly Row[]) =>
      toShownText({ text, operation: '', status: '', sort: '' }, { shown: 1, rows, total: 1, older: 0 })
    expect(toText('a '.repeat(20), [row])).toBe('1 request')
    expect(toText('a '.repeat(21), [row])).toBe('1 request. Only the first 20 terms count.')
    expect(toText('b', [row, long])).toBe('1 request. Only the first 2,000 characters of a path are searched.')
    expect(toText('', [long])).toBe('1 request')
    const admits = (text: string) => compileFilter({ text, operation: '', status: '', sort: '' })(long)
    expect([admits('path:/aaa'), admits('path:ab'), admits('aab')]).toEqual([true, false, false])
  })

  it('makes the text of a path readable once for all terms and filters', () => {
    let asked = 0
    const counted: Row = {
      ...row,
      get target() {
        asked += 1
        return '/acme/resource'
      },
    }
    const terms = Array.from({ length: 20 }, (_, at) => `path:${'a'.repeat(at)}`).join(' ')
    for (const text of [terms, `${terms}b`]) compileFilter({ text, operation: '', status: '', sort: '' })(counted)
    expect(asked).toBe(2)
  })

  it('finds requests without an operation or a response', () => {
    const lost = { ...row, operation: '', status: 0 }
    expect(compileFilter({ text: '', operation: '-', status: '0', sort: '' })(lost)).toBe(true)
  })
})

describe('the order of requests', () => {
  const rows = [
    { ...row, id: 'newest', duration: 2, target: '/b' },
    { ...row, id: 'middle', duration: 3, target: '/a' },
    { ...row, id: 'oldest', duration: 2, target: '/c' },
  ]
  it.each([
    ['', ['newest', 'middle', 'oldest']],
    ['-took', ['middle', 'newest', 'oldest']],
    ['took', ['newest', 'oldest', 'middle']],
    ['path', ['middle', 'newest', 'oldest']],
    ['notes', ['newest', 'middle', 'oldest']],
  ])('"%s"', (sort, ids) => {
    expect(sortRows(rows, sort).map(({ id }) => id)).toEqual(ids)
  })

  it('changes with each click on a column, and the third goes back to the newest first', () => {
    expect([toNextSort('took', ''), toNextSort('took', '-took'), toNextSort('took', 'took')]).toEqual([
      '-took',
      'took',
      '',
    ])
    expect([toNextSort('path', '-took'), toNextSort('path', 'path')]).toEqual(['path', '-path'])
  })

  it('is said to screen readers', () => {
    expect([toAriaSort('took', '-took'), toAriaSort('took', 'took'), toAriaSort('took', 'path')]).toEqual([
      'descending',
      'ascending',
      undefined,
    ])
  })
})
