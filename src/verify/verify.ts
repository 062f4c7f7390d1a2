import { operationSubjects, otherSubjects, subjects as allSubjects } from './checks.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { SetupError } from '../errors.ts'
import { createCleanup } from './cleanup.ts'
import { checkEvery } from './answers.ts'
import { UNEXPECTED, createResults } from './subject.ts'
import type { Examination, OperationExamination, VerifyContext } from './subject.ts'
import { openTokens } from './credentials.ts'
import type { ProviderCredentials } from './credentials.ts'
import { createProvider } from './provider.ts'
import type { Provider } from './provider.ts'
import { countOutcomes } from './report.ts'
import type { Report, SubjectReport } from './report.ts'
import { createResources } from './resources.ts'
import { createSamples, findSamples } from './samples.ts'
import { Stop } from './transport.ts'
import type { Transport } from './transport.ts'
import { isReading, subjectIds } from './subjects.ts'
import type { SubjectId } from './subjects.ts'

/** What is verified, and how far it may go. */
export interface VerifyOptions {
  /** The provider's base URL, with region and cloud provider if it has them. */
  readonly url: string
  readonly project: string
  /** Another project, which is only read. Default: the project's key with `-other` after it. */
  readonly otherProject?: string | undefined
  readonly credentials: ProviderCredentials
  /** Whether resources may be made and removed again (D82). */
  readonly allowsWrites: boolean
  /** Default: all. */
  readonly only?: readonly SubjectId[] | undefined
  /** Milliseconds that an answer may take. */
  readonly timeout: number
  /** What carries its requests to the provider. */
  readonly transport: Transport
  /** Makes UUIDs. */
  readonly newId: () => string
  /** Milliseconds of a clock that is never frozen. */
  readonly elapsed: () => number
  /** Once aborted, nothing more is tried, and what was written is removed. */
  readonly signal?: AbortSignal | undefined
  /** Called as the examination of each subject ends. */
  readonly onSubject?: (id: SubjectId) => void
}

const IN_VAIN =
  'The service refused a request with 429 or 503 for as long as verify waits. Others were then not sent again: their failures may say no more than that.'

/** Whether the provider answers there, and takes the token: otherwise every check would fail for that reason. */
async function expectProvider(provider: Provider, { url, project, credentials }: VerifyOptions): Promise<void> {
  const answer = await provider.send('queryResources', { query: { limit: '1' } }).catch((error: unknown) => {
    if (!(error instanceof Stop)) throw error
    const advice = error.finding === undefined ? '' : ' Check the URL, and that the service runs.'
    throw new SetupError(`${url} cannot be verified: ${error.message}.${advice}`)
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
  if (status === 503 || status === 429) {
    const until = status === 503 ? 'the service is available' : 'it takes requests'
    throw new SetupError(`${url} cannot be verified: ${request} answered ${status}. Try again once ${until}.`)
  }
  if (status !== 401) return
  throw new SetupError(
    `${url} does not take the token: ${request} answered 401. Check --${credentials.kind}, and --project.`,
  )
}

/** The examination of an operation, whose every answer is checked for what all answers must be. */
function createOperationExamination(exam: Examination, operation: OperationId): OperationExamination {
  const own: OperationExamination = {
    ...exam,
    operation,
    async send(sending = {}) {
      const answer = await exam.provider.send(operation, sending)
      checkEvery(own, sending.method ?? endpoints[operation].method, answer)
      return answer
    },
  }
  return own
}

/**
 * Runs every operation of the endpoint table against a provider, and reports what held, what failed and what could not be
 * tried. What it writes it removes, also if it fails or is interrupted. The subjects are examined side by side: each
 * writes to resources of its own alone.
 *
 * @throws {SetupError} when the provider cannot be reached, is elsewhere, or takes no token.
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

  // What fails ends the other examinations, too: nothing may be written once the cleanup has started.
  const failure = new AbortController()
  const signals = signal === undefined ? [failure.signal] : [signal, failure.signal]
  let isInVain = false
  const onVain = () => {
    isInVain = true
  }
  const provider = createProvider({ ...lasting, signal: AbortSignal.any(signals), onVain })
  const cleanup = createCleanup({ provider: lastingProvider, run })
  const resources = createResources({ provider, cleanup, run })
  const chosen = subjectIds.filter((id) => options.only?.includes(id) !== false)
  let subjects: readonly SubjectReport[] = []
  let leftovers: readonly string[] = []
  try {
    const samples = allowsWrites ? await createSamples({ resources, provider, run }) : await findSamples(provider)
    const made = { provider, tokens, resources, cleanup, run }
    const context: VerifyContext = { ...made, ...samples, project, otherProject, allowsWrites, newId }
    const running = chosen.map((id) => examine(id, context).catch(end))
    await Promise.allSettled(running)
    subjects = await Promise.all(running)
  } finally {
    leftovers = await cleanup.run()
  }
  return {
    url,
    project,
    allowsWrites,
    subjects,
    counts: countOutcomes(subjects),
    leftovers,
    isInterrupted: signal?.aborted === true,
    milliseconds: elapsed() - startedAt,
  }

  function end(error: unknown): never {
    failure.abort()
    throw error
  }

  async function examine(id: SubjectId, context: VerifyContext): Promise<SubjectReport> {
    const results = createResults(id, allSubjects[id].checks)
    const begunAt = elapsed()
    const close = (reason: string): SubjectReport => {
      if (isInVain) results.note(IN_VAIN)
      options.onSubject?.(id)
      return results.toReport(reason, elapsed() - begunAt)
    }
    if (!allowsWrites && !isReading(id)) return close('it writes, and --allow-writes was not given')
    try {
      const exam: Examination = { ...context, ...results }
      if (id === 'anyPath' || id === 'tokenEndpoints') await otherSubjects[id].examine(exam)
      else await operationSubjects[id].examine(createOperationExamination(exam, id))
      return close(UNEXPECTED)
    } catch (error) {
      if (!(error instanceof Stop)) throw error
      if (error.finding !== undefined) results.add('status', [error.finding])
      return close(error.message)
    }
  }
}
