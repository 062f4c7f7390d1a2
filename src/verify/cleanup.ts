import { stringifyJson } from '../http/json.ts'
import { readPage, selectAll, findId, findVersion } from './finding.ts'
import type { ProviderAnswer, Provider } from './provider.ts'
import { Stop } from './transport.ts'

/** Undoes something by way of a provider that answers after an interruption too. */
type CleanupStep = (provider: Provider) => Promise<string | undefined>

/** What a run wrote, so that it can be taken back. */
export type Cleanup = ReturnType<typeof createCleanup>

/** What a step comes to; a sentence if it ends early, since the steps after it must run all the same. */
const attempt = <T>(step: () => Promise<T>, what: string): Promise<T | string> =>
  step().catch((error: unknown) => `${what}: ${error instanceof Error ? error.message : String(error)}.`)

/** How often a removal asks a provider that fails; all that it asks may be repeated (RFC 9110, section 9.2.2). */
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

const toUnclear = ({ request, status }: ProviderAnswer): Stop => new Stop(`${request} answered ${status}`)

/** Creates a cleanup that has nothing to remove yet. */
export function createCleanup({
  provider: once,
  run,
}: {
  /** Sends even after an interruption. */
  readonly provider: Provider
  /** The word in the keys and strings of every resource of the run. */
  readonly run: string
}) {
  const provider = createPatient(once)
  const written = new Map<string, Set<string>>()
  const steps: CleanupStep[] = []

  /**
   * Finds what a key names in addition to the ids that are noted of it.
   *
   * @throws {Stop} when that is unclear, and nothing is noted.
   */
  async function findOther(key: string, noted: ReadonlySet<string>): Promise<string | undefined> {
    const answer = await provider.send('getResourceByKey', { path: { key } })
    if (answer.status === 404) return undefined
    const id = answer.status === 200 ? findId(answer) : undefined
    if (id === undefined && noted.size === 0) throw toUnclear(answer)
    return id === undefined || noted.has(id) ? undefined : id
  }

  /** Deletes as the specification has it, without a version; with one if the provider asks for it. */
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

  /** Whether a page has it with the run's strings or key (D5): a page may have what a GET by id has not. */
  async function isListed(id: string): Promise<boolean> {
    const page = await provider.send('sortedQuery', { query: selectAll([{ id }]) })
    const entry = readPage(page).results.find((result) => result.id === id)
    return stringifyJson(entry).includes(run)
  }

  /**
   * Removes what is at an id, unless a faulty provider has named somebody else's. Resolves with a sentence if it is left.
   *
   * @throws {Stop} when that is unclear.
   */
  async function removeOwn(id: string, key?: string): Promise<string | undefined> {
    const found = await provider.send('getResourceById', { path: { id } })
    if (found.status !== 200 && found.status !== 404) throw toUnclear(found)
    const isOwn = (found.status === 200 && found.text.includes(run)) || (await isListed(id))
    if (!isOwn && (found.status === 404 || key === undefined)) return undefined
    if (!isOwn) return `The key ${key} names ${id}, which was left alone: nothing in it shows that verify wrote it.`
    const left = await remove(id)
    if (left.status !== 200 && left.status !== 404) throw toUnclear(left)
    if (left.status === 404 && !(await isListed(id))) return undefined
    return `The resource ${id} ${key === undefined ? 'without a key' : `with the key ${key}`} is still there.`
  }

  async function removeAll(key: string, noted: ReadonlySet<string>): Promise<readonly (string | undefined)[]> {
    const unclear = `The resource with the key ${key} may be left`
    const left: (string | undefined)[] = []
    for (const id of noted) left.push(await attempt(() => removeOwn(id, key), unclear))
    const byKey = await attempt(async () => {
      const other = await findOther(key, noted)
      return other === undefined ? undefined : removeOwn(other, key)
    }, unclear)
    return [...left, byKey]
  }

  /** Removes what has the run's word and no key that is noted: its answer was lost, or its key was not kept. */
  async function removeKeyless(): Promise<readonly (string | undefined)[]> {
    if (written.size === 0) return []
    const query = { stringParameter: run, limit: '500' }
    const page = await attempt(() => provider.send('queryResources', { query }), 'Resources without a key may be left')
    if (typeof page === 'string') return [page]
    const own = readPage(page).results.filter((result) => stringifyJson(result).includes(run))
    const ids = own.map(({ id }) => id).filter((id) => typeof id === 'string')
    const left: (string | undefined)[] = []
    // One after the other: a busy provider may refuse a part of many requests.
    for (const id of ids) left.push(await attempt(() => removeOwn(id), `The resource ${id} may be left`))
    return left
  }

  return {
    /** A key may name a resource from now on, and this id is it. Noted before the request that writes is sent. */
    note(key: string, id?: string): void {
      const ids = written.get(key) ?? new Set()
      written.set(key, id === undefined ? ids : ids.add(id))
    },
    /** Takes back what is not a resource; the step resolves with a sentence if it fails. */
    undo: (step: CleanupStep): void => void steps.push(step),
    /** Removes everything; resolves with a sentence for each thing that is left. */
    async run(): Promise<readonly string[]> {
      const left: (string | undefined)[] = []
      for (const step of steps.toReversed())
        left.push(await attempt(() => step(provider), 'What was changed may not be restored'))
      const keys = [...written]
      const removals = await Promise.all(keys.map(([key, ids]) => removeAll(key, ids)))
      for (const [at, [key, ids]] of keys.entries()) {
        // What is left for now is tried again by itself: a busy provider may have refused a part of many requests.
        const isLeft = removals[at]?.some((sentence) => sentence !== undefined) === true
        if (isLeft) left.push(...(await removeAll(key, ids)))
      }
      left.push(...(await removeKeyless()))
      return [...new Set(left)].filter((sentence) => sentence !== undefined)
    },
  }
}
