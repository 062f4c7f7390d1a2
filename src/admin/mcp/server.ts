import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { createAdminClient, createMockFetch } from '../client/admin-client.ts'
import type { Send } from '../client/reach.ts'
import { check } from '../../service/contract/check.ts'
import { decisions } from '../../service/contract/decisions.ts'
import { findMembers } from '../../service/contract/endpoint.ts'
import { operationIds } from '../../service/contract/endpoints.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { expectShortHead } from '../../service/http/request-head.ts'
import { toScenarioJsonSchema } from '../../service/scenarios/schema.ts'
import { toSteps } from '../../service/state/records.ts'
import { DEFAULT_SESSION } from '../../sessions/session-names.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { VERSION } from '../../version.ts'
import { createMcpHandler, McpServer, ResourceTemplate } from './sdk.ts'
import { readOperation, readOperations } from './operations.ts'
import { cutText, shorten } from './shorten.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools.ts'

/** Describes an unknown argument, or an unknown member of one. */
function describeUnknownArgument(path: string, input: z.ZodObject): string {
  const steps = toSteps(path)
  const near = didYouMean(String(steps.at(-1)), findMembers(input, steps.slice(0, -1)))
  return `Unrecognized argument "${path}".${near || ' Remove it, or correct its name.'}`
}

/** The schema that the MCP SDK uses to validate a tool's input. It reports all faults at once. */
function toToolSchema(input: z.ZodObject): StandardSchemaWithJSON<unknown, Readonly<Record<string, unknown>>> {
  const toJsonSchema = () =>
    z.toJSONSchema(input, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => delete jsonSchema['decisions'],
    })
  return {
    '~standard': {
      version: 1,
      vendor: 'resource-mock',
      jsonSchema: { input: toJsonSchema, output: toJsonSchema },
      validate(args) {
        const { problems, unknown } = check(input, args)
        const faults = [
          ...unknown.map((path) => describeUnknownArgument(path, input)),
          ...problems.map(({ message, detailedErrorMessage = message }) => detailedErrorMessage),
        ]
        if (faults.length === 0) return { value: args as Readonly<Record<string, unknown>> }
        return { issues: [{ message: cutText(faults.join('\n'), 3500) }] }
      },
    },
  }
}

const whole = z.boolean().optional().describe('true: return all of a reply that is longer than 4 KB')

const session = z
  .string()
  .regex(/^[\w.-]{1,64}$/)
  .optional()
  .describe('the session to use; default: that of the connection')

const answer = async (read: () => unknown, { href }: URL) => ({
  contents: [{ uri: href, mimeType: 'application/json', text: stringifyJson(await read()) }],
})

/** Refuses requests that exceed the limit of a socket. Tool arguments can have any length. */
const limit =
  (send: Send): Send =>
  async (request) => {
    expectShortHead(request)
    return send(request)
  }

/**
 * Creates an MCP server for a mock. Everything goes through the admin API, so it exposes no more than the journal does.
 *
 * @param parts.baseUrl the mock's URL without a trailing slash
 * @param parts.session for calls without a session; default: the default session
 * @param parts.token the admin API's token
 * @param parts.send sends a request to the service
 * @param parts.sendAdmin sends a request to the admin API
 * @param parts.isReadOnly whether to omit tools that change something
 * @param parts.further additional tools for this transport
 */
export function createMcpServer(parts: {
  readonly baseUrl: string
  readonly session?: string | undefined
  readonly token?: string | undefined
  readonly send: Send
  readonly sendAdmin: Send
  readonly isReadOnly?: boolean
  readonly further?: readonly Tool[]
}): McpServer {
  const { baseUrl, token, isReadOnly = false, further = [] } = parts
  const [send, sendAdmin] = [limit(parts.send), limit(parts.sendAdmin)]
  const server = new McpServer(
    { name: 'resource-mock', version: VERSION },
    {
      instructions: `Controls the mock server at ${baseUrl}. Each session has its own data, scenarios and journal; an app selects one with the path prefix /@name or the header X-Mock-Session. A reply longer than 4 KB is cut unless whole is true, and says how to get the rest.`,
    },
  )

  function access(name = parts.session) {
    return {
      url: name === undefined || name === DEFAULT_SESSION ? baseUrl : `${baseUrl}/@${name}`,
      admin: createAdminClient({ baseUrl, token, send: sendAdmin, session: name }),
      fetch: createMockFetch({ baseUrl: () => baseUrl, send, name }),
    }
  }

  for (const tool of [...tools, ...further]) {
    const { name, title, description, readOn, isReading, isDestructive, hasSession, call } = tool
    if (isReadOnly && !isReading) continue
    const config = {
      title,
      description,
      // Refuse unknown arguments: a misspelled `session` would act on another session.
      inputSchema: toToolSchema(z.strictObject({ ...tool.input.shape, ...(hasSession ? { session } : {}), whole })),
      annotations: { title, readOnlyHint: isReading, destructiveHint: isDestructive, openWorldHint: !hasSession },
    }
    server.registerTool(name, config, async ({ session: named, whole: isWhole, ...args }) => {
      const reply = (await call(args, access(session.parse(named)))) as object
      const text = stringifyJson(isWhole === true ? reply : shorten(reply, readOn))
      // Clients read one of the two: the text is for those without support for structured content.
      return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as Record<string, unknown> }
    })
  }

  const resources = [
    [
      'openapi',
      'The operations of the API, each with the URI of its OpenAPI description',
      () => readOperations(access()),
    ],
    ['decisions', 'How the mock behaves if the specification says nothing', () => decisions],
    ['scenario-schema', 'The JSON schema of a scenario', toScenarioJsonSchema],
  ] as const
  for (const [name, title, read] of resources) {
    server.registerResource(name, `mock://${name}`, { title, mimeType: 'application/json' }, (url) => answer(read, url))
  }
  server.registerResource(
    'operation',
    new ResourceTemplate('mock://openapi/{operation}', {
      list: undefined,
      complete: { operation: (start) => operationIds.filter((id) => id.startsWith(start)) },
    }),
    { title: 'An operation of the API, as an OpenAPI document', mimeType: 'application/json' },
    (url, { operation }) => answer(() => readOperation(access(), String(operation)), url),
  )
  return server
}

/** Handles one MCP request over HTTP. Stateless. */
export const serveMcp = (
  request: Request,
  parsedBody: unknown,
  parts: Parameters<typeof createMcpServer>[0],
): Promise<Response> => createMcpHandler(() => createMcpServer(parts)).fetch(request, { parsedBody })
