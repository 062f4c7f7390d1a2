import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { createAdminClient, createMockFetch } from '../client/admin-client.ts'
import type { Send } from '../client/reach.ts'
import { decisions } from '../../service/contract/decisions.ts'
import { operationIds } from '../../service/contract/endpoints.ts'
import { Problem, SetupError } from '../../errors.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { expectShortHead } from '../../service/http/request-head.ts'
import { toScenarioJsonSchema } from '../../service/scenarios/schema.ts'
import { DEFAULT_SESSION } from '../../sessions/session-names.ts'
import { VERSION } from '../../version.ts'
import { createMcpHandler, McpServer, ResourceTemplate } from './sdk.ts'
import { readOperation, readOperations } from './operations.ts'
import { describeFaults, toToolHints } from './tool.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools.ts'

/**
 * The schema that the MCP SDK uses to validate a tool's input. It reports all errors at once, up to a page of them.
 *
 * @param listed the schema as agents see it
 */
function toToolSchema(
  input: z.ZodObject,
  listed: z.ZodObject,
): StandardSchemaWithJSON<unknown, Readonly<Record<string, unknown>>> {
  const toJsonSchema = () => z.toJSONSchema(listed, { io: 'input', unrepresentable: 'any' })
  return {
    '~standard': {
      version: 1,
      vendor: 'resource-mock',
      jsonSchema: { input: toJsonSchema, output: toJsonSchema },
      validate(args) {
        const issues = describeFaults(input, args).map((message) => ({ message }))
        return issues.length > 0 ? { issues } : { value: args as Readonly<Record<string, unknown>> }
      },
    },
  }
}

const session = z
  .string()
  .regex(/^[\w.-]{1,64}$/)
  .optional()
  .describe('the session to use; default: that of the connection')

/** Refuses requests that exceed the limit of a socket. Tool arguments can have any length. */
const limit =
  (send: Send): Send =>
  async (request) => {
    expectShortHead(request)
    return send(request)
  }

/** Rephrases the error of a tool. */
function toToolError(error: unknown): Error {
  if (error instanceof SetupError || error instanceof Problem) return new SetupError(toToolHints(error.message))
  return error instanceof Error ? error : new Error(String(error))
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
      instructions: `Controls the mock server at ${baseUrl}. Each session has its own data, scenarios and journal; an app selects one with the path prefix /@name or the header X-Mock-Session. Answers are shortened to 4 KB unless a limit is given or whole is true.`,
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
    const { name, title, description, input, listedInput = input, output, isReading, isDestructive, call } = tool
    if (isReadOnly && !isReading) continue
    // Refuse unknown arguments: a misspelled `session` would act on another session.
    const toStrict = ({ shape }: z.ZodObject) => z.strictObject({ ...shape, ...(tool.hasSession ? { session } : {}) })
    const config = {
      title,
      description,
      inputSchema: toToolSchema(toStrict(input), toStrict(listedInput)),
      outputSchema: output,
      annotations: {
        title,
        readOnlyHint: isReading,
        destructiveHint: isDestructive,
        openWorldHint: !tool.hasSession,
      },
    }
    server.registerTool(name, config, async (args) => {
      const { session: named, ...own } = args
      try {
        const text = stringifyJson(await call(own, access(session.parse(named))))
        // Clients read one of the two: the text is for those without support for structured content.
        return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as Record<string, unknown> }
      } catch (error) {
        throw toToolError(error)
      }
    })
  }

  const resources = [
    {
      name: 'openapi',
      title: 'The operations of the API, each with the URI of its OpenAPI description',
      read: () => readOperations(access()),
    },
    {
      name: 'decisions',
      title: 'How the mock behaves if the specification says nothing',
      read: async () => decisions,
    },
    {
      name: 'scenario-schema',
      title: 'The JSON schema of a scenario',
      read: async () => toScenarioJsonSchema(),
    },
  ]
  for (const { name, title, read } of resources) {
    server.registerResource(name, `mock://${name}`, { title, mimeType: 'application/json' }, async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'application/json', text: stringifyJson(await read()) }],
    }))
  }
  server.registerResource(
    'operation',
    new ResourceTemplate('mock://openapi/{operation}', {
      list: undefined,
      complete: { operation: (start) => operationIds.filter((id) => id.startsWith(start)) },
    }),
    { title: 'An operation of the API, as an OpenAPI document', mimeType: 'application/json' },
    async ({ href }, { operation }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: stringifyJson(await readOperation(access(), String(operation))),
        },
      ],
    }),
  )
  return server
}

/** Handles one MCP request over HTTP. Stateless. */
export const serveMcp = (
  request: Request,
  parsedBody: unknown,
  parts: Parameters<typeof createMcpServer>[0],
): Promise<Response> => createMcpHandler(() => createMcpServer(parts)).fetch(request, { parsedBody })
