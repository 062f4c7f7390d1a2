import { Problem, SetupError } from '../../errors.ts'
import { SCENARIO_NAME } from '../../service/scenarios/schema.ts'
import { EVERY_PROJECT } from '../../service/state/project-data.ts'
import { createAdminClient, createMockFetch, pathOf, toOtherProgram } from './admin-client.ts'
import { expectFetch } from '../../util/expect-fetch.ts'
import { ADMIN_PATH } from '../../service/http/request-head.ts'
import { createAdminSend, sendByFetch } from './reach.ts'
import type { Send } from './reach.ts'
import { expectPlace, expectRecordList, expectScenarioList, toSnapshotName } from './session-handle.ts'
import type { ProjectPlace, ReportedTest, ResourceVersion, SessionHandle, SnapshotInfo } from './session-handle.ts'
import { expectName } from '../../sessions/session-names.ts'
import { showValue } from '../../service/http/json.ts'
import type { CoverageReport } from '../../sessions/journal/coverage-report.ts'
import type { JournalEntry } from '../../sessions/journal/wiremock-json.ts'
import type { PatternSource } from '../../sessions/journal/patterns.ts'
import type { ScenarioDefinition } from '../../service/scenarios/schema.ts'

/** @throws {SetupError} for an invalid scenario name. */
function nameOfDefinition({ name }: ScenarioDefinition, index: number): string {
  if (name === undefined) return `inline-${index + 1}`
  if (SCENARIO_NAME.test(name)) return name
  throw new SetupError(
    `Invalid scenario name ${JSON.stringify(name.slice(0, 100))}. Use 1 to 64 letters, digits, ".", "_" and "-", or omit the name.`,
  )
}

/** The admin API path of a project's state. */
function toStatePath({ projectKey, ...base }: ProjectPlace): string {
  const query = new URLSearchParams(base)
  return `${pathOf('state', projectKey)}${query.size === 0 ? '' : `?${query}`}`
}

/** Shortens an error position: a state that consists only of records needs no path in front of the record. */
function toRecordsFault(fault: unknown): unknown {
  if (!(fault instanceof SetupError)) return fault
  const sentence = fault.message.replace(/^Malformed state: (?:projects\[0\]\.resources)?/, 'Malformed records: ')
  return sentence === fault.message ? fault : new SetupError(sentence)
}

/** The number of requests that are read at a time. */
const PAGE_SIZE = 250

const snapshotPath = (name: string): string => pathOf('snapshots', name)

/**
 * Creates a session handle. It uses the admin API, so that local and remote mocks behave the same (D70).
 *
 * @throws {SetupError} for an invalid session name.
 */
export function createSessionClient(parts: {
  readonly name: string
  /** The mock's URL without a trailing slash. */
  readonly baseUrl: () => string
  /** The token of the admin API. */
  readonly token?: string | undefined
  /** Sends a request in the session. */
  readonly send: Send
  /** Sends a request to the admin API. */
  readonly sendAdmin: Send
  readonly newId: () => string
}): SessionHandle {
  const { name, baseUrl, token, send, sendAdmin, newId } = parts
  if (typeof name !== 'string') throw new SetupError(`Invalid session name ${String(name)}. Pass a string.`)
  try {
    expectName(name, 'session')
  } catch (fault) {
    throw fault instanceof Problem ? new SetupError(fault.message) : fault
  }
  const clientOf = (session?: string) => createAdminClient({ baseUrl: baseUrl(), token, send: sendAdmin, session })
  const sendToAdmin = (method: string, path: string, body?: unknown) => clientOf(name).send(method, path, body)

  async function define(definition: ScenarioDefinition, index: number): Promise<string> {
    const { name: _path, description = 'Given to use()', ...scenario } = definition
    const name = nameOfDefinition(definition, index)
    await sendToAdmin('PUT', `/scenarios/${name}`, { description, ...scenario })
    return name
  }

  async function askClock(method: string, body?: unknown): Promise<string> {
    // The response type of src/admin/api/clock.ts.
    const { now } = (await sendToAdmin(method, '/clock', body)) as { readonly now: string }
    return now
  }

  async function requests(pattern: PatternSource = {}): Promise<JournalEntry[]> {
    const found: JournalEntry[] = []
    // A page at a time, so that a long journal does not block the process of a test.
    for (let rest = true; rest;) {
      const last = found.at(-1)
      const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(last && { before: last.id }) })
      // The response type of src/admin/api/requests.ts.
      const { requests: page } = (await sendToAdmin('POST', `/requests/find?${query}`, pattern)) as {
        readonly requests?: readonly JournalEntry[]
      }
      if (page === undefined) throw toOtherProgram(`${baseUrl()}${ADMIN_PATH}/requests/find`, 200)
      found.push(...page)
      rest = page.length === PAGE_SIZE
    }
    return found.toReversed()
  }

  return {
    name,
    clock: {
      now: () => askClock('GET'),
      advance: (advance) => askClock('PUT', { advance }),
      set: (now) => askClock('PUT', { now }),
      reset: () => askClock('DELETE'),
    },
    get url() {
      return `${baseUrl()}/@${name}`
    },
    fetch: createMockFetch({ name, baseUrl, send }),
    async use(...scenarios) {
      expectScenarioList(scenarios)
      const active: string[] = []
      for (const [index, one] of scenarios.entries()) {
        active.push(typeof one === 'string' ? one : await define(one, index))
      }
      await sendToAdmin('PUT', '/scenarios/active', { active })
    },
    async reset() {
      await sendToAdmin('POST', '/reset')
    },
    requests,
    findCancelled: (pattern) => requests({ ...pattern, clientLeft: true }),
    async snapshot(as = newId()) {
      return (await sendToAdmin('PUT', snapshotPath(as))) as SnapshotInfo
    },
    async restore(snapshot) {
      await sendToAdmin('POST', `${snapshotPath(toSnapshotName(snapshot))}/restore`)
    },
    async seed(resources, place) {
      expectRecordList(resources)
      if (place !== undefined) expectPlace(place)
      const saved =
        place === undefined
          ? sendToAdmin('PUT', '/state', { projects: [{ ...EVERY_PROJECT, resources }] })
          : sendToAdmin('PUT', toStatePath(place), resources)
      await saved.catch((fault: unknown) => {
        throw toRecordsFault(fault)
      })
    },
    async versions(id, place) {
      if (place !== undefined) expectPlace(place)
      const query = new URLSearchParams({ ...place })
      const path = `${pathOf('resources', id)}/versions${query.size === 0 ? '' : `?${query}`}`
      const { versions } = (await sendToAdmin('GET', path)) as { versions: ResourceVersion[] }
      return versions
    },
    async coverage() {
      // The response type of src/admin/api/coverage.ts.
      return (await sendToAdmin('GET', '/coverage')) as CoverageReport
    },
    async test(info, report) {
      // The response type of src/admin/api/runs.ts.
      return (await clientOf().send('PUT', `/sessions/${name}/test`, { ...info, ...report })) as ReportedTest
    },
    async close() {
      // A request in the session itself would create a session that does not exist yet.
      await clientOf().try('DELETE', `/sessions/${name}`)
    },
  }
}

