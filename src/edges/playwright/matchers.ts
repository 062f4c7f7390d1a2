import { show } from '../../sessions/journal/value-patterns.ts'
import { toTarget } from '../../sessions/journal/target.ts'
import { SetupError } from '../../errors.ts'
import { recoveryStatuses } from '../../sessions/journal/counts.ts'
import type { RecoveryKind } from '../../sessions/journal/counts.ts'
import { RECOVERY_TEXTS } from '../../sessions/journal/coverage-report.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import type { ExpectMatcherState } from '@playwright/test'
import { isPageMock } from './page-mock.ts'
import type { PageMock } from './page-mock.ts'
import type { JournalEntry } from '../../sessions/journal/wiremock-json.ts'
import type { PatternSource } from '../../sessions/journal/patterns.ts'
import type { NearMiss } from './server.ts'
import type { SessionHandle } from '../../admin/client/session-handle.ts'

/** The expected number of requests that match a pattern. */
export interface Wanted {
  /** The exact number; undefined: at least one. */
  readonly times: number | undefined
  /** Whether the expectation is negated. */
  readonly isNot: boolean
  /** Aborted at the timeout. */
  readonly deadline: AbortSignal
}

/** Poll intervals: short at first, for requests that arrive quickly. */
const PAUSES = [20, 50, 100] as const
const LONGEST_PAUSE = 250

export const isMet = (count: number, times: number | undefined): boolean =>
  times === undefined ? count > 0 : count === times

/**
 * Polls like a web-first assertion until the expectation is met, can no longer be met, or times out.
 *
 * @param wait resolves after the given number of milliseconds
 * @returns the last count
 */
export async function awaitCount(
  count: () => Promise<number>,
  { times, isNot, deadline }: Wanted,
  wait: (milliseconds: number) => Promise<void>,
): Promise<number> {
  for (let turn = 0; ; turn += 1) {
    // One last count, for requests that arrived before the timeout.
    const isLast = deadline.aborted
    const found = await count()
    // Requests are only added, so more than the wanted ones stay too many.
    if (isLast || isMet(found, times) !== isNot || found > (times ?? 0)) return found
    await wait(PAUSES[turn] ?? LONGEST_PAUSE)
  }
}

/** The outcome of an expectation, for its message. */
export interface Outcome {
  readonly pattern: PatternSource
  readonly times: number | undefined
  readonly isNot: boolean
  /** In milliseconds. */
  readonly timeout: number
  /** The number of matching requests when the wait ended. */
  readonly count: number
  /** In order of arrival. */
  readonly matching: readonly JournalEntry[]
  /** Nearest first. */
  readonly near: readonly NearMiss[]
  /** Where the pages should send their requests. */
  readonly hint: string
}

/** The maximum number of requests listed in a message. */
const MOST_SHOWN_LINES = 5

const toCount = (count: number): string => (count === 1 ? '1 request' : `${count} requests`)

function toWanted({ times, isNot }: Outcome): string {
  if (times === undefined) return isNot ? 'no request' : 'at least 1 request'
  return isNot ? `any number except ${toCount(times)}` : toCount(times)
}

/** Omits the session prefix, which is the same for all. */
function toLine({ method, absoluteUrl }: NearMiss['request']): string {
  const { path, search } = toTarget(absoluteUrl)
  return `  ${method} ${path}${search}`
}

/** For example `GET /acme/resource → 200`, indented. */
export const toAnsweredLine = (request: JournalEntry): string =>
  `${toLine(request)} → ${request.response.fault ?? request.response.status}`

const toNearText = ({ request, differences }: NearMiss): string =>
  [
    toLine(request),
    ...differences.map(
      ({ member, expected, actual }) => `    ${member}: expected ${show(expected)}, received ${show(actual)}`,
    ),
  ].join('\n')

function listMatching({ matching }: Outcome): readonly string[] {
  if (matching.length === 0) return []
  const more = matching.length - MOST_SHOWN_LINES
  const shown = matching.slice(0, MOST_SHOWN_LINES).map(toAnsweredLine)
  return ['', 'Matching requests:', ...shown, ...(more > 0 ? [`  and ${more} more`] : [])]
}

/** Says that a session received nothing, and why that may be. */
const toEmptyLines = (hint: string): readonly string[] => ['The session received no requests.', hint]

