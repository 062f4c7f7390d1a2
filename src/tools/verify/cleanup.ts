import { toMessage as toErrorMessage } from '../../errors.ts'
import { encoder } from '../../service/http/body.ts'
import { findJson, isJsonObject, stringifyJson } from '../../service/http/json.ts'
import { groupBy } from '../../util/collections.ts'
import { get, OTHER_COLLECTION, SORTED_QUERY, splitQuery, COLLECTION, post } from './conversations/conversation.ts'
import type { ConversationStep, Query } from './conversations/conversation.ts'
import { findOwn } from './look-up.ts'
import { Unset } from './placeholders.ts'
import { sendMessage, idOf, toId, versionOf, buildMessage } from './side.ts'
import type { SideAnswer, Message, Side } from './side.ts'
import { isSuccessStatus, waitFor } from './transport.ts'

/** Waits before attempts while the service does not respond, in milliseconds: it may be restarting. */
const WAITS = [0, 300, 1000, 3000]

/** A resource that the run wrote. */
interface Written {
  readonly project: string
  readonly key?: string
  readonly id?: string
  /** The content that was sent. */
  readonly content?: string
  /** Whether a deletion succeeded. */
  readonly isDeleted?: boolean
}

/** After how many deletions that a read proved the service is believed. */
const MOST_CONFIRMED = 3

/** The content in the body of a draft or a resource, to recognize it. */
const toContent = (body: unknown): string | undefined =>
  isJsonObject(body) ? stringifyJson(body['objectTypeProperty'] ?? null) : undefined

/** How many resources a query selects by id. */
const MOST_IDS = 50

const draftDecoder = new TextDecoder()

/** How a service answers that it does not have a resource: no code is shown (section 7). */
const isGone = (status: number): boolean => [400, 404, 405, 410, 422].includes(status)

const isCollection = (path: string): boolean => /^\/[^/]+\/resource(?:\?|$)/.test(path)
const projectOf = (path: string): string => decodeURIComponent(path.split('/')[1] ?? '')

/** Runs a step and turns an error into a sentence, so that the remaining steps still run. */
const attempt = <T>(step: () => Promise<T>, what: string): Promise<T | string> =>
  step().catch((error: unknown) => `${what}: ${toErrorMessage(error)}.`)

/**
 * Creates a cleanup with nothing to remove yet.
 *
 * @param service keeps sending after an interruption; every resource of the run contains its `run` in a key or a string
 */
