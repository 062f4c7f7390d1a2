import { stringifyJson } from '../http/json.ts'
import { readPage, selectAll } from './pages.ts'
import { findId, findVersion } from './resources.ts'
import type { Provider } from './provider.ts'

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

/** Creates an empty ledger. */
export function createLedger({ provider, run }: LedgerInit): Ledger {
  const written = new Map<string, Set<string>>()
  const steps: Undo[] = []

  async function findByKey(key: string): Promise<string | undefined> {
    const answer = await provider.send('getResourceByKey', { path: { key } })
    return answer.status === 200 ? findId(answer) : undefined
  }

  /** Deletes as the specification has it, without a version; with one where the provider asks for it. */
  async function remove(id: string): Promise<boolean> {
    const path = { id }
    const { status } = await provider.send('deleteResource', { path })
    if (status !== 200 && status !== 404) {
      const version = findVersion(await provider.send('getResourceById', { path }))
      if (version === undefined) return false
      await provider.send('deleteResource', { path, query: [['version', String(version)]] })
    }
    return (await provider.send('getResourceById', { path })).status === 404
  }

  /**
   * Whether there is a resource of this run, by its strings or by its key, which the entries of a page tell (D5). What a
   * faulty provider names by mistake must stay.
   */
  async function isOwn(id: string): Promise<boolean> {
    const answer = await provider.send('getResourceById', { path: { id } })
    if (answer.status !== 200) return false
    if (answer.text.includes(run)) return true
    const page = await provider.send('sortedQuery', { query: selectAll([{ id }]) })
    const entry = readPage(page).results.find((result) => result.id === id)
    return stringifyJson(entry).includes(run)
  }

  async function removeAll(key: string, noted: ReadonlySet<string>): Promise<readonly string[]> {
    const named = await findByKey(key)
    const left: string[] = []
    for (const id of new Set([...noted, ...(named === undefined ? [] : [named])])) {
      if (await isOwn(id)) {
        if (!(await remove(id))) left.push(`The resource ${id} with the key ${key} is still there.`)
      } else if (id === named) {
        left.push(`The key ${key} names ${id}, which was left alone: it is none that verify wrote.`)
      }
    }
    return left
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
      for (const [key, ids] of written) {
        left.push(...[await attempt(() => removeAll(key, ids), `The resource with the key ${key} may be left`)].flat())
      }
      return left.filter((sentence) => sentence !== undefined)
    },
  }
}
