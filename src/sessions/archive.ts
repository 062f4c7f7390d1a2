import { problem } from '../errors.ts'
import type { ArchivedSession, ScenarioCounter, Versions } from './archived-session.ts'
import type { Journal } from './journal/journal.ts'
import { createSummary, Periods } from './journal/summary.ts'
import type { Catalog } from '../service/scenarios/engine.ts'
import type { Scenario } from '../service/scenarios/schema.ts'
import { EVERY_PROJECT } from '../service/state/project-data.ts'
import type { Store } from '../service/state/store.ts'
import { isTestId } from './runs.ts'
import type { Runs } from './runs.ts'
import type { SessionTest } from './session-test.ts'
import { Session } from './sessions.ts'
import type { Captured, SessionParts } from './sessions.ts'

/** The archived sessions of mocks that share a store. */
interface SharedSessions {
  /** Rejects if the store does not have it. */
  readonly put: (id: string, archived: ArchivedSession) => Promise<void>
  readonly find: (id: string) => Promise<ArchivedSession | undefined>
}

/** A journal that is only read. */
function toReadOnlyJournal({ exchanges, dropped }: ArchivedSession, refuse: () => never): Journal {
  return {
    record: refuse,
    amend: refuse,
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
  readonly runs: Runs
  readonly store: Pick<Store, 'history' | 'scenarioSelection' | 'clock'>
  readonly catalog: Pick<Catalog, 'all' | 'find'>
  readonly clock: () => number
  readonly elapsed: () => number
  readonly createRuleRunner: SessionParts['createRuleRunner']
  readonly shared?: SharedSessions | undefined
}) {
  const { runs, store, catalog, clock, elapsed, shared } = parts

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
      createRuleRunner(elapsedInSession) {
        const runner = parts.createRuleRunner(elapsedInSession, undefined)
        for (const [scenario, seen] of expectArchived().counters) {
          const known = session.scenarios.defined.get(scenario) ?? catalog.find(scenario)
          if (known !== undefined) runner.restore(known, seen)
        }
        return runner
      },
      createJournal: () => toReadOnlyJournal(expectArchived(), refuse),
      createCoverage: () => ({ read: () => expectArchived().coverage, count: refuse, clear: refuse }),
      findTest: () => runs.find(id),
    })
    return session
  }

  const versionsOf = (name: string): Versions | undefined => runs.findArchived(name)?.versions

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
        versions: store.history.all(name),
        // Requested now: a shared store reads it before the session's data is deleted.
        coverage: Promise.resolve(session.coverage.read()).catch(() => new Map()),
        selection: store.scenarioSelection(name),
        counters: readCounters(session),
        clock: store.clock(name),
      }
      let sharing: Promise<void> | undefined
      function archive(): void {
        runs.end(id, seen, archived)
        // Of requests that were still served, such as those of another service.
        journal.release((late) => {
          exchanges.push(late)
          // Reported to the requests that wait for the store.
          shared?.put(id, archived).catch(() => undefined)
          const summary = createSummary()
          for (const exchange of exchanges) summary.count(exchange)
          const requests = exchanges.length + archived.dropped
          runs.extend(id, { requests, ...summary.read() }, archived)
        })
      }
      return { share: () => (sharing ??= shared?.put(id, archived).then(archive)), archive }
    },
    /** Loads an ended session that another mock has archived. */
    async load(name: string): Promise<void> {
      const test = runs.find(name)
      if (shared === undefined || test?.ended?.bytes === undefined || runs.findArchived(test.id) !== undefined) return
      const archived = await shared.find(test.id)
      if (archived !== undefined && runs.find(test.id)?.ended?.bytes !== undefined) runs.addArchived(test.id, archived)
    },
    /** Finds an ended session by the id of its test, or by its name if it was the last one of that name. */
    find(name: string): Session | undefined {
      const test = runs.find(name)
      return test?.ended === undefined ? undefined : open(test, runs.findArchived(test.id))
    },
    /** The name of a session that exists, by the id of its test. */
    findName(id: string): string | undefined {
      const test = isTestId(id) ? runs.find(id) : undefined
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
