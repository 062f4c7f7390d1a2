import { expect, it } from 'vitest'
import { listProblems, toSingleIssues } from '../../src/util/file-problems.ts'

const unknown = (path: PropertyKey[], ...keys: string[]) => ({
  code: 'unrecognized_keys' as const,
  path,
  keys,
  message: '',
})
const missing = (path: PropertyKey[]) => ({
  code: 'invalid_type' as const,
  path,
  expected: 'object' as const,
  message: '',
})

it('drops a missing member that was misspelled in the same object', () => {
  const issues = [unknown(['rules', 0], 'efect', 'x'), missing(['rules', 0, 'effect']), missing(['rules', 1, 'effect'])]
  expect(toSingleIssues(issues)).toEqual([
    unknown(['rules', 0], 'efect'),
    unknown(['rules', 0], 'x'),
    missing(['rules', 1, 'effect']),
  ])
})

it('reads each issue a few times, however many there are', () => {
  let reads = 0
  const count = 2000
  const issues = Array.from({ length: count }, (_, at) => ({
    ...(at % 2 === 0 ? unknown([], 'mach') : missing([])),
    get path() {
      reads += 1
      return at % 2 === 0 ? [at] : [at - 1, 'effect']
    },
  }))
  expect(toSingleIssues(issues)).toHaveLength(count)
  expect(reads).toBeLessThan(10 * count)
})

it('lists the first 20 problems, and the number of the others', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `problem ${at}`)
  expect(listProblems([...lines, 'another'])).toBe([...lines, '… and 1 more'].join('\n'))
  expect(listProblems(lines, 25)).toBe([...lines, '… and 5 more'].join('\n'))
})
