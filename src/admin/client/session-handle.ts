import { SetupError } from '../../errors.ts'
import { isJsonObject, showValue } from '../../service/http/json.ts'
import type { JournalEntry } from '../../sessions/journal/wiremock-json.ts'
import type { CoverageReport } from '../../sessions/journal/coverage-report.ts'
import type { PatternSource } from '../../sessions/journal/patterns.ts'
import type { ScenarioDefinition } from '../../service/scenarios/schema.ts'
import type { TestInfo, TestOutcome } from '../../sessions/session-test.ts'
import type { ResourceRecord } from '../../service/state/records.ts'

/** What a session starts its test with, in addition to the test itself. */
export interface TestSetup {
  /** The names of the active scenarios, as for `use`. Default: those of the mock. */
  readonly scenarios?: readonly string[] | undefined
  /** Sets the session's clock to a time (ISO 8601 with an offset, or a `Date`), or moves it by a duration such as `2h`. */
  readonly clock?: { readonly now: string | Date } | { readonly advance: string | number } | undefined
}

/** The outcome of a test, and what happens to its session. */
export interface TestReport extends TestOutcome {
  /** Whether to return the session's coverage. Default false. */
  readonly coverage?: boolean | undefined
  /** Ends the session: `deleted`, as by `close`, or `final`, so that later requests cannot start it again. */
  readonly end?: 'deleted' | 'final' | undefined
}

/** What the mock knows of a reported test. */
export interface ReportedTest {
  /** Names the session, even after its end: `?session=worker-1~5f0c1d2e`. */
  readonly id: string
  /** The number of its requests. */
  readonly requests: number
  /** The number of its requests with an error or a broken connection. */
  readonly failures: number
  /** If the report asked for it. */
  readonly coverage?: CoverageReport
  /** The id of the latest request that named no session, in the session `default`. */
  readonly latestDefaultRequest?: string
}

/** A named snapshot of a session's data, kept by the mock. */
export interface SnapshotInfo {
  readonly name: string
  /** ISO 8601, from the mock's clock. */
  readonly takenAt: string
  /** The number of projects with changed data. */
  readonly projects: number
}

/** The writer of a version of a resource. `request` is the id of a journal entry, if the journal still has it. */
export type VersionWriter =
  /** A request to the service. */
  | { readonly kind: 'request'; readonly correlationId: string; readonly request?: string }
  /** A scenario's other writer, and the request that it preceded. */
  | { readonly kind: 'scenario'; readonly scenario: string; readonly correlationId: string; readonly request?: string }
  /** The admin API, the dashboard or this library, with the time in ISO 8601. */
  | { readonly kind: 'admin'; readonly time: string }

/** One version of a resource. */
export interface ResourceVersion {
  /** For a removed resource: its last version. */
  readonly version: number
  /** `fixture`: the version before the session's first write; `removed`: the resource was removed. */
  readonly kind: 'fixture' | 'put' | 'removed'
  /** ISO 8601; for a removed resource: when its last version was written. */
  readonly lastModifiedAt: string
  /** Absent if the resource was removed. */
  readonly resource?: ResourceRecord
  /** Absent for fixtures. */
  readonly writer?: VersionWriter
  /** The snapshot that was restored, and when (ISO 8601), if the history starts with that. */
  readonly restored?: { readonly snapshot: string; readonly time: string }
}

/** A session's clock. Each method resolves to its time in ISO 8601. */
export interface ClockHandle {
  now(): Promise<string>
  /**
   * Moves the clock forward: tokens expire, `Retry-After` passes.
   *
   * @param time a duration such as `2h`, `90s` or `500ms`, or milliseconds
   * @throws {SetupError} for anything else.
   */
  advance(time: string | number): Promise<string>
  /**
   * Sets the clock to a time, from which it continues.
   *
   * @param now ISO 8601 with an offset, or a `Date`
   * @throws {SetupError} for anything else.
   */
  set(now: string | Date): Promise<string>
  /** Returns to the mock's clock. */
  reset(): Promise<string>
}

