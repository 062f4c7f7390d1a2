import type { Journals } from './journal/journal.ts'
import { readEntries } from './journal/record.ts'
import type { KeptExchange } from './journal/kept-exchange.ts'
import type { RedactedExchange } from './journal/record.ts'
import { createRetries } from './journal/summary.ts'
import { parseChangeLines, toChangeLine } from '../service/state/change-text.ts'
import type { ClockMove, StoredScenario, Writer } from '../service/state/change.ts'
import type { Version } from '../service/state/history.ts'
import { Fifo } from '../util/collections.ts'
import { inSlices } from '../util/time-slices.ts'
import { createQueues } from '../util/queues.ts'
import type { ArchivedSession, ScenarioCounter } from './archived-session.ts'
import type { RunChange } from './runs.ts'
import type { SharedArchive } from './shared-store.ts'

/** The first line of an archived session. */
interface HeadLine {
  readonly dropped: number
  readonly clock: ClockMove
  readonly counters: readonly ScenarioCounter[]
  readonly coverage: readonly (readonly [name: string, count: number])[]
  readonly active: readonly string[] | null
  readonly defined: readonly (readonly [name: string, scenario: StoredScenario])[]
}

/** A line for a version. The change that would write it has its project and resource, int64 exact. */
interface VersionLine {
  readonly kind: Version['kind']
  readonly writer?: Writer | undefined
  readonly restored?: Version['restored']
  readonly change: string
}

/** Each further line has one of them. */
type ItemLine = { readonly entry: RedactedExchange } | { readonly version: VersionLine }

/** Minimum size of a part, in characters. */
const PART = 256 * 1024

async function* toArchiveLines(archived: ArchivedSession): AsyncGenerator<string, void> {
  const { exchanges, versions, selection, dropped, clock, counters } = archived
  const head: HeadLine = {
    dropped,
    clock,
    counters,
    coverage: [...(await archived.coverage)],
    active: selection.active ?? null,
    defined: [...selection.defined],
  }
  yield JSON.stringify(head)
  for await (const entry of readEntries(exchanges)) yield JSON.stringify({ entry } satisfies ItemLine)
  for (const [project, resources] of versions) {
    for await (const { resource, ...version } of inSlices([...resources.values()].flat())) {
      const change = toChangeLine({ kind: 'put', project, resource })
      yield JSON.stringify({ version: { ...version, change } } satisfies ItemLine)
    }
  }
}

/** An archived session as text, in parts of whole lines. */
async function* toArchiveParts(archived: ArchivedSession): AsyncGenerator<string, void> {
  let part = ''
  for await (const line of toArchiveLines(archived)) {
    part += `${line}\n`
    if (part.length < PART) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}

function parseVersion({ change: line, ...version }: VersionLine): readonly [project: string, version: Version] {
  const [change] = parseChangeLines(line)
  if (change?.kind !== 'put') throw new TypeError('An archived version is written as a put.')
  return [change.project, { ...version, resource: change.resource }]
}

async function parseParts(
  parts: readonly string[],
  { readEntry }: Pick<Journals, 'readEntry'>,
): Promise<ArchivedSession> {
  const [first = '', ...lines] = parts.flatMap((part) => part.split('\n')).filter((line) => line !== '')
  // Written by a mock of the same version, like all lines.
  const head = JSON.parse(first) as HeadLine
  const exchanges: KeptExchange[] = []
  const retries = createRetries()
  const versions = new Map<string, Map<string, Version[]>>()
  for await (const line of inSlices(lines)) {
    const item = JSON.parse(line) as ItemLine
    if ('entry' in item) {
      const exchange = readEntry(item.entry, line.length)
      exchanges.push(exchange)
      retries.add(exchange)
    } else {
      const [project, version] = parseVersion(item.version)
      const resources = versions.get(project) ?? new Map<string, Version[]>()
      const list = resources.get(version.resource.id) ?? []
      versions.set(project, resources.set(version.resource.id, [...list, version]))
    }
  }
  return {
    exchanges,
    versions,
    dropped: head.dropped,
    clock: head.clock,
    counters: head.counters,
    coverage: new Map(head.coverage),
    selection: { active: head.active ?? undefined, defined: new Map(head.defined) },
  }
}

/** Shares runs and archived sessions with other mocks. */
export function createSharedRuns(shared: SharedArchive, journals: Pick<Journals, 'readEntry'>) {
  // In order, so that an archived session is complete before the others learn of it.
  const queues = createQueues()
  const pending = new Set<Promise<void>>()
  /** Changes that the store does not have yet, oldest first: one that it refused is sent again before the next one. */
  const unsent = new Fifo<string>()

  function send(task: () => Promise<void>): Promise<void> {
    const sent = queues.run('', task)
    pending.add(sent)
    const forget = (): void => void pending.delete(sent)
    // Reported to the requests that wait for it.
    sent.then(forget, forget)
    return sent
  }

  async function sendChanges(): Promise<void> {
    for (let change = unsent.first; change !== undefined; change = unsent.first) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      await shared.append(change)
      unsent.shift()
    }
  }

  return {
    /** Reads the changes of other mocks since the last call, oldest first. */
    async readChanges(): Promise<readonly RunChange[]> {
      if (unsent.size > 0 && pending.size === 0) await send(sendChanges)
      // Written by a mock of the same version.
      return (await shared.readChanges()).map((text) => JSON.parse(text) as RunChange)
    },
    share(change: RunChange): void {
      unsent.push(JSON.stringify(change))
      void send(sendChanges)
    },
    put: (id: string, archived: ArchivedSession): Promise<void> => send(() => shared.put(id, toArchiveParts(archived))),
    /** Reads an archived session; undefined if the store does not have it. */
    async find(id: string): Promise<ArchivedSession | undefined> {
      const parts = await shared.get(id)
      return parts && parseParts(parts, journals)
    },
    remove: (id: string): void => void send(() => shared.remove(id)),
    /**
     * Resolves once the store has everything.
     *
     * @throws {Problem} 503 if it cannot be stored.
     */
    async settled(): Promise<void> {
      await Promise.all(pending)
    },
  }
}
