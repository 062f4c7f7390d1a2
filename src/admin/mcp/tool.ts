import type * as z from 'zod'
import type { AdminClient, MockFetch } from '../client/admin-client.ts'

/** Sends requests to the session that a tool call names. */
export interface MockAccess {
  /** The base URL of the session, for the app under test. */
  readonly url: string
  readonly admin: AdminClient
  readonly fetch: MockFetch
}

/** An MCP tool. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  /** How to get the rest of a reply that was cut, if not only by `whole: true`. */
  readonly readOn?: string
  /** Whether the tool changes nothing. `--read-only` omits all other tools. */
  readonly isReading: boolean
  /** Whether the tool replaces or deletes something. */
  readonly isDestructive: boolean
  /** Whether the tool acts on a session, named by its `session` argument. */
  readonly hasSession: boolean
  /** @throws {SetupError} with the mock's error message if it refuses the call. */
  readonly call: (input: Readonly<Record<string, unknown>>, mock: MockAccess) => Promise<unknown>
}

/** Creates a tool. By default, it writes, replaces nothing, and acts on a session. */
export function createTool<Input extends z.ZodObject>(
  tool: Pick<Tool, 'name' | 'title' | 'description' | 'readOn'> &
    Partial<Pick<Tool, 'isReading' | 'isDestructive' | 'hasSession'>> & {
      readonly input: Input
      readonly call: (input: z.output<Input>, mock: MockAccess) => Promise<unknown>
    },
): Tool {
  const { isReading = false, isDestructive = false, hasSession = true, call } = tool
  return {
    ...tool,
    isReading,
    isDestructive,
    hasSession,
    // The arguments are already validated.
    call: (args, mock) => call(args as z.output<Input>, mock),
  }
}
