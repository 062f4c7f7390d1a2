import { isOperation, endpoints } from '../../service/contract/endpoints.ts'
import type { Purpose } from '../../service/contract/endpoint.ts'
import { isIntegral } from '../../service/contract/models.ts'
import { findJson, isJsonObject } from '../../service/http/json.ts'
import { isRead } from '../../service/http/request-head.ts'
import { get } from './conversations/conversation.ts'
import type { ConversationStep } from './conversations/conversation.ts'
import { compareAnswers, isRefusal } from './compare/compare.ts'
import { decided, toDifference, violation } from './compare/difference.ts'
import type { Dialogue, JudgedDifference } from './compare/difference.ts'
import { findDraftName, findSubjectName } from './compare/judge.ts'
import { saveLookedUpId } from './look-up.ts'
import { Unset } from './placeholders.ts'
import { sendMessage, saveValues, buildMessage, versionOf, viewOf } from './side.ts'
import type { SideAnswer, Message, Side } from './side.ts'
import { findSubject } from './subjects.ts'
import type { SubjectId } from './subjects.ts'
import { isSuccessStatus, waitFor } from './transport.ts'

/** What the steps of a run share. */
export interface RunContext {
  readonly mock: Side
  readonly service: Side
  readonly signal: AbortSignal | undefined
  /** Makes the correlation id of a request. */
  readonly newCorrelationId: () => string
  readonly correlationIds: Set<string>
  /** How often a service needed all the time it may take, by operation; after a few times, it gets none. */
  readonly late: Map<SubjectId, number>
}

/** What the steps of a run share, at its start. */
export function createShared({ run }: Side): Pick<RunContext, 'newCorrelationId' | 'correlationIds' | 'late'> {
  let count = 0
  return { newCorrelationId: () => `${run}-${(count += 1)}`, correlationIds: new Set(), late: new Map() }
}

/** The outcome of a step: its requests and answers, and what differs. */
export interface StepResult {
  readonly step: ConversationStep
  readonly operation: SubjectId
  readonly differences: readonly JudgedDifference[]
  /** Undefined if the step could not be sent. */
  readonly sent?: { readonly message: Message; readonly mock: SideAnswer; readonly service: SideAnswer }
  /** Why the answers were not compared. */
  readonly reason?: string
}

/** The pauses before a read is repeated that may lag behind a write, in milliseconds (see the table of tolerances). */
const LAG: Readonly<Record<Purpose, readonly number[]>> = {
  query: [150, 450],
  search: [100, 300, 800, 1300],
  check: [150, 450],
  read: [],
  draft: [],
  update: [],
  delete: [],
  upload: [],
  complex: [],
  writePayload: [],
  readPayload: [],
  cart: [],
  localisedCart: [],
}

/** How often an operation may use up its time without a result. */
const MOST_LATE = 4

const LONG_PAUSE = 1000

/** Sends a step to one side, as often as it says at the same time. */
async function sendStep(step: ConversationStep, side: Side, correlationId: string) {
  const message = await buildMessage(step, side, correlationId)
  const answers = await Promise.all(Array.from({ length: step.times ?? 1 }, () => sendMessage(step, side, message)))
  return { message, answers }
}

/** Which answers equal requests at the same time got, in any order. */
const toOutcomes = (answers: readonly SideAnswer[]): string =>
  answers
    .map(({ status, headers, broken }) => `${broken ?? status} ${headers.get('ETag') ?? ''}`.trim())
    .toSorted()
    .join(', ')

/**
 * Sends a step to the mock and to the service, and compares their answers. A read that differs is repeated for as long as a
 * service may lag behind its writes.
 *
 * @throws {Interrupted} when the run is interrupted.
 */
