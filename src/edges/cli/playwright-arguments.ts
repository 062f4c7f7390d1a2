import { keyOf } from '../../tools/resilience/plan.ts'
import type { LearnedTest, TestName } from '../../tools/resilience/plan.ts'
import { escapeExpression } from '../../util/quote.ts'

// The arguments of `playwright test` in the command of a user's suite.

/** The values that an option takes from the words after it. */
type Values = 'none' | 'one' | 'optional' | 'many'

/** Options that choose a part of the tests by what ran or changed before, or by their number. */
const PARTS: Readonly<Record<string, Values>> = {
  '--shard': 'one',
  '--last-failed': 'none',
  '--last-failed-file': 'one',
  '--only-changed': 'optional',
}

/** All options that choose tests, or how often they run. */
const FILTERS: Readonly<Record<string, Values>> = {
  ...PARTS,
  '-g': 'one',
  '--grep': 'one',
  '-G': 'one',
  '-gv': 'one',
  '--grep-invert': 'one',
  '--project': 'many',
  '--test-list': 'one',
  '--test-list-invert': 'one',
  '--repeat-each': 'one',
  '--max-failures': 'one',
  '-x': 'none',
}

/** Other options with a value, which must not be taken for a file. */
const OTHERS: Readonly<Record<string, Values>> = {
  '--add-reporter': 'one',
  '--browser': 'one',
  '-c': 'one',
  '--config': 'one',
  '--debug': 'optional',
  '--global-timeout': 'one',
  '-j': 'one',
  '--workers': 'one',
  '--output': 'one',
  '--reporter': 'one',
  '--retries': 'one',
  '--run-agents': 'one',
  '--shuffle': 'optional',
  '--timeout': 'one',
  '--trace': 'one',
  '--tsconfig': 'one',
  '-u': 'optional',
  '--update-snapshots': 'optional',
  '--ui-host': 'one',
  '--ui-port': 'one',
  '--update-source-method': 'one',
}

const VALUES = new Map(Object.entries({ ...FILTERS, ...OTHERS }))

/** An option with its values, or another word. */
interface Argument {
  readonly words: readonly string[]
  /** Undefined for a file or any other word. */
  readonly option: string | undefined
}

/** The number of words that are values of the option before them. */
function countValues(values: Values, rest: readonly string[]): number {
  if (values === 'none') return 0
  if (values === 'one') return 1
  const end = rest.findIndex((word) => word.startsWith('-'))
  const count = end === -1 ? rest.length : end
  return values === 'many' ? count : Math.min(1, count)
}

function parseArguments(words: readonly string[]): readonly Argument[] {
  const found: Argument[] = []
  for (let at = 0; at < words.length;) {
    const word = words[at] ?? ''
    // A value can be part of the word: --grep=x, -gx.
    const short = /^-[a-zA-Z](?=[^v])/.exec(word)?.[0]
    const option = word.startsWith('-') && word !== '--' ? (short ?? word.split('=')[0]) : undefined
    const values = option === word ? (VALUES.get(option) ?? 'none') : 'none'
    const count = 1 + countValues(values, words.slice(at + 1))
    found.push({ words: words.slice(at, at + count), option })
    at += count
  }
  return found
}

const RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun'])
/** The commands of npm that run a script. */
const NPM_VERBS = new Set(['run', 'run-script', 'test', 't'])

const isNpmScript = ([first, ...others]: readonly string[]): boolean =>
  first === 'npm' && others.some((word) => NPM_VERBS.has(word))

/** Adds arguments for Playwright to the suite's command; npm takes those of a script after `--`. */
export const addArguments = (words: readonly string[], added: readonly string[]): readonly string[] => [
  ...words,
  ...(isNpmScript(words) && !words.includes('--') && added.length > 0 ? ['--'] : []),
  ...added,
]

/** Splits a suite's command before the arguments of Playwright. */
function splitCommand(words: readonly string[]) {
  const test = words.findIndex((word, at) => word === 'test' && /playwright|\bcli\.js$/.test(words[at - 1] ?? ''))
  const separator = words.indexOf('--')
  const isKnown = test !== -1 || separator !== -1
  const script = words.findIndex((word, at) => at > 0 && !word.startsWith('-') && !/^run(?:-script)?$/.test(word))
  const last = test === -1 ? separator : test
  // The script of a runner, or the command itself.
  const unknown = RUNNERS.has(words[0] ?? '') && script !== -1 ? script : 0
  const start = (isKnown ? last : unknown) + 1
  return { command: words.slice(0, start), rest: words.slice(start), isKnown }
}

/** The suite's command without options that would leave out tests that it has just run. */
export function withoutPart(words: readonly string[]): readonly string[] {
  const { command, rest } = splitCommand(words)
  const kept = parseArguments(rest).filter(({ option }) => option === undefined || !(option in PARTS))
  return [...command, ...kept.flatMap((argument) => argument.words)]
}

/** The longest argument that every system takes, in characters. */
const LONGEST_ARGUMENT = 8000

/** The argument that selects the tests with these titles, if it is not too long: the fixture skips the others, too. */
export function toGrep(titles: readonly string[]): readonly string[] {
  const argument = `--grep=${[...new Set(titles)].map(escapeExpression).join('|')}`
  return argument.length > LONGEST_ARGUMENT ? [] : [argument]
}

/** Playwright takes a file for a regular expression, in which a dot also matches itself. */
const toPlace = ({ file, line }: TestName): string =>
  `${escapeExpression(file).replaceAll(String.raw`\.`, '.')}:${line}`

/** Whether a word may be a filter that selects the test's file. */
function selects(word: string, { file }: TestName): boolean {
  try {
    return new RegExp(word.replace(/(?::\d+){1,2}$/, '')).test(file)
  } catch {
    return false
  }
}

/**
 * The suite's command for one test alone, and for those before it in its serial suite: without the filters of the user, which
 * might leave it out or add others.
 *
 * @param tests all tests that were learned
 * @returns the command, and the number of tests that it runs
 */
export function toRepeated(words: readonly string[], test: TestName, tests: readonly LearnedTest[]) {
  const { command, rest, isKnown } = splitCommand(words)
  const kept = parseArguments(rest).filter(({ option, words: [word = ''] }) =>
    option === undefined ? word === '--' || !(isKnown || selects(word, test)) : !(option in FILTERS),
  )
  const own = tests.find((one) => keyOf(one.test) === keyOf(test))
  const places = tests
    .filter(({ serial, position }) => serial !== undefined && serial === own?.serial && position < own.position)
    .map((one) => toPlace(one.test))
  const title = test.title.join(' ')
  // Tests of a loop have the same line. Their titles may start alike.
  const sharesLine = tests.some(
    ({ test: other }) => other.file === test.file && other.line === test.line && other.title.join(' ') !== title,
  )
  const added = [
    ...new Set([...places, toPlace(test)]),
    ...(test.project === undefined ? [] : [`--project=${test.project}`]),
    ...(sharesLine && places.length === 0 ? [`--grep=${escapeExpression(title)}(?= @|$)`] : []),
  ]
  const repeated = addArguments([...command, ...kept.flatMap((argument) => argument.words)], added)
  return { words: repeated, count: places.length + 1 }
}
