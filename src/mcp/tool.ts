import type * as z from 'zod'
import type { AdminClient } from '../client/admin-client.ts'
import type { MockFetch } from '../client/mock-fetch.ts'

/** How the tools reach the session that a call names. */
export interface MockAccess {
  /** Asks the admin API. */
  readonly admin: AdminClient
  /** Sends a request to the service. */
  readonly fetch: MockFetch
}

/** A tool of the server. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  /** Whether it changes nothing: `--read-only` leaves out the others. */
  readonly isReading: boolean
  /** Whether it acts on a session of the mock, which the argument `session` names. */
  readonly hasSession: boolean
  /** @throws {SetupError} with the sentence of whatever the mock refused. */
  readonly call: (input: Readonly<Record<string, unknown>>, mock: MockAccess) => Promise<unknown>
}

interface ToolParts<Input extends z.ZodObject> extends Pick<Tool, 'name' | 'description'> {
  readonly input: Input
  readonly isReading?: boolean
  readonly hasSession?: boolean
  readonly call: (input: z.output<Input>, mock: MockAccess) => Promise<unknown>
}

export function createTool<Input extends z.ZodObject>(parts: ToolParts<Input>): Tool {
  const { isReading = false, hasSession = true, call } = parts
  // The arguments have been checked against the schema.
  return { ...parts, isReading, hasSession, call: (given, mock) => call(given as z.output<Input>, mock) }
}
