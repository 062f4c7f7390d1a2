import { describe, expect, it } from 'vitest'
import { compileBodyFilter, hasBodyTerm } from '../../src/dashboard/filter-terms.ts'
import { compileFilter, toHiddenText } from '../../src/dashboard/filter.ts'
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
    expect(toHiddenText(2, 'statsu>=400')).toBe(
      'The filter hides 2 requests. Unknown field statsu. Did you mean "status"?',
    )
    expect(toHiddenText(1, 'http://a status:4xx')).toBe('The filter hides 1 request.')
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
