import { encoder } from '../../service/http/body.ts'
import { Problem } from '../../errors.ts'
import { isIntegral } from '../../service/contract/models.ts'
import { isJsonObject, parseJson } from '../../service/http/json.ts'
import { COLLECTION, OTHER_COLLECTION } from './conversations/conversation.ts'
import type { ConversationStep } from './conversations/conversation.ts'
import type { TokenSource } from './credentials.ts'
import { fillIn, inJson, unchanged } from './placeholders.ts'
import type { Placeholders, SavedValues } from './placeholders.ts'
import { isSuccessStatus } from './transport.ts'
import type { ReceivedResponse } from './transport.ts'

/** A request to one of the two sides. */
export interface Message {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

/** A response with its parsed body. */
export interface SideAnswer extends ReceivedResponse {
  /** With exact integers; undefined if the text is not JSON. */
  readonly body: unknown
  readonly isJson: boolean
  /** Why there was no response; then the status is 0. */
  readonly broken?: string
}

/** The mock or the service: where requests go, and what its answers gave. */
export interface Side extends Placeholders {
  readonly isMock: boolean
  send(message: Message): Promise<ReceivedResponse & { readonly broken?: string }>
  readonly tokens: TokenSource
  readonly saved: Map<string, SavedValues>
  /** The names under which ids of the project were saved. */
  readonly names: Map<string, string>
  /** Those of the other project: a service may count its ids in each project. */
  readonly otherNames: Map<string, string>
  /** Every time that an answer gave for a resource. */
  readonly instants: Set<number>
  /** Whether drafts may have a key; otherwise none has one. */
  takesKeys: boolean
  /** Whether answers show the key of a draft. */
  showsKeys: boolean
  /** How ids were learnt: `Location`, `id in the body`. */
  readonly learned: Set<string>
  /** How often each way to look up an id has failed. */
  readonly failures: Map<number, number>
}

/** Creates a side without values. */
export const createSide = (
  settings: Pick<Side, 'isMock' | 'send' | 'tokens' | keyof Omit<Placeholders, 'saved'>>,
): Side => ({
  ...settings,
  saved: new Map(),
  names: new Map(),
  otherNames: new Map(),
  instants: new Set(),
  takesKeys: true,
  showsKeys: false,
  learned: new Set(),
  failures: new Map(),
})

/** The side as a step sees it: with the names of its project. */
export const viewOf = (side: Side, { path }: ConversationStep): Side =>
  path.startsWith('/{o}') ? { ...side, names: side.otherNames } : side

/** Parses the body of a response. */
export function parseAnswer(received: ReceivedResponse & { readonly broken?: string }): SideAnswer {
  try {
    return {
      ...received,
      body: received.text === '' ? undefined : parseJson(received.text),
      isJson: received.text !== '',
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ...received, body: undefined, isJson: false }
  }
}

async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

async function encodeBody(
  { body, headers = {}, charset, path }: ConversationStep,
  side: Side,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === undefined || typeof body !== 'string') return body
  const isKeyless = !side.takesKeys && (path === COLLECTION || path === OTHER_COLLECTION)
  const sent = isKeyless ? body.replace(/^\{"key":"[^"]*",?/, '{') : body
  const text = fillIn(sent, side, inJson)
  const bytes = charset === 'latin1' ? Uint8Array.from(text, (one) => one.charCodeAt(0)) : encoder.encode(text)
  return headers['Content-Encoding'] === 'gzip' ? gzip(bytes) : bytes
}

/** The Authorization header of a step; undefined for none. */
async function toAuthorization({ auth, path }: ConversationStep, side: Side): Promise<string | undefined> {
  const project = path.includes('{o}') ? side.otherProject : side.project
  if (auth === undefined) return side.tokens.authorize(undefined, project)
  if (auth === 'none') return undefined
  if ('header' in auth) return fillIn(auth.header, side, unchanged)
  return side.tokens.authorize(fillIn(auth.scope, side, unchanged), project)
}

function toSearch({ own = [], query = [], search }: ConversationStep, side: Side): string {
  if (search !== undefined) return fillIn(search, side, encodeURIComponent)
  return [...own, ...query]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(fillIn(value, side, inJson))}`)
    .join('&')
}

/**
 * Builds the request of a step for one side.
 *
 * @throws {Unset} if the side has no value that the step needs.
 */
export async function buildMessage(step: ConversationStep, side: Side, correlationId: string): Promise<Message> {
  const path = fillIn(step.path, side, encodeURIComponent)
  const search = toSearch(step, side)
  const authorization = await toAuthorization(step, side)
  const body = await encodeBody(step, side)
  const headers = {
    Accept: '*/*',
    'User-Agent': 'resource-mock-verify',
    'X-Correlation-ID': correlationId,
    Authorization: authorization ?? null,
    'Content-Type': body === undefined ? null : 'application/json',
    // The mock shows the members that a service may leave out, so that dates and ids can be compared.
    Prefer: side.isMock ? 'identity=body' : null,
    ...step.headers,
  }
  return {
    method: step.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: Object.fromEntries(Object.entries(headers).filter((one): one is [string, string] => one[1] !== null)),
    body,
  }
}

/**
 * Sends a message. A token that the service no longer accepts is renewed once, since nothing says how long tokens live.
 */
export async function sendMessage(step: ConversationStep, side: Side, message: Message): Promise<SideAnswer> {
  const answer = parseAnswer(await side.send(message))
  const authorization = message.headers['Authorization']
  if (
    answer.status !== 401 ||
    step.auth !== undefined ||
    authorization === undefined ||
    side.tokens.client === undefined
  )
    return answer
  side.tokens.forget(authorization)
  const renewed = await toAuthorization(step, side)
  if (renewed === undefined || renewed === authorization) return answer
  return parseAnswer(await side.send({ ...message, headers: { ...message.headers, Authorization: renewed } }))
}

const findMember = (body: unknown, name: string): unknown =>
  isJsonObject(body) && Object.hasOwn(body, name) ? body[name] : undefined

/** The resources of a page; none if the answer is something else. */
export const resultsOf = ({ body }: SideAnswer): readonly Readonly<Record<string, unknown>>[] => {
  const results = findMember(body, 'results')
  return Array.isArray(results) ? results.filter(isJsonObject) : []
}

/** A segment of a path, decoded if it is valid. */
export const decodeSegment = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The resource in an answer: the body, or the only entry of a page. */
const findAnswered = ({ body }: SideAnswer): unknown => {
  const results = findMember(body, 'results')
  return Array.isArray(results) && results.length === 1 ? results[0] : body
}

/** An id in a body: a text, or a number. */
export const toId = (id: unknown): string | undefined =>
  (typeof id === 'string' && id !== '') || isIntegral(id) ? String(id) : undefined

/** The id of the resource in an answer, and where it is: in its headers (D5), or in its body. */
function locateId(answer: SideAnswer): readonly [how: string, id: string] | undefined {
  for (const name of ['Location', 'Content-Location']) {
    const last = answer.headers.get(name)?.split(/[?#]/, 1)[0]?.replace(/\/$/, '').split('/').at(-1)
    if (last !== undefined && last !== '' && !last.startsWith('key=')) return [name, decodeSegment(last)]
  }
  const own = toId(findMember(findAnswered(answer), 'id'))
  return own === undefined ? undefined : ['id in the body', own]
}

/** The id of the resource in an answer. */
export const idOf = (answer: SideAnswer): string | undefined => locateId(answer)?.[1]

/** The version of the resource in an answer: from its body, or from its ETag. */
export function versionOf(answer: SideAnswer): string | undefined {
  const version = findMember(findAnswered(answer), 'version')
  if (typeof version === 'number' || typeof version === 'bigint') return String(version)
  return /^(?:W\/)?"(\d+)"$/.exec(answer.headers.get('ETag') ?? '')?.[1]
}

/** Names the id of an answer, so that ids of both sides can be compared. */
export function nameId(answer: SideAnswer, side: Side, name: string): void {
  const id = idOf(answer)
  if (id !== undefined) side.names.set(id, name)
}

/** Saves the values that later steps need, under the name of the step. */
export function saveValues(answer: SideAnswer, side: Side, name: string, isNew = false): void {
  if (!isSuccessStatus(answer.status)) return
  const resource = findAnswered(answer)
  const [how, located] = locateId(answer) ?? []
  // What an update answers is not shown: its resource stays the same.
  const id = (isNew ? undefined : side.saved.get(name)?.['id']) ?? located
  if (how !== undefined && id === located) side.learned.add(how)
  const members = {
    id,
    version: versionOf(answer),
    created: findMember(resource, 'createdAt'),
    modified: findMember(resource, 'lastModifiedAt'),
    total: findMember(answer.body, 'total'),
  }
  const found = Object.entries(members).filter(([, value]) => value !== undefined)
  side.saved.set(name, {
    ...(isNew ? {} : side.saved.get(name)),
    ...Object.fromEntries(found.map(([key, value]) => [key, String(value)])),
  })
  if (id !== undefined) side.names.set(id, name)
}
