import * as z from 'zod'
import { resolve } from 'node:path'
import { SetupError } from '../../errors.ts'
import { describeDifferences, toFingerprint } from '../../admin/api/fingerprint.ts'
import { readFolder } from '../node/folder.ts'
import type { FolderContents, FolderName } from '../node/folder.ts'
import { startServer } from '../node/server.ts'
import { parseOptions } from '../../app/options/options.ts'
import type { ServerOptions } from '../../app/options/options.ts'
import { createAdminClient } from '../../admin/client/admin-client.ts'
import type { AdminClient } from '../../admin/client/admin-client.ts'
import { createAdminSend, isUntrusted } from '../../admin/client/reach.ts'
import { connectMock } from '../../admin/client/session-client.ts'
import { createSends } from './requests.ts'
import type { FileContents, FileTexts } from '../../util/load-partially.ts'
import type { JournalEntry } from '../../sessions/journal/wiremock-json.ts'
import type { PatternSource, PatternDifference } from '../../sessions/journal/patterns.ts'

/** The mock shared by the tests of a worker. */
export interface MockServer {
  /** Such as `http://127.0.0.1:4010`, with the path the mock is mounted at, if any. */
  readonly url: string
  /** The token of the admin API. */
  readonly adminToken?: string | undefined
}

/** The options of `startServer`. Fixtures and scenarios may also be folders, relative to the Playwright configuration. */
export interface MockServerOptions extends Omit<ServerOptions, FolderName> {
  readonly fixtures?: string | FileTexts
  readonly scenarios?: string | FileContents
}

/** Selects the mock of a worker. */
export interface ServerChoice {
  readonly mockUrl: string | undefined
  readonly mockAdminToken: string | undefined
  readonly mockOptions: MockServerOptions | undefined
  /** The base of relative folders in the options. */
  readonly root: string
  /** Playwright's option of the same name. */
  readonly ignoresHttpsErrors?: boolean | undefined
}

type Use = (server: MockServer) => Promise<void>

async function useOwn(options: ServerOptions, use: Use): Promise<void> {
  const server = await startServer({ port: 0, ...options })
  try {
    await use({ url: server.url, adminToken: options.adminToken })
  } finally {
    await server.close()
  }
}

const readFiles = async <Name extends FolderName>(
  name: Name,
  given: string | FolderContents[Name],
  root: string,
): Promise<FolderContents[Name]> =>
  typeof given === 'string' ? readFolder(name, resolve(root, given), `mockOptions.${name}`) : given

async function readOptions({ fixtures, scenarios, ...same }: MockServerOptions, root: string): Promise<ServerOptions> {
  return {
    ...same,
    ...(fixtures === undefined ? {} : { fixtures: await readFiles('fixtures', fixtures, root) }),
    ...(scenarios === undefined ? {} : { scenarios: await readFiles('scenarios', scenarios, root) }),
  }
}

const health = z.object({
  fingerprint: z.object({
    version: z.string(),
    options: z.record(z.string(), z.unknown()),
    fixtures: z.string(),
    scenarios: z.string(),
  }),
})

/** @throws {SetupError} if the mock was started with other options or files. */
async function expectSame(url: string, options: ServerOptions, answer: unknown): Promise<void> {
  const { success, data } = health.safeParse(answer)
  if (!success) {
    throw new SetupError(
      `The mock at ${url} does not report the options it was started with, so it has another version. Stop it, and start the version of this project.`,
    )
  }
  const differences = describeDifferences(
    await toFingerprint(parseOptions(options, 'server'), options),
    data.fingerprint,
  )
  if (differences.length === 0) return
  throw new SetupError(
    `The mock at ${url} does not match mockOptions: ${differences.join('; ')}. Perhaps it was already running, and reuseExistingServer reused it. Stop it, use another port, or correct mockOptions.`,
  )
}

/**
 * Passes `use` the mock at `mockUrl`, or else starts a mock and stops it afterward.
 *
 * @throws {SetupError} for an invalid option, if no mock responds, or if the running mock has other options.
 */
export async function useServer(choice: ServerChoice, use: Use): Promise<void> {
  const { mockUrl, mockAdminToken: adminToken, mockOptions, root, ignoresHttpsErrors } = choice
  const options = mockOptions === undefined ? undefined : await readOptions(mockOptions, root)
  if (mockUrl === undefined) return useOwn({ adminToken, ...options }, use)
  const { url } = connectMock(mockUrl)
  const connect = (ignores: boolean | undefined, token: string | undefined) =>
    createAdminClient({ baseUrl: url, token, send: createAdminSend(url, createSends(url, ignores).sendAdmin) })
  let { send } = connect(ignoresHttpsErrors, adminToken)
  try {
    // Without a mock, one error here is better than a timeout in every test.
    await send('GET', '/version')
  } catch (fault) {
    if (!isUntrusted(fault)) throw fault
    // A file may ignore that with `test.use`, which only its tests know; the other tests report it. Without the token.
    ;({ send } = connect(true, undefined))
  }
  if (options !== undefined) await expectSame(url, options, await send('GET', '/health'))
  await use({ url, adminToken })
}

/** A request that nearly matched a pattern. */
export interface NearMiss {
  readonly request: Pick<JournalEntry, 'method' | 'absoluteUrl'>
  readonly differences: readonly PatternDifference[]
}

/** A failed request in a list. */
interface Failed {
  readonly id: string
  readonly request: Pick<JournalEntry, 'method' | 'url'>
  /** The status is 0 if the connection broke. */
  readonly response: { readonly status: number }
}

interface Explained {
  readonly sentence?: string
  readonly remedy?: string
}

/** Queries a session's journal; a method throws a `SetupError` for an invalid pattern. */
export interface JournalReader {
  /** Returns the number of matching requests. */
  count(pattern: PatternSource): Promise<number>
  /** Returns up to three requests that do not match, nearest first. */
  findNear(pattern: PatternSource): Promise<readonly NearMiss[]>
  /** Returns the whole journal as HAR 1.2. */
  toHar(): Promise<unknown>
  /** Explains the latest failures that no retry followed, oldest first, as text; empty if there are none. */
  explainFailures(): Promise<string>
}

/** Maximum number of failures that are explained. */
const MOST_FAILED = 20

/** Maximum length of a URL in an explanation, in characters. */
const LONGEST_URL = 200

/** Reads a session's journal over the admin API. */
export function createJournalReader({ send }: AdminClient): JournalReader {
  // The casts match the responses in src/admin/api/requests.ts and src/admin/api/explanation.ts.
  return {
    async count(pattern) {
      const { count } = (await send('POST', '/requests/count', pattern)) as { readonly count: number }
      return count
    },
    async findNear(pattern) {
      const answer = await send('POST', '/near-misses/request-pattern', pattern)
      return (answer as { readonly nearMisses: readonly NearMiss[] }).nearMisses
    },
    toHar: () => send('GET', '/requests.har'),
    async explainFailures() {
      const query = new URLSearchParams({ filter: 'retry:none', limit: String(MOST_FAILED) })
      const { requests } = (await send('GET', `/requests?${query}`)) as { readonly requests: readonly Failed[] }
      const texts = requests.map(async ({ id, request, response }) => {
        const explanation = (await send('GET', `/requests/${id}/explanation`)) as Explained
        const lines = [explanation.sentence, explanation.remedy].filter((line) => line !== undefined)
        return [`${request.method} ${request.url.slice(0, LONGEST_URL)} (${response.status})`, ...lines].join('\n  ')
      })
      return (await Promise.all(texts)).toReversed().join('\n\n')
    },
  }
}
