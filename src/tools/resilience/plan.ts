import * as z from 'zod'
import { calledOperations } from '../../service/contract/endpoints.ts'
import type { CalledOperation } from '../../service/contract/endpoints.ts'
import { SetupError } from '../../errors.ts'
import { testStatuses } from '../../sessions/session-test.ts'
import { failureNames, failureNamesOf, failures } from './failures.ts'
import type { CellName, FailureName } from './failures.ts'

/** Environment variable with the folder in which `resource-mock resilience` and the tests exchange files. */
export const RESILIENCE_VARIABLE = 'RESOURCE_MOCK_RESILIENCE'

export const testName = z.object({
  title: z.array(z.string()).min(1).readonly(),
  file: z.string(),
  line: z.int(),
  project: z.string().optional(),
})

/** A test of the suite, in one of its projects. */
export type TestName = z.output<typeof testName>

const learnedTest = z.object({
  test: testName,
  status: z.enum(testStatuses),
  /** In milliseconds. */
  duration: z.number(),
  /** The operations that it called, in order. */
  calls: z.array(z.enum(calledOperations)).readonly(),
  /** The operations whose first call failed, or was affected by the test's own scenarios. */
  affected: z.array(z.enum(calledOperations)).readonly(),
  /** Identifies its serial suite, if it is in one; its tests run in the order of `position`. */
  serial: z.string().optional(),
  position: z.int(),
  worker: z.int(),
  retry: z.int(),
  /** What the page showed and did without a failure; only more than that is a consequence of one. */
  said: z.array(z.string()).readonly(),
  errors: z.array(z.string()).readonly(),
  isBusy: z.boolean(),
})

/** What the ordinary run found out about a test. */
export type LearnedTest = z.output<typeof learnedTest>

const variant = z.object({
  operation: z.enum(calledOperations),
  failure: z.enum(failureNames),
  /** Which call of the operation fails: 1 for the first. */
  call: z.int().min(1),
  test: testName,
})

/** A test under one failure. */
export type PlannedVariant = z.output<typeof variant>

/** The test of a variant with useless responses in place of the failure, to see whether it looks at the operation at all. */
export interface Control extends PlannedVariant {
  readonly isControl: true
}

const leftOut = z.object({ test: testName, why: z.string() })

/** A test, or a variant of it, without a verdict. */
export type LeftOut = z.output<typeof leftOut> & Partial<Pick<PlannedVariant, 'operation' | 'failure'>>

const plan = z.object({
  variants: z.array(variant).readonly(),
  leftOut: z.array(leftOut).readonly(),
  tests: z.array(learnedTest).readonly(),
})

/** What to run: as a file, it can be edited and run again. */
export type Plan = z.output<typeof plan>

/** Identifies a test. The line is not part of it: titles are unique in a file. */
export const keyOf = ({ project = '', file, title }: TestName): string => JSON.stringify([project, file, ...title])

/** Identifies a variant. */
export const keyOfVariant = ({ operation, failure, call, test }: PlannedVariant): string =>
  `${operation}:${failure}:${call} ${keyOf(test)}`

/** Environment variable that selects one variant, named as by {@link toCellName}. */
export const CELL_VARIABLE = 'RESOURCE_MOCK_CELL'

const joinPath = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' › ')

/** Names a variant, without the line of its test, which an edit moves: `updateResource:conflict:1 save.spec.ts › saves`. */
export const toCellName = ({ operation, failure, call, test: { project, file, title } }: PlannedVariant): string =>
  `${operation}:${failure}:${call} ${joinPath([project, file, ...title])}`

/** Whether a variant needs a test: its own, or another one of its serial suite. */
export function isNeededFor(cellName: string, { project, file, title }: TestName, serial: string | undefined): boolean {
  const path = cellName.slice(cellName.indexOf(' ') + 1)
  return path === joinPath([project, file, ...title]) || (serial !== undefined && path.startsWith(`${serial} › `))
}

/** What to plan. */
export interface PlanOptions {
  readonly perFailure: number
  /** Which call of an operation in a test fails, counted from 1. */
  readonly call: number
  /** Whether each call fails, in a variant of its own. */
  readonly everyCall: boolean
  readonly only: readonly CellName[] | undefined
}

export const isWanted = ({ operation, failure }: CellName, only: PlanOptions['only']): boolean =>
  only === undefined || only.some((one) => one.operation === operation && one.failure === failure)

/** Why a test cannot be judged; undefined if it can. */
function findObstacle({ status, retry }: LearnedTest): string | undefined {
  if (status !== 'passed') return 'failed without any failure'
  return retry > 0 ? 'passed only when it was retried, without any failure' : undefined
}

/** The tests that call an operation, cheapest first, and those that their own scenarios affect last. */
export const findCallers = (tests: readonly LearnedTest[], operation: CalledOperation): readonly LearnedTest[] =>
  tests
    .filter(({ calls }) => calls.includes(operation))
    .toSorted((a, b) => Number(a.affected.includes(operation)) - Number(b.affected.includes(operation)))

/** How often a test calls an operation. */
export const countCalls = ({ calls }: LearnedTest, operation: CalledOperation): number =>
  calls.filter((call) => call === operation).length

/**
 * Plans the variants: for each operation that the tests called, and each failure that the contract allows for it, the
 * cheapest test that calls it, preferably one whose own scenarios do not affect it.
 *
 * @param attempts from the ordinary run, including retries
 */
