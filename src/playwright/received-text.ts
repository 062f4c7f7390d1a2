import type { JournaledRequest, LoggedRequest } from '../journal/logged-request.ts'
import { show } from '../journal/pattern-json.ts'
import type { PatternSource } from '../journal/pattern-source.ts'
import { toTarget } from '../journal/target.ts'
import type { NearMiss } from './journal-reader.ts'

/** What came of an expectation, for the text about it. */
export interface Outcome {
  readonly pattern: PatternSource
  readonly times: number | undefined
  readonly isNot: boolean
  /** In milliseconds. */
  readonly timeout: number
  /** How many matched when the wait ended. */
  readonly count: number
  /** In the order they came. */
  readonly matching: readonly JournaledRequest[]
  /** The nearest first. */
  readonly near: readonly NearMiss[]
  /** Base URL of the session. */
  readonly url: string
}

/** As many as a person reads. */
const MOST_SHOWN = 5

const toCount = (count: number): string => (count === 1 ? '1 request' : `${count} requests`)

function toWanted({ times, isNot }: Outcome): string {
  if (times === undefined) return isNot ? 'no request' : 'at least 1 request'
  return isNot ? `any number but ${toCount(times)}` : toCount(times)
}

/** Without the session in front, which is the same for all. */
function toLine({ method, absoluteUrl }: LoggedRequest): string {
  const { path, search } = toTarget(absoluteUrl)
  return `  ${method} ${path}${search}`
}

/** Such as `GET /acme/resource → 200`, indented. */
export const toAnsweredLine = (request: JournaledRequest): string =>
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
  const more = matching.length - MOST_SHOWN
  const shown = matching.slice(0, MOST_SHOWN).map(toAnsweredLine)
  return ['', 'Matching requests:', ...shown, ...(more > 0 ? [`  and ${more} more`] : [])]
}

/** Where too few came, what could have been meant. */
function listNear({ near, matching, count, times = 1, isNot, url }: Outcome): readonly string[] {
  if (isNot || count >= times) return []
  const [nearest, ...others] = new Set(near.map(toNearText))
  if (nearest !== undefined) {
    const further = others.length === 0 ? [] : ['', 'Further away:', ...others]
    return ['', 'Nearest request that does not match:', nearest, ...further]
  }
  if (matching.length > 0) return []
  return [
    '',
    'The session received no requests at all.',
    `Does the page send its requests to ${url}, or to the mock's own address with the cookie mock-session?`,
  ]
}

/** Tells what was expected, what came, and of what nearly matched which members differ. */
export const toReceivedText = (outcome: Outcome): string =>
  [
    `Pattern:  ${show(outcome.pattern)}`,
    `Expected: ${toWanted(outcome)}`,
    `Received: ${toCount(outcome.count)}`,
    `Timeout:  ${outcome.timeout}ms`,
    ...listMatching(outcome),
    ...listNear(outcome),
  ].join('\n')
