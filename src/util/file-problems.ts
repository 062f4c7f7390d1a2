import type * as z from 'zod'
import { Problem, SetupError } from '../errors.ts'
import { didYouMean } from './did-you-mean.ts'

/** At most this many problems of a file are listed. */
export const MOST_PROBLEMS = 20

/**
 * Lists the problems of a file, one on each line.
 *
 * @param count the number of all problems, if only the first ones are given
 */
export function listProblems(problems: readonly string[], count = problems.length): string {
  const more = count - MOST_PROBLEMS
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')
}

/** Moves the position in the error of text that is not JSON to the front, where editors look for it. */
export function splitPosition({ errors: [{ detailedErrorMessage = '' }] }: Problem) {
  const [found = '', line = '1', column = '1'] = /line (\d+), column (\d+)/.exec(detailedErrorMessage) ?? []
  return {
    position: `:${line}:${column}`,
    sentence: detailedErrorMessage.replace(`${found}: `, '').replace(` (${found})`, ''),
  }
}

/** The error for a file that is not JSON; returns any other error unchanged. */
export function toSyntaxError(fault: unknown, name: string, remedy = ''): unknown {
  if (!(fault instanceof Problem)) return fault
  const { position, sentence } = splitPosition(fault)
  return new SetupError(`${name}${position}: ${sentence}${remedy}`, { cause: fault })
}

type Issue = z.core.$ZodIssue

/** Separates unknown members, and drops the missing members that they are misspellings of. */
export function toSingleIssues(issues: readonly Issue[]): readonly Issue[] {
  const singles = issues.flatMap<Issue>((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ ...issue, keys: [key] })) : [issue],
  )
  /** The unknown members, by the path of their object. */
  const unknown = new Map<string, readonly string[]>()
  for (const issue of issues) if (issue.code === 'unrecognized_keys') unknown.set(issue.path.join(), issue.keys)
  const isMisspelled = ({ code, path }: Issue) =>
    code === 'invalid_type' &&
    unknown.get(path.slice(0, -1).join())?.some((key) => didYouMean(key, [String(path.at(-1))]) !== '') === true
  return singles.filter((issue) => !isMisspelled(issue))
}
