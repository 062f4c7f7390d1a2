import { isJsonObject, stringifyJson } from '../../service/http/json.ts'
import { COLLECTION, get, SORTED_QUERY } from './conversations/conversation.ts'
import type { ConversationStep } from './conversations/conversation.ts'
import { buildMessage, idOf, saveValues, sendMessage, toId } from './side.ts'
import type { SideAnswer, Side } from './side.ts'
import { isSuccessStatus } from './transport.ts'

/** All objects in a JSON value that have an id. */
function* findEntries(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (Array.isArray(value)) for (const one of value) yield* findEntries(one)
  else if (isJsonObject(value)) {
    if (toId(value['id']) !== undefined) yield value
    for (const one of Object.values(value)) yield* findEntries(one)
  }
}

/** The resources of the run in a list of any shape. */
export const findOwn = ({ body, status }: SideAnswer, run: string): readonly Readonly<Record<string, unknown>>[] =>
  isSuccessStatus(status) ? [...findEntries(body)].filter((one) => stringifyJson(one).includes(run)) : []

/** How an id is looked up that no answer to a write gives. */
const WAYS: readonly (readonly [how: string, toStep: (key: string | undefined) => ConversationStep | undefined])[] = [
  ['lists', (key) => (key === undefined ? undefined : get(SORTED_QUERY, { query: [['where', `key = "${key}"`]] }))],
  ['lists', () => get(COLLECTION, { query: [['stringParameter', '{k}']] })],
  ['lists', () => get(COLLECTION)],
  ['lists', () => get(SORTED_QUERY)],
  ['key=', (key) => (key === undefined ? undefined : get(`${COLLECTION}/key=${key}`))],
]

/** How often a way may fail before it is given up. */
const MOST_FAILURES = 3

/** Looks up the id of a resource in lists and by its key, for a service that does not return it from a write (D5). */
export async function saveLookedUpId(step: ConversationStep, answer: SideAnswer, side: Side): Promise<void> {
  const name = step.save
  const isWritten = isSuccessStatus(answer.status) && step.path.endsWith('/resource')
  if (name === undefined || !isWritten || side.saved.get(name)?.['id'] !== undefined || idOf(answer) !== undefined)
    return
  const key = typeof step.body === 'string' ? /"key":"([\w{}-]+)"/.exec(step.body)?.[1] : undefined
  const { version } = side.saved.get(name) ?? {}
  for (const [at, [how, toStep]] of WAYS.entries()) {
    const failures = side.failures.get(at) ?? 0
    const query = failures < MOST_FAILURES ? toStep(side.takesKeys ? key : undefined) : undefined
    if (query === undefined) continue
    const found = await sendMessage(query, side, await buildMessage(query, side, `${side.run}-look-up`))
    const id = how === 'key=' ? idOf(found) : findId(found, answer, side)
    if (id === undefined) {
      side.failures.set(at, failures + 1)
      continue
    }
    side.learned.add(how)
    side.failures.set(at, -Infinity)
    side.names.set(id, name)
    side.saved.set(name, { ...side.saved.get(name), id })
    // The list may know a later version.
    if (version === undefined) saveValues(found, side, name)
    return
  }
}

/** The id of the only resource in a list that is new and has the content of an answer. */
function findId(list: SideAnswer, { body }: SideAnswer, { run, names }: Side): string | undefined {
  const content = isJsonObject(body) ? stringifyJson(body['objectTypeProperty'] ?? null) : 'null'
  const fresh = findOwn(list, run).filter((one) => !names.has(toId(one['id']) ?? ''))
  const same = fresh.find((one) => stringifyJson(one['objectTypeProperty'] ?? null) === content)
  return toId((same ?? (fresh.length === 1 ? fresh[0] : undefined))?.['id'])
}
