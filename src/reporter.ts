import './util/supported-node.ts'
export { CoverageReporter as default } from './reporter/coverage-reporter.ts'
export type { CoverageReporterOptions } from './reporter/coverage-reporter.ts'
export type { CoverageReport } from './journal/coverage-report.ts'
