import { expect as base } from '@playwright/test'
import type { ExpectMatcherState } from '@playwright/test'
import { SetupError } from '../errors.ts'
import type { PatternSource } from '../journal/pattern-source.ts'
import { awaitCount, isMet } from './await-count.ts'
import { isPageMock } from './page-mock.ts'
import type { PageMock } from './page-mock.ts'
import { toReceivedText } from './received-text.ts'

/** How many requests {@link expect}'s `toHaveReceived` asks for, and how long it waits for them. */
export interface ReceivedOptions {
  /** Exactly so many. Default: at least one. */
  readonly times?: number
  /** In milliseconds. Default: that of `expect` in the configuration. */
  readonly timeout?: number
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** @throws {SetupError} for a number, of requests or milliseconds, that cannot be. */
function expectWhole(name: keyof ReceivedOptions, given: number | undefined): void {
  if (given === undefined || (Number.isSafeInteger(given) && given >= 0)) return
  throw new SetupError(`${name} must be a whole number of at least 0, not ${String(given)}. Pass one, or leave it out.`)
}

async function toHaveReceived(
  this: ExpectMatcherState,
  mock: PageMock,
  pattern: PatternSource = {},
  options: ReceivedOptions = {},
) {
  if (!isPageMock(mock)) {
    throw new SetupError('toHaveReceived asks the fixture mock. Write: await expect(mock).toHaveReceived(pattern)')
  }
  const { times, timeout = this.timeout } = options
  expectWhole('times', times)
  expectWhole('timeout', timeout)
  const { isNot, utils } = this
  const { journal, url } = mock
  const count = await awaitCount(
    () => journal.count(pattern),
    { times, isNot, deadline: AbortSignal.timeout(timeout) },
    wait,
  )
  const pass = isMet(count, times)
  if (pass !== isNot) return { pass, message: () => '' }
  const [matching, near] = await Promise.all([mock.requests(pattern), journal.findNear(pattern)])
  const hint = utils.matcherHint('toHaveReceived', 'mock', 'pattern', { isNot })
  const text = toReceivedText({ pattern, times, isNot, timeout, count, matching, near, url })
  return { pass, message: () => `${hint}\n\n${text}`, name: 'toHaveReceived', expected: pattern }
}

/**
 * Playwright's `expect` with the matcher `toHaveReceived`: waits until the mock has received, in the test's session,
 * requests that a pattern of WireMock's holds for.
 *
 * @example
 * await expect(mock).toHaveReceived({ method: 'POST', urlPathPattern: '/[^/]+/resource' })
 * await expect(mock).toHaveReceived({ operation: 'updateResource' }, { times: 2 })
 * await expect(mock).not.toHaveReceived({ method: 'DELETE' })
 * await expect(mock).not.toHaveReceived() // nothing at all
 */
export const expect = base.extend({ toHaveReceived })
