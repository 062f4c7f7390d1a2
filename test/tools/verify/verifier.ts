import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import type { VerifyReport } from '../../../src/tools/verify/report.ts'
import { createFetchTransport } from './fetch-transport.ts'
import type { Fetch } from './fetch-transport.ts'
import { verify } from '../../../src/tools/verify/verify.ts'
import type { VerifyOptions } from '../../../src/tools/verify/verify.ts'
import { MASTER } from './bends.ts'
import type { Bend, Json } from './bends.ts'
import { skipWaits } from './skip-waits.ts'

interface Run extends Partial<VerifyOptions> {
  readonly mock?: MockOptions
  readonly bend?: Bend
  /** Replaces the mock. */
  readonly fetch?: Fetch
}

/** The defaults of a run: everything is sent, with a client that gets tokens of any scope. */
export const usual = {
  url: 'http://mock',
  project: 'acme',
  credentials: { kind: 'client', client: 'shop:secret' },
  allowsWrites: true,
  // A guard: the mock's speed depends on the machine.
  timeout: 120_000,
  newId: () => crypto.randomUUID(),
  elapsed: () => performance.now(),
} as const satisfies Omit<VerifyOptions, 'transport'>

/** Verifies a service in this process, without waiting. */
export async function verifyFetch(fetch: Fetch, options: Partial<VerifyOptions> = {}): Promise<VerifyReport> {
  const waitAgain = skipWaits()
  try {
    return await verify({ ...usual, transport: createFetchTransport(fetch), ...options })
  } finally {
    waitAgain()
  }
}

/** Verifies a fresh mock, optionally with a wrapper. */
export async function verifyMock({
  mock: options = { auth: 'strict' },
  bend = (one) => one,
  fetch,
  ...init
}: Run = {}): Promise<VerifyReport> {
  const mock = await createMock(options)
  return verifyFetch(fetch ?? bend((request) => mock.fetch(request)), init)
}

export const sentencesOf = ({ mismatches }: VerifyReport): readonly string[] =>
  mismatches.map(({ sentence }) => sentence)

/** Where a service contradicts the specification. */
export const violationsOf = ({ mismatches }: VerifyReport): readonly string[] =>
  mismatches.filter(({ kind }) => kind === 'violation').map(({ sentence }) => sentence)

/** The content of a project: its resources by id and version, and the action payload. */
export async function holdingsOf(mock: Mock): Promise<readonly string[]> {
  const ask = async (path: string) =>
    (await mock.fetch(new Request(`http://mock/acme/resource${path}`, { headers: MASTER }))).json() as Promise<Json>
  const { results } = await ask('?limit=500')
  const versions = (results ?? []).map(({ id, version }) => `${String(id)} ${String(version)}`)
  return [...versions, JSON.stringify(await ask('/namespace-action'))]
}
