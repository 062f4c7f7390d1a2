import * as z from 'zod'
import { resolve } from 'node:path'
import { SetupError } from '../errors.ts'
import { describeDifferences, toFingerprint } from '../admin/reports.ts'
import { readFolder } from '../node/folder.ts'
import type { FolderName } from '../node/folder.ts'
import { startServer } from '../node/server.ts'
import { parseOptions } from '../options/options.ts'
import type { ServerOptions } from '../options/options.ts'
import { createAdminClient } from '../client/admin-client.ts'
import type { AdminClient } from '../client/admin-client.ts'
import { connectMock } from '../client/session-client.ts'
import type { FileTexts } from '../util/load-partially.ts'
import type { LoggedRequest } from '../journal/wiremock-json.ts'
import type { PatternSource, Difference } from '../journal/patterns.ts'

/** The mock that a worker's tests share. */
export interface MockServer {
  /** Such as `http://127.0.0.1:4010`, with a path where the mock is mounted under one. */
  readonly url: string
  /** What its admin API asks for. */
  readonly adminToken?: string | undefined
}

/** The options of `startServer`; fixtures and scenarios may also be folders, from that of Playwright's configuration. */
export interface MockServerOptions extends Omit<ServerOptions, FolderName> {
  readonly fixtures?: string | FileTexts
  readonly scenarios?: string | FileTexts
}

/** Which mock a worker uses. */
export interface ServerChoice {
  readonly mockUrl: string | undefined
  readonly mockAdminToken: string | undefined
  readonly mockOptions: MockServerOptions | undefined
  /** Where relative folders of the options start. */
  readonly root: string
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

const readTexts = (name: FolderName, given: string | FileTexts, root: string): Promise<FileTexts> | FileTexts =>
  typeof given === 'string' ? readFolder(name, resolve(root, given), `mockOptions.${name}`) : given

async function readOptions({ fixtures, scenarios, ...same }: MockServerOptions, root: string): Promise<ServerOptions> {
  return {
    ...same,
    ...(fixtures === undefined ? {} : { fixtures: await readTexts('fixtures', fixtures, root) }),
    ...(scenarios === undefined ? {} : { scenarios: await readTexts('scenarios', scenarios, root) }),
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

/** @throws {SetupError} for a mock that was started with other options or files. */
async function expectSame(url: string, options: ServerOptions, answer: unknown): Promise<void> {
  const { success, data } = health.safeParse(answer)
  if (!success) {
    throw new SetupError(
      `The mock at ${url} does not say which options it was started with, so it is of another version. Stop it, and start the one of this project.`,
    )
  }
  const differences = describeDifferences(
    await toFingerprint(parseOptions(options, 'server'), options),
    data.fingerprint,
  )
  if (differences.length === 0) return
  throw new SetupError(
    `The mock at ${url} is not the one that mockOptions describes: ${differences.join('; ')}. Perhaps it was already running and reuseExistingServer adopted it. Stop it, use another port, or correct mockOptions.`,
  )
}

/**
 * Gives `use` a mock: the one that runs at `mockUrl`, else one of its own, which is ended after it.
 *
 * @throws {SetupError} for an option that cannot be, where no mock answers, and where one does that has other options.
 */
export async function useServer(choice: ServerChoice, use: Use): Promise<void> {
  const { mockUrl, mockAdminToken: adminToken, mockOptions, root } = choice
  const options = mockOptions === undefined ? undefined : await readOptions(mockOptions, root)
  if (mockUrl === undefined) return useOwn({ adminToken, ...options }, use)
  const { url } = connectMock(mockUrl)
  const { ask } = createAdminClient({ baseUrl: url, token: adminToken, send: fetch })
  // Where there is none, better one sentence than a timeout in every test.
  await ask('GET', '/version')
  if (options !== undefined) await expectSame(url, options, await ask('GET', '/health'))
  await use({ url, adminToken })
}

/** A request that a pattern nearly matched. */
export interface NearMiss {
  readonly request: LoggedRequest
  readonly differences: readonly Difference[]
}

/** What a session's journal has to say of a pattern; each throws a `SetupError` for one that is none. */
export interface JournalReader {
  /** How many requests match. */
  count(pattern: PatternSource): Promise<number>
  /** At most three that do not match, the nearest first. */
  findNear(pattern: PatternSource): Promise<readonly NearMiss[]>
  /** The whole journal as HAR 1.2. */
  toHar(): Promise<unknown>
}

/** Reads a session's journal over the admin API. */
export function createJournalReader({ ask }: AdminClient): JournalReader {
  // The casts: what the mock itself answers, as src/admin/requests.ts has it.
  return {
    async count(pattern) {
      const { count } = (await ask('POST', '/requests/count', pattern)) as { readonly count: number }
      return count
    },
    async findNear(pattern) {
      const answer = await ask('POST', '/near-misses/request-pattern', pattern)
      return (answer as { readonly nearMisses: readonly NearMiss[] }).nearMisses
    },
    toHar: () => ask('GET', '/requests.har'),
  }
}
