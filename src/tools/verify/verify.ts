import { isRead } from '../../service/http/request-head.ts'
import { createConversations } from './conversations/all.ts'
import { COLLECTION } from './conversations/conversation.ts'
import type { Conversation, ConversationStep } from './conversations/conversation.ts'
import { judgeRefusals } from './acceptance.ts'
import { createCleanup } from './cleanup.ts'
import { createTokenSource } from './credentials.ts'
import type { ProviderCredentials } from './credentials.ts'
import { createMockSide, expectService, explore, findGiven, findPool, hasChanged } from './explore.ts'
import type { Traits } from './explore.ts'
import { findFixFirst, findNotFound } from './fix-first.ts'
import { toMismatches } from './mismatch.ts'
import type { Finding } from './mismatch.ts'
import { listNames } from './report.ts'
import type { ConversationReport, VerifyReport } from './report.ts'
import { holdConversations } from './run-conversations.ts'
import type { RunResults } from './run-conversations.ts'
import { createShared } from './run-step.ts'
import type { RunContext } from './run-step.ts'
import { createSide, parseAnswer } from './side.ts'
import type { Message, SideAnswer, Side } from './side.ts'
import { findSubject } from './subjects.ts'
import type { SubjectId } from './subjects.ts'
import { createAsk, toReason } from './transport.ts'
import type { Transport } from './transport.ts'

/** Everything that verify needs, including what the platform provides. */
export interface VerifyOptions {
  /** Base URL of the service, up to the project key. */
  readonly url: string
  readonly project: string
  /** Default: the project key and `-other`. */
  readonly otherProject?: string | undefined
  readonly credentials: ProviderCredentials
  /** Whether verify may create and remove resources (D82). */
  readonly allowsWrites: boolean
  /** Operation ids and names of conversations. Default: all. */
  readonly only?: readonly string[] | undefined
  /** The id of a resource to read, for a service that shows none. */
  readonly id?: string | undefined
  /** Selects the generated requests. Default 1. */
  readonly seed?: number | undefined
  /** Sends a share of the generated requests. */
  readonly isQuick?: boolean | undefined
  /** Response timeout in milliseconds. */
  readonly timeout: number
  /** Sends the requests to the service. */
  readonly transport: Transport
  /** Creates UUIDs. */
  readonly newId: () => string
  /** A clock in milliseconds that is never frozen. */
  readonly elapsed: () => number
  /** Aborting it stops the run, and removes what was written. */
  readonly signal?: AbortSignal | undefined
  /** Called when a conversation ends. */
  readonly onHeld?: (name: string) => void
}

