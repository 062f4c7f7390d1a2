import { FURTHEST, toKeptTime } from '../service/state/change.ts'
import { Problem, problem } from '../errors.ts'
import { stringifyJson } from '../service/http/json.ts'
import type { SessionCoverage } from './journal/counts.ts'
import type { Journal } from './journal/journal.ts'
import type { ScenarioState } from '../service/scenarios/engine.ts'
import { parseDefinition } from '../service/scenarios/load.ts'
import { createFindUseless } from '../service/scenarios/match.ts'
import type { RuleCounters, RuleRunner } from '../service/scenarios/rule-runner.ts'
import type { Scenario } from '../service/scenarios/schema.ts'
import type { StoredScenario } from '../service/state/change.ts'
import type { ScenarioSelection, Snapshot } from '../service/state/state-data.ts'
import type { Store } from '../service/state/store.ts'
import { BoundedMap, memoizeLast } from '../util/collections.ts'
import type { SessionTest } from './session-test.ts'
import type { Events } from './events.ts'
import type { SharedPart } from './shared-part.ts'
import type { OpenSharedStore } from './shared-store.ts'
import { DEFAULT_SESSION, expectName, expectEndable } from './session-names.ts'

/** The dependencies of one session. */
export interface SessionParts {
  readonly store: Pick<Store, 'snapshots' | 'scenarioSelection' | 'clock' | 'change'>
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** @param counters absent if no other mock shares the session */
  readonly createRuleRunner: (elapsed: () => number, counters: RuleCounters | undefined) => RuleRunner
  readonly createJournal: (session: string) => Journal
  readonly createCoverage: (session: string) => SessionCoverage
  /** Absent if no other mock shares the sessions. */
  readonly shared?: { readonly openPart: (session: string, passed: () => number) => SharedPart } | undefined
  readonly findTest: (session: string) => SessionTest | undefined
}

/** What is to be archived of a session that is about to end. */
export interface Captured {
  /**
   * Archives it in a shared store, if there is one. Called before the store deletes the session, so that a client can repeat
   * a deletion that fails.
   */
  readonly share: () => Promise<void> | undefined
  /** Archives it in this mock. Called when the memory of the session is freed. */
  readonly archive: () => void
}

/** The dependencies of all sessions. */
interface SessionsParts extends SessionParts {
  readonly store: SessionParts['store'] & Pick<Store, 'has' | 'sessions'>
  readonly shared?: (SessionParts['shared'] & Pick<OpenSharedStore, 'use' | 'end'>) | undefined
  readonly events: Pick<Events, 'publish' | 'end'>
  readonly archive: {
    /** Collects what to archive of a session that is about to end; undefined if there is nothing to archive. */
    readonly capture: (session: Session) => Captured | undefined
    /** Finds a session that has ended. */
    readonly find: (name: string) => Session | undefined
    /** The name of a session that exists, by the id of its test. */
    readonly findName: (id: string) => string | undefined
  }
  /** Real time in epoch milliseconds: sessions become idle even if the mock's clock is frozen. */
  readonly now: () => number
  /**
   * The session limit. When it is exceeded, the longest idle session ends: first those that never wrote, then those idle
   * for at least `ttl`.
   */
  readonly max: number
  /** In milliseconds. */
  readonly ttl: number
}

/** Why a session ends: idle when another one starts, or deleted, permanently or until its next use. */
export type EndCause = 'idle' | 'deleted' | 'final'

/** The clock of a session: the mock's clock until a test moves it. */
function createSessionClock(session: string, { store, clock, elapsed }: SessionParts) {
  return {
    /** Epoch milliseconds. */
    now: () => toKeptTime(clock() + store.clock(session).offset),
    /** Milliseconds of a monotonic clock. Moves forward count as elapsed time. */
    elapsed: () => elapsed() + store.clock(session).passed,
    /** Moves the clock to a time in epoch milliseconds; it continues from there. */
    set(time: number) {
      const { offset: before, passed } = store.clock(session)
      const offset = time - clock()
      store.change(session, {
        kind: 'clock',
        offset,
        passed: Math.min(FURTHEST, passed + Math.max(0, offset - before)),
      })
    },
    /** Resets to the mock's clock. */
    reset() {
      const { offset, passed } = store.clock(session)
      if (offset !== 0) store.change(session, { kind: 'clock', offset: 0, passed })
    },
  }
}

/** A request that waits before it is served. */
export interface WaitingRequest {
  /** Called once the request is recorded. */
  onRecorded?: (() => void) | undefined
}

/** One isolated copy of all mutable state. Its parts are created on first use, so an idle session uses almost no memory. */
export class Session {
  readonly name: string
  /** Epoch milliseconds. */
  lastUsedAt: number
  readonly #parts: SessionParts
  #clock: ReturnType<typeof createSessionClock> | undefined
  #scenarios: ScenarioState | undefined
  #journal: Journal | undefined
  #coverage: SessionCoverage | undefined
  #shared: SharedPart | undefined
  readonly #waiting = new Map<WaitingRequest, () => void>()
  /** Counts how often its requests were interrupted. */
  era = 0
  /** Why, the last time. */
  interruption: 'was reset' | 'ended' = 'was reset'
  /** Whether it has ended; its last requests may still be served. */
  hasEnded = false

