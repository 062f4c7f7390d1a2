import type { Report } from '../report.ts'

/** The report as it is, for programs. */
export const toJson = (report: Report): string => JSON.stringify(report, undefined, 2)
