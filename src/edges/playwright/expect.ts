import { expect as base } from '@playwright/test'
import type { ExpectMatcherState } from '@playwright/test'
import type { RecoveryKind } from '../../sessions/journal/counts.ts'
import type { PatternSource } from '../../sessions/journal/patterns.ts'
import type { ReceivedOptions } from './matchers.ts'
import type { PageMock } from './page-mock.ts'

// Loaded on demand: Playwright's runner imports every test, but only the workers run them.
const loadExpect = async () => (await import('./matchers.ts')).matchers
const loadChecks = async () => (await import('../../tools/resilience/checks.ts')).resilienceMatchers

/**
 * Playwright's `expect` with matchers for the requests of the test's session. Each polls until it is met or times out:
 * `toHaveReceived` for requests that match a WireMock pattern, `toHaveBeenCancelled` for those that the app cancelled or
 * gave up, `toHaveReceivedInOrder` for requests in a given order, and `toHaveRecovered` for a failed request that succeeded on a retry. Two more check what the requests did so far:
 * `toHaveKeptOtherChanges` and `toHaveCreatedOnce`.
 *
 * @example
 * await expect(mock).toHaveReceived({ method: 'POST', urlPathPattern: '/[^/]+/resource' })
 * await expect(mock).toHaveReceived({ operation: 'updateResource' }, { times: 2 })
 * await expect(mock).not.toHaveReceived({ method: 'DELETE' })
 * await expect(mock).not.toHaveReceived() // nothing at all
 * await expect(mock).toHaveBeenCancelled({ operation: 'searchResources' })
 * await expect(mock).toHaveReceivedInOrder([{ method: 'POST' }, { method: 'GET' }])
 * await expect(mock).toHaveRecovered('conflict')
 * await expect(mock).toHaveKeptOtherChanges()
 * await expect(mock).toHaveCreatedOnce()
 */
export const expect = base.extend({
  async toHaveReceived(this: ExpectMatcherState, mock: PageMock, pattern?: PatternSource, options?: ReceivedOptions) {
    return (await loadExpect()).toHaveReceived.call(this, mock, pattern, options)
  },
  async toHaveBeenCancelled(
    this: ExpectMatcherState,
    mock: PageMock,
    pattern?: PatternSource,
    options?: ReceivedOptions,
  ) {
    return (await loadExpect()).toHaveBeenCancelled.call(this, mock, pattern, options)
  },
  async toHaveReceivedInOrder(
    this: ExpectMatcherState,
    mock: PageMock,
    patterns: readonly PatternSource[],
    options?: Pick<ReceivedOptions, 'timeout'>,
  ) {
    return (await loadExpect()).toHaveReceivedInOrder.call(this, mock, patterns, options)
  },
  async toHaveRecovered(this: ExpectMatcherState, mock: PageMock, kind: RecoveryKind, options?: ReceivedOptions) {
    return (await loadExpect()).toHaveRecovered.call(this, mock, kind, options)
  },
  toHaveKeptOtherChanges: async (mock: unknown) => (await loadChecks()).toHaveKeptOtherChanges(mock),
  toHaveCreatedOnce: async (mock: unknown) => (await loadChecks()).toHaveCreatedOnce(mock),
})
