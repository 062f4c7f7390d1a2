import { operationSubjects, otherSubjects, subjects as allSubjects } from './checks.ts'
import { endpoints, isOperation } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { SetupError } from '../../errors.ts'
import { createCleanup } from './cleanup.ts'
import { checkEvery } from './answers.ts'
import { UNEXPECTED, createResults } from './subject.ts'
import type { SubjectContext, OperationContext, VerifyContext } from './subject.ts'
import { openTokens } from './credentials.ts'
import type { ProviderCredentials } from './credentials.ts'
import { createProvider } from './provider.ts'
import type { Provider } from './provider.ts'
import { findFixFirst, findStopped } from './fix-first.ts'
import { countOutcomes } from './report.ts'
import type { Report, SubjectReport } from './report.ts'
import { createResources } from './resources.ts'
import { createSamples, findSamples } from './samples.ts'
import { Stop } from './transport.ts'
import type { Transport } from './transport.ts'
import { isReading, subjectIds } from './subjects.ts'
import type { SubjectId } from './subjects.ts'

/** What to verify, and how. */
export interface VerifyOptions {
  /** The provider's base URL, including region and cloud provider if it has them. */
  readonly url: string
  readonly project: string
  /** Another project, which is only read. Default: the project key followed by `-other`. */
  readonly otherProject?: string | undefined
  readonly credentials: ProviderCredentials
  /** Whether verify may create and remove resources (D82). */
  readonly allowsWrites: boolean
  /** The subjects to check. Default: all. */
  readonly only?: readonly SubjectId[] | undefined
  /** Response timeout in milliseconds. */
  readonly timeout: number
  /** Sends the requests to the provider. */
  readonly transport: Transport
  /** Creates UUIDs. */
  readonly newId: () => string
  /** A clock in milliseconds that is never frozen. */
  readonly elapsed: () => number
  /** Aborting it skips the remaining checks and removes what was written. */
  readonly signal?: AbortSignal | undefined
  /** Called when a subject is finished. */
  readonly onSubject?: (id: SubjectId) => void
}

const GAVE_UP =
  'The service kept refusing a request with 429 or 503 until verify gave up. Later requests were not retried, so their failures may have the same cause.'

/** Checks that the provider is reachable and accepts the token, since otherwise every check would fail. */
async function expectProvider(provider: Provider, { url, project, credentials }: VerifyOptions): Promise<void> {
  const answer = await provider.send('queryResources', { query: { limit: '1' } }).catch((error: unknown) => {
    if (!(error instanceof Stop)) throw error
    const advice = error.finding === undefined ? '' : ' Check the URL and that the service is running.'
    throw new SetupError(`${url} cannot be verified: ${error.message}.${advice}`)
  })
  const { status, request, headers } = answer
  const location = headers.get('Location')
  // A redirect here concerns the base URL: to https, to another host, or to a login page.
  if (status >= 300 && status < 400 && location !== null) {
    throw new SetupError(
      `${url} cannot be verified: ${request} returned ${status} with a redirect to ${location}. Use the final URL.`,
    )
  }
  if (status === 404 && url.replace(/\/+$/, '').endsWith(`/${project}`)) {
    throw new SetupError(
      `${url} cannot be verified: ${request} returned 404. The URL ends with the project key; remove it from the URL.`,
    )
  }
  if (status === 503 || status === 429) {
    const until = status === 503 ? 'the service is available' : 'it accepts requests'
    throw new SetupError(`${url} cannot be verified: ${request} returned ${status}. Try again once ${until}.`)
  }
  if (status !== 401) return
  throw new SetupError(`${url} rejects the token: ${request} returned 401. Check --${credentials.kind} and --project.`)
}

/** Whether the provider does not respond: it may have restarted after it refused connections. */
const isRefusing = (provider: Provider): Promise<boolean> =>
  provider.send('queryResources', { query: { limit: '1' } }).then(
    () => false,
    () => true,
  )

