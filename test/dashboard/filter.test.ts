import { describe, expect, it } from 'vitest'
import { compileFilter } from '../../src/dashboard/filter.ts'
import type { Filter } from '../../src/dashboard/filter.ts'
import type { Row } from '../../src/dashboard/row.ts'

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
    expect(compileFilter({ text: '', operation: '', status: '', ...filter })(row)).toBe(isShown)
  })

  it('finds requests without an operation or a response', () => {
    const lost = { ...row, operation: '', status: 0 }
    expect(compileFilter({ text: '', operation: '-', status: '0' })(lost)).toBe(true)
  })
})