/** A project of a session: its key, and the region and cloud provider if its base URL contains them. */
export interface ProjectPlace {
  readonly projectKey: string
  readonly region?: string
  readonly cloudProvider?: string
}

/**
 * A session of a mock: an isolated copy of all mutable state. Parallel tests each use one, with a unique name. The first
 * use of its name creates it from the fixtures; until then it costs nothing.
 *
 * If the mock rejects a call, it throws a `SetupError` whose message gives the cause and the remedy.
 *
 * @example
 * const session = mock.session('worker-1')
 * await session.use('conflict-once')
 * await session.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
 * const [request] = await session.requests({ method: 'GET' })
 * request?.response.status // 200
 * await session.close()
 */
export interface SessionHandle {
  readonly name: string
  /**
   * The base URL of this session, for an app with a configurable API URL: `http://mock/@worker-1`, or below the URL of the
   * server that serves the mock.
   */
  readonly url: string
  /**
   * The clock of this session, which a test can change; `reset` restores it.
   *
   * @example await session.clock.advance('2h')
   */
  readonly clock: ClockHandle
  /**
   * Sends a request in this session and returns the response like `fetch`; rejects on a network fault from a scenario.
   *
   * @param input a path of the mock, such as `/acme/resource`, or any input of `fetch`
   * @example await session.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /**
   * Replaces the active scenarios and restarts their counters. Scenarios stack in this order; without arguments, none are
   * active.
   *
   * @param scenarios names, or definitions as in scenario files
   * @throws {SetupError} for an unknown name ("did you mean") or an invalid definition; the active scenarios stay
   * unchanged.
   * @example await session.use('slow', 'conflict-once')
   * @example
   * await session.use({ rules: [{ match: { operation: 'getResourceById' }, effect: { answer: { status: 500 } } }] })
   */
  use(...scenarios: readonly (string | ScenarioDefinition)[]): Promise<void>
  /** Resets everything: data, scenarios and their counters, clock, journal. Snapshots are kept. */
  reset(): Promise<void>
  /**
   * Returns the journal's requests that match a WireMock pattern, oldest first, each with its response; without a pattern,
   * all of them. Requests to the admin API are not recorded.
   *
   * @throws {SetupError} for an invalid pattern.
   * @example
   * const [created] = await session.requests({ method: 'POST', urlPathPattern: '/[^/]+/resource' })
   * JSON.parse(created.body).key // 'linen-shirt'
   */
  requests(pattern?: PatternSource): Promise<JournalEntry[]>
  /**
   * Returns the requests that match a pattern and whose client left before it had the whole response, oldest first: the app
   * cancelled them, or its time limit passed. One that changed the data all the same has `tookEffect`.
   *
   * @throws {SetupError} for an invalid pattern.
   * @example
   * await vi.waitFor(async () => expect(await session.findCancelled({ operation: 'searchResources' })).toHaveLength(1))
   */
  findCancelled(pattern?: PatternSource): Promise<JournalEntry[]>
  /**
   * Saves the current data of all projects, including images. A session can have 100 snapshots.
   *
   * @param name 1 to 64 of `[A-Za-z0-9._-]`; an existing snapshot of this name is replaced. Default: a new name.
   * @example
   * const snapshot = await session.snapshot()
   * // … changes …
   * await session.restore(snapshot)
   */
  snapshot(name?: string): Promise<SnapshotInfo>
  /**
   * Restores the data of a snapshot of this session. Scenarios and journal stay unchanged.
   *
   * @throws {SetupError} if the session does not have the snapshot.
   */
  restore(snapshot: SnapshotInfo | string): Promise<void>
  /**
   * Replaces all resources of the session, in every project, as a fixture file `resources.json` would: each project starts
   * with these resources only. With `place`, replaces those of one project. Earlier uploads and changes are lost; `reset`
   * restores the fixtures.
   *
   * A record is a draft (`key`, `objectTypeProperty`), an entry of `results` from a response, or anything in between.
   * Defaults: `id` is the record's position as a UUID (`00000000-0000-4000-8000-000000000001` is the first), `version` 1,
   * `createdAt` 2024-01-01T00:00:00.000Z, and `lastModifiedAt` the same as `createdAt`.
   *
   * @throws {SetupError} for an invalid record, or a duplicate id or key; nothing is changed then.
   * @example await session.seed([{ key: 'linen-shirt', objectTypeProperty: { arrayOfStringExample: ['linen'] } }])
   * @example await session.seed([], { projectKey: 'acme' })
   */
  seed(records: readonly ResourceRecord[], place?: ProjectPlace): Promise<void>
  /**
   * Returns the versions of a resource, newest first, up to the last 100. A reset, a restored snapshot or a replaced
   * project restarts the history.
   *
   * @param place its project. Default: the only project in which it was written.
   * @throws {SetupError} for a resource that never existed, or that exists in several projects.
   * @example
   * const [latest] = await session.versions('df3775a4-90ef-4965-b751-d48698f3949f', { projectKey: 'acme' })
   * latest?.writer?.kind // 'request'
   */
  versions(id: string, place?: ProjectPlace): Promise<ResourceVersion[]>
  /**
   * Returns which parts of the contract the session's requests covered since it started or since `DELETE
   * /__admin/coverage`, however many requests the journal keeps. `reset` does not clear it.
   *
   * @example
   * const { recoveries } = await session.coverage()
   * recoveries.find(({ kind }) => kind === 'conflict')?.recovered // 1
   */
  coverage(): Promise<CoverageReport>
  /**
   * Reports that the session belongs to a test: once when the test starts, and again with its outcome. What the session saw
   * then stays readable on the dashboard, and with `GET /__admin/runs`. One request also activates scenarios and sets the
   * clock, or returns the coverage and ends the session.
   *
   * @throws {SetupError} for a malformed test, scenario or time, or if the session belongs to another test.
   * @example
   * const test = { run: 'nightly-17', title: ['shop', 'saves'], file: 'shop.test.ts', line: 12 }
   * await session.test(test, { scenarios: ['conflict-once'] })
   * // … the test …
   * await session.test(test, { status: 'passed', duration: 250, end: 'deleted' })
   */
  test(info: TestInfo, report?: TestSetup | TestReport): Promise<ReportedTest>
  /** Deletes the session with all its data. The next use of its name creates it again. */
  close(): Promise<void>
}

