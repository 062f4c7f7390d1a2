import { findJson } from '../../service/http/json.ts'
import * as z from 'zod'
import { SetupError } from '../../errors.ts'
import { isAlike } from './report.ts'
import type { ReportChanges, VerifyReport } from './report.ts'

/** The part of a JSON report that a later one is compared with: whether each conversation was alike, by its name. */
export type EarlierOutcomes = ReadonlyMap<string, boolean | undefined>

const earlierReport = z.object({
  conversations: z.array(z.object({ name: z.string(), compared: z.number(), otherwise: z.number() })),
})

/**
 * Parses a JSON report of an earlier run.
 *
 * @param name names the report in errors
 * @throws {SetupError} if the text is not such a report.
 */
export function parseEarlierReport(text: string, name: string): EarlierOutcomes {
  const { data } = earlierReport.safeParse(findJson(text))
  if (data !== undefined) return new Map(data.conversations.map((one) => [one.name, isAlike({ ...one, reasons: [] })]))
  throw new SetupError(`${name} is not a report of verify. Write one with --reporter json > ${name}.`)
}

/** Compares a report with an earlier one. Conversations that only one of them has are left out. */
export function compareReports({ conversations }: VerifyReport, earlier: EarlierOutcomes): ReportChanges {
  const known = conversations.filter(({ name }) => earlier.has(name))
  const pick = (isMeant: (before: boolean | undefined, now: boolean | undefined) => boolean) =>
    known.filter((one) => isMeant(earlier.get(one.name), isAlike(one))).map(({ name }) => name)
  return {
    better: pick((before, now) => before !== true && now === true),
    worse: pick((before, now) => before === true && now === false),
  }
}
