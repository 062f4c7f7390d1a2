import { Problem, SetupError } from '../errors.ts'
import { SCENARIO_NAME } from '../scenarios/schema.ts'
import { EVERY_PROJECT } from '../state/project-data.ts'
import { createAdminClient, createMockFetch } from './admin-client.ts'
import type { Send, MockFetch } from './admin-client.ts'
import { expectPlace, expectRecords, expectScenarios, toSnapshotName } from './session-handle.ts'
import type { ProjectPlace, ResourceVersion, SessionHandle, SnapshotInfo } from './session-handle.ts'
import { expectName } from '../sessions/sessions.ts'
import { showValue } from '../http/json.ts'
import type { CoverageReport } from '../journal/coverage-report.ts'
import type { JournaledRequest } from '../journal/wiremock-json.ts'
import type { ScenarioDefinition } from '../scenarios/schema.ts'

/** @throws {SetupError} for a name that no session may have. */
function expectSessionName(name: unknown): void {
  if (typeof name !== 'string') throw new SetupError(`Invalid session name ${String(name)}. Pass a string.`)
  try {
    expectName(name, 'session')
  } catch (fault) {
    throw fault instanceof Problem ? new SetupError(fault.message) : fault
  }
}

/** @throws {SetupError} for a name that no scenario may have. */
function nameOf({ name }: ScenarioDefinition, place: number): string {
  if (name === undefined) return `inline-${place + 1}`
  if (SCENARIO_NAME.test(name)) return name
  throw new SetupError(
    `${JSON.stringify(name.slice(0, 100))} cannot be a scenario's name. Use 1 to 64 letters, digits, ".", "_" and "-", or leave it out.`,
  )
}

/** The path of a project's state in the admin API. */
function toStatePath({ projectKey, ...base }: ProjectPlace): string {
  const query = new URLSearchParams(base)
  return `/state/${encodeURIComponent(projectKey)}${query.size === 0 ? '' : `?${query}`}`
}

/** Of a state that is made of records alone, the caller knows the records. */
function toRecordsFault(fault: unknown): unknown {
  if (!(fault instanceof SetupError)) return fault
  const sentence = fault.message.replace(/^Malformed state: (?:projects\[0\]\.resources)?/, 'Malformed records: ')
  return sentence === fault.message ? fault : new SetupError(sentence)
}

const snapshotPath = (name: string): string => `/snapshots/${encodeURIComponent(name)}`

/**
 * Creates a handle of a session. It speaks to the admin API, so that one in this process and one far away are the same
 * (D70).
 *
 * @throws {SetupError} for a name that no session may have.
 */
export function createSessionClient(parts: {
  readonly name: string
  /** Where the mock is, without a slash at its end. */
  readonly baseUrl: () => string
  /** What the admin API asks for. */
  readonly token?: string | undefined
  /** Sends a request of the session. */
  readonly send: Send
  /** Sends a request to the admin API. */
  readonly sendAdmin: Send
  readonly newId: () => string
}): SessionHandle {
  const { name, baseUrl, token, send, sendAdmin, newId } = parts
  expectSessionName(name)
  const clientOf = (session?: string) =>
    createAdminClient({ baseUrl: baseUrl(), token, send: sendAdmin, ...(session === undefined ? {} : { session }) })
  const ask = (method: string, path: string, body?: unknown) => clientOf(name).ask(method, path, body)

  async function define(definition: ScenarioDefinition, place: number): Promise<string> {
    const { name: _path, description = 'Given to use()', ...scenario } = definition
    const name = nameOf(definition, place)
    await ask('PUT', `/scenarios/${name}`, { description, ...scenario })
    return name
  }

  async function askClock(method: string, body?: unknown): Promise<string> {
    // As src/admin/clock.ts has it.
    const { now } = (await ask(method, '/clock', body)) as { readonly now: string }
    return now
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
      expectScenarios(scenarios)
      const active: string[] = []
      for (const [place, one] of scenarios.entries()) {
        active.push(typeof one === 'string' ? one : await define(one, place))
      }
      await ask('PUT', '/scenarios/active', { active })
    },
    async reset() {
      await ask('POST', '/reset')
    },
    async requests(pattern = {}) {
      const requests: JournaledRequest[] = []
      // As src/admin/requests.ts has them.
      for await (const one of clientOf(name).list('POST', '/requests/find', 'requests', pattern))
        requests.push(one as JournaledRequest)
      return requests.toReversed()
    },
    async snapshot(as = newId()) {
      return (await ask('PUT', snapshotPath(as))) as SnapshotInfo
    },
    async restore(snapshot) {
      await ask('POST', `${snapshotPath(toSnapshotName(snapshot))}/restore`)
    },
    async seed(resources, place) {
      expectRecords(resources)
      if (place !== undefined) expectPlace(place)
      const asked =
        place === undefined
          ? ask('PUT', '/state', { projects: [{ ...EVERY_PROJECT, resources }] })
          : ask('PUT', toStatePath(place), resources)
      await asked.catch((fault: unknown) => {
        throw toRecordsFault(fault)
      })
    },
    async versions(id, place) {
      if (place !== undefined) expectPlace(place)
      const query = new URLSearchParams({ ...place })
      const path = `/resources/${encodeURIComponent(id)}/versions${query.size === 0 ? '' : `?${query}`}`
      const { versions } = (await ask('GET', path)) as { versions: ResourceVersion[] }
      return versions
    },
    async coverage() {
      // As src/admin/coverage.ts has it.
      return (await ask('GET', '/coverage')) as CoverageReport
    },
    async close() {
      // Asked as itself, a session that never began would begin.
      await clientOf().try('DELETE', `/sessions/${name}`)
    },
  }
}

