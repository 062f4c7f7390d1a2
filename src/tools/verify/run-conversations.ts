import type { Conversation } from './conversations/conversation.ts'
import type { Finding } from './mismatch.ts'
import { createDialogue } from './compare/difference.ts'
import { runStep } from './run-step.ts'
import type { RunContext, StepResult } from './run-step.ts'
import { Interrupted, isSuccessStatus } from './transport.ts'
import type { Message } from './side.ts'

/** What holding conversations found. */
export interface RunResults {
  readonly findings: Finding[]
  /** The outcome of each step: which conversation, and whether its answers were alike. */
  readonly results: { readonly conversation: Conversation; result: StepResult }[]
}

/** How many conversations are held at the same time. */
const AT_ONCE = 6

/** Refused connections in a row after which the service has stopped. */
const MOST_REFUSED = 12

/** Whether a write leaves both sides in different states, so that what follows shows nothing new. */
function isDiverging({ step, operation, differences, sent }: StepResult): boolean {
  if (sent === undefined || /^(?:GET|HEAD)$/.test(step.method)) return false
  // What an upload changes is not shown.
  if (operation === 'uploadImage' && sent.service.broken === undefined) return false
  if (sent.service.broken !== undefined || isSuccessStatus(sent.mock.status) !== isSuccessStatus(sent.service.status))
    return true
  return differences.some(({ ground, kind, at }) => ground.kind === 'violation' && kind !== 'header' && at !== 'status')
}

/**
 * Holds a conversation: sends its steps to both sides. Stops after a write that leaves them in different states, unless
 * `isResilient`: then the resource of that step is removed from both.
 *
 * @throws {Interrupted} when the run is interrupted.
 */
export async function holdConversation(
  conversation: Conversation,
  context: RunContext,
  parts: {
    readonly onResult: (result: StepResult, before: readonly Message[]) => void
    readonly isResilient?: boolean
  },
): Promise<void> {
  const { onResult, isResilient = false } = parts
  const dialogue = createDialogue(conversation.decision, conversation.needsEmptyProject)
  const before: Message[] = []
  for (const step of conversation.steps) {
    if (context.signal?.aborted === true) throw new Interrupted('interrupted')
    const result = await runStep(step, context, dialogue)
    onResult(result, [...before])
    if (result.sent !== undefined) before.push(result.sent.message)
    if (!isDiverging(result)) continue
    if (!isResilient) return
    if (step.save === undefined) continue
    await runStep({ method: 'DELETE', path: `/{p}/resource/{{${step.save}.id}}` }, context, dialogue)
  }
}

/**
 * Holds groups of conversations one after the other, and those of a group at the same time. After an interruption, a failure
 * or once the service has stopped, no further conversation starts. Settles when no request is underway, so that everything
 * written can be removed.
 */
export async function holdConversations(
  groups: readonly (readonly Conversation[])[],
  context: RunContext,
  onHeld: (name: string) => void,
): Promise<RunResults> {
  const run: RunResults = { findings: [], results: [] }
  let refused = 0
  const failure = new AbortController()
  const signal = AbortSignal.any([failure.signal, ...(context.signal === undefined ? [] : [context.signal])])

  async function hold(conversation: Conversation, isResilient: boolean): Promise<void> {
    await holdConversation(
      conversation,
      { ...context, signal },
      {
        isResilient,
        onResult(result, before) {
          run.results.push({ conversation, result })
          const { sent } = result
          if (sent === undefined) return
          refused = sent.service.broken === 'ECONNREFUSED' ? refused + 1 : 0
          for (const difference of result.differences) {
            run.findings.push({ conversation, result: { ...result, sent }, difference, before })
          }
        },
      },
    )
    onHeld(conversation.name)
  }

  for (const [index, group] of groups.entries()) {
    const queue = [...group]
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined && refused < MOST_REFUSED; next = queue.shift()) {
        // The first group creates the resources that the others query.
        await hold(next, index === 0 && groups.length > 1)
      }
    }
    const workers = Array.from({ length: AT_ONCE }, async () => {
      await work().catch((error: unknown) => {
        failure.abort()
        throw error
      })
    })
    const reasons = (await Promise.allSettled(workers)).flatMap((one): readonly unknown[] =>
      one.status === 'rejected' ? [one.reason] : [],
    )
    const unexpected = reasons.find((reason) => !(reason instanceof Interrupted))
    if (unexpected !== undefined) throw unexpected
    if (reasons.length > 0) return run
  }
  return run
}
