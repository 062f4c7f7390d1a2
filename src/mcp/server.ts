import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { createAdminClient, createMockFetch } from '../client/admin-client.ts'
import type { Send } from '../client/admin-client.ts'
import { check } from '../contract/check.ts'
import { decisions } from '../contract/decisions.ts'
import { VERSION } from '../version.ts'
import { expectShortHead } from '../http/headers.ts'
import type { Tool } from './exchange.ts'
import { tools } from './tools.ts'

/** The longest message about an invalid argument, in characters. */
const MOST_CHARACTERS = 1000

/** The schema that the protocol's library checks a tool's input with. As in every other response, the number of errors is limited. */
function toToolSchema(input: z.ZodObject): StandardSchemaWithJSON<unknown, Readonly<Record<string, unknown>>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'resource-mock',
      jsonSchema: input['~standard'].jsonSchema,
      validate(given) {
        const { faults, unknown } = check(input, given)
        const messages = [
          ...unknown.map((name) => `Unrecognized argument "${name}". Remove it, or correct its name.`),
          ...faults.map(({ message, detailedErrorMessage = message }) => detailedErrorMessage),
        ]
        const issues = messages.map((message) => ({ message: message.slice(0, MOST_CHARACTERS) }))
        return issues.length > 0 ? { issues } : { value: given as Readonly<Record<string, unknown>> }
      },
    },
  }
}

interface McpParts {
  /** The mock's URL without a trailing slash. */
  readonly baseUrl: string
  /** The session of calls that name none; absent: the default one. */
  readonly session?: string
  /** The admin API's token. */
  readonly token?: string | undefined
  /** Sends a request to the service. */
  readonly send: Send
  /** Sends a request to the admin API. */
  readonly sendAdmin: Send
  /** Whether tools that change something are left out. */
  readonly isReadOnly?: boolean
  /** Tools of this transport alone. */
  readonly further?: readonly Tool[]
}

const session = z
  .string()
  .regex(/^[\w.-]{1,64}$/)
  .optional()
  .describe('the session that it is about; default: that of the connection')

/** Refuses what is longer than a socket takes: a tool's arguments may have any length. */
const limit =
  (send: Send): Send =>
  async (request) => {
    expectShortHead(request)
    return send(request)
  }

const toText = (value: unknown): string => JSON.stringify(value, undefined, 2)

/**
 * Creates a server of the Model Context Protocol for a mock. All that it does goes through the admin API, so it shows no more
 * than the journal does.
 *
 * @param Server the class of the protocol's library, which is loaded on demand
 */
export function createMcpServer(Server: typeof McpServer, parts: McpParts): McpServer {
  const { baseUrl, token, isReadOnly = false, further = [] } = parts
  const [send, sendAdmin] = [limit(parts.send), limit(parts.sendAdmin)]
  const server = new Server(
    { name: 'resource-mock', version: VERSION },
    {
      instructions: `Controls the mock server at ${baseUrl}. Each session has its own data, scenarios and journal; an app names one by the path prefix /@name or the header X-Mock-Session.`,
    },
  )

  function access(name = parts.session) {
    const named = name === undefined ? {} : { session: name }
    return {
      admin: createAdminClient({ baseUrl, token, send: sendAdmin, ...named }),
      fetch: createMockFetch({ baseUrl: () => baseUrl, send, ...(name === undefined ? {} : { name }) }),
    }
  }

  for (const { name, description, input, isReading, hasSession, call } of [...tools, ...further]) {
    if (isReadOnly && !isReading) continue
    // An unknown argument is refused: a misspelt session would act on another one.
    const inputSchema = toToolSchema(z.strictObject({ ...input.shape, ...(hasSession ? { session } : {}) }))
    server.registerTool(name, { description, inputSchema, annotations: { readOnlyHint: isReading } }, async (given) => {
      const { session: named, ...own } = given
      const text = toText(await call(own, access(session.parse(named))))
      return { content: [{ type: 'text', text }] }
    })
  }

  const resources = [
    {
      name: 'openapi',
      title: 'The API as an OpenAPI document',
      read: () => access().admin.ask('GET', '/openapi.json'),
    },
    { name: 'decisions', title: 'What the mock does where the specification is silent', read: async () => decisions },
    {
      name: 'scenario-schema',
      title: 'The JSON schema of a scenario',
      async read() {
        const { toScenarioJsonSchema } = await import('../scenarios/json-schema.ts')
        return toScenarioJsonSchema()
      },
    },
  ]
  for (const { name, title, read } of resources) {
    server.registerResource(name, `mock://${name}`, { title, mimeType: 'application/json' }, async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'application/json', text: toText(await read()) }],
    }))
  }
  return server
}
