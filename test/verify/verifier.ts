import { createMock } from '../../src/mock.ts'
import type { MockOptions } from '../../src/options.ts'
import type { CheckReport, Report } from '../../src/verify/report.ts'
import { verify } from '../../src/verify/verify.ts'
import type { VerifyOptions } from '../../src/verify/verify.ts'
import type { Bend } from './bends.ts'

interface Run extends Partial<VerifyOptions> {
  readonly mock?: MockOptions
  readonly bend?: Bend
}

/** What a run is like unless it says otherwise: everything is tried, with a client that gets tokens of any scope. */
export const usual = {
  url: 'http://mock',
  project: 'acme',
  credentials: { kind: 'client', client: 'shop:secret' },
  allowsWrites: true,
  timeout: 5000,
  newId: () => crypto.randomUUID(),
  elapsed: () => performance.now(),
} as const satisfies Omit<VerifyOptions, 'fetch'>

/** Verifies a fresh mock, perhaps one that something was put before. */
export async function verifyMock({ mock: options = {}, bend = (fetch) => fetch, ...init }: Run = {}): Promise<Report> {
  const mock = await createMock(options)
  return verify({ ...usual, fetch: bend((request) => mock.fetch(request)), ...init })
}

/** The ids of the checks that had an outcome. */
export const idsOf = ({ operations }: Report, kind: CheckReport['outcome']['kind']): readonly string[] =>
  operations.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome.kind === kind).map(({ id }) => id))
