import * as z from 'zod'
import { SetupError } from '../../errors.ts'
import type { CheckOutcome, Comparison, Report } from './report.ts'

/** The part of a JSON report that a later one is compared with: the outcome of each check, by its id. */
export type EarlierOutcomes = ReadonlyMap<string, CheckOutcome['kind']>

const earlierReport = z.object({
  subjects: z.array(
    z.object({
      checks: z.array(z.object({ id: z.string(), outcome: z.object({ kind: z.enum(['held', 'failed', 'untried']) }) })),
    }),
  ),
})

/**
 * Parses a JSON report of an earlier run.
 *
 * @param name names the report in errors
 * @throws {SetupError} if the text is not such a report.
 */
export function parseEarlierReport(text: string, name: string): EarlierOutcomes {
  try {
    const checks = earlierReport.parse(JSON.parse(text)).subjects.flatMap((subject) => subject.checks)
    return new Map(checks.map(({ id, outcome }) => [id, outcome.kind]))
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error
    throw new SetupError(`${name} is not a report of verify. Write one with --reporter json > ${name}.`)
  }
}

/** Compares a report with an earlier one. Checks that only one of them has are left out. */
export function compareReports({ subjects }: Report, earlier: EarlierOutcomes): Comparison {
  const changes = subjects
    .flatMap(({ checks }) => checks)
    .map(({ id, outcome }) => ({ id, before: earlier.get(id), now: outcome.kind }))
    .filter(({ before, now }) => before !== undefined && before !== now)
  const pick = (isMeant: (change: (typeof changes)[number]) => boolean) => changes.filter(isMeant).map(({ id }) => id)
  return {
    better: pick(({ now }) => now === 'held'),
    worse: pick(({ before }) => before === 'held'),
    revealed: pick(({ before, now }) => before === 'untried' && now === 'failed'),
  }
}