export function createPlan(attempts: readonly LearnedTest[], options: PlanOptions): Plan {
  const { perFailure, call, everyCall, only } = options
  // The last attempts of the tests, cheapest first, since the earlier attempts of a retried test ended early.
  const last = new Map<string, LearnedTest>()
  for (const one of attempts.filter(({ status }) => status !== 'skipped').toSorted((a, b) => a.retry - b.retry))
    last.set(keyOf(one.test), one)
  const all = [...last.values()].toSorted((a, b) => a.duration - b.duration || (keyOf(a.test) < keyOf(b.test) ? -1 : 1))
  const tests = all.filter((one) => findObstacle(one) === undefined)
  const variants = calledOperations.flatMap((operation) => {
    const callers = findCallers(tests, operation).filter((one) => everyCall || countCalls(one, operation) >= call)
    const wanted = failureNamesOf(operation).filter((failure) => isWanted({ operation, failure }, only))
    return wanted.flatMap((failure) =>
      callers.slice(0, perFailure).flatMap((one): readonly PlannedVariant[] => {
        const variant = { operation, failure, test: one.test }
        if (!everyCall) return [{ ...variant, call }]
        return Array.from({ length: countCalls(one, operation) }, (_, at) => ({ ...variant, call: at + 1 }))
      }),
    )
  })
  const leftOut = all.flatMap((one) => {
    const why = findObstacle(one)
    return why === undefined ? [] : [{ test: one.test, why }]
  })
  return { variants, leftOut, tests }
}

/**
 * Parses the text of a plan.
 *
 * @throws {SetupError} if it is not a plan.
 */
export function parsePlan(text: string, path: string): Plan {
  let json: unknown
  try {
    // Whoever deletes the last line of a list leaves a comma before its end.
    json = JSON.parse(text.replaceAll(/,(\n\s*\])/g, '$1'))
  } catch {
    throw new SetupError(`--plan: ${path} is not JSON. Correct it, or delete it to write a new plan.`)
  }
  const { data, error } = plan.safeParse(json)
  if (data === undefined) {
    const where = error.issues[0]?.path.join('.') ?? ''
    throw new SetupError(
      `--plan: ${path} is not a plan: ${where === '' ? 'its content' : where} is missing or invalid. Correct it, or delete it to write a new plan.`,
    )
  }
  const known = new Set(data.tests.map(({ test }) => keyOf(test)))
  const unknown = data.variants.find(({ test }) => !known.has(keyOf(test)))
  if (unknown === undefined) return data
  throw new SetupError(
    `--plan: ${path} has a variant of the test ${toTestText(unknown.test)}, which is not in its list of tests. Remove it, or delete the file to write a new plan.`,
  )
}

/** The text of a plan, with a line for each variant and each test, so that it can be edited. */
export function toPlanText(plan: Plan): string {
  const members = Object.entries(plan).map(([name, list]) => {
    const lines = list.map((one) => `\n    ${JSON.stringify(one)}`)
    return `  "${name}": [${lines.join(',')}\n  ]`
  })
  return `{\n${members.join(',\n')}\n}\n`
}

/** For example `save.spec.ts:12 saves (chromium)`. */
export const toTestText = ({ file, line, title, project }: TestName): string =>
  `${file}:${line} ${title.join(' › ')}${project === undefined ? '' : ` (${project})`}`

export const toVariantCount = (count: number): string => (count === 1 ? '1 variant' : `${count} variants`)

/** What a test does in a repetition: its variant, or an ordinary run that later tests of a serial suite need. */
export type Turn = PlannedVariant | Control | 'ordinary' | 'skip'

/**
 * Distributes variants over repetitions of the tests. In a serial suite, a failure would spoil the tests after it, so only
 * one of its tests has a variant in each repetition: those before it run without a failure, and those after it do not run.
 *
 * @returns the turns of each test, by its key
 */
export function toTurns(
  variants: readonly PlannedVariant[],
  tests: readonly LearnedTest[],
): Readonly<Record<string, Turn[]>> {
  const turns: Record<string, Turn[]> = {}
  const suites = new Map<string, readonly LearnedTest[]>()
  for (const one of tests) {
    const name = one.serial ?? keyOf(one.test)
    suites.set(
      name,
      [...(suites.get(name) ?? []), one].toSorted((a, b) => a.position - b.position),
    )
  }
  for (const suite of suites.values()) {
    const keys = suite.map(({ test }) => keyOf(test))
    for (const one of variants) {
      const at = keys.indexOf(keyOf(one.test))
      if (at === -1) continue
      for (const [index, key] of keys.entries())
        (turns[key] ??= []).push(index < at ? 'ordinary' : index === at ? one : 'skip')
    }
  }
  return turns
}

/** How long a failure itself takes, in milliseconds. */
export function toDelay(failure: FailureName): number {
  const { effect } = failures[failure]
  if (effect.delay !== undefined) return effect.delay.fixedDelayMilliseconds ?? 0
  return effect.answer?.headers?.['Retry-After'] === undefined ? 0 : 1000 * Number(effect.answer.headers['Retry-After'])
}

/** An estimate of the time that the variants take if the app survives them, in milliseconds. */
export function toEstimate({ variants, tests }: Plan): number {
  const durations = new Map(tests.map(({ test, duration }) => [keyOf(test), duration]))
  const total = variants.reduce(
    (sum, { test, failure }) => sum + (durations.get(keyOf(test)) ?? 0) + toDelay(failure),
    0,
  )
  return total / Math.max(1, new Set(tests.map(({ worker }) => worker)).size)
}
