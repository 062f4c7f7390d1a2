import { createMock } from '../../src/mock.ts'
import type { Mock } from '../../src/mock.ts'
import type { MockOptions } from '../../src/options/options.ts'
import type { CheckReport, Report } from '../../src/verify/report.ts'
import { createFetchTransport } from '../../src/verify/transport.ts'
import type { Fetch } from '../../src/verify/transport.ts'
import { verify } from '../../src/verify/verify.ts'
import type { VerifyOptions } from '../../src/verify/verify.ts'
import { MASTER } from './bends.ts'
import type { Bend, Json } from './bends.ts'

interface Run extends Partial<VerifyOptions> {
  readonly mock?: MockOptions
  readonly bend?: Bend
  /** In place of a mock. */
  readonly fetch?: Fetch
}

/** What a run is like unless it says otherwise: everything is tried, with a client that gets tokens of any scope. */
export const usual = {
  url: 'http://mock',
  project: 'acme',
  credentials: { kind: 'client', client: 'shop:secret' },
  allowsWrites: true,
  // A guard: how long the mock takes is up to the machine.
  timeout: 120_000,
  newId: () => crypto.randomUUID(),
  elapsed: () => performance.now(),
} as const satisfies Omit<VerifyOptions, 'transport'>

/** Verifies a fresh mock, perhaps one that something was put before. */
export async function verifyMock({
  mock: options = {},
  bend = (one) => one,
  fetch,
  ...init
}: Run = {}): Promise<Report> {
  const mock = await createMock(options)
  const transport = createFetchTransport(fetch ?? bend((request) => mock.fetch(request)))
  return verify({ ...usual, transport, ...init })
}

/** The ids of the checks that had an outcome. */
export const idsOf = ({ subjects }: Report, kind: CheckReport['outcome']['kind']): readonly string[] =>
  subjects.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome.kind === kind).map(({ id }) => id))

/** What a project holds: its resources by id and version, and the action payload. */
export async function holdingsOf(mock: Mock): Promise<readonly string[]> {
  const ask = async (path: string) =>
    (await mock.fetch(new Request(`http://mock/acme/resource${path}`, { headers: MASTER }))).json() as Promise<Json>
  const { results } = await ask('?limit=500')
  const versions = (results ?? []).map(({ id, version }) => `${String(id)} ${String(version)}`)
  return [...versions, JSON.stringify(await ask('/namespace-action'))]
}
