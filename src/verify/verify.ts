import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { SetupError } from '../errors.ts'
import type { Fetch } from './ask.ts'
import { createBench, Stop } from './bench.ts'
import { openKeyring } from './credentials.ts'
import type { Credentials } from './credentials.ts'
import { examiners } from './examine/examiners.ts'
import { createLedger } from './ledger.ts'
import { createProvider } from './provider.ts'
import type { Provider } from './provider.ts'
import { countOutcomes } from './report.ts'
import type { OperationReport, Report } from './report.ts'
import { createResources } from './resources.ts'
import { findSamples, makeSamples } from './samples.ts'
import type { Examine, World } from './world.ts'

/** What is verified, and how far it may go. */
export interface VerifyOptions {
  /** The provider's base URL, with region and cloud provider where it has them. */
  readonly url: string
  readonly project: string
  readonly credentials: Credentials
  /** Whether resources may be made and removed again (D82). */
  readonly allowsWrites: boolean
  /** Default: all. */
  readonly only?: readonly OperationId[] | undefined
  /** Milliseconds that an answer may take. */
  readonly timeout: number
  readonly fetch: Fetch
  /** Makes UUIDs. */
  readonly newId: () => string
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
  /** Once aborted, nothing more is tried, and what was written is removed. */
  readonly signal?: AbortSignal | undefined
  /** Called as each operation begins. */
  readonly onOperation?: (id: OperationId) => void
}

const isReading = (id: OperationId): boolean => ['GET', 'HEAD'].includes(endpoints[id].method)

/** Whether the provider answers there, and takes the token: where it does not, no check would say more than that. */
async function expectProvider(provider: Provider, { url, project, credentials }: VerifyOptions): Promise<void> {
  const answer = await provider.send('queryResources', { query: [['limit', '1']] }).catch((fault: unknown) => {
    if (!(fault instanceof Stop)) throw fault
    throw new SetupError(`${url} cannot be verified: ${fault.message}. Check the URL, and that the service runs.`)
  })
  const { status, request, headers } = answer
  const place = headers.get('Location')
  // A redirect of the resources as a whole is one of the address: to https, to another host, to a page where people log in.
  if (status >= 300 && status < 400 && place !== null) {
    throw new SetupError(
      `${url} cannot be verified: ${request} answered ${status} to ${place}. Give the URL that answers.`,
    )
  }
  if (status === 404 && url.replace(/\/+$/, '').endsWith(`/${project}`)) {
    throw new SetupError(
      `${url} cannot be verified: ${request} answered 404. The URL ends with the project key: leave it out there.`,
    )
  }
  if (status !== 401) return
  throw new SetupError(
    `${url} does not take the token: ${request} answered 401. Check --${credentials.kind}, and --project.`,
  )
}

/**
 * Runs every operation of the endpoint table against a provider, and tells what held, what failed and what could not be
 * tried. What it writes it removes, also where it fails or is interrupted.
 *
 * @throws {SetupError} when the provider cannot be reached, is elsewhere, or takes no token.
 * @example
 * const report = await verify({ url: 'http://127.0.0.1:4010', project: 'acme', credentials: { kind: 'token', token }, … })
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const { project, allowsWrites, elapsed, newId, signal } = options
  const url = options.url.replace(/\/+$/, '')
  const startedAt = elapsed()
  const keyring = await openKeyring({ ...options, url })
  const lasting = { ...options, url, authorization: keyring.usual, signal: undefined }
  const lastingProvider = createProvider(lasting)
  await expectProvider(lastingProvider, options)

  const run = `verify${newId().replaceAll('-', '').slice(0, 12)}`
  const provider = createProvider({ ...lasting, signal })
  const ledger = createLedger({ provider: lastingProvider, run })
  const resources = createResources({ provider, ledger, run })
  const chosen = operationIds.filter((id) => options.only?.includes(id) !== false)
  const operations: OperationReport[] = []
  let leftovers: readonly string[] = []
  try {
    const samples = await takeSamples()
    const world: World = { provider, keyring, resources, ledger, run, newId, ...samples }
    for (const id of chosen) operations.push(await examine(id, examiners[id], world))
  } finally {
    leftovers = await ledger.settle()
  }
  return {
    url,
    project,
    allowsWrites,
    operations,
    counts: countOutcomes(operations),
    leftovers,
    isInterrupted: signal?.aborted === true,
    milliseconds: elapsed() - startedAt,
  }

  async function takeSamples(): ReturnType<typeof findSamples> {
    if (!chosen.some(isReading)) return { samples: [], sampleless: 'nothing is read', word: undefined }
    return allowsWrites ? makeSamples(resources, `${run}s`) : findSamples(provider)
  }

  async function examine<Id extends OperationId>(id: Id, examiner: Examine<Id>, world: World) {
    options.onOperation?.(id)
    const bench = createBench(id)
    const begunAt = elapsed()
    const close = (reason: string): OperationReport => bench.close(reason, elapsed() - begunAt)
    if (!allowsWrites && !isReading(id)) return close('it writes, and --allow-writes was not given')
    try {
      await examiner(bench, world)
      return close('an answer that it follows from was not as expected')
    } catch (fault) {
      if (!(fault instanceof Stop)) throw fault
      if (fault.fault !== undefined) bench.hold('status', [fault.fault])
      return close(fault.message)
    }
  }
}
