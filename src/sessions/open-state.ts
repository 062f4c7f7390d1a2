import * as z from 'zod'
import { Problem, SetupError } from '../errors.ts'
import { findJson } from '../service/http/json.ts'
import { createCoverage } from './journal/counts.ts'
import { byAge, createJournals } from './journal/journal.ts'
import { readEntries } from './journal/record.ts'
import type { RedactedExchange } from './journal/record.ts'
import type { Redactor } from './journal/redact.ts'
import type { Catalog } from '../service/scenarios/engine.ts'
import { createRuleRunner } from '../service/scenarios/rule-runner.ts'
import type { Persistence } from '../service/state/kept-state.ts'
import { createMemory } from '../service/state/memory.ts'
import { EVERY_PROJECT, parseProjectId } from '../service/state/project-data.ts'
import { createStore } from '../service/state/store.ts'
import type { Store, StoreParts } from '../service/state/store.ts'
import { createArchive } from './archive.ts'
import { createEvents } from './events.ts'
import { createRuns } from './runs.ts'
import type { Runs } from './runs.ts'
import { DEFAULT_SESSION } from './session-names.ts'
import { createSessions } from './sessions.ts'
import type { Session, Sessions } from './sessions.ts'
import type { StoreIdentity, SharedStore } from './shared-store.ts'
import type { Sources } from './sources.ts'

/** The state of a mock that keeps more could be longer than JavaScript's longest string. */
const MOST_PERSISTED = 512 * 1024 * 1024

/** At most this many projects are named in a notice. */
const MOST_NAMED = 10

/** Says which projects were changed over other fixtures; undefined if there are none. */
function describeOldProjects(sessions: ReadonlyMap<string, ReadonlyMap<string, unknown>>): string | undefined {
  const names = [...sessions].flatMap(([session, projects]) =>
    [...projects.keys()]
      .map(parseProjectId)
      .filter(({ projectKey }) => projectKey !== EVERY_PROJECT.projectKey)
      .map(({ baseUrl, projectKey }) => [session === DEFAULT_SESSION ? '' : `@${session}`, baseUrl, projectKey])
      .map((parts) => parts.filter((part) => part !== '').join('/')),
  )
  if (names.length === 0) return undefined
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `The fixtures are not those of the last run. The changes of these projects now apply to the new ones: ${names.slice(0, MOST_NAMED).join(', ')}${more}. To drop the changes, reset their sessions (POST /__admin/reset).`
}

const newId = (): string => crypto.randomUUID()

/**
 * Opens all mutable state of a mock: in memory, restored from `persistence`, or in a store shared by several mocks.
 *
 * @throws {SetupError} if it cannot be read or reached.
 */