export function createCleanup(service: Side) {
  const written = new Map<string, Written>()
  const payloads: (readonly [path: string, payload: string])[] = []

  const nameOf = ({ project, key, id }: Written): string => [project, key, id].join(' ')
  const titleOf = ({ key, id }: Written): string =>
    key === undefined ? `The resource ${id ?? ''}` : `The resource with the key ${key}`

  /** How many confirmed deletions a read has proved. */
  let confirmed = 0

  /** Whether the service did not come back: then each further request is sent once. */
  let isDown = false

  /** Sends a request, again while the service fails (5xx) or does not respond. All of them are idempotent. */
  async function send(step: ConversationStep): Promise<SideAnswer> {
    let answer: SideAnswer | undefined
    for (const wait of isDown ? [0] : WAITS) {
      if (answer?.broken !== undefined) await waitFor(wait, undefined)
      answer = await sendMessage(step, service, await buildMessage(step, service, `${service.run}-cleanup`))
      if (answer.broken === undefined) isDown = false
      if (answer.broken === undefined && answer.status < 500) return answer
    }
    isDown = answer?.broken !== undefined
    throw new Error(answer?.broken ?? `the service answered ${answer?.status}`)
  }

  const collectionOf = (project: string): string => (project === service.project ? COLLECTION : OTHER_COLLECTION)
  const pathOf = (project: string, id: string): string => `${collectionOf(project)}/${encodeURIComponent(id)}`

  /** The ids of listed resources with a text of this run in a key or string. */
  async function listOwn(project: string, path: string, query: Query): Promise<readonly string[]> {
    const page = await send(get(path.replace(COLLECTION, collectionOf(project)), { query }))
    return findOwn(page, service.run).flatMap(({ id }) => toId(id) ?? [])
  }

  /** Which of these resources exist and are the run's own, as far as a query knows. */
  async function findListed(all: readonly Written[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for (const ones of groupBy(all, (one) => one.project)) {
      const [{ project }] = ones
      const ids = ones.flatMap(({ id }) => (id === undefined ? [] : [JSON.stringify(id)]))
      for (let at = 0; at < ids.length; at += MOST_IDS) {
        const where = ['where', `id in (${ids.slice(at, at + MOST_IDS).join(', ')})`] as const
        const own = await listOwn(project, SORTED_QUERY, [where, ['limit', String(MOST_IDS)]])
        for (const id of own) found.add(id)
      }
    }
    return found
  }

  /** Deletes a resource; with its version if the service requires one. Resolves with whether the service confirmed it. */
  async function remove(path: string): Promise<boolean> {
    const { status } = await send({ method: 'DELETE', path })
    if (status < 400 || isGone(status)) return status < 400
    const version = versionOf(await send(get(path)))
    if (version !== undefined) await send({ method: 'DELETE', path, query: [['version', version]] })
    return false
  }

  /**
   * Removes a resource that no query lists, unless nothing in it shows that the run wrote it: a faulty service may have
   * returned the id of someone else's. Resolves with a sentence if it remains.
   */
  async function removeAlone(one: Written): Promise<string | undefined> {
    const { project, key } = one
    const found = await send(
      get(one.id === undefined ? `${collectionOf(project)}/key=${key ?? ''}` : pathOf(project, one.id)),
    )
    if (isGone(found.status)) return undefined
    const id =
      one.id ?? idOf(found) ?? (await listOwn(project, SORTED_QUERY, [['where', `key = ${JSON.stringify(key)}`]]))[0]
    if (id === undefined) return `${titleOf(one)} may remain: the service answers ${found.status}, without its id.`
    const isOwn =
      found.text.includes(service.run) ||
      found.text.includes(String(service.mark)) ||
      (!service.takesKeys && one.content !== undefined && one.content === toContent(found.body)) ||
      (await findListed([{ project, id }])).has(id)
    if (!isOwn) return `${titleOf(one)} was not deleted: nothing in ${id} shows that verify created it.`
    const isDeleted = await remove(pathOf(project, id))
    if (isDeleted && confirmed >= MOST_CONFIRMED) return undefined
    const left = await send(get(pathOf(project, id)))
    if (isDeleted && isGone(left.status)) confirmed += 1
    return isGone(left.status) ? undefined : `${titleOf(one)} still exists.`
  }

  async function removeAll(): Promise<readonly (string | undefined)[]> {
    const left: (string | undefined)[] = []
    const all = [...written.values()]
    const listed = await findListed(all).catch(() => new Set<string>())
    const queue = all.filter(({ isDeleted, id }) => isDeleted !== true || listed.has(id ?? ''))
    const failed: Written[] = []
    const removeNext = async (): Promise<void> => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        const { project, id } = one
        try {
          if (id !== undefined && listed.has(id)) await remove(pathOf(project, id))
          else left.push(await removeAlone(one))
        } catch {
          failed.push(one)
        }
      }
    }
    await Promise.all(Array.from({ length: 4 }, removeNext))
    // One after the other: a busy service may have refused some of many parallel requests.
    const remaining = await findListed(all).catch(() => listed)
    const others = all.filter((one) => !failed.includes(one) && remaining.has(one.id ?? ''))
    for (const one of [...failed, ...others])
      left.push(await attempt(() => removeAlone(one), `${titleOf(one)} may remain`))
    return left
  }

  /** Removes resources of this run that no answer named: a response was lost, or the service dropped the key. */
  async function removeUnnamed(project: string): Promise<readonly (string | undefined)[]> {
    const ids = await listOwn(project, COLLECTION, splitQuery(`stringParameter=${service.run}&limit=500`))
    const left: (string | undefined)[] = []
    for (const id of ids) left.push(await removeAlone({ project, id }))
    return left
  }

  return {
    /** Notes the resource of a write: its key before it is sent, and its id afterwards. */
    track({ method, path, body }: Message, answer?: SideAnswer): void {
      if (method === 'DELETE' && answer?.status === 200) {
        const deleted = [...written].find(
          ([, { id }]) => id !== undefined && path.split('?')[0]?.endsWith(`/${encodeURIComponent(id)}`),
        )
        if (deleted !== undefined) written.set(deleted[0], { ...deleted[1], isDeleted: true })
      }
      if (!isCollection(path) || !/^(?:POST|PUT|PATCH)$/.test(method)) return
      const text = body === undefined || body.length > 100_000 ? '' : draftDecoder.decode(body)
      const [, key] = /"key":"([\w-]{2,256})"/.exec(text) ?? []
      const content = toContent(findJson(text))
      const own = {
        project: projectOf(path),
        ...(key?.includes(service.run) === true ? { key } : {}),
        ...(content === undefined ? {} : { content }),
      }
      if (answer === undefined) {
        if (own.key !== undefined) written.set(nameOf(own), own)
        return
      }
      const id = isSuccessStatus(answer.status) ? idOf(answer) : undefined
      // A refused write leaves nothing behind.
      if (id !== undefined || (answer.status >= 400 && answer.status < 500)) written.delete(nameOf(own))
      if (id !== undefined) written.set(nameOf({ ...own, id }), { ...own, id })
    },
    /** Reads the action payload of both projects, so that it can be restored. */
    async keepPayloads(): Promise<void> {
      for (const collection of [COLLECTION, OTHER_COLLECTION]) {
        const path = `${collection}/namespace-action`
        const step = get(path)
        try {
          const message = await buildMessage(step, service, `${service.run}-payload`)
          const { status, isJson, text } = await sendMessage(step, service, message)
          if (status === 200 && isJson) payloads.push([path, text])
        } catch (error) {
          // Without a token for a project, nothing is written to it.
          if (!(error instanceof Unset)) throw error
        }
      }
    },
    /** Removes everything. Resolves with a sentence for each item that remains. */
    async run(): Promise<readonly string[]> {
      const left: (string | undefined)[] = []
      for (const [path, text] of payloads) {
        // As bytes, since its braces do not mark placeholders.
        const restore = () => send(post(path, encoder.encode(text))).then(() => undefined)
        left.push(await attempt(restore, 'The action payload may not have been restored'))
      }
      left.push(...(await removeAll()))
      for (const project of new Set([...written.values()].map((one) => one.project))) {
        const unnamed = await attempt(() => removeUnnamed(project), 'Resources without a key may remain')
        left.push(...(typeof unnamed === 'string' ? [unnamed] : unnamed))
      }
      return [...new Set(left)].filter((sentence) => sentence !== undefined)
    },
  }
}
