import { isRead } from '../../../service/http/request-head.ts'
import { groupBy } from '../../../util/collections.ts'
import { isSuccessStatus } from '../transport.ts'
import { COLLECTION, DO_SOMETHING, json, post, set, updateStep } from '../conversations/conversation.ts'
import type { ConversationStep } from '../conversations/conversation.ts'
import { ask, explore } from '../explore.ts'
import { toMismatches } from '../mismatch.ts'
import type { Finding } from '../mismatch.ts'
import type { Mismatch, VerifyReport } from '../report.ts'
import { createDialogue } from '../compare/difference.ts'
import { createShared, runStep } from '../run-step.ts'
import type { RunContext } from '../run-step.ts'
import { createSide, versionOf, saveValues } from '../side.ts'
import type { SideAnswer, Side } from '../side.ts'
import { findSubject } from '../subjects.ts'
import { withService } from '../verify.ts'
import type { VerifyOptions } from '../verify.ts'
import type { Recorded, RecordedTest } from './recording.ts'
import { analyse, findTarget, mapAnswer, mapBody, mapTarget } from './session.ts'
import type { KnownResource, KnownTest, Mapping } from './session.ts'

/** Headers that a replay sends as they were recorded. */
const SENT = ['Accept', 'Content-Type', 'Storefront-Locale', 'Prefer', 'If-Match', 'If-None-Match']

/** Whether a request lists resources, which is limited to those of the replay. */
function isList({ method, path, answer }: Recorded): boolean {
  const subject = findSubject(method, path)
  return (subject === 'queryResources' || subject === 'sortedQuery') && isSuccessStatus(answer.status)
}

/** What is free in the answer to a request. */
const findTopic = ({ method, path }: Recorded): ConversationStep['topic'] =>
  findSubject(method, path) === 'getAction' ? 'free answer' : undefined

/** A real conflict can be asked for: another write comes first. */
const isConflict = ({ answer, method, path }: Recorded): boolean =>
  answer.status === 409 && findSubject(method, path) === 'updateResource'

const projectOf = (path: string): string | undefined => /^\/([^/]+)\/resource(?:\/|$)/.exec(path)?.[1]

/** Whether a list depends on versions, dates or ids, which are the service's own, or on keys that the replay adds. */
function dependsOnService({ search }: Recorded, { resources }: KnownTest): boolean {
  const query = new URLSearchParams(search)
  const [where, sorts] = [query.getAll('where').join(' '), query.getAll('sort').join(', ')]
  const isKeyless = [...resources.values()].some((one) => one.isKeyless)
  return (
    /\b(?:version|createdAt|lastModifiedAt)\b/.test(`${where} ${sorts}`) ||
    /\bid\b/.test(sorts) ||
    (isKeyless && (/\bkey\b/.test(sorts) || /\bkey\s*(?:is\b|not\b|[!<>])/.test(where))) ||
    /[^\d.+-]/.test(query.get('unionParameter') ?? '')
  )
}

/** Why the service cannot be asked the same; undefined if it can. */
function findReason(
  exchange: Recorded,
  test: KnownTest,
  projects: readonly string[],
  findsKeys: boolean,
): string | undefined {
  const { resources } = test
  const { method, path, headers, answer, isCut, isTouched, isPreferred, search } = exchange
  const subject = findSubject(method, path)
  const resource = resources.get(findTarget(exchange) ?? '')
  if (path.startsWith('/oauth/')) return 'the replay gets tokens of its own'
  if (subject === 'anyPath' && method === 'OPTIONS') return 'a preflight request of a browser'
  if (subject === 'anyPath' && answer.status < 400) return 'the contract has no such path'
  if (projects.indexOf(projectOf(path) ?? '') > 1) return 'a replay has two projects'
  if (isTouched && !isConflict(exchange)) return 'a scenario changed the answer'
  if (isPreferred) return 'Prefer chose the answer'
  if (resource?.isUncertain === true) return 'it follows a request that was left out'
  if (isCut) return 'the recording does not have the whole body'
  if ((answer.status === 401 || answer.status === 403) && headers.has('authorization'))
    return 'the recording does not have its token'
  if (answer.status >= 400) return undefined
  if (subject === 'searchResources') return 'a search cannot be limited to the resources of the replay'
  if (subject === 'checkResources') return 'HEAD does not say which resource matches'
  const isUpload = subject === 'uploadImage'
  const isOverwrite = subject === 'putResource' || subject === 'overwriteResource'
  if ((isUpload || isOverwrite) && !findsKeys)
    return 'the service does not find resources by key, so it could overwrite those of others'
  const isKeyless =
    (isUpload && !/(?:^|&)sku=/.test(search)) ||
    (isOverwrite && !new TextDecoder().decode(exchange.body).includes('"key"'))
  if (isKeyless) return 'it concerns whatever was written last'
  const { total, limit, count } = (answer.body ?? {}) as Readonly<Record<string, unknown>>
  const isPartial = total === undefined ? count === limit && count !== undefined : Number(total) > resources.size
  if (isPartial) return 'the recording does not show all resources of the project'
  return isList(exchange) && dependsOnService(exchange, test)
    ? 'it depends on versions, dates or ids, which are those of the service'
    : undefined
}