export async function openState(
  options: {
    readonly seed: number
    readonly persistence?: Persistence | undefined
    readonly store?: SharedStore | undefined
    readonly onNotice?: ((sentence: string) => void) | undefined
    readonly journal: number
    readonly memory: number
    readonly maxSessions: number
    readonly sessionTtl: number
  },
  parts: {
    readonly sources: Pick<Sources, 'initial' | 'catalog'>
    /** The scenarios given on the command line. */
    readonly defaults: readonly string[]
    readonly redactor: Redactor
    /** Epoch milliseconds by the mock's clock. */
    readonly clock: () => number
    /** Epoch milliseconds of the system. */
    readonly now: () => number
    /** Milliseconds of a monotonic clock. */
    readonly elapsed: () => number
    /** Identifies the mocks that may share a store. */
    readonly identify: () => Promise<StoreIdentity>
    /** Identifies the fixtures, including generated resources. */
    readonly identifyFixtures: () => Promise<string>
    readonly onFault: (fault: unknown, correlationId: string) => void
  },
) {
  // oxlint-disable-next-line no-console -- the documented default of MockOptions
  const { persistence, seed, onNotice = console.warn } = options
  const { sources, clock, now, elapsed, onFault, defaults } = parts
  const { catalog } = sources
  if (persistence !== undefined && options.memory > MOST_PERSISTED) {
    throw new SetupError(
      `The option memory (--memory) is ${options.memory}, but a persisted state is limited to ${MOST_PERSISTED} bytes (512mb). Lower it, or remove --persist.`,
    )
  }
  const events = createEvents(parts.redactor.url)
  // What goes first when memory is full. The tests and the archive belong to no session.
  const memory = createMemory(options.memory, (session) =>
    session === undefined
      ? runs.evictOldest() ||
        journals.dropOldest() ||
        opened.history.dropOldest() ||
        runs.forgetOldest() ||
        sessions.endIdlest()
      : journals.dropOldest(session) || opened.history.dropOldest(session),
  )
  const journals = createJournals({
    redactor: parts.redactor,
    capacity: options.journal,
    memory,
    // Not from the seed: reading a journal must not change the ids generated from it.
    newId,
  })
  const store = (): Store => opened
  const sharing =
    options.store &&
    (await (
      await import('./sharing.ts')
    ).openSharing(options.store, options, {
      identity: await parts.identify(),
      now,
      elapsed,
      store,
      sessions: () => sessions,
      runs: () => runs,
      loadArchived: (name) => archive.load(name),
      journals,
      events,
      defaults,
    }))
  const coverage = sharing?.coverage ?? createCoverage()
  const runs: Runs = createRuns({
    events,
    findJournal: (name) => sessions.find(name)?.journal,
    now,
    memory,
    share: sharing?.runs.share,
    onEvict: (id) => archive.evict(id),
  })
  const archive = createArchive({
    runs: () => runs,
    store,
    catalog,
    clock,
    elapsed,
    createRuleRunner: (elapsedInSession) => createRuleRunner({ seed, elapsed: elapsedInSession }),
    shared: sharing?.runs,
  })

  const storeParts: StoreParts = {
    sources,
    // Restarts a session that ended during a request, so that its data still belong to a session.
    enterSession: (session) => void sessions.enter(session),
    memory,
    onWrite: events.noteWrite,
  }

  async function openStore(): Promise<Store> {
    // Loaded on demand, for a faster startup.
    if (persistence !== undefined) {
      const { openPersistedStore } = await import('../service/state/persisted-store.ts')
      return openPersistedStore({
        ...storeParts,
        persistence,
        onFault: (fault) => onFault(fault, 'persist'),
        fixtures: await parts.identifyFixtures(),
        onOtherFixtures(kept) {
          const notice = describeOldProjects(kept)
          if (notice !== undefined) onNotice(notice)
        },
      })
    }
    if (sharing === undefined) return createStore(storeParts)
    const { createLoggedStore } = await import('../service/state/logged-store.ts')
    return createLoggedStore({ ...storeParts, log: sharing.log, onForeign: sharing.publish })
  }

  const opened = await openStore()
  const sessions: Sessions = createSessions({
    store: opened,
    clock,
    elapsed,
    now,
    // A shared store counts the sessions of all mocks.
    max: sharing === undefined ? options.maxSessions : Infinity,
    ttl: options.sessionTtl,
    createRuleRunner: (name, elapsedInSession) =>
      createRuleRunner({ seed, elapsed: elapsedInSession, counters: sharing?.countersOf(name) }),
    createJournal: sharing?.createJournal ?? journals.open,
    createCoverage: coverage.openSession,
    findTest: runs.ofSession,
    archive,
    settled: sharing?.settled,
    onUse: sharing?.use,
    onEnd(name, cause) {
      const isFinal = cause === 'final'
      sharing?.end(name)
      // In a shared store, even a session that only read has requests and counts.
      if (opened.has(name) || (sharing !== undefined && cause === 'idle')) opened.change(name, { kind: 'end' })
      events.publish({ kind: 'state', session: name, ended: true, ...(isFinal ? { final: true } : {}) })
      events.end(name)
    },
  })
  const keepJournals = persistence?.journal && (await openSessionLines(persistence.journal, sessions, catalog))

  return {
    coverage,
    events,
    journals,
    memory,
    runs,
    sessions,
    store: archive.withArchived(opened),
    /** Absent if the mock shares nothing. */
    sharing,
    /** Ends all event streams, and resolves once everything is stored. */
    async close(): Promise<void> {
      events.end()
      await opened.close()
      await sharing?.close()
      // The data is saved already, so the mock closes even if the journals cannot be saved.
      await keepJournals?.().catch(async (fault: unknown) => {
        const { toJournalError } = await import('../service/state/kept-state.ts')
        onFault(toJournalError(persistence ?? {}, fault), 'close')
      })
    },
  }
}

