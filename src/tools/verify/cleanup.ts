import { toMessage } from '../../errors.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { findContent, findId, findListedId, findVersion, resultsOf, selectAll } from './finding.ts'
import type { ProviderAnswer, Provider } from './provider.ts'
import { Stop } from './transport.ts'

/** Undoes a change. Its provider keeps working after an interruption. */
type CleanupStep = (provider: Provider) => Promise<string | undefined>

/** Tracks everything a run wrote, so that it can be removed. */
export type Cleanup = ReturnType<typeof createCleanup>

/** Runs a step and turns an error into a sentence, so that the remaining steps still run. */
const attempt = <T>(step: () => Promise<T>, what: string): Promise<T | string> =>
  step().catch((error: unknown) => `${what}: ${toMessage(error)}.`)

/**
 * How often cleanup sends a request while the provider returns 5xx. All its requests are idempotent (RFC 9110, section
 * 9.2.2).
 */
const MOST_TRIES = 3

const createPatient = (provider: Provider): Provider => ({
  ...provider,
  async send(operation, sending) {
    for (let tries = 1; ; tries += 1) {
      const answer = await provider.send(operation, sending)
      if (answer.status < 500 || tries === MOST_TRIES) return answer
    }
  },
})

const toUnclear = ({ request, status }: ProviderAnswer): Stop => new Stop(`${request} returned ${status}`)

/**
 * Creates a cleanup with nothing to remove yet.
 *
 * @param once still sends after an interruption
 * @param run the unique run id; every resource of the run contains it in its key or strings
 */
export function createCleanup(once: Provider, run: string) {
  const provider = createPatient(once)
  const written = new Map<string, Set<string>>()
  const steps: CleanupStep[] = []

  /**
   * Finds the resource with this key, unless its id is already tracked.
   *
   * @throws {Stop} when the response gives no id and none is tracked.
   */
  async function findOther(key: string, noted: ReadonlySet<string>): Promise<string | undefined> {
    const answer = await provider.send('getResourceByKey', { path: { key } })
    if (answer.status === 404) return undefined
    const content = findContent(answer)
    const id = answer.status === 200 ? (findId(answer) ?? (await findListedId(provider, { key, content }))) : undefined
    if (id === undefined && noted.size === 0) throw toUnclear(answer)
    return id === undefined || noted.has(id) ? undefined : id
  }

  /** Deletes without a version, as the specification allows; retries with a version if the provider requires one. */
  async function remove(id: string): Promise<ProviderAnswer> {
    const path = { id }
    const { status } = await provider.send('deleteResource', { path })
    if (status !== 200 && status !== 404) {
      const version = findVersion(await provider.send('getResourceById', { path }))
      if (version !== undefined) {
        await provider.send('deleteResource', { path, query: { version: String(version) } })
      }
    }
    return provider.send('getResourceById', { path })
  }

  /** Whether a query lists the resource with a string or key of this run (D5), even if a GET by id returns 404. */
  async function isListed(id: string): Promise<boolean> {
    const page = await provider.send('sortedQuery', { query: selectAll([{ id }]) })
    const entry = resultsOf(page).find((result) => result.id === id)
    return stringifyJson(entry).includes(run)
  }

  /**
   * Removes the resource with this id, unless a faulty provider returned the id of someone else's. Resolves with a sentence
   * if it remains.
   *
   * @throws {Stop} when its state cannot be determined.
   */
  async function removeOwn(id: string, key?: string): Promise<string | undefined> {
    const found = await provider.send('getResourceById', { path: { id } })
    if (found.status !== 200 && found.status !== 404) throw toUnclear(found)
    const isOwn = (found.status === 200 && found.text.includes(run)) || (await isListed(id))
    if (!isOwn && (found.status === 404 || key === undefined)) return undefined
    if (!isOwn) return `The key ${key} names ${id}, which was not deleted: nothing in it shows that verify created it.`
    const left = await remove(id)
    if (left.status !== 200 && left.status !== 404) throw toUnclear(left)
    if (left.status === 404 && !(await isListed(id))) return undefined
    return `The resource ${id} ${key === undefined ? 'without a key' : `with the key ${key}`} still exists.`
  }

  async function removeAll(key: string, noted: ReadonlySet<string>): Promise<readonly (string | undefined)[]> {
    const unclear = `The resource with the key ${key} may remain`
    const left: (string | undefined)[] = []
    for (const id of noted) left.push(await attempt(() => removeOwn(id, key), unclear))
    const byKey = await attempt(async () => {
      const other = await findOther(key, noted)
      return other === undefined ? undefined : removeOwn(other, key)
    }, unclear)
    return [...left, byKey]
  }

  /** Removes resources of this run without a tracked key: the response was lost, or the provider dropped the key. */
  async function removeKeyless(): Promise<readonly (string | undefined)[]> {
    if (written.size === 0) return []
    const query = { stringParameter: run, limit: '500' }
    const page = await attempt(() => provider.send('queryResources', { query }), 'Resources without a key may remain')
    if (typeof page === 'string') return [page]
    const own = resultsOf(page).filter((result) => stringifyJson(result).includes(run))
    const ids = own.map(({ id }) => id).filter((id) => typeof id === 'string')
    const left: (string | undefined)[] = []
    // Sequentially: a busy provider may refuse some of many parallel requests.
    for (const id of ids) left.push(await attempt(() => removeOwn(id), `The resource ${id} may remain`))
    return left
  }

  return {
    /** Tracks a key, and the id if known. Call it before the request that writes the resource. */
    note(key: string, id?: string): void {
      const ids = written.get(key) ?? new Set()
      written.set(key, id === undefined ? ids : ids.add(id))
    },
    /** Adds a step that reverts a change other than a resource. It resolves with a sentence if it fails. */
    undo: (step: CleanupStep): void => void steps.push(step),
    /** Removes everything. Resolves with a sentence for each item that remains. */
    async run(): Promise<readonly string[]> {
      const left: (string | undefined)[] = []
      for (const step of steps.toReversed())
        left.push(await attempt(() => step(provider), 'A change may not have been reverted'))
      const keys = [...written]
      const removals = await Promise.all(keys.map(([key, ids]) => removeAll(key, ids)))
      for (const [at, [key, ids]] of keys.entries()) {
        // Retry failed removals sequentially: a busy provider may have refused some of many parallel requests.
        const isLeft = removals[at]?.some((sentence) => sentence !== undefined) === true
        if (isLeft) left.push(...(await removeAll(key, ids)))
      }
      left.push(...(await removeKeyless()))
      return [...new Set(left)].filter((sentence) => sentence !== undefined)
    },
  }
}
