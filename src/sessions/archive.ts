import { problem } from '../errors.ts'
import type { CoverageCounts } from './journal/counts.ts'
import type { Journal } from './journal/journal.ts'
import type { KeptExchange } from './journal/kept-exchange.ts'
import { createSummary } from './journal/journal.ts'
import { Periods } from './journal/periods.ts'
import type { Catalog } from '../service/scenarios/engine.ts'
import type { RuleRunner } from '../service/scenarios/rule-runner.ts'
import type { Scenario } from '../service/scenarios/schema.ts'
import type { ClockMove } from '../service/state/change.ts'
import { versionBytes } from '../service/state/history.ts'
import type { Version } from '../service/state/history.ts'
import { EVERY_PROJECT } from '../service/state/project-data.ts'
import { RECORD_BYTES, sizeOf, sumBytes } from '../service/state/memory.ts'
import { selectionBytes } from '../service/state/state-data.ts'
import type { ScenarioSelection } from '../service/state/state-data.ts'
import type { Store } from '../service/state/store.ts'
import { isTestId } from './runs.ts'
import type { Runs } from './runs.ts'
import type { SessionTest } from './session-test.ts'
import { Session } from './sessions.ts'
import type { Captured } from './sessions.ts'

/** How often each rule of a scenario has matched. */
export type ScenarioCounter = readonly [scenario: string, seen: readonly number[]]

/** Versions by project and resource, oldest first. */
type Versions = ReadonlyMap<string, ReadonlyMap<string, readonly Version[]>>

/** What the archive keeps of a session. It shares exchanges and records with the session, since they never change. */
export interface ArchivedSession {
  readonly exchanges: readonly KeptExchange[]
  readonly dropped: number
  readonly versions: Versions
  /** A promise if it comes from a session of this mock. */
  readonly coverage: CoverageCounts | Promise<CoverageCounts>
  readonly selection: ScenarioSelection
  readonly counters: readonly ScenarioCounter[]
  readonly clock: ClockMove
}

/** The archived sessions of mocks that share a store. */
interface SharedSessions {
  /** Rejects if the store does not have it. */
  readonly put: (id: string, archived: ArchivedSession) => Promise<void>
  readonly find: (id: string) => Promise<ArchivedSession | undefined>
  readonly remove: (id: string) => void
}

/** Counts the memory of an archived session, in bytes. */
function archivedBytes({ exchanges, versions, selection, ...others }: ArchivedSession): number {
  const kept = [...versions.values()].flatMap((resources) => [...resources.values()].flat())
  return (
    RECORD_BYTES +
    sumBytes(exchanges, ({ bytes }) => bytes) +
    sumBytes(kept, versionBytes) +
    selectionBytes(selection) +
    sizeOf(others)
  )
}

/** A journal that is only read. */
function toReadOnlyJournal({ exchanges, dropped }: ArchivedSession, refuse: () => never): Journal {
  return {
    record: refuse,
    restore: refuse,
    clear: refuse,
    remove: refuse,
    seen: refuse,
    release: () => undefined,
    exchanges: () => exchanges,
    periods: () => new Periods(exchanges),
    find: (id) => exchanges.find((exchange) => exchange.id === id)?.entry,
    get size() {
      return exchanges.length
    },
    dropped,
  }
}

/**
 * Creates the archive: the journals, versions, coverage and scenario counters of ended sessions that belonged to a test. An
 * archived session is a {@link Session} that is only read.
 *
 * @param parts.clock epoch milliseconds by the mock's clock
 * @param parts.elapsed milliseconds of a monotonic clock
 * @param parts.shared absent if no other mock shares the sessions
 */