  constructor(name: string, now: number, parts: SessionParts) {
    this.name = name
    this.lastUsedAt = now
    this.#parts = parts
  }

  get clock(): ReturnType<typeof createSessionClock> {
    return (this.#clock ??= createSessionClock(this.name, this.#parts))
  }

  get scenarios(): ScenarioState {
    return (this.#scenarios ??= createScenarioState(this, this.#parts))
  }

  /** What it has in common with the session of that name in other mocks; undefined if no other mock shares it. */
  get shared(): SharedPart | undefined {
    return (this.#shared ??= this.#parts.shared?.openPart(this.name, () => this.#parts.store.clock(this.name).passed))
  }

  /** Its most recent exchanges. */
  get journal(): Journal {
    return (this.#journal ??= this.shared?.journal ?? this.#parts.createJournal(this.name))
  }

  /** The coverage of its requests. */
  get coverage(): SessionCoverage {
    return (this.#coverage ??= this.shared?.coverage ?? this.#parts.createCoverage(this.name))
  }

  /** By name, oldest first. */
  get snapshots(): ReadonlyMap<string, Snapshot> {
    return this.#parts.store.snapshots(this.name)
  }

  /** The test that it belongs to. */
  get test(): SessionTest | undefined {
    return this.#parts.findTest(this.name)
  }

  /** Whether it has ended, and is only read. Its name is then the id of its test. */
  get isArchived(): boolean {
    return this.test?.ended !== undefined
  }

  /**
   * Resolves once a shared store has everything of the session, and rejects if a write could not be stored; undefined if
   * there is nothing to wait for.
   */
  settled(): Promise<void> | undefined {
    return this.#shared?.settled()
  }

  /** Calls a function if the session is interrupted while a request waits; returns a function that removes it. */
  onInterrupt(request: WaitingRequest, wake: () => void): () => void {
    this.#waiting.set(request, wake)
    return () => void this.#waiting.delete(request)
  }

  /** Ends the waits of its requests, and refuses the writes of all before. Resolves once those that waited are recorded. */
  async interrupt(interruption: Session['interruption']): Promise<void> {
    this.era += 1
    this.interruption = interruption
    await Promise.all(
      Array.from(
        this.#waiting,
        ([request, wake]) =>
          new Promise<void>((resolve) => {
            request.onRecorded = resolve
            wake()
          }),
      ),
    )
  }

  /** Frees everything except the data. */
  end(): void {
    this.hasEnded = true
    this.journal.release()
  }
}

const scenarioOf = new WeakMap<StoredScenario, Scenario | undefined>()

/** The scenario as stored in the state. */
export function toStoredScenario(scenario: Scenario): StoredScenario {
  const { title, description, rules } = scenario
  const stored = { text: stringifyJson({ ...(title === undefined ? {} : { title }), description, rules }) }
  scenarioOf.set(stored, scenario)
  return stored
}

/** Converts a stored scenario; undefined if this version cannot read it. */
function findScenario(name: string, stored: StoredScenario): Scenario | undefined {
  if (scenarioOf.has(stored)) return scenarioOf.get(stored)
  let scenario: Scenario | undefined
  try {
    // Its paths were checked when it was defined.
    scenario = parseDefinition(name, stored.text, createFindUseless(true))
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
  }
  scenarioOf.set(stored, scenario)
  return scenario
}

function readDefined(defined: ScenarioSelection['defined']): ReadonlyMap<string, Scenario> {
  const read = new Map<string, Scenario>()
  for (const [name, stored] of defined) {
    const scenario = findScenario(name, stored)
    if (scenario !== undefined) read.set(name, scenario)
  }
  return read
}

function createScenarioState(session: Session, { store, createRuleRunner }: SessionParts): ScenarioState {
  const { name } = session
  const readOwn = memoizeLast(readDefined)
  let runner: RuleRunner | undefined
  return {
    get active() {
      return store.scenarioSelection(name).active
    },
    get defined() {
      return readOwn(store.scenarioSelection(name).defined)
    },
    get runner() {
      return (runner ??= createRuleRunner(session.clock.elapsed, session.shared?.counters))
    },
  }
}

/** The 503 for a session past the limit. */
export const tooManySessions = (name: string, { max, ttl }: { readonly max: number; readonly ttl: number }): Problem =>
  problem.overCapacity(
    `Session limit (${max}) reached: session "${name}" cannot start, because all others were used in the last ${ttl / 1000} s. Delete one, or start the mock with a larger --max-sessions or a shorter --session-ttl.`,
  )

/** How many names of permanently deleted sessions are remembered; later requests to older ones are rare. */
const MOST_ENDED = 10_000

export type Sessions = ReturnType<typeof createSessions>

/** Creates the sessions of a mock, starting with those in the store. */
export function createSessions(parts: SessionsParts) {
  const { store, archive, max, ttl, now, shared, events } = parts
  const sessions = new Map<string, Session>()
  /** The names of permanently deleted sessions. */
  const ended = new BoundedMap<string, true>(MOST_ENDED)
  for (const name of store.sessions()) sessions.set(name, new Session(name, now(), parts))

  function findIdlest(mayEnd: (session: Session) => boolean): Session | undefined {
    let idlest: Session | undefined
    for (const session of sessions.values()) {
      // The default session is shared by everyone and never ends automatically.
      if (session.name === DEFAULT_SESSION || !mayEnd(session)) continue
      if (idlest === undefined || session.lastUsedAt < idlest.lastUsedAt) idlest = session
    }
    return idlest
  }

  /** Frees everything of a session except its data. */
  function free(name: string, cause: EndCause): void {
    const session = sessions.get(name)
    session?.end()
    // A request of an idle session may start it again.
    if (cause !== 'idle') void session?.interrupt('ended')
    sessions.delete(name)
    if (cause === 'final') ended.set(name, true)
  }

  function publishEnd(name: string, cause: EndCause): void {
    events.publish({ kind: 'state', session: name, ended: true, ...(cause === 'final' ? { final: true } : {}) })
    events.end(name)
  }

  /** Collects what to archive of a session that is about to end, before its data is deleted. */
  function capture(name: string): Captured | undefined {
    const session = sessions.get(name)
    return session && archive.capture(session)
  }

  /**
   * Ends a session. With the cause `final`, also one that has not started: its name cannot be used again (D90). Returns
   * whether one ended.
   *
   * @param captured from {@link capture}, if its data is already deleted
   * @throws {Problem} 400 for a permanent end of an invalid name or of the default session, which everyone shares.
   */
  function end(name: string, cause: EndCause = 'deleted', captured = capture(name)): boolean {
    if (cause === 'final') expectEndable(name)
    else if (!sessions.has(name)) return false
    free(name, cause)
    shared?.end(name)
    // In a shared store, even a session that only read has requests and counts.
    if (store.has(name) || (shared !== undefined && cause === 'idle')) store.change(name, { kind: 'end' })
    publishEnd(name, cause)
    // Reported to the requests that wait for the store.
    captured?.share()?.catch(() => undefined)
    captured?.archive()
    return true
  }

  /** Ends the longest idle session if it was idle for at least `ttl`. Returns whether one ended. */
  function endIdlest(): boolean {
    const idlest = findIdlest((session) => now() - session.lastUsedAt >= ttl)
    return idlest !== undefined && end(idlest.name, 'idle')
  }

  /** @throws {Problem} 400 for the name of a session that was permanently deleted. */
  function expectOpen(name: string): void {
    if (!ended.has(name)) return
    throw problem.invalidInput(
      `The session "${name}" was permanently deleted (DELETE with final=true). Use another name.`,
    )
  }

  function use(name: string): Session | undefined {
    const known = sessions.get(name)
    if (known === undefined) return undefined
    known.lastUsedAt = now()
    shared?.use(name)
    return known
  }

  function create(name: string): Session {
    expectName(name, 'session')
    expectOpen(name)
    return new Session(name, now(), parts)
  }

  /**
   * Returns the session with that name, and starts it on first use.
   *
   * @throws {Problem} 400 for an invalid name or a permanently deleted session, 503 if the session limit is reached.
   */
  function enter(name: string): Session {
    const known = use(name)
    if (known !== undefined) return known
    const session = create(name)
    if (sessions.size >= max && name !== DEFAULT_SESSION) {
      // A session that only read loses just its journal, so a crawler with a thousand names cannot lock anyone out.
      const reader = findIdlest((one) => !store.has(one.name))
      if (reader !== undefined) end(reader.name, 'idle')
      else if (!endIdlest()) throw tooManySessions(name, parts)
    }
    sessions.set(name, session)
    shared?.use(name)
    return session
  }

  return {
    enter,
    expectOpen,
    /**
     * Returns the session for a read-only request. A session that has not started looks like a new one and is not started,
     * except the default session, which always exists. An ended session that belonged to a test is read from the archive. The id of a test names its session, too.
     *
     * @throws {Problem} 400 for an invalid name or a permanently deleted session.
     */
    peek: (name: string): Session =>
      name === DEFAULT_SESSION
        ? enter(name)
        : (use(archive.findName(name) ?? name) ?? archive.find(name) ?? create(name)),
    /** Finds a started session without counting as a use. */
    find: (name: string) => sessions.get(name),
    all: (): IterableIterator<Session> => sessions.values(),
    capture,
    end,
    endIdlest,
    /** Adds a session that was used at another mock at that time, in epoch milliseconds. */
    learn(name: string, usedAt: number): void {
      const known = sessions.get(name)
      if (known !== undefined) known.lastUsedAt = Math.max(known.lastUsedAt, usedAt)
      else if (!ended.has(name)) sessions.set(name, new Session(name, usedAt, parts))
    },
    /** Ends a session here that another mock has ended. */
    endHere(name: string, cause: EndCause): void {
      free(name, cause)
      publishEnd(name, cause)
    },
  }
}
