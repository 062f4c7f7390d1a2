import { expect, it } from 'vitest'
import { createSummary } from '../../../src/sessions/journal/journal.ts'

const seen = (members: Partial<Parameters<ReturnType<typeof createSummary>['count']>[0]> = {}) => ({
  operation: 'getResourceById',
  method: 'GET',
  url: 'http://mock/acme/resource/1',
  status: 200,
  scenarios: [],
  ...members,
})

it('counts responses, failures, retries and scenarios', () => {
  const summary = createSummary()
  summary.count(seen({ status: 503, scenarios: ['flaky'] }))
  summary.count(seen({ status: 503, url: 'http://mock/acme/resource/2' }))
  summary.count(seen())
  expect(summary.read()).toEqual({
    failures: 2,
    scenarios: ['flaky'],
    responses: [
      { operation: 'getResourceById', method: 'GET', status: 503, count: 2, retried: 1 },
      { operation: 'getResourceById', method: 'GET', status: 200, count: 1, retried: 0 },
    ],
  })
})

it('reads an exchange once, when it comes, however often the summary is read', () => {
  let reads = 0
  const summary = createSummary()
  summary.count({
    ...seen(),
    get status() {
      reads += 1
      return 200
    },
  })
  const before = reads
  expect(summary.read()).toEqual(summary.read())
  expect(reads).toBe(before)
})

it('lists at most 100 kinds of responses', () => {
  const summary = createSummary()
  for (let status = 100; status < 300; status += 1) summary.count(seen({ status }))
  expect(summary.read().responses).toHaveLength(100)
})