/** Adds a `send` for the operation that applies the common checks to every response. */
function createOperationContext(context: SubjectContext, operation: OperationId): OperationContext {
  const own: OperationContext = {
    ...context,
    operation,
    async send(sending = {}) {
      const answer = await context.provider.send(operation, sending)
      checkEvery(own, sending.method ?? endpoints[operation].method, answer)
      return answer
    },
  }
  return own
}

/**
 * Runs the checks of every operation in the endpoint table against a provider, and reports which passed, failed or could
 * not be tried. Removes everything it writes, even after a failure or interruption. Subjects are checked concurrently, each
 * with its own resources.
 *
 * @throws {SetupError} when the provider cannot be reached, the URL is wrong, or the token is rejected.
 * @example
 * const report = await verify({ url: 'http://127.0.0.1:4010', project: 'acme', credentials: { kind: 'token', token }, … })
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const { project, otherProject = `${project}-other`, allowsWrites, elapsed, newId, signal } = options
  const url = options.url.replace(/\/+$/, '')
  const startedAt = elapsed()
  const run = `verify${newId().replaceAll('-', '').slice(0, 12)}`
  const tokens = await openTokens({ ...options, url })
  const lasting = { ...options, url, run, authorization: tokens.usual, signal: undefined }
  const lastingProvider = createProvider(lasting)
  await expectProvider(lastingProvider, options)

  // An error stops the other subjects, too: nothing may be written once the cleanup has started.
  const failure = new AbortController()
  const signals = signal === undefined ? [failure.signal] : [signal, failure.signal]
  let hasGivenUp = false
  const onGiveUp = () => {
    hasGivenUp = true
  }
  const provider = createProvider({ ...lasting, signal: AbortSignal.any(signals), onGiveUp })
  const cleanup = createCleanup(lastingProvider, run)
  const resources = createResources(provider, cleanup, run)
  const chosen = subjectIds.filter((id) => options.only?.includes(id) !== false)
  let subjects: readonly SubjectReport[] = []
  let leftovers: readonly string[] = []
  try {
    const samples = allowsWrites ? await createSamples({ resources, provider, run }) : await findSamples(provider)
    const made = { provider, tokens, resources, cleanup, run }
    const shared: VerifyContext = { ...made, ...samples, project, otherProject, allowsWrites, newId }
    const running = chosen.map((id) => runSubject(id, shared).catch(end))
    await Promise.allSettled(running)
    subjects = await Promise.all(running)
  } finally {
    leftovers = await cleanup.run()
  }
  const stopped = findStopped(subjects)
  const fixFirst = stopped !== undefined && (await isRefusing(lastingProvider)) ? stopped : findFixFirst(subjects)
  return {
    url,
    project,
    allowsWrites,
    subjects,
    counts: countOutcomes(subjects),
    ...(fixFirst === undefined ? {} : { fixFirst }),
    leftovers,
    isInterrupted: signal?.aborted === true,
    milliseconds: elapsed() - startedAt,
  }

  function end(error: unknown): never {
    failure.abort()
    throw error
  }

  async function runSubject(id: SubjectId, shared: VerifyContext): Promise<SubjectReport> {
    const results = createResults(id, allSubjects[id].checks)
    const begunAt = elapsed()
    const close = (reason: Stop): SubjectReport => {
      if (hasGivenUp) results.note(GAVE_UP)
      options.onSubject?.(id)
      return results.toReport(reason, elapsed() - begunAt)
    }
    if (!allowsWrites && !isReading(id)) return close(new Stop('it writes; pass --allow-writes to include it'))
    try {
      const context: SubjectContext = { ...shared, ...results }
      if (isOperation(id)) await operationSubjects[id].run(createOperationContext(context, id))
      else await otherSubjects[id].run(context)
      // Without a resource, an operation may have no response to check.
      return close((isOperation(id) ? shared.sampleless : undefined) ?? new Stop(UNEXPECTED))
    } catch (error) {
      if (!(error instanceof Stop)) throw error
      if (error.finding !== undefined) results.add('status', [error.finding])
      return close(error)
    }
  }
}
