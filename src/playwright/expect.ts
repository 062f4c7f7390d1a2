import { expect as base } from '@playwright/test'
import type { ExpectMatcherState } from '@playwright/test'
import { SetupError } from '../errors.ts'
import type { PatternSource } from '../journal/pattern-source.ts'
import type { RecoveryKind } from '../journal/coverage-counts.ts'
import { awaitCount, isMet } from './await-count.ts'
import { expectPatterns, findInOrder, isComplete, toInOrderText } from './in-order.ts'
import type { Step } from './in-order.ts'
import { isPageMock } from './page-mock.ts'
import type { PageMock } from './page-mock.ts'
import { toReceivedText } from './received-text.ts'
import { countRecovered, expectKind, toRecoveredText } from './recovered.ts'

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

/** @throws {SetupError} for anything but the mock of a test. */
function expectMock(matcher: string, given: unknown): void {
  if (isPageMock(given)) return
  throw new SetupError(`${matcher} asks the fixture mock. Write: await expect(mock).${matcher}(…)`)
}

async function toHaveReceived(
  this: ExpectMatcherState,
  mock: PageMock,
  pattern: PatternSource = {},
  options: ReceivedOptions = {},
) {
  expectMock('toHaveReceived', mock)
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

async function toHaveReceivedInOrder(
  this: ExpectMatcherState,
  mock: PageMock,
  patterns: readonly PatternSource[],
  { timeout = this.timeout }: Pick<ReceivedOptions, 'timeout'> = {},
) {
  expectMock('toHaveReceivedInOrder', mock)
  expectPatterns(patterns)
  expectWhole('timeout', timeout)
  const { isNot, utils } = this
  let steps: readonly Step[] = []
  const count = async () => {
    steps = await findInOrder(mock, patterns)
    return isComplete(steps) ? 1 : 0
  }
  await awaitCount(count, { times: undefined, isNot, deadline: AbortSignal.timeout(timeout) }, wait)
  const hint = utils.matcherHint('toHaveReceivedInOrder', 'mock', 'patterns', { isNot })
  const message = () => `${hint}\n\n${toInOrderText(steps, { isNot, timeout })}`
  return { pass: isComplete(steps), message, name: 'toHaveReceivedInOrder', expected: patterns }
}

async function toHaveRecovered(
  this: ExpectMatcherState,
  mock: PageMock,
  kind: RecoveryKind,
  options: ReceivedOptions = {},
) {
  expectMock('toHaveRecovered', mock)
  expectKind(kind)
  const { times, timeout = this.timeout } = options
  expectWhole('times', times)
  expectWhole('timeout', timeout)
  const { isNot, utils } = this
  const wanted = { times, isNot, deadline: AbortSignal.timeout(timeout) }
  const count = await awaitCount(() => countRecovered(mock, kind), wanted, wait)
  const pass = isMet(count, times)
  if (pass !== isNot) return { pass, message: () => '' }
  const text = toRecoveredText({ kind, times, isNot, timeout, count, requests: await mock.requests() })
  const hint = utils.matcherHint('toHaveRecovered', 'mock', 'kind', { isNot })
  return { pass, message: () => `${hint}\n\n${text}`, name: 'toHaveRecovered', expected: kind }
}

/**
 * Playwright's `expect` with matchers for the requests of the test's session. Each waits until it holds: `toHaveReceived`
 * for requests that a pattern of WireMock's holds for, `toHaveReceivedInOrder` for one request after another, and
 * `toHaveRecovered` for a request that failed and was then sent again with success.
 *
 * @example
 * await expect(mock).toHaveReceived({ method: 'POST', urlPathPattern: '/[^/]+/resource' })
 * await expect(mock).toHaveReceived({ operation: 'updateResource' }, { times: 2 })
 * await expect(mock).not.toHaveReceived({ method: 'DELETE' })
 * await expect(mock).not.toHaveReceived() // nothing at all
 * await expect(mock).toHaveReceivedInOrder([{ method: 'POST' }, { method: 'GET' }])
 * await expect(mock).toHaveRecovered('conflict')
 */
export const expect = base.extend({ toHaveReceived, toHaveReceivedInOrder, toHaveRecovered })