export function createArchive(parts: {
  readonly runs: () => Runs
  readonly store: () => Pick<Store, 'history' | 'scenarioSelection' | 'clock'>
  readonly catalog: Pick<Catalog, 'all' | 'find'>
  readonly clock: () => number
  readonly elapsed: () => number
  readonly createRuleRunner: (elapsed: () => number) => RuleRunner
  readonly shared?: SharedSessions | undefined
}) {
  const { runs, store, catalog, clock, elapsed, shared } = parts
  /** By the id of the test. */
  const kept = new Map<string, { readonly session: Session; readonly archived: ArchivedSession }>()

  function readCounters({ scenarios: { defined, runner } }: Session): readonly ScenarioCounter[] {
    const counterOf = (scenario: Scenario): ScenarioCounter => [
      scenario.name,
      scenario.rules.map((rule) => runner.counter(scenario, rule).seen),
    ]
    return [...catalog.all(), ...defined.values()].map(counterOf).filter(([, seen]) => seen.some((count) => count > 0))
  }

  /** An archived session, or one without contents if the archive has evicted it. */
  function open({ id, session: name }: SessionTest, archived: ArchivedSession | undefined): Session {
    const refuse = (): never => {
      throw problem.gone(
        archived === undefined
          ? `The session "${name}" has ended, and the archive no longer has its requests. To keep more, raise --memory.`
          : `The session "${id}" has ended and is read-only. To start a new one, use the name "${name}".`,
      )
    }
    const expectArchived = (): ArchivedSession => archived ?? refuse()
    const session: Session = new Session(id, 0, {
      clock,
      elapsed,
      store: {
        snapshots: () => new Map<string, never>(),
        clock: () => expectArchived().clock,
        scenarioSelection: () => expectArchived().selection,
        change: refuse,
      },
      createRuleRunner(_name, elapsedInSession) {
        const runner = parts.createRuleRunner(elapsedInSession)
        for (const [scenario, seen] of expectArchived().counters) {
          const known = session.scenarios.defined.get(scenario) ?? catalog.find(scenario)
          if (known !== undefined) runner.restore(known, seen)
        }
        return runner
      },
      createJournal: () => toReadOnlyJournal(expectArchived(), refuse),
      createCoverage: () => ({ read: () => expectArchived().coverage, count: refuse, clear: refuse }),
      findTest: () => runs().find(id),
    })
    return session
  }

  const add = (test: SessionTest, archived: ArchivedSession): void =>
    void kept.set(test.id, { session: open(test, archived), archived })

  const versionsOf = (name: string): Versions | undefined => kept.get(name)?.archived.versions

  return {
    capture(session: Session): Captured | undefined {
      const { name, test, journal } = session
      if (test === undefined) return undefined
      const { id } = test
      const seen = journal.seen()
      const exchanges = [...journal.exchanges()]
      const archived: ArchivedSession = {
        exchanges,
        dropped: journal.dropped,
        versions: store().history.all(name),
        // Requested now: a shared store reads it before the session's data is deleted.
        coverage: Promise.resolve(session.coverage.read()).catch(() => new Map()),
        selection: store().scenarioSelection(name),
        counters: readCounters(session),
        clock: store().clock(name),
      }
      let sharing: Promise<void> | undefined
      function archive(): void {
        runs().end(id, seen, archivedBytes(archived), (ended) => add(ended, archived))
        // Of requests that were still served, such as those of another service.
        journal.release((late) => {
          exchanges.push(late)
          // Reported to the requests that wait for the store.
          shared?.put(id, archived).catch(() => undefined)
          const summary = createSummary()
          for (const exchange of exchanges) summary.count(exchange)
          const requests = exchanges.length + archived.dropped
          runs().extend(id, { requests, ...summary.read() }, archivedBytes(archived))
        })
      }
      return { share: () => (sharing ??= shared?.put(id, archived).then(archive)), archive }
    },
    /** Loads an ended session that another mock has archived. */
    async load(name: string): Promise<void> {
      const test = runs().find(name)
      if (shared === undefined || test?.ended?.bytes === undefined || kept.has(test.id)) return
      const archived = await shared.find(test.id)
      if (archived !== undefined && runs().find(test.id)?.ended?.bytes !== undefined) add(test, archived)
    },
    /** Frees an archived session. */
    evict(id: string): void {
      kept.delete(id)
      shared?.remove(id)
    },
    /** Finds an ended session by the id of its test, or by its name if it was the last one of that name. */
    find(name: string): Session | undefined {
      const test = runs().find(name)
      return test?.ended === undefined ? undefined : (kept.get(test.id)?.session ?? open(test, undefined))
    },
    /** The name of a session that exists, by the id of its test. */
    findName(id: string): string | undefined {
      const test = isTestId(id) ? runs().find(id) : undefined
      return test?.ended === undefined ? test?.session : undefined
    },
    /** Adds what is archived to a store: versions, and the projects that have some. */
    withArchived: (one: Store): Store => ({
      ...one,
      changedProjects(session) {
        const projects = versionsOf(session)?.keys()
        const fixtures = one.access(session, EVERY_PROJECT).read()
        return projects === undefined
          ? one.changedProjects(session)
          : new Map([...projects].map((id) => [id, fixtures]))
      },
      history: {
        ...one.history,
        all: (session) => versionsOf(session) ?? one.history.all(session),
        versions: (session, project, id) =>
          versionsOf(session)?.get(project)?.get(id) ?? one.history.versions(session, project, id),
        findIdByKey(session, project, key) {
          const resources = [...(versionsOf(session)?.get(project) ?? [])]
          const found = resources.find(([, list]) => list.some(({ resource }) => resource.key === key))
          return found?.[0] ?? one.history.findIdByKey(session, project, key)
        },
        projectsOf(session, id) {
          const projects = versionsOf(session)
          if (projects === undefined) return one.history.projectsOf(session, id)
          return [...projects].filter(([, resources]) => resources.has(id)).map(([project]) => project)
        },
      },
    }),
  }
}