/** Creates the client side of a mock in this process: session handles and its `fetch`. */
export function createLocalClient(parts: {
  /** The token of the admin API. */
  readonly token: string | undefined
  /** Sends a request to the mock. */
  readonly send: Send
  /** Sends a request to the admin API without logging it. */
  readonly sendAdmin: Send
  readonly newId: () => string
  /** Called with the path of the server's URL, such as `/mock`; an empty string if it has none. */
  readonly onMount: (path: string) => void
}) {
  // A mock in this process ignores the host.
  let url = 'http://mock'
  return {
    session: (name: string): SessionHandle => createSessionClient({ ...parts, name, baseUrl: () => url }),
    fetch: createMockFetch({ baseUrl: () => url, send: parts.send }),
    /**
     * Sets the URL at which a server serves the mock.
     *
     * @throws {SetupError} if it is not an absolute URL.
     */
    setUrl(value: string): void {
      if (!URL.canParse(value)) {
        throw new SetupError(
          `setUrl was called with ${showValue(value)}, which is not a URL. Pass one such as http://localhost:3000/mock.`,
        )
      }
      url = value.replace(/\/+$/, '')
      parts.onMount(new URL(url).pathname.replace(/\/+$/, ''))
    },
  }
}

/** Options for connecting to a running mock. */
export interface ConnectOptions {
  /** The token of the admin API, if the mock was started with `--admin-token`. */
  readonly token?: string
}

/** A connection to a running mock. */
export interface ConnectedMock {
  /** Without a trailing slash. */
  readonly url: string
  /**
   * Returns a handle of a session, like `mock.session`.
   *
   * @param name 1 to 64 of `[A-Za-z0-9._-]`
   * @throws {SetupError} for an invalid session name.
   */
  session(name: string): SessionHandle
}

function toBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SetupError(
      `${JSON.stringify(text)} is not the URL of a mock. Pass one such as http://127.0.0.1:4010; the mock prints its URL when it starts.`,
    )
  }
  if (/\/@/.test(url.pathname)) {
    throw new SetupError(
      `The URL ${text} names a session. Pass the mock's base URL, and use session(name) to get the session.`,
    )
  }
  return url
}

/**
 * Connects to a running mock, for suites whose tests share one server. It has the same sessions as an in-process mock, over
 * the admin API. Nothing is sent until a session is used.
 *
 * @param url the mock's base URL, such as `http://127.0.0.1:4010`
 * @throws {SetupError} for an invalid URL; where there is no `fetch`.
 * @example
 * const mock = connectMock('http://127.0.0.1:4010')
 * const session = mock.session('checkout')
 * await session.use('conflict-once')
 */
export function connectMock(url: string, options: ConnectOptions = {}): ConnectedMock {
  return connectMockBy({ send: sendByFetch, sendAdmin: sendByFetch }, url, options)
}

/** Like {@link connectMock}, but sends requests in another way than with `fetch`. */
export function connectMockBy(
  ways: { readonly send: Send; readonly sendAdmin: Send },
  url: string,
  { token }: ConnectOptions,
): ConnectedMock {
  expectFetch()
  const base = toBaseUrl(url)
  const baseUrl = base.origin + base.pathname.replace(/\/+$/, '')

  async function send(request: Request): Promise<Response> {
    if (new URL(request.url).origin === base.origin) return ways.send(request)
    throw new SetupError(
      `session.fetch sends requests to the mock at ${baseUrl}, but ${request.url} has another origin. Pass a path, such as /acme/resource.`,
    )
  }

  return {
    url: baseUrl,
    session: (name) =>
      createSessionClient({
        name,
        baseUrl: () => baseUrl,
        token,
        send,
        sendAdmin: createAdminSend(baseUrl, ways.sendAdmin),
        newId: () => crypto.randomUUID(),
      }),
  }
}
