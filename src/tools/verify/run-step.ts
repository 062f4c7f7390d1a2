import { get, SORTED_QUERY } from './conversations/conversation.ts'
import type { ConversationStep } from './conversations/conversation.ts'
import { compareAnswers, isRefusal } from './compare/compare.ts'
import { toDifference } from './compare/difference.ts'
import type { Compared, AnswerDifference } from './compare/difference.ts'
import { Unset } from './placeholders.ts'
import { sendMessage, idOf, saveValues, buildMessage, viewOf } from './side.ts'
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

/** What the steps of one conversation share. */
export interface Dialogue {
  hasPaused: boolean
  dates: Compared['dates']
}

export const createDialogue = (): Dialogue => ({
  hasPaused: false,
  dates: { mock: new Map(), service: new Map() },
})

/** The outcome of a step: its requests and answers, and what differs. */
export interface StepResult {
  readonly step: ConversationStep
  readonly operation: SubjectId
  readonly differences: readonly AnswerDifference[]
  /** Undefined if the step could not be sent. */
  readonly sent?: { readonly message: Message; readonly mock: SideAnswer; readonly service: SideAnswer }
  /** Why the answers were not compared. */
  readonly reason?: string
}

/** How long a read may lag behind a write, in milliseconds (see the table of tolerances). */
const LAG: Readonly<Partial<Record<SubjectId, readonly number[]>>> = {
  searchResources: [100, 300, 800, 1300],
  queryResources: [150, 450],
  sortedQuery: [150, 450],
  checkResources: [150, 450],
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
  const dates = dialogue.dates

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
      return { ...about, sent, differences: one === other ? [] : [toDifference(at, one, other)] }
    }
    // A repeated read is compared with the same earlier dates as the first.
    dialogue.dates = { mock: new Map(dates.mock), service: new Map(dates.service) }
    const compared = { ...about, ...context, ...dialogue, mock, service, sent: its.message }
    return { ...about, sent, differences: compareAnswers(mineLast, itsLast, compared) }
  }

  try {
    let result = await both()
    const waits = /^(?:GET|HEAD)$/.test(step.method) ? LAG[operation] : undefined
    const isLate = () => result.differences.length > 0
    if (waits !== undefined && isLate() && (context.late.get(operation) ?? 0) < MOST_LATE) {
      for (const wait of waits) {
        await waitFor(wait, signal)
        result = await both()
        if (!isLate()) break
      }
      if (isLate()) context.late.set(operation, (context.late.get(operation) ?? 0) + 1)
    }
    const { sent } = result
    if (sent !== undefined && step.save !== undefined) {
      saveValues(sent.mock, mock, step.save)
      saveValues(sent.service, service, step.save)
      if (sent.message.method !== 'GET') await saveListedId(step, sent.service, service)
    }
    return result
  } catch (error) {
    if (!(error instanceof Unset)) throw error
    return { ...about, differences: [], reason: error.message }
  }
}

/** Takes the id of a resource from a query, for a service that does not return it from a write (D5). */
async function saveListedId(step: ConversationStep, answer: SideAnswer, side: Side): Promise<void> {
  const name = step.save ?? ''
  const isWritten = isSuccessStatus(answer.status) && !step.path.startsWith('/oauth/')
  const key = typeof step.body === 'string' ? /"key":"([\w{}-]+)"/.exec(step.body)?.[1] : undefined
  if (!isWritten || key === undefined || idOf(answer) !== undefined) return
  const { version } = side.saved.get(name) ?? {}
  const query = get(SORTED_QUERY, { own: [['where', `key = "${key}"`]] })
  saveValues(await sendMessage(query, side, await buildMessage(query, side, 'verify-look-up')), side, name)
  // The list may know a later version.
  if (version !== undefined) side.saved.set(name, { ...side.saved.get(name), version })
}