/** If there are too few matches, lists the nearest other requests. */
function listNear({ near, matching, count, times = 1, isNot, hint }: Outcome): readonly string[] {
  if (isNot || count >= times) return []
  const [nearest, ...others] = new Set(near.map(toNearText))
  if (nearest !== undefined) {
    const further = others.length === 0 ? [] : ['', 'Further away:', ...others]
    return ['', 'Nearest request that does not match:', nearest, ...further]
  }
  if (matching.length > 0) return []
  return ['', ...toEmptyLines(hint)]
}

/** Describes the expected and the received requests, and how the nearest misses differ from the pattern. */
export const toReceivedText = (outcome: Outcome): string =>
  [
    `Pattern:  ${show(outcome.pattern)}`,
    `Expected: ${toWanted(outcome)}`,
    `Received: ${toCount(outcome.count)}`,
    `Timeout:  ${outcome.timeout}ms`,
    ...listMatching(outcome),
    ...listNear(outcome),
  ].join('\n')

/** The result for one pattern of a sequence. */
export interface OrderStep {
  readonly pattern: PatternSource
  /** The first match after the previous step's request; undefined if there is none. */
  readonly request: JournalEntry | undefined
  /** A match that came too early, if it is the only one. */
  readonly early: JournalEntry | undefined
}

/** @throws {SetupError} if it is not a non-empty list of patterns. */
export function expectPatterns(patterns: unknown): void {
  if (Array.isArray(patterns) && patterns.length > 0) return
  throw new SetupError(
    'toHaveReceivedInOrder needs a list of patterns. Write: await expect(mock).toHaveReceivedInOrder([first, second])',
  )
}

/**
 * Finds the requests that match the patterns in order, ignoring other requests in between. Each request counts once.
 *
 * @returns the steps up to the first pattern without a match
 */
export async function findInOrder(
  { requests }: Pick<SessionHandle, 'requests'>,
  patterns: readonly PatternSource[],
): Promise<readonly OrderStep[]> {
  // Later requests are ignored, so that all patterns see the same list.
  let rest: readonly JournalEntry[] = await requests()
  const lists = await Promise.all(patterns.map((pattern) => requests(pattern)))
  const earlier: JournalEntry[] = []
  const steps: OrderStep[] = []
  for (const [at, pattern] of patterns.entries()) {
    const ids = new Set(lists[at]?.map(({ id }) => id))
    const index = rest.findIndex(({ id }) => ids.has(id))
    const request = rest[index]
    steps.push({ pattern, request, early: earlier.find(({ id }) => ids.has(id)) })
    if (request === undefined) break
    earlier.push(...rest.slice(0, index + 1))
    rest = rest.slice(index + 1)
  }
  return steps
}

/** Whether every pattern has a matching request. */
export const isComplete = (steps: readonly OrderStep[]): boolean => steps.at(-1)?.request !== undefined

const INDENT = '   '

function toStepText({ pattern, request, early }: OrderStep, at: number): string {
  const title = `  ${at + 1}. ${show(pattern)}`
  if (request !== undefined) return `${title}\n${INDENT}${toAnsweredLine(request)}`
  const before = early === undefined ? '' : `; it came earlier:\n${INDENT}${toAnsweredLine(early)}`
  return `${title}\n     no matching request${at === 0 ? '' : ' after that'}${before}`
}

/** Describes the request for each pattern, up to the first pattern without one. */
export const toInOrderText = (
  steps: readonly OrderStep[],
  { isNot, timeout }: { readonly isNot: boolean; readonly timeout: number },
): string =>
  [
    `Expected: requests ${isNot ? 'not ' : ''}in the order of the patterns`,
    'Received:',
    ...steps.map(toStepText),
    `Timeout:  ${timeout}ms`,
  ].join('\n')

/** @throws {SetupError} for an unknown kind. */
export function expectKind(kind: string): void {
  const kinds = Object.keys(recoveryStatuses)
  if (kinds.includes(kind)) return
  throw new SetupError(
    `Unknown recovery ${JSON.stringify(kind)}.${didYouMean(kind, kinds)} Use one of ${kinds.join(', ')}.`,
  )
}

/** Counts a session's recoveries from one kind of failure. */
export async function countRecovered({ coverage }: Pick<SessionHandle, 'coverage'>, kind: RecoveryKind) {
  const { recoveries } = await coverage()
  return recoveries.find((recovery) => recovery.kind === kind)?.recovered ?? 0
}

/** The maximum number of requests listed in a message. */
const MOST_SHOWN = 5

interface RecoveryOutcome {
  readonly kind: RecoveryKind
  readonly times: number | undefined
  readonly isNot: boolean
  readonly timeout: number
  readonly count: number
  /** All requests of the session, in order of arrival. */
  readonly requests: readonly JournalEntry[]
  /** Where the pages should send their requests. */
  readonly hint: string
}

