import { SetupError } from '../errors.ts'
import { isJsonObject, showValue } from '../http/json.ts'
import type { JournaledRequest } from '../journal/wiremock-json.ts'
import type { CoverageReport } from '../journal/coverage-report.ts'
import type { PatternSource } from '../journal/patterns.ts'
import type { ScenarioDefinition } from '../scenarios/schema.ts'
import type { ResourceRecord } from '../state/records.ts'

/** A copy of a session's data that the mock keeps, by its name. */
export interface SnapshotInfo {
  readonly name: string
  /** ISO 8601, by the mock's clock. */
  readonly takenAt: string
  /** How many projects had data of their own. */
  readonly projects: number
}

/** Who wrote a version of a resource. `request` is the id of a journal entry, as long as the journal keeps it. */
export type VersionWriter =
  /** A request of the service. */
  | { readonly kind: 'request'; readonly correlationId: string; readonly request?: string }
  /** The other writer of a scenario, and the request that it came before. */
  | { readonly kind: 'scenario'; readonly scenario: string; readonly correlationId: string; readonly request?: string }
  /** The admin API, the dashboard or this library, and when, ISO 8601. */
  | { readonly kind: 'admin'; readonly time: string }

/** A version that a resource had. */
export interface ResourceVersion {
  /** For a resource that was removed: its last one. */
  readonly version: number
  /** `fixture`: what it was before the session first wrote it, `removed`: it was removed. */
  readonly kind: 'fixture' | 'put' | 'removed'
  /** ISO 8601; for a resource that was removed: of its last version. */
  readonly lastModifiedAt: string
  /** Absent for a resource that was removed. */
  readonly resource?: ResourceRecord
  /** Absent for fixtures. */
  readonly writer?: VersionWriter
}

/** The clock of a session. Each resolves to its time, ISO 8601. */
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
   * Sets the clock to a time, from which it goes on.
   *
   * @param now ISO 8601 with an offset, or a `Date`
   * @throws {SetupError} for anything else.
   */
  set(now: string | Date): Promise<string>
  /** Goes back to the clock of the mock. */
  reset(): Promise<string>
}

/** One project of a session: its key, and the region and cloud provider where its base URL has them. */
export interface ProjectPlace {
  readonly projectKey: string
  readonly region?: string
  readonly cloudProvider?: string
}