/** The result of replaying a test. */
interface ReplayedTest {
  readonly findings: Finding[]
  compared: number
  readonly leftOut: string[]
}

/** Sends the requests of a test to the service, in order, and compares its answers with the recorded ones. */
async function replayTest(
  recorded: RecordedTest,
  run: string,
  /** The projects of the recording. */
  projects: readonly string[],
  findsKeys: boolean,
  { service, ...context }: Omit<RunContext, 'mock'>,
): Promise<ReplayedTest> {
  const test = analyse(recorded)
  const own: Side = { ...service, run, saved: new Map(), names: new Map(), otherNames: new Map() }
  let expected: SideAnswer | undefined
  const mock = createSide({
    ...own,
    isMock: true,
    tokens: { authorize: async () => 'Bearer any', forget: () => undefined, client: undefined },
    send: async () => expected ?? Promise.reject(new Error('Nothing is expected.')),
  })
  const mapping: Mapping = { test, run, idOf: ({ name }) => own.saved.get(name)?.['id'] }
  const outcome: ReplayedTest = { findings: [], compared: 0, leftOut: [] }
  const dialogue = createDialogue('section 1')
  for (const [id, one] of test.resources) for (const names of [mock.names, mock.otherNames]) names.set(id, one.name)
  for (const one of test.resources.values()) await begin(one)

  for (const exchange of recorded.exchanges) {
    if (exchange.path.startsWith('/__admin')) continue
    if (context.signal?.aborted === true) break
    const target = test.resources.get(findTarget(exchange) ?? '')
    const reason = findReason(exchange, test, projects, findsKeys)
    if (reason === undefined) await compare(exchange, target)
    else {
      outcome.leftOut.push(reason)
      const mayWrite = !isRead(exchange.method) && (exchange.isTouched || isSuccessStatus(exchange.answer.status))
      if (mayWrite && target !== undefined) target.isUncertain = true
    }
  }
  return outcome

  /** Creates a resource that the test began with. */
  async function begin(one: KnownResource): Promise<void> {
    if (one.start === undefined) return
    const { key = one.name, content, someProperty, version } = one.start
    const body = json({ key: `${run}-${key}`, objectTypeProperty: content ?? {} })
    const path = toProject(`/${one.project}/resource`)
    const answer = await ask(post(path, new TextEncoder().encode(body), { save: one.name }), own)
    saveValues(answer, own, one.name)
    const last = typeof someProperty === 'string' && someProperty !== '' ? await write(one, set(someProperty)) : answer
    one.offset = Number(versionOf(last) ?? 1) - version
  }

  /** Updates a resource as someone else does. */
  async function write({ name, project }: KnownResource, action: object): Promise<SideAnswer> {
    const step = updateStep(name, undefined, [action])
    const answer = await ask({ ...step, path: step.path.replace(COLLECTION, toProject(`/${project}/resource`)) }, own)
    saveValues(answer, own, name)
    return answer
  }

  /** The first recorded project is that of the run, and the second its other one. */
  function toProject(path: string): string {
    return path.replace(
      /^\/([^/]+)(?=\/resource(?:\/|$))/,
      (whole, name: string) => ['/{p}', '/{o}'][projects.indexOf(name)] ?? whole,
    )
  }

  function toStep(exchange: Recorded, target: KnownResource | undefined): ConversationStep {
    const { path, pairs } = mapTarget(exchange, target, mapping)
    const ids = [...own.saved.values()].flatMap(({ id }) => (id === undefined ? [] : [JSON.stringify(id)]))
    // No resource of the replay: nothing may be found.
    const limit = ids.length === 0 ? `key = "${run}"` : `id in (${ids.join(', ')})`
    const limits = isList(exchange) ? [['where', limit] as const] : []
    const body = mapBody(exchange, target, mapping)
    const headers = Object.fromEntries(
      SENT.flatMap((name) => {
        const value = exchange.headers.get(name)
        if (value === null || !name.startsWith('If-')) return value === null ? [] : [[name, value]]
        return [[name, value.replace(/(?<=")\d+(?=")/g, (version) => String(Number(version) + (target?.offset ?? 0)))]]
      }),
    )
    const topic = findTopic(exchange)
    return {
      method: exchange.method,
      path: toProject(path.replaceAll('{', '%7B')),
      search: [...limits, ...pairs].map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
      headers: { 'Content-Type': null, ...headers },
      ...(body === undefined ? {} : { body }),
      ...(exchange.headers.has('authorization') ? {} : { auth: 'none' as const }),
      ...(target === undefined ? {} : { save: target.name }),
      ...(topic === undefined ? {} : { topic }),
    }
  }

  async function compare(exchange: Recorded, target: KnownResource | undefined): Promise<void> {
    if (exchange.isTouched && target !== undefined) {
      const answer = await write(target, DO_SOMETHING)
      const current = (exchange.answer.body as { readonly errors?: readonly { readonly currentVersion?: number }[] })
        .errors?.[0]?.currentVersion
      target.offset = Number(versionOf(answer)) - Number(current)
    }
    expected = mapAnswer(exchange.answer, target, mapping)
    const step = toStep(exchange, target)
    const result = await runStep(step, { ...context, mock, service: own }, dialogue)
    if (result.sent === undefined || result.reason !== undefined) {
      outcome.leftOut.push(result.reason ?? 'it could not be sent')
      return
    }
    outcome.compared += 1
    const conversation = { name: recorded.title, about: '', decision: 'section 1', steps: [step] }
    // What follows a difference about a resource may differ for the same reason, but is compared all the same.
    for (const difference of result.differences.slice(0, 1)) {
      outcome.findings.push({ conversation, result: { ...result, sent: result.sent }, difference, before: [] })
    }
  }
}

