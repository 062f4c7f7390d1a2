import { SetupError } from '../errors.ts'
import { startServer } from '../node/server.ts'
import type { ServerOptions } from '../node/server.ts'
import { createAdminClient } from '../sessions/admin-client.ts'
import { connectMock } from '../sessions/connect.ts'

/** The mock that a worker's tests share. */
export interface MockServer {
  /** Such as `http://127.0.0.1:4010`, with a path where the mock is mounted under one. */
  readonly url: string
  /** What its admin API asks for. */
  readonly adminToken?: string | undefined
}

/** Which mock a worker uses. */
export interface ServerChoice {
  readonly mockUrl: string | undefined
  readonly mockAdminToken: string | undefined
  readonly mockOptions: ServerOptions | undefined
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

/**
 * Gives `use` a mock: the one that runs at `mockUrl`, else one of its own, which is ended after it.
 *
 * @throws {SetupError} for an option that cannot be, and where no mock answers.
 */
export async function useServer(choice: ServerChoice, use: Use): Promise<void> {
  const { mockUrl, mockAdminToken: adminToken, mockOptions } = choice
  if (mockUrl === undefined) return useOwn({ adminToken, ...mockOptions }, use)
  if (mockOptions !== undefined) {
    throw new SetupError(
      'Both mockUrl and mockOptions are given, and options are for a mock that the worker starts. Leave one out.',
    )
  }
  const { url } = connectMock(mockUrl)
  // Where there is none, better one sentence than a timeout in every test.
  await createAdminClient({ baseUrl: url, token: adminToken, send: fetch }).ask('GET', '/version')
  await use({ url, adminToken })
}
