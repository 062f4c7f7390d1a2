import { isJsonObject, stringifyJson } from '../../service/http/json.ts'
import { json, raw } from './conversations/conversation.ts'
import type { Conversation, ConversationStep } from './conversations/conversation.ts'
import { isSameDifference } from './mismatch.ts'
import type { Finding } from './mismatch.ts'
import { holdConversation } from './run-conversations.ts'
import type { RunContext } from './run-step.ts'
import { forkSide } from './side.ts'
import { subjectIds } from './subjects.ts'

/** How many shorter conversations are tried for one cause. */
const MOST_SHORTER = 40

/** JSON with one member or entry less, at each depth. */
function* dropMembers(value: unknown): Generator {
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) {
      if (value.length > 1) yield value.filter((_, index) => index !== at)
      for (const smaller of dropMembers(entry)) yield value.map((one: unknown, index) => (index === at ? smaller : one))
    }
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      // The key and the text of the run show that it wrote the resource.
      if (name === 'key' || stringifyJson(member) === '["{k}"]') continue
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
      for (const smaller of dropMembers(member)) yield { ...value, [name]: smaller }
    }
  }
}

/** The value of a step's JSON text, with its placeholders; undefined if it is not JSON. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(
      text.replace(/([[,:])(\{[mk]\}\d*|\{\{[^}]+\}\})/g, (_, before: string, own: string) => `${before}"${raw(own)}"`),
    )
  } catch {
    return undefined
  }
}

/** The step with one parameter, header or member of its body less. */
function* dropParts(step: ConversationStep): Generator<ConversationStep> {
  const { query = [], headers = {}, body } = step
  for (const at of query.keys()) yield { ...step, query: query.filter((_, index) => index !== at) }
  for (const name of Object.keys(headers)) {
    yield { ...step, headers: Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)) }
  }
  // Digits that JSON.parse would round must stay.
  if (typeof body !== 'string' || body.length > 4000 || /\d{16}/.test(body)) return
  for (const smaller of dropMembers(parseBody(body))) yield { ...step, body: json(smaller) }
}

/**
 * Finds a shorter conversation that shows the same difference: steps before it, parameters, headers and members of its body
 * are dropped as long as it stays. Each attempt has keys of its own.
 */
export async function shrink(finding: Finding, context: RunContext, nextAttempt: () => number): Promise<Finding> {
  let left = MOST_SHORTER

  async function attempt(steps: readonly ConversationStep[]): Promise<Finding | undefined> {
    left -= 1
    const number = nextAttempt()
    const conversation: Conversation = { ...finding.conversation, steps }
    // Reads are about the resources of the run, and writes about ones of their own.
    const isReading = steps.every(({ method }) => /^(?:GET|HEAD)$/.test(method))
    const fork: RunContext = {
      ...context,
      ...(isReading ? {} : { mock: forkSide(context.mock, number), service: forkSide(context.service, number) }),
      // Without writes before it, a read has nothing to wait for.
      late: steps.length === 1 ? new Map(subjectIds.map((id) => [id, Infinity])) : context.late,
    }
    let found: Finding | undefined
    await holdConversation(conversation, fork, {
      onResult(result, at, before) {
        const { sent } = result
        if (at !== steps.length - 1 || sent === undefined) return
        const same = result.differences.find((one) => isSameDifference(one, finding.difference))
        if (same !== undefined) found = { conversation, at, result: { ...result, sent }, difference: same, before }
      },
    })
    return found
  }

  /** Takes the first shorter version that shows the difference, again and again. */
  async function improve(
    best: Finding,
    toShorter: (steps: readonly ConversationStep[]) => Iterable<readonly ConversationStep[]>,
  ): Promise<Finding> {
    for (const steps of toShorter(best.conversation.steps)) {
      if (left <= 0 || context.signal?.aborted === true) return best
      const shorter = await attempt(steps)
      if (shorter !== undefined) return improve(shorter, toShorter)
    }
    return best
  }

  const steps = finding.conversation.steps.slice(0, finding.at + 1)
  const last = steps.at(-1)
  if (last === undefined) return finding
  const names = [
    ...JSON.stringify({ ...last, body: typeof last.body === 'string' ? last.body : '' }).matchAll(/\{\{([\w-]+)\./g),
  ]
  const needed = steps.filter((step, at) => at === steps.length - 1 || names.some(([, name]) => name === step.save))
  const start = { ...finding, conversation: { ...finding.conversation, steps } }
  const first = (await attempt(needed)) ?? (await attempt(steps)) ?? undefined
  // What cannot be shown again is reported as it was seen.
  if (first === undefined) return start
  const shorter = await improve(first, (all) =>
    all.slice(0, -1).map((_, at) => all.filter((_one, index) => index !== at)),
  )
  return improve(shorter, function* withoutParts(all) {
    const end = all.at(-1)
    if (end !== undefined) for (const part of dropParts(end)) yield [...all.slice(0, -1), part]
  })
}