/**
 * Sends what tests sent to the mock to a service, and reports where it answers otherwise: where the mock told the tests
 * something else. Ids, keys, versions and tokens are those of the service, and everything it wrote is removed.
 *
 * @throws {SetupError} when the service cannot be reached, the URL is wrong, or the token is rejected.
 */
export const replayTests = (
  tests: readonly RecordedTest[],
  options: Omit<VerifyOptions, 'allowsWrites' | 'only' | 'seed' | 'isQuick'>,
): Promise<VerifyReport> =>
  withService({ ...options, allowsWrites: true }, async (service, first) => {
    const outcomes: ReplayedTest[] = []
    const context = { service, signal: options.signal, ...createShared(service) }
    const { findsKeys } = await explore(service, first, true)
    const paths = tests.flatMap(({ exchanges }) => exchanges.map(({ path }) => path))
    const projects = [...new Set(paths.flatMap((path) => projectOf(path) ?? []))]
    for (const [number, test] of tests.entries())
      outcomes.push(await replayTest(test, `${service.run}t${number}`, projects, findsKeys, context))
    const findings = outcomes.flatMap((one) => one.findings)
    const mismatches = toMismatches(findings)
    const compared = outcomes.reduce((sum, one) => sum + one.compared, 0)
    const leftOut = groupBy(
      outcomes.flatMap((one) => one.leftOut),
      (why) => why,
    )
    return {
      conversations: tests.map(({ title }, at) => ({
        name: title,
        compared: outcomes[at]?.compared ?? 0,
        otherwise: outcomes[at]?.findings.length ?? 0,
        reasons: [...new Set(outcomes[at]?.leftOut)],
      })),
      mismatches: mismatches.map((one): Mismatch => ({ ...one, test: one.conversation })),
      notFound: [],
      notes: [],
      replay: {
        requests: compared,
        tests: tests.length,
        alike: compared - findings.length,
        otherwise: findings.length,
        leftOut: leftOut.map((all) => ({ why: all[0], count: all.length })),
      },
    }
  })
