import './util/supported-node.ts'
export { CoverageReporter as default } from './edges/reporter/coverage-reporter.ts'
export type { CoverageReporterOptions } from './edges/reporter/coverage-reporter.ts'
export type { CoverageReport } from './sessions/journal/coverage-report.ts'