// The lines that store session journals and scenario counters for a later run.

const JOURNAL_FORMAT = 'resource-mock-journal/1'

/** The header line. */
const headLine = z.strictObject({ format: z.literal(JOURNAL_FORMAT) })

/** How often each rule of a scenario has matched in a session. */
const counterLine = z.strictObject({
  session: z.string(),
  scenario: z.string(),
  seen: z.array(z.int().min(0).max(Number.MAX_SAFE_INTEGER)),
})

/** A journal entry; oldest first, whatever their sessions. */
const entryLine = z.strictObject({
  entry: z.custom<RedactedExchange>(
    (value) => z.looseObject({ id: z.string(), session: z.string() }).safeParse(value).success,
  ),
})

/** The maximum restored count. Rules do not need a higher one, and counting further would slow down startup. */
const MOST_SEEN = 1_000_000

const toTextLine = (value: object): string => `${JSON.stringify(value)}\n`

/** The journals of all sessions and their scenario counters as lines of JSON, for a later run. */
async function toSessionLines(sessions: Sessions, catalog: Catalog): Promise<readonly string[]> {
  const lines = [toTextLine({ format: JOURNAL_FORMAT })]
  for (const { name, scenarios } of sessions.all()) {
    for (const scenario of [...catalog.all(), ...scenarios.defined.values()]) {
      const seen = scenario.rules.map((rule) => scenarios.runner.counter(scenario, rule).seen)
      if (seen.some((count) => count > 0)) lines.push(toTextLine({ session: name, scenario: scenario.name, seen }))
    }
  }
  const exchanges = [...sessions.all()].flatMap(({ journal }) => journal.exchanges())
  for await (const entry of readEntries(exchanges.toSorted(byAge))) lines.push(toTextLine({ entry }))
  return lines
}

/** A session to restore; undefined if the session limit is reached. */
function findSession(name: string, sessions: Sessions): Session | undefined {
  try {
    return sessions.enter(name)
  } catch (fault) {
    if (fault instanceof Problem) return undefined
    throw fault
  }
}

/**
 * Restores a line written by {@link toSessionLines}. Skips invalid lines and those that exceed a limit, so that startup
 * does not fail.
 */
function restoreLine(text: string, sessions: Sessions, catalog: Catalog): void {
  const line = findJson(text)
  const { entry } = entryLine.safeParse(line).data ?? {}
  if (entry !== undefined) findSession(entry.session, sessions)?.journal.restore(entry, text.length)
  const { session: name, scenario: scenarioName, seen } = counterLine.safeParse(line).data ?? {}
  if (name === undefined || scenarioName === undefined || seen === undefined) return
  const session = findSession(name, sessions)
  const scenario = session?.scenarios.defined.get(scenarioName) ?? catalog.find(scenarioName)
  if (session === undefined || scenario === undefined) return
  session.scenarios.runner.restore(
    scenario,
    seen.map((count) => Math.min(count, MOST_SEEN)),
  )
}

/** Restores the journals and counters of an earlier run. Returns a function that stores those of this run. */
export async function openSessionLines(
  lines: NonNullable<Persistence['journal']>,
  sessions: Sessions,
  catalog: Catalog,
): Promise<() => Promise<void>> {
  /** Whether this version can read the header line; undefined before it has been read. */
  let isKnown: boolean | undefined
  await lines.read((text) => {
    if (isKnown === true) restoreLine(text, sessions, catalog)
    else isKnown ??= headLine.safeParse(findJson(text)).success
  })
  return async () => lines.replace(await toSessionLines(sessions, catalog))
}
