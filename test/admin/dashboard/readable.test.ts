import { describe, expect, it } from 'vitest'
import { groupRetries } from '../../../src/admin/dashboard/app/views/requests/entries.ts'
import type { ListedRequest } from '../../../src/admin/dashboard/app/views/requests/entries.ts'
import {
  findFilterFault,
  toReadableName,
  toPeriodFilter,
  toReadable,
  toTimelessFilter,
  toZonedFilter,
} from '../../../src/admin/dashboard/app/views/requests/readable.ts'
import { suggestTerms, toggleStatus } from '../../../src/admin/dashboard/app/views/requests/suggest.ts'

describe('a request in the list', () => {
  it('has its path and query decoded, without its own session', () => {
    expect(toReadable('/@a/acme/resource?where=key%20%3D%20%22oak%22', 'a')).toEqual({
      path: '/acme/resource',
      query: '?where=key = "oak"',
    })
    expect(toReadable('/@a/acme/resource%2F1', 'b').path).toBe('/@a/acme/resource%2F1')
  })

  it.each([
    ['its operation', { operation: 'getCart', url: '/x' }, 'getCart'],
    ['the token endpoint', { url: '/@a/oauth/token' }, 'oauth token'],
    ["a project's token endpoint", { url: '/oauth/acme/anonymous/token?scope=a/b' }, 'oauth token'],
    ['token introspection', { url: '/oauth/introspect' }, 'oauth introspect'],
    ['a path of another service', { url: '/x?next=/oauth/token', isPassedThrough: true }, 'passed through'],
    [
      'a path that is nearly an endpoint',
      { url: '/x', isPassedThrough: true, nearest: 'getCart' },
      'passed through, nearly getCart',
    ],
    ['an unmatched path', { url: '/x', nearest: 'getCart' }, 'nearly getCart'],
  ])('is named by %s', (_what, entry, name) => {
    expect(toReadableName(entry)).toBe(name)
  })

  it('is below its first attempt if it is a retry', () => {
    const toEntry = (id: string, retryOf?: string): ListedRequest =>
      ({ id, ...(retryOf === undefined ? {} : { retryOf }) }) as unknown as ListedRequest
    const list = [toEntry('5'), toEntry('4', '1'), toEntry('3'), toEntry('2', '1'), toEntry('1')]
    expect(groupRetries(list).map((one) => one?.id)).toEqual(['5', '1', '2', '4', '3'])
    const plain = [toEntry('2'), toEntry('1')]
    expect(groupRetries(plain)).toBe(plain)
  })
})

describe('the filter', () => {
  it('takes a period in place of the previous one', () => {
    const filter = toPeriodFilter('status>=400 time>14:00 oak time<"15:00"', 0, 1000)
    expect(filter).toBe('status>=400 oak time>=1970-01-01T00:00:00.000Z time<1970-01-01T00:00:01.000Z')
    expect(toTimelessFilter(filter)).toBe('status>=400 oak')
  })

  it('sends the time zone of the reader with times that have no date', () => {
    const filter = 'oak time>14:00 -time<"9:05:07.25" time>=2026-01-30T14:00:00Z time:noon'
    expect(toZonedFilter(filter, -60)).toBe(
      'oak time>14:00+01:00 -time<"9:05:07.25+01:00" time>=2026-01-30T14:00:00Z time:noon',
    )
    expect(toZonedFilter('time>14:00', 570)).toBe('time>14:00-09:30')
    expect(toZonedFilter(filter, 0)).toBe(filter)
  })

  it('has a hint for an unknown field', () => {
    expect(findFilterFault('status>=400 oak')).toBeUndefined()
    expect(findFilterFault('stats:404')).toMatch(/^Unknown field stats\. Did you mean "status"\?/)
  })

  it('has suggestions for the term that is typed', () => {
    // Only these members are read.
    const list = [
      { method: 'GET', operation: 'queryResources', scenarios: ['my own'], status: 409, session: 'a', url: '/a b' },
    ] as unknown as readonly ListedRequest[]
    expect(suggestTerms('s', list)).toEqual(['session:', 'scenario:', 'status>='])
    expect(suggestTerms('-fa', list)).toEqual(['-failed'])
    expect(suggestTerms('operation:q', list)).toEqual(['operation:queryResources'])
    expect(suggestTerms('-scenario~"my', list)).toEqual(['-scenario~"my own"'])
    expect(suggestTerms('status:', list)).toEqual(['status:4xx', 'status:5xx', 'status:409'])
    expect(suggestTerms('oak', list)).toEqual([])
    expect(suggestTerms('body:x', list)).toEqual([])
  })

  it('has one status filter at a time', () => {
    expect(toggleStatus('oak', 'status:4xx')).toBe('oak status:4xx')
    expect(toggleStatus('oak status:4xx', 'failed')).toBe('oak failed')
    expect(toggleStatus('failed oak', 'failed')).toBe('oak')
  })
})