export async function runStep(step: ConversationStep, context: RunContext, dialogue: Dialogue): Promise<StepResult> {
  const { signal } = context
  const [mock, service] = [viewOf(context.mock, step), viewOf(context.service, step)]
  const operation = findSubject(step.method, step.path)
  if (step.pause !== undefined) {
    await waitFor(step.pause, signal)
    dialogue.hasPaused ||= step.pause >= LONG_PAUSE
  }
  const about = { step, operation }
  const { dates, versions } = dialogue

  async function both(): Promise<StepResult> {
    const correlationId = context.newCorrelationId()
    const mine = await sendStep(step, mock, correlationId)
    const its = await sendStep(step, service, correlationId)
    const [mineLast, itsLast] = [mine.answers.at(-1), its.answers.at(-1)]
    if (mineLast === undefined || itsLast === undefined) return { ...about, differences: [] }
    const sent = { message: its.message, mock: mineLast, service: itsLast }
    if (its.answers.some((answer, index) => isRefusal(mine.answers[index] ?? mineLast, answer)))
      return { ...about, sent, differences: [], reason: 'the service kept refusing requests with 429 or 503' }
    if (step.times !== undefined) {
      const [one, other] = [toOutcomes(mine.answers), toOutcomes(its.answers)]
      const at = `${step.times} equal requests at once`
      const differences =
        one === other ? [] : [{ ...toDifference(at, one, other), ground: judgeRace(operation, its.answers) }]
      return { ...about, sent, differences }
    }
    // A repeated read is compared with the same earlier dates and versions as the first.
    dialogue.dates = { mock: new Map(dates.mock), service: new Map(dates.service) }
    dialogue.versions = { mock: new Map(versions.mock), service: new Map(versions.service) }
    const compared = { ...about, ...context, dialogue, mock, service, sent: its.message }
    return { ...about, sent, differences: compareAnswers(mineLast, itsLast, compared) }
  }

  try {
    let result = await both()
    const waits = isRead(step.method) && isOperation(operation) ? LAG[endpoints[operation].purpose] : []
    const isLate = () => result.differences.length > 0
    if (waits.length > 0 && isLate() && (context.late.get(operation) ?? 0) < MOST_LATE) {
      for (const wait of waits) {
        await waitFor(wait, signal)
        result = await both()
        if (!isLate()) break
      }
      if (isLate()) context.late.set(operation, (context.late.get(operation) ?? 0) + 1)
    }
    const { sent } = result
    if (sent !== undefined && step.save !== undefined) {
      const isNew = step.path.endsWith('/resource')
      saveValues(sent.mock, mock, step.save, isNew)
      saveValues(sent.service, service, step.save, isNew)
      if (sent.message.method !== 'GET') await saveLookedUpId(step, sent.service, service)
      await saveVersion(step, sent, service)
    }
    if (sent !== undefined) noteWrite(step, sent, dialogue)
    return result
  } catch (error) {
    if (!(error instanceof Unset)) throw error
    return { ...about, differences: [], reason: error.message }
  }
}

/** Of equal updates at the same time, only one has the current version (section 9). */
function judgeRace(operation: SubjectId, answers: readonly SideAnswer[]): JudgedDifference['ground'] {
  const accepted = answers.filter(({ status }) => isSuccessStatus(status)).length
  return accepted > 1 && operation === 'updateResource' ? violation('9', '4.10') : decided('D15')
}

/** Reads the version after an update, whose answer is not shown, unless it has one above that of the request. */
async function saveVersion(
  step: ConversationStep,
  { message, service: answer }: NonNullable<StepResult['sent']>,
  side: Side,
): Promise<void> {
  const name = findSubjectName({ step })
  if (name === undefined || step.save !== name || !isSuccessStatus(answer.status) || step.method === 'GET') return
  const { version: before } = toJson(message) ?? {}
  const version = versionOf(answer)
  if (version !== undefined && isIntegral(before) && BigInt(version) > BigInt(before)) return
  const read = get(step.path)
  const found = versionOf(await sendMessage(read, side, await buildMessage(read, side, `${side.run}-version`)))
  if (found !== undefined) side.saved.set(name, { ...side.saved.get(name), version: found })
}

/** The JSON object that a request sends. */
function toJson({ body }: Message): Readonly<Record<string, unknown>> | undefined {
  const sent = findJson(body === undefined ? '' : new TextDecoder().decode(body))
  return isJsonObject(sent) ? sent : undefined
}

/** The values that an update gives `someProperty`, in order. */
function toTexts(message: Message): readonly unknown[] {
  const { actions: sent } = toJson(message) ?? {}
  const actions = Array.isArray(sent) ? sent.filter(isJsonObject) : []
  return actions.flatMap((one) => (one['action'] === 'changeSomeProperty' ? [one['someProperty']] : []))
}

/** Notes what a write must have changed, so that later answers about its resource can be judged. */
function noteWrite(step: ConversationStep, sent: NonNullable<StepResult['sent']>, { writes }: Dialogue): void {
  const operation = findSubject(step.method, step.path)
  const name = findSubjectName({ step }) ?? findDraftName(step)
  if (name === undefined || !isOperation(operation) || /^(?:GET|HEAD)$/.test(step.method)) return
  const { mock, service, message } = sent
  const isAccepted = isSuccessStatus(mock.status) && isSuccessStatus(service.status)
  const { current } = writes.get(name) ?? {}
  const { purpose } = endpoints[operation]
  if (purpose === 'delete') return void (isAccepted && writes.set(name, { kind: 'deleted', texts: [], current }))
  if (purpose !== 'update') return void writes.set(name, { kind: 'touched', texts: [], current })
  if (mock.status !== 409 && !isAccepted) return
  const texts = toTexts(message)
  if (mock.status === 409) return void writes.set(name, { kind: 'stale', texts, current })
  const last = texts.at(-1)
  const kind = texts.length > 0 && last !== current ? 'changed' : 'touched'
  writes.set(name, { kind, texts: texts.filter((one) => one !== last), current: last ?? current })
}