/** Lists the requests since the first failure, and says if it was not sent again. */
function listSince(requests: readonly JournalEntry[], status: number): readonly string[] {
  const at = requests.findIndex(({ response }) => response.status === status)
  const [first, ...later] = requests.slice(at)
  if (at === -1 || first === undefined) {
    return [`The session had no response with status ${status}. Is a scenario active that causes it?`]
  }
  const isRepeated = later.some(({ method, url }) => method === first.method && url === first.url)
  const missing = later.length === 0 ? 'No request came after it.' : 'It was not sent again.'
  const more = later.length + 1 - MOST_SHOWN
  return [
    'Requests since the first failure:',
    ...[first, ...later].slice(0, MOST_SHOWN).map(toAnsweredLine),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(isRepeated ? [] : [missing]),
  ]
}

/** Describes the recovery, the number expected and received, and the requests since the first failure. */
export function toRecoveredText({ kind, times, isNot, timeout, count, requests, hint }: RecoveryOutcome): string {
  const about = [
    `Recovery: ${kind} (${RECOVERY_TEXTS[kind]})`,
    `Expected: ${isNot ? 'not ' : ''}${times ?? 'at least 1'}`,
    `Received: ${count}`,
    `Timeout:  ${timeout}ms`,
  ]
  // Without any request, nothing else matters.
  const lines =
    requests.length === 0
      ? [...toEmptyLines(hint), '', ...about]
      : [...about, '', ...listSince(requests, recoveryStatuses[kind])]
  return lines.join('\n')
}

/** How many requests `toHaveReceived` of {@link expect} expects, and how long it waits for them. */
export interface ReceivedOptions {
  /** The exact number. Default: at least one. */
  readonly times?: number
  /** In milliseconds. Default: the `expect` timeout of the configuration. */
  readonly timeout?: number
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** @throws {SetupError} for an invalid number of requests or milliseconds. */
function expectWhole(name: keyof ReceivedOptions, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return
  throw new SetupError(`${name} must be an integer of at least 0, not ${String(value)}. Correct it, or leave it out.`)
}

/** @throws {SetupError} for anything except the `mock` fixture. */
function expectMock(matcher: string, value: unknown): void {
  if (isPageMock(value)) return
  throw new SetupError(`${matcher} expects the mock fixture. Write: await expect(mock).${matcher}(…)`)
}

/** Expects requests that match a pattern, for the matcher with this name. */
async function expectReceived(
  name: 'toHaveReceived' | 'toHaveBeenCancelled',
  { isNot, utils, timeout: usual }: ExpectMatcherState,
  mock: PageMock,
  pattern: PatternSource,
  { times, timeout = usual }: ReceivedOptions,
) {
  expectMock(name, mock)
  expectWhole('times', times)
  expectWhole('timeout', timeout)
  const { journal, hint } = mock
  const count = await awaitCount(
    () => journal.count(pattern),
    { times, isNot, deadline: AbortSignal.timeout(timeout) },
    wait,
  )
  const pass = isMet(count, times)
  if (pass !== isNot) return { pass, message: () => '' }
  const [matching, near] = await Promise.all([mock.requests(pattern), journal.findNear(pattern)])
  const title = utils.matcherHint(name, 'mock', 'pattern', { isNot })
  const text = toReceivedText({ pattern, times, isNot, timeout, count, matching, near, hint })
  return { pass, message: () => `${title}\n\n${text}`, name, expected: pattern }
}

function toHaveReceived(
  this: ExpectMatcherState,
  mock: PageMock,
  pattern: PatternSource = {},
  options: ReceivedOptions = {},
) {
  return expectReceived('toHaveReceived', this, mock, pattern, options)
}

function toHaveBeenCancelled(
  this: ExpectMatcherState,
  mock: PageMock,
  pattern: PatternSource = {},
  options: ReceivedOptions = {},
) {
  return expectReceived('toHaveBeenCancelled', this, mock, { ...pattern, clientLeft: true }, options)
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
  let steps: readonly OrderStep[] = []
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
  const text = toRecoveredText({ kind, times, isNot, timeout, count, requests: await mock.requests(), hint: mock.hint })
  const hint = utils.matcherHint('toHaveRecovered', 'mock', 'kind', { isNot })
  return { pass, message: () => `${hint}\n\n${text}`, name: 'toHaveRecovered', expected: kind }
}

/** The matchers for requests of a test's session. */
export const matchers = { toHaveReceived, toHaveBeenCancelled, toHaveReceivedInOrder, toHaveRecovered }