/**
 * One session of a mock: an isolated copy of everything that changes. Tests that run side by side each take one, by a
 * name of their own. It begins at its first mention, from the fixtures, and costs nothing until then.
 *
 * Whatever the mock refuses is a `SetupError`, whose sentence says what, and what to do instead.
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
   * The base URL of this session, for an app that takes its API's address from configuration: `http://mock/@worker-1`,
   * or under the address of the server that serves the mock.
   */
  readonly url: string
  /**
   * The clock of this session, which a test can move; `reset` puts it back.
   *
   * @example await session.clock.advance('2h')
   */
  readonly clock: ClockHandle
  /**
   * Sends a request as this session, and answers as `fetch` would; a network fault of a scenario rejects.
   *
   * @param input a path of the mock, such as `/acme/resource`, or what `fetch` takes
   * @example await session.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /**
   * Makes these scenarios the active ones, in the place of those that were, and their counters start again. They stack in
   * this order; without any, nothing is bent.
   *
   * @param scenarios names, or definitions as scenario files have them
   * @throws {SetupError} for an unknown name ("did you mean") or a definition that is none; what was active stays.
   * @example await session.use('slow', 'conflict-once')
   * @example
   * await session.use({ rules: [{ match: { operation: 'getResourceById' }, effect: { answer: { status: 500 } } }] })
   */
  use(...scenarios: readonly (string | ScenarioDefinition)[]): Promise<void>
  /** Puts all back to the start: data, scenarios and their counters, clock, journal. Snapshots stay. */
  reset(): Promise<void>
  /**
   * The requests of the journal that a pattern of WireMock's holds for, the oldest first, each with its answer; without
   * a pattern all of them. Those that are sent to the admin API are not kept.
   *
   * @throws {SetupError} for a pattern that is none.
   * @example
   * const [created] = await session.requests({ method: 'POST', urlPathPattern: '/[^/]+/resource' })
   * JSON.parse(created.body).key // 'linen-shirt'
   */
  requests(pattern?: PatternSource): Promise<JournaledRequest[]>
  /**
   * Keeps the data as they are now, all projects and images. At most 100 a session.
   *
   * @param name 1 to 64 of `[A-Za-z0-9._-]`; one that is there already is replaced. Default: one that is new.
   * @example
   * const snapshot = await session.snapshot()
   * // … changes …
   * await session.restore(snapshot)
   */
  snapshot(name?: string): Promise<SnapshotInfo>
  /**
   * Brings the data back to a snapshot of this session. Scenarios and journal stay as they are.
   *
   * @throws {SetupError} for a snapshot that the session does not have.
   */
  restore(snapshot: SnapshotInfo | string): Promise<void>
  /**
   * Puts these resources in the place of all that the session has, in every project, as a fixture file `resources.json`
   * would: each project starts with them, and with nothing else. With a place, in that project alone. What was
   * uploaded or posted there before is gone; `reset` goes back to the fixtures.
   *
   * A record is a draft (`key`, `objectTypeProperty`), an entry of `results` as the mock answers it, or anything between:
   * left out, `id` is the record's place as a UUID (`00000000-0000-4000-8000-000000000001` is the first), `version` 1,
   * `createdAt` 2024-01-01T00:00:00.000Z, and `lastModifiedAt` the same as `createdAt`.
   *
   * @throws {SetupError} for a record that is none, or an id or key that two share; nothing is changed then.
   * @example await session.seed([{ key: 'linen-shirt', objectTypeProperty: { arrayOfStringExample: ['linen'] } }])
   * @example await session.seed([], { projectKey: 'acme' })
   */
  seed(records: readonly ResourceRecord[], place?: ProjectPlace): Promise<void>
  /**
   * The versions that a resource had, newest first: at most the last 100. A reset, a restored snapshot or a replaced project starts
   * the history again.
   *
   * @param place its project. Default: the only project in which it was written.
   * @throws {SetupError} for a resource that never existed, or that several projects have.
   * @example
   * const [latest] = await session.versions('df3775a4-90ef-4965-b751-d48698f3949f', { projectKey: 'acme' })
   * latest?.writer?.kind // 'request'
   */
  versions(id: string, place?: ProjectPlace): Promise<ResourceVersion[]>
  /**
   * What of the contract the requests of this session met since it began or since `DELETE /__admin/coverage`, however many the
   * journal keeps. `reset` does not clear it.
   *
   * @example
   * const { recoveries } = await session.coverage()
   * recoveries.find(({ kind }) => kind === 'conflict')?.recovered // 1
   */
  coverage(): Promise<CoverageReport>
  /** Ends the session: all that it has is gone. It begins again at its next mention. */
  close(): Promise<void>
}

// What the methods of a session were given, for callers without a compiler that holds them to it.

/** @throws {SetupError} for what is neither the name of a scenario nor a definition of one. */
export function expectScenarios(given: readonly unknown[]): void {
  const wrong = given.findIndex((one) => typeof one !== 'string' && !isJsonObject(one))
  if (wrong === -1) return
  const remedy = Array.isArray(given[wrong]) ? 'Pass its members one by one' : 'Pass names, or nothing for none'
  throw new SetupError(
    `use() got ${showValue(given[wrong])}, which is not a scenario. ${remedy}: use('slow', 'conflict').`,
  )
}

/** @throws {SetupError} for what is no list of records. What each has to be, the mock says. */
export function expectRecords(given: unknown): void {
  if (Array.isArray(given)) return
  throw new SetupError(
    `seed() got ${showValue(given)}, which is not an array of records. Pass one such as [{ key: 'hat', objectTypeProperty: {} }], or [] for none.`,
  )
}

/** @throws {SetupError} for what names no project. */
export function expectPlace(given: unknown): void {
  if (isJsonObject(given) && 'projectKey' in given && typeof given.projectKey === 'string') return
  throw new SetupError(
    `seed() got the project ${showValue(given)}. Pass { projectKey: 'acme' }, or leave it out to seed all projects.`,
  )
}

/**
 * The name of a snapshot, which is given by it or as `snapshot` gave it.
 *
 * @throws {SetupError} for what is neither.
 */
export function toSnapshotName(given: unknown): string {
  if (typeof given === 'string') return given
  if (isJsonObject(given) && 'name' in given && typeof given.name === 'string') return given.name
  throw new SetupError(
    `restore() got ${showValue(given)}, which is not a snapshot. Pass what snapshot() returned, or its name.`,
  )
}
