import * as z from 'zod'
import { check } from '../../service/contract/check.ts'
import { findMembers } from '../../service/contract/endpoint.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { toSteps } from '../../service/state/records.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { cutText, takeFitting } from './brief.ts'
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
  /** The input as agents see it, if the tool itself checks a part of it. */
  readonly listedInput?: z.ZodObject
  readonly output: z.ZodObject
  /** Whether the tool changes nothing. `--read-only` omits all other tools. */
  readonly isReading: boolean
  /** Whether the tool replaces or deletes something. */
  readonly isDestructive: boolean
  /** Whether the tool acts on a session, named by its `session` argument. */
  readonly hasSession: boolean
  /** @throws {SetupError} with the mock's error message if it refuses the call. */
  readonly call: (input: Readonly<Record<string, unknown>>, mock: MockAccess) => Promise<object>
}

/** Creates a tool. By default, it writes, replaces nothing, and acts on a session. */
export function createTool<Input extends z.ZodObject>(
  tool: Pick<Tool, 'name' | 'title' | 'description' | 'output' | 'listedInput'> &
    Partial<Pick<Tool, 'isReading' | 'isDestructive' | 'hasSession'>> & {
      readonly input: Input
      readonly call: (input: z.output<Input>, mock: MockAccess) => Promise<object>
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

/** Requests everything that a result truncates by default. */
export const whole = z.boolean().optional().describe('true: do not shorten bodies, headers and the URL')

/** A URL segment. Its length is limited because encoding a long one is slow. */
export const short = z
  .string()
  .max(MAX_BYTES.requestLine, { error: `at most ${MAX_BYTES.requestLine} characters expected.` })
/** A name of a scenario or a snapshot. */
export const name = short.describe('1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-"')

export const toolNames = z.array(z.string())
/** The active scenarios. */
export const activeNames = z.looseObject({ active: toolNames })
export type ActiveNames = z.output<typeof activeNames>
export const count = z.int()

/** Describes an unknown argument, or an unknown member of one. */
function describeUnknownTool(path: string, input: z.ZodObject): string {
  const steps = toSteps(path)
  const near = didYouMean(String(steps.at(-1)), findMembers(input, steps.slice(0, -1)))
  return `Unrecognized argument "${path}".${near || ' Remove it, or correct its name.'}`
}

/** Describes the faults of a tool's arguments: up to a page of them, and the number of the others. */
export function describeFaults(input: z.ZodObject, args: unknown): readonly string[] {
  const { problems, unknown } = check(input, args)
  const messages = [
    ...unknown.map((path) => cutText(describeUnknownTool(path, input))),
    ...problems.map(({ message, detailedErrorMessage = message }) => cutText(detailedErrorMessage)),
  ]
  const shown = takeFitting(messages)
  // The last message may count the values that are not listed.
  return [...shown, ...(shown.length < messages.length ? messages.slice(-1) : [])]
}

/** Replacements for hints that name a path of the admin API or a command. */
const HINTS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/GET \/__admin\/requests lists/g, 'list_requests lists'],
  [/GET \/__admin\/snapshots lists its snapshots\./g, 'Use snapshot to save one.'],
  [/resource-mock scenarios lists them/g, 'list_scenarios lists them'],
  [
    /Delete one first: DELETE \/__admin\/scenarios\/\{name\}\./g,
    'Replace one with define_scenario, or delete all of them with reset_session.',
  ],
  [/Delete one: DELETE \/__admin\/snapshots\/\{name\}\./g, 'Replace one: call snapshot with its name.'],
  [
    /Deactivate them to get the normal response\./g,
    'To get the normal response, call activate_scenarios with names: [].',
  ],
  [/--allow-writes\b/g, 'allowWrites: true'],
  [/--token-url\b/g, 'tokenUrl'],
  [/--(client|token|project)(?![\w-])/g, '$1'],
]

/** Replaces hints that name a path or a command with those that name a tool. */
export const toToolHints = (text: string): string =>
  HINTS.reduce((replaced, [pattern, hint]) => replaced.replace(pattern, hint), text)
