import type { JournaledRequest } from '../journal/logged-request.ts'
import { show } from '../journal/pattern-json.ts'
import type { PatternSource } from '../journal/pattern-source.ts'
import { SetupError } from '../errors.ts'
import type { SessionHandle } from '../client/session-handle.ts'
import { toAnsweredLine } from './received-text.ts'

/** What became of one pattern of a sequence. */
export interface Step {
  readonly pattern: PatternSource
  /** The first match after the request of the step before; undefined: there is none. */
  readonly request: JournaledRequest | undefined
  /** A match that came too early, where there is no other. */
  readonly early: JournaledRequest | undefined
}

/** @throws {SetupError} for what is not a list of patterns. */
export function expectPatterns(patterns: unknown): void {
  if (Array.isArray(patterns) && patterns.length > 0) return
  throw new SetupError(
    'toHaveReceivedInOrder needs a list of patterns. Write: await expect(mock).toHaveReceivedInOrder([first, second])',
  )
}

/**
 * Finds the requests that patterns hold for one after another, whatever came between. Each request counts once.
 *
 * @returns the steps up to the first pattern without a request
 */
export async function findInOrder(
  { requests }: Pick<SessionHandle, 'requests'>,
  patterns: readonly PatternSource[],
): Promise<readonly Step[]> {
  // What comes after this list is left out, so that all patterns see the same requests.
  let rest: readonly JournaledRequest[] = await requests()
  const lists = await Promise.all(patterns.map((pattern) => requests(pattern)))
  const earlier: JournaledRequest[] = []
  const steps: Step[] = []
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

/** Whether every pattern has its request. */
export const isComplete = (steps: readonly Step[]): boolean => steps.at(-1)?.request !== undefined

/** Stands next to the number of a step. */
const INDENT = '   '

function toStepText({ pattern, request, early }: Step, at: number): string {
  const title = `  ${at + 1}. ${show(pattern)}`
  if (request !== undefined) return `${title}\n${INDENT}${toAnsweredLine(request)}`
  const before = early === undefined ? '' : `; before it came:\n${INDENT}${toAnsweredLine(early)}`
  return `${title}\n     no matching request${at === 0 ? '' : ' after that'}${before}`
}

/** Tells which request came for each pattern, up to the first that has none. */
export const toInOrderText = (
  steps: readonly Step[],
  { isNot, timeout }: { readonly isNot: boolean; readonly timeout: number },
): string =>
  [
    `Expected: requests ${isNot ? 'not ' : ''}in the order of the patterns`,
    'Received:',
    ...steps.map(toStepText),
    `Timeout:  ${timeout}ms`,
  ].join('\n')