/** Whether a draft holds no text of the run but its key, so that only a service with keys shows who wrote it. */
const isUnmarked = ({ path, body }: ConversationStep): boolean =>
  path === COLLECTION && typeof body === 'string' && !/\{[km]\}/.test(body.replace(/"key":"[^"]*"/, ''))

/** Leaves out conversations that this service or these options do not allow. */
function choose(
  groups: readonly (readonly Conversation[])[],
  { findsKeys, overwritesKeys, isEmpty, takesKeys }: Traits,
  { showsKeys }: Side,
  only: VerifyOptions['only'],
): { readonly chosen: readonly (readonly Conversation[])[]; readonly left: readonly Conversation[] } {
  const left: Conversation[] = []
  const isAllowed = (one: Conversation): boolean => {
    const isSafe =
      (one.needsKeys !== true || overwritesKeys) &&
      (one.needsKeys !== 'or-empty' || findsKeys || isEmpty) &&
      (one.needsEmptyProject !== true || isEmpty) &&
      (one.about !== 'key' || takesKeys) &&
      (findsKeys || showsKeys || !one.steps.some(isUnmarked))
    if (!isSafe) left.push(one)
    return isSafe
  }
  const isNamed = ({ name, steps }: Conversation): boolean =>
    only === undefined ||
    only.includes(name) ||
    steps.some(({ method, path }) => only.includes(findSubject(method, path)))
  const [creation = [], ...others] = groups
  const chosen = (groups.length > 1 ? others : groups).map((group) => group.filter(isNamed).filter(isAllowed))
  const texts = JSON.stringify(chosen, (_, value: unknown) => (value instanceof Uint8Array ? '' : value))
  const needsPool = /\{m\}(?!\d)|\{\{r\d/.test(texts)
  return { chosen: groups.length > 1 ? [needsPool || creation.some(isNamed) ? creation : [], ...chosen] : chosen, left }
}

/** The token that a side uses. */
const readToken = async ({ tokens, project }: Side): Promise<string> =>
  (await tokens.authorize(undefined, project)).replace('Bearer ', '')

/** The last operation that wrote. */
function findLastWrite(before: readonly Message[]): SubjectId | undefined {
  const last = before.findLast(({ method }) => !isRead(method))
  return last && findSubject(last.method, last.path)
}

/** The outcome of the conversations by name. */
function toConversations(
  { results }: RunResults,
  findings: readonly Finding[],
  left: readonly Conversation[],
): readonly ConversationReport[] {
  const failed = new Set(
    findings.filter(({ difference: { ground } }) => ground.kind === 'violation').map(({ result }) => result.sent),
  )
  const names = new Set([...results.map(({ conversation }) => conversation.name), ...left.map(({ name }) => name)])
  return [...names].map((name) => {
    const own = results.filter(({ conversation }) => conversation.name === name).map(({ result }) => result)
    const compared = own.filter(({ reason }) => reason === undefined)
    const otherwise = own.filter(({ sent }) => sent !== undefined && failed.has(sent))
    const reasons = left
      .filter((one) => one.name === name)
      .map(({ needsEmptyProject, needsKeys }) =>
        needsEmptyProject === true
          ? 'the project has other resources, or keys are not found'
          : needsKeys === undefined || needsKeys === false
            ? 'nothing would show that verify wrote the draft'
            : 'the service does not find resources by the key of a draft, so it could overwrite those of others',
      )
    const all = new Set([...own.flatMap(({ reason }) => reason ?? []), ...reasons])
    return { name, compared: compared.length, otherwise: otherwise.length, reasons: [...all] }
  })
}

/**
 * Lets something use a service, and removes everything that it wrote, even if it fails.
 *
 * @throws {SetupError} when the service cannot be reached, the URL is wrong, or the token is rejected.
 */
export async function withService<Result extends object>(
  options: Omit<VerifyOptions, 'only' | 'seed' | 'isQuick' | 'onHeld'>,
  use: (service: Side, first: SideAnswer) => Promise<Result>,
) {
  const { project, allowsWrites, credentials, elapsed, signal, timeout } = options
  const url = options.url.replace(/\/+$/, '')
  const startedAt = elapsed()
  let requests = 0
  const send = createAsk({
    timeout,
    transport: (request) => {
      requests += 1
      return options.transport(request)
    },
  })
  let tracking: ReturnType<typeof createCleanup> | undefined
  const id = options.newId().replaceAll('-', '')
  const service = createSide({
    isMock: false,
    project,
    otherProject: options.otherProject ?? `${project}-other`,
    run: `verify${id.slice(0, 12)}`,
    // Eight digits, so that with one more it still has 32 bits.
    mark: 10_000_000 + (Number.parseInt(id.slice(0, 8), 16) % 90_000_000),
    tokens: createTokenSource(credentials, { url, project, send, elapsed }),
    async send(message) {
      tracking?.track(message)
      try {
        const answer = await send({ ...message, url: url + message.path })
        tracking?.track(message, parseAnswer(answer))
        return answer
      } catch (error) {
        return { status: 0, headers: new Headers(), text: '', broken: toReason(error, timeout) }
      }
    },
  })
  const first = await expectService(service, url, credentials.kind)
  const cleanup = createCleanup(service)
  let leftovers: readonly string[] = []
  let result: Result
  try {
    tracking = cleanup
    if (allowsWrites) await cleanup.keepPayloads()
    result = await use(service, first)
  } finally {
    tracking = undefined
    leftovers = await cleanup.run()
  }
  return {
    url,
    project,
    allowsWrites,
    requests,
    ...result,
    leftovers,
    isInterrupted: signal?.aborted === true,
    milliseconds: elapsed() - startedAt,
  }
}

/**
 * Sends the same conversations to the mock and to a service, and reports where the service answers otherwise, unless the
 * contract leaves that free. Removes everything it writes, even after an interruption.
 *
 * @throws {SetupError} when the service cannot be reached, the URL is wrong, or the token is rejected.
 * @example
 * const report = await verify({ url: 'http://127.0.0.1:4010', project: 'acme', credentials: { kind: 'token', token }, … })
 */
export function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { allowsWrites, elapsed, signal, only, seed = 1, isQuick = false } = options
  return withService(options, judge)

  async function judge(service: Side, first: SideAnswer) {
    const traits = await explore(service, first, allowsWrites)
    const { side: mock, putRecords } = await createMockSide(service, traits, elapsed)
    const found = allowsWrites ? undefined : await findPool(service, mock, putRecords)
    const given = options.id === undefined ? undefined : await findGiven(options.id, service, mock, putRecords)
    const hasToken = service.tokens.client !== undefined
    if (hasToken) for (const side of [mock, service]) side.saved.set('tok', { access: await readToken(side) })
    const groups = createConversations({ seed, isQuick, isStrict: traits.isStrict, found, given, hasToken })
    const { chosen, left } = choose(groups, traits, service, only)
    const context: RunContext = { mock, service, signal, ...createShared(service) }
    const all = await holdConversations(chosen, context, options.onHeld ?? (() => undefined))
    const isOutdated = found !== undefined && all.findings.length > 0 && (await hasChanged(found, service))
    if (isOutdated) forgetPool(all)
    const operations = only?.filter((name) => !chosen.flat().some((one) => one.name === name)) ?? []
    const findings = judgeRefusals(all).filter(
      ({ result, conversation: { name }, before }) =>
        only === undefined ||
        only.includes(name) ||
        operations.includes(result.operation) ||
        // What a write changed shows in the reads after it.
        (isRead(result.step.method) && operations.includes(findLastWrite(before) ?? '')),
    )
    const notFound = findNotFound(all)
    const mismatches = toMismatches(findings)
    const fixFirst = findFixFirst({ ...all, findings }, notFound)
    return {
      seed,
      conversations: toConversations(all, findings, left),
      mismatches,
      notFound,
      notes: [
        ...(allowsWrites && service.learned.size > 0
          ? [`Ids were learnt from ${listNames([...service.learned])}.`]
          : []),
        ...(service.learned.size === 0 && all.results.some(({ result }) => result.reason?.endsWith(' has no id'))
          ? ['No answer showed an id. Use --id to give that of a resource to read.']
          : []),
        ...(traits.isStrict ? ['The service is strict: it is compared with a mock with --strict.'] : []),
        ...(traits.auth === 'strict'
          ? []
          : [`The service is a resource-mock with --auth ${traits.auth}, so it is compared with such a mock.`]),
        ...(service.tokens.client === undefined
          ? ['Tokens of single scopes were not compared: they need --client.']
          : []),
        ...(isOutdated ? ['The resources changed during the run, so queries were not compared.'] : []),
      ],
      ...(fixFirst === undefined ? {} : { fixFirst }),
    }
  }
}

const isAboutPool = ({ own, path }: { readonly path: string; readonly own?: unknown }): boolean =>
  own !== undefined || path.includes('{{r')

/** Forgets what was found with resources that someone else has changed meanwhile. */
function forgetPool({ findings, results }: RunResults): void {
  findings.splice(0, Infinity, ...findings.filter(({ result }) => !isAboutPool(result.step)))
  for (const one of results) {
    if (isAboutPool(one.result.step))
      one.result = { ...one.result, differences: [], reason: 'the resources changed during the run' }
  }
}