// Checks the arguments of a session's methods, for callers without TypeScript.

/** @throws {SetupError} if an argument is neither a scenario name nor a definition. */
export function expectScenarioList(value: readonly unknown[]): void {
  const wrong = value.findIndex((one) => typeof one !== 'string' && !isJsonObject(one))
  if (wrong === -1) return
  const remedy = Array.isArray(value[wrong])
    ? 'Spread the array'
    : 'Pass names, or no arguments to deactivate all scenarios'
  throw new SetupError(
    `use() got ${showValue(value[wrong])}, which is not a scenario. ${remedy}: use('slow', 'conflict').`,
  )
}

/**
 * Checks that it is a list. The mock itself validates the records.
 *
 * @throws {SetupError} for anything else.
 */
export function expectRecordList(value: unknown): void {
  if (Array.isArray(value)) return
  throw new SetupError(
    `seed() got ${showValue(value)}, which is not an array of records. Pass one such as [{ key: 'hat', objectTypeProperty: {} }], or [] for none.`,
  )
}

/** @throws {SetupError} for an invalid project. */
export function expectPlace(value: unknown): void {
  if (isJsonObject(value) && 'projectKey' in value && typeof value.projectKey === 'string') return
  throw new SetupError(
    `seed() got the project ${showValue(value)}. Pass { projectKey: 'acme' }, or omit it to seed all projects.`,
  )
}

/**
 * Returns the name of a snapshot, from its name or the result of `snapshot`.
 *
 * @throws {SetupError} for anything else.
 */
export function toSnapshotName(value: unknown): string {
  if (typeof value === 'string') return value
  if (isJsonObject(value) && 'name' in value && typeof value.name === 'string') return value.name
  throw new SetupError(
    `restore() got ${showValue(value)}, which is not a snapshot. Pass the result of snapshot(), or its name.`,
  )
}
