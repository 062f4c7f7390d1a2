import { stringifyJson } from '../http/json.ts'
import { Stop } from './bench.ts'
import { readPage, selectAll } from './pages.ts'
import { findId, findVersion } from './resources.ts'
import type { Answer, Provider } from './provider.ts'

/** Undoes something by way of a provider that answers after an interruption too. */
type Undo = (provider: Provider) => Promise<string | undefined>

/** What a run wrote, so that it can be taken back. */
export interface Ledger {
  /** A key may name a resource from now on, and this id is it. Noted before the request that writes is sent. */
  note(key: string, id?: string): void
  /** Takes back what is no resource; the step resolves with a sentence where it fails. */
  undo(step: Undo): void
  /** Removes everything; resolves with a sentence for each thing that is left. */
  settle(): Promise<readonly string[]>
}

interface LedgerInit {
  /** Sends even after an interruption. */
  readonly provider: Provider
  /** The word in the keys and strings of every resource of the run. */
  readonly run: string
}

/** What a step comes to; a sentence where it ends early, since the steps after it must be taken all the same. */
const attempt = <T>(step: () => Promise<T>, what: string): Promise<T | string> =>
  step().catch((fault: unknown) => `${what}: ${fault instanceof Error ? fault.message : String(fault)}.`)

/** How often a removal asks a provider that fails; all that it asks may be repeated (RFC 9110, section 9.2.2). */
const MOST_TRIES = 3

const createPatient = (provider: Provider): Provider => ({
  async send(operation, sending) {
    for (let tries = 1; ; tries += 1) {
      const answer = await provider.send(operation, sending)
      if (answer.status < 500 || tries === MOST_TRIES) return answer
    }
  },
})

const toUnclear = ({ request, status }: Answer): Stop => new Stop(`${request} answered ${status}`)

/** Creates an empty ledger. */
export function createLedger({ provider: once, run }: LedgerInit): Ledger {
  const provider = createPatient(once)
  const written = new Map<string, Set<string>>()
  const steps: Undo[] = []

  /**
   * Finds what a key names beside the ids that are noted of it.
   *
   * @throws {Stop} when that cannot be told, and nothing is noted.
   */
  async function findOther(key: string, noted: ReadonlySet<string>): Promise<string | undefined> {
    const answer = await provider.send('getResourceByKey', { path: { key } })
    if (answer.status === 404) return undefined
    const id = answer.status === 200 ? findId(answer) : undefined
    if (id === undefined && noted.size === 0) throw toUnclear(answer)
    return id === undefined || noted.has(id) ? undefined : id
  }

  /** Deletes as the specification has it, without a version; with one where the provider asks for it. */
  async function remove(id: string): Promise<Answer> {
    const path = { id }
    const { status } = await provider.send('deleteResource', { path })
    if (status !== 200 && status !== 404) {
      const version = findVersion(await provider.send('getResourceById', { path }))
      if (version !== undefined) {
        await provider.send('deleteResource', { path, query: [['version', String(version)]] })
      }
    }
    return provider.send('getResourceById', { path })
  }

  /** Whether a page has it with the run's strings or key (D5): that tells of it where a look by its id does not. */
  async function isListed(id: string): Promise<boolean> {
    const page = await provider.send('sortedQuery', { query: selectAll([{ id }]) })
    const entry = readPage(page).results.find((result) => result.id === id)
    return stringifyJson(entry).includes(run)
  }

  /**
   * Removes what is at an id, unless a faulty provider has named somebody else's. Resolves with a sentence where it is left.
   *
   * @throws {Stop} when it cannot be told whether it is.
   */
  async function removeOwn(id: string, key: string): Promise<string | undefined> {
    const found = await provider.send('getResourceById', { path: { id } })
    if (found.status !== 200 && found.status !== 404) throw toUnclear(found)
    const isOwn = (found.status === 200 && found.text.includes(run)) || (await isListed(id))
    if (!isOwn && found.status === 404) return undefined
    if (!isOwn) return `The key ${key} names ${id}, which was left alone: nothing in it tells that verify wrote it.`
    const left = await remove(id)
    if (left.status !== 200 && left.status !== 404) throw toUnclear(left)
    if (left.status === 404 && !(await isListed(id))) return undefined
    return `The resource ${id} with the key ${key} is still there.`
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

  return {
    note(key, id) {
      const ids = written.get(key) ?? new Set()
      written.set(key, id === undefined ? ids : ids.add(id))
    },
    undo: (step) => void steps.push(step),
    async settle() {
      const left: (string | undefined)[] = []
      for (const step of steps.toReversed())
        left.push(await attempt(() => step(provider), 'What was changed may not be restored'))
      for (const [key, ids] of written) left.push(...(await removeAll(key, ids)))
      return [...new Set(left)].filter((sentence) => sentence !== undefined)
    },
  }
}