/** Hands out what a mock in this process is asked by: its sessions, and its own `fetch`. */
export interface LocalClient {
  session(name: string): SessionHandle
  readonly fetch: MockFetch
  /**
   * Says where a server serves the mock.
   *
   * @throws {SetupError} for what is not an absolute URL.
   */
  setUrl(url: string): void
}

export function createLocalClient(parts: {
  /** What the admin API asks for. */
  readonly token: string | undefined
  /** Answers a request. */
  readonly send: Send
  /** Answers a request to the admin API, and leaves no line of it in the log. */
  readonly sendAdmin: Send
  readonly newId: () => string
  /** Told the path of the server's URL, such as `/mock`; the empty string for none. */
  readonly onMount: (path: string) => void
}): LocalClient {
  // A host that no mock in this process looks at.
  let url = 'http://mock'
  return {
    session: (name) => createSessionClient({ ...parts, name, baseUrl: () => url }),
    fetch: createMockFetch({ baseUrl: () => url, send: parts.send }),
    setUrl(given) {
      if (!URL.canParse(given)) {
        throw new SetupError(
          `setUrl was given ${showValue(given)}, which is not a URL. Give one such as http://localhost:3000/mock.`,
        )
      }
      url = given.replace(/\/+$/, '')
      parts.onMount(new URL(url).pathname.replace(/\/+$/, ''))
    },
  }
}

/** What a mock that runs elsewhere is reached with. */
export interface ConnectOptions {
  /** What its admin API asks for, where it was started with `--admin-token`. */
  readonly token?: string
}

/** A mock that runs elsewhere. */
export interface ConnectedMock {
  /** Without a slash at its end. */
  readonly url: string
  /**
   * The session of that name, as `mock.session` gives it.
   *
   * @param name 1 to 64 of `[A-Za-z0-9._-]`
   * @throws {SetupError} for a name that no session may have.
   */
  session(name: string): SessionHandle
}

function toBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SetupError(
      `${JSON.stringify(text)} is not the address of a mock. Pass one such as http://127.0.0.1:4010, as the mock's first line of output has it.`,
    )
  }
  if (/\/@/.test(url.pathname)) {
    throw new SetupError(
      `The address ${text} names a session. Pass the mock's own address, and get the session from session(name).`,
    )
  }
  return url
}

/**
 * Reaches a mock that runs elsewhere, for suites whose tests share one server: the same sessions as in-process, over its
 * admin API. Nothing is sent before a session is used.
 *
 * @param url the mock's base URL, such as `http://127.0.0.1:4010`
 * @throws {SetupError} for what is not such a URL.
 * @example
 * const mock = connectMock('http://127.0.0.1:4010')
 * const session = mock.session('checkout')
 * await session.use('conflict-once')
 */
export function connectMock(url: string, { token }: ConnectOptions = {}): ConnectedMock {
  const base = toBaseUrl(url)
  const baseUrl = base.origin + base.pathname.replace(/\/+$/, '')

  async function send(request: Request): Promise<Response> {
    if (new URL(request.url).origin === base.origin) return fetch(request)
    throw new SetupError(
      `session.fetch sends to the mock at ${baseUrl}, and ${request.url} is not there. Pass a path, such as /acme/resource.`,
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
        sendAdmin: (request) => fetch(request),
        newId: () => crypto.randomUUID(),
      }),
  }
}
