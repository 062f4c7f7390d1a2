import { existsSync, rmSync } from 'node:fs'
import { access, constants, mkdtemp, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { isCalledOperation, calledOperations } from '../../../service/contract/endpoints.ts'
import { SetupError } from '../../../errors.ts'
import type { Options, Parsed } from '../../../app/options/option.ts'
import * as values from '../../../app/options/option.ts'
import { failureNamesOf } from '../../../tools/resilience/failures.ts'
import type { CellName } from '../../../tools/resilience/failures.ts'
import type { LearnedTest, LeftOut, Plan, PlannedVariant } from '../../../tools/resilience/plan.ts'
import type { JudgedCell } from '../../../tools/resilience/notice.ts'
import type { TrialResult } from '../../../tools/resilience/report.ts'
import { verdicts } from '../../../tools/resilience/verdict.ts'
import { createFolder, readFileText } from '../../node/folder.ts'
import { didYouMean, toChoice } from '../../../util/did-you-mean.ts'
import { escapeExpression, toWord } from '../../../util/quote.ts'
import { defineCommand, print, resolveOptions } from '../settings.ts'
import { handleSignals } from '../signals.ts'
import { reasonOf, runSuite, SUITES_REPORTER } from '../suite.ts'
import type { Suite } from '../suite.ts'
import * as z from 'zod'

/** All cells of the matrix, such as `updateResource:conflict`. */
const cellTexts = calledOperations.flatMap((id) => failureNamesOf(id).map((failure) => `${id}:${failure}`))

/** Names the part of a cell that is wrong: a list of all cells would fill the screen. */
function suggestCell(input: unknown): string {
  const wrong = [input].flat().find((one): one is string => typeof one === 'string' && !cellTexts.includes(one))
  const [operation, failure = ''] = wrong?.split(':') ?? []
  if (operation === undefined) return ''
  if (!isCalledOperation(operation))
    return `${didYouMean(operation, calledOperations)} The operations are: ${calledOperations.join(', ')}.`
  const names = failureNamesOf(operation)
  return `${didYouMean(failure, names)} The failures of ${operation} are: ${names.join(', ')}.`
}

const cellList = {
  ...values.idList(cellTexts, 'operations with one of their failures, such as updateResource:conflict'),
  suggest: suggestCell,
}

const [, ...bad] = verdicts
const failList = values.idList(bad, `${toChoice(bad)}, or several, separated by commas`)
const reportFile = { ...values.path, schema: z.string().regex(/\.(?:json|xml|html)$/) }

/** A week: a timer cannot wait longer than 24 days. In milliseconds. */
const LONGEST_RUN = 7 * 24 * 3_600_000

/** The options of `resource-mock resilience`. */
export const resilienceOptions = {
  plan: {
    flag: '--plan <file>',
    about: 'write the plan to this file, or run the plan that it contains',
    value: values.path,
  },
  planOnly: { flag: '--plan-only', default: false, about: 'stop after the plan', value: values.onOrOff },
  only: {
    flag: '--only <operation:failure>',
    isRepeatable: true,
    otherwise: 'all',
    about: 'run only this failure of this operation; repeat the option or separate several with commas',
    value: cellList,
  },
  perFailure: {
    flag: '--per-failure <n>',
    default: 1,
    about: 'number of tests for each failure of an operation',
    value: values.wholeNumber({ min: 1, max: 1000 }),
  },
  call: {
    flag: '--call <n>',
    default: 1,
    about: 'which call of an operation in a test fails',
    value: values.wholeNumber({ min: 1, max: 1000 }),
  },
  everyCall: {
    flag: '--every-call',
    default: false,
    about: 'let each call of an operation in a test fail, one after the other',
    value: values.onOrOff,
  },
  told: {
    flag: '--told <selector>',
    about: 'CSS selector of additional elements that report a failure to the user',
    value: values.text,
  },
  report: {
    flag: '--report <file>',
    isRepeatable: true,
    about: 'write the report to a .json, .xml (JUnit) or .html file (to share); repeat the option for several',
    value: values.oneOrMany(reportFile, 'a file that ends with .json, .xml or .html'),
  },
  baseline: {
    flag: '--baseline <report.json>',
    about: 'also report what got better or worse since an earlier report',
    value: values.path,
  },
  minSurvived: {
    flag: '--min-survived <percent>',
    about: 'exit with status 1 if fewer variants survived',
    value: values.percent,
  },
  allow: {
    flag: '--allow <told>',
    about: 'count told as survived; without --min-survived, every other verdict fails the run',
    value: values.idList(['told'] as const, toChoice(['told'])),
  },
  failOn: { flag: '--fail-on <verdicts>', about: 'exit with status 1 for any of them', value: failList },
  maxTime: {
    flag: '--max-time <time>',
    default: '1h',
    about: 'stop the whole run after this time, and report what was found',
    value: values.duration({ min: 1, max: LONGEST_RUN }),
  },
} as const satisfies Options

const RESILIENCE_EXIT = { short: 1, interrupted: 130 } as const

const toUnwritable = (option: string, path: string, error: unknown): SetupError =>
  new SetupError(
    `${option}: ${path} cannot be written: ${reasonOf(error)}. Use a place where you have permission to write.`,
  )

/**
 * Creates the folder of a file that is written after minutes, so that a wrong path is found before them.
 *
 * @throws {SetupError} if the file cannot be written.
 */
async function prepareOutput(option: string, path: string): Promise<void> {
  const known = await stat(path).catch(() => undefined)
  if (known?.isDirectory() === true) throw new SetupError(`${option}: ${path} is a folder. Name a file in it.`)
  try {
    await createFolder(dirname(path))
    await access(known === undefined ? dirname(path) : path, constants.W_OK)
  } catch (error) {
    throw toUnwritable(option, path, error)
  }
}

type ResilienceSettings = Omit<Parsed<typeof resilienceOptions>, 'only'> & {
  readonly only: readonly CellName[] | undefined
}

/** The longest argument that every system takes, in characters. */
const LONGEST_ARGUMENT = 8000

/** The argument that selects the tests with these titles, if it is not too long: the fixture skips the others, too. */
function toGrep(titles: readonly string[]): readonly string[] {
  const argument = `--grep=${[...new Set(titles)].map(escapeExpression).join('|')}`
  return argument.length > LONGEST_ARGUMENT ? [] : [argument]
}

/**
 * Learns the suite in an ordinary run, or reads the plan of an earlier one.
 *
 * @returns undefined if the run was stopped before all tests were learned
 */
async function preparePlan(
  suite: Suite,
  { plan: path, only, told, ...options }: ResilienceSettings,
): Promise<Plan | undefined> {
  const { CELL_VARIABLE, createPlan, isWanted, parsePlan, toCellName, toPlanText } =
    await import('../../../tools/resilience/plan.ts')
  const cell = suite.env[CELL_VARIABLE]
  const isSelected = (variant: PlannedVariant): boolean =>
    cell === undefined ? isWanted(variant, only) : toCellName(variant) === cell
  const known = path === undefined || !existsSync(path) ? undefined : await readFileText(path, '--plan')
  if (path !== undefined && known !== undefined) {
    const plan = parsePlan(known, path)
    return { ...plan, variants: plan.variants.filter(isSelected) }
  }
  process.stderr.write('Learning: the suite runs once, without failures.\n')
  const { results, status } = await runSuite(suite, { told, tests: [] }, [])
  if (suite.signal.aborted) return undefined
  const attempts = results.flatMap((result) => ('learned' in result ? [result.learned] : []))
  if (attempts.length === 0) {
    const failed =
      status === 0 ? '' : `The suite ended with ${status === null ? 'a signal' : `status ${status}`}: see its output. `
    throw new SetupError(
      `${failed}No test of the suite used the mock. The tests need the fixture: import { test } from resource-mock/playwright.`,
    )
  }
  if (cell !== undefined) {
    const all = createPlan(attempts, { only: undefined, perFailure: Infinity, call: 1, everyCall: true })
    return { ...all, variants: all.variants.filter(isSelected) }
  }
  const plan = createPlan(attempts, { only, ...options })
  // An empty plan would keep the next run from learning the suite.
  if (path !== undefined && plan.variants.length > 0) await writeFile(path, toPlanText(plan))
  return plan
}

/** Runs tests under failures, and those that did not run again while that makes progress. */
async function runTrials<Trial extends PlannedVariant>(
  suite: Suite,
  trials: readonly Trial[],
  { tests, told }: { readonly tests: readonly LearnedTest[]; readonly told: string | undefined },
): Promise<{ readonly results: readonly TrialResult[]; readonly left: readonly Trial[] }> {
  const { keyOf, keyOfVariant, toTurns } = await import('../../../tools/resilience/plan.ts')
  const found: TrialResult[] = []
  let left = trials
  while (left.length > 0 && !suite.signal.aborted) {
    const turns = toTurns(left, tests)
    const repetitions = Math.max(...Object.values(turns).map(({ length }) => length))
    const titles = tests.filter(({ test }) => keyOf(test) in turns).map(({ test }) => test.title.join(' '))
    const { results } = await runSuite(suite, { told, turns, tests }, [
      `--repeat-each=${repetitions}`,
      // Repetitions would change which tests belong to a part.
      ...(suite.words.some((word) => word.startsWith('--shard')) ? ['--shard=1/1'] : []),
      ...toGrep(titles),
    ])
    const done = new Set(results.flatMap((result) => ('variant' in result ? keyOfVariant(result.variant) : [])))
    if (done.size === 0) break
    found.push(...results)
    left = left.filter((trial) => !done.has(keyOfVariant(trial)))
  }
  return { results: found, left }
}

/** Runs the variants of a plan, and replaces the verdicts of tests that never look at the failed operation. */
async function runVariants(suite: Suite, { variants, tests }: Plan, told: string | undefined) {
  const { replaceUnnoticed } = await import('../../../tools/resilience/notice.ts')
  const leftOut: LeftOut[] = []

  async function run(trials: readonly PlannedVariant[]) {
    const { results, left } = await runTrials(suite, trials, { tests, told })
    const why = suite.signal.aborted ? 'The run was stopped before.' : 'The test did not run again.'
    leftOut.push(...results.flatMap((result) => ('leftOut' in result ? [result.leftOut] : [])))
    leftOut.push(...left.map(({ test, operation, failure }) => ({ test, operation, failure, why })))
    const cells = results.flatMap((result): readonly JudgedCell[] =>
      'cell' in result ? [{ ...result.cell, isQuiet: result.isQuiet, detail: result.detail }] : [],
    )
    return { cells, notRun: left.length }
  }

  const { cells, notRun } = await run(variants)
  const judged = await replaceUnnoticed(cells, tests, {
    async runControls(controls) {
      if (controls.length > 0)
        process.stderr.write('Checking whether tests that passed look at the operation at all.\n')
      const { results } = await runTrials(suite, controls, { tests, told })
      return results.flatMap((result) => ('isNoticed' in result ? [result] : []))
    },
    runVariants: async (trials) => (await run(trials)).cells,
  })
  return { cells: judged, leftOut, notRun }
}

/** Describes a plan: its variants by operation and test, and how long they take. */
async function describePlan(plan: Plan): Promise<string> {
  const { toEstimate, toTestText, toVariantCount } = await import('../../../tools/resilience/plan.ts')
  if (plan.variants.length === 0)
    return 'Plan: 0 variants. No test that passes calls an operation to vary: see --only.\n'
  const lines = new Map<string, string[]>()
  for (const { operation, failure, call, test } of plan.variants) {
    const name = `${operation}, in ${toTestText(test)}`
    lines.set(name, [...(lines.get(name) ?? []), call === 1 ? failure : `${failure} (call ${call})`])
  }
  const texts = Array.from(lines, ([name, list]) => `  ${name}\n    ${list.join(', ')}\n`)
  const estimate = `at least ${Math.ceil(toEstimate(plan) / 1000)} s; tests that fail take longer`
  return `Plan: ${toVariantCount(plan.variants.length)}, ${estimate}.\n${texts.join('')}`
}

export const resilience = defineCommand({
  name: 'resilience',
  summary: 'find out which failures an app survives',
  description:
    'Runs a Playwright suite once, and then its tests again with one failure each that the contract allows. Reports which failures the app survived, which it told the user about, which no test noticed, and which left a broken page, lost data or data twice. Exits with 0, with 1 if less was survived than asked for, or with 130 after Ctrl-C.',
  argument: { syntax: '<command...>', about: 'the command of the suite, after --, such as: -- npx playwright test' },
  options: resilienceOptions,
  parse(_first, sources) {
    const { only, ...options } = resolveOptions(resilienceOptions, sources)
    return {
      ...options,
      only: only?.map((text: string): CellName => {
        const [operation, failure] = text.split(':')
        // One of the texts above.
        return { operation, failure } as CellName
      }),
    }
  },
  async run(settings: ResilienceSettings, { words }) {
    const { CELL_VARIABLE, RESILIENCE_VARIABLE, toCellName } = await import('../../../tools/resilience/plan.ts')
    const { findShortfall, parseBaseline, toReport, toText } = await import('../../../tools/resilience/report.ts')
    const { baseline: path, maxTime, told, allow = [], failOn = [], minSurvived, planOnly } = settings
    const baseline = path === undefined ? undefined : parseBaseline(await readFileText(path, '--baseline'), path)
    if (settings.plan !== undefined && !existsSync(settings.plan)) await prepareOutput('--plan', settings.plan)
    for (const file of settings.report ?? []) await prepareOutput('--report', file)
    const stopping = new AbortController()
    let isInterrupted = false
    handleSignals(() => {
      isInterrupted = true
      stopping.abort()
    })
    const timer = setTimeout(() => stopping.abort(), maxTime)
    const folder = await mkdtemp(join(tmpdir(), 'resource-mock-resilience-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    try {
      await writeFile(join(folder, 'suites.cjs'), SUITES_REPORTER)
      const env: NodeJS.ProcessEnv = {
        RESOURCE_MOCK_RUN: `resilience ${new Date().toISOString()}`,
        ...process.env,
        [RESILIENCE_VARIABLE]: folder,
        // In addition to the reporters of the configuration.
        PW_TEST_REPORTER: join(folder, 'suites.cjs'),
      }
      const suite = { words, folder, env, signal: stopping.signal }
      const plan = await preparePlan(suite, settings)
      if (plan === undefined) {
        if (!isInterrupted)
          throw new SetupError(
            '--max-time ended the run before it had learned the suite. Allow more time, such as --max-time 2h.',
          )
        process.stderr.write('Stopped before the suite was learned: there is nothing to report.\n')
        process.exitCode = RESILIENCE_EXIT.interrupted
        return
      }
      process.stderr.write(await describePlan(plan))
      if (planOnly) return
      const found = await runVariants(suite, plan, told)
      const command = ['npx', 'resource-mock', ...process.argv.slice(2)].map(toWord).join(' ')
      const cells = found.cells.map((cell) => ({
        ...cell,
        repeat: `${CELL_VARIABLE}=${toWord(toCellName(cell))} ${command}`,
      }))
      const plain = cells.map(({ detail: _detail, isQuiet: _isQuiet, ...cell }) => cell)
      const report = toReport(plain, [...plan.leftOut, ...found.leftOut])
      print(toText(report, baseline))
      const { toJunit, toPage } = await import('../../../tools/resilience/files.ts')
      // The report of one cell would replace that of the whole run.
      for (const file of env[CELL_VARIABLE] === undefined ? (settings.report ?? []) : []) {
        const kind = extname(file)
        const text =
          kind === '.xml'
            ? toJunit(report, allow)
            : kind === '.html'
              ? toPage(report, cells)
              : `${JSON.stringify(report, undefined, 2)}\n`
        await writeFile(file, text).catch((error: unknown) => {
          throw toUnwritable('--report', file, error)
        })
      }
      const shortfall = findShortfall(report, { minSurvived, allow, failOn }, found.notRun)
      if (shortfall !== undefined) print(`\n${shortfall}`)
      process.exitCode = isInterrupted
        ? RESILIENCE_EXIT.interrupted
        : shortfall === undefined
          ? 0
          : RESILIENCE_EXIT.short
    } finally {
      clearTimeout(timer)
    }
  },
})
