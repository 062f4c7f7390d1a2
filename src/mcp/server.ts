import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { toHeaders } from '../admin/requests.ts'
import { createAdminClient, createMockFetch } from '../client/admin-client.ts'
import type { Send } from '../client/admin-client.ts'
import { check } from '../contract/check.ts'
import { decisions } from '../contract/decisions.ts'
import { LONGEST_HEAD, expectShortHead } from '../http/request-head.ts'
import { EVERY_PROJECT } from '../state/project-data.ts'
import { VERSION } from '../version.ts'
import {
  explainFailure,
  findRequests,
  readNewest,
  readRequest,
  toExchange,
  toSummary,
  sendRequest,
  createTool,
} from './exchange.ts'
import type { Tool } from './exchange.ts'
import { createMcpHandler, McpServer } from './sdk.ts'

/** Default number of requests listed. */
const LISTED = 20

/** A URL segment. Its length is limited because encoding a long one is slow. */
const short = z.string().max(LONGEST_HEAD, { error: `at most ${LONGEST_HEAD} characters expected.` })
const name = short.describe('1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-"')
const requestId = short.describe('a request id from list_requests')
const pathOf = (folder: string, one: string): string => `/${folder}/${encodeURIComponent(one)}`

interface ScenarioList {
  readonly active: readonly string[]
  readonly scenarios: readonly { readonly name: string; readonly description: string; readonly source: string }[]
}

/** The tools, in listing order. */
export const tools: readonly Tool[] = [
  createTool({
    name: 'list_scenarios',
    description: 'Lists the scenarios, what each one does, and which are active.',
    input: z.object({}),
    isReading: true,
    async call(_input, { admin }) {
      const { active, scenarios } = (await admin.send('GET', '/scenarios')) as ScenarioList
      return { active, scenarios: scenarios.map(({ name, description, source }) => ({ name, description, source })) }
    },
  }),
  createTool({
    name: 'activate_scenarios',
    description: 'Activates these scenarios and deactivates all others. Their counters are reset.',
    input: z.object({ names: z.array(z.string()).describe('scenario names from list_scenarios; [] for none') }),
    call: ({ names }, { admin }) => admin.send('PUT', '/scenarios/active', { active: names }),
  }),
  createTool({
    name: 'define_scenario',
    description:
      'Defines or replaces a scenario. It has no effect until activate_scenarios activates it. For its schema, see the resource mock://scenario-schema.',
    input: z.object({
      name,
      scenario: z
        .looseObject({})
        .describe(
          'for example {"description": "Reads fail", "rules": [{"match": {"operation": "getResourceById"}, "effect": {"answer": {"status": 500}}}]}',
        ),
    }),
    call: (input, { admin }) => admin.send('PUT', pathOf('scenarios', input.name), input.scenario),
  }),
  createTool({
    name: 'seed_resources',
    description: 'Replaces all resources with these records, in one project or in all projects.',
    input: z.object({
      projectKey: short.optional().describe('default: every project'),
      records: z.array(z.looseObject({})).describe('for example [{"key": "hat", "objectTypeProperty": {}}]'),
    }),
    call: ({ projectKey, records }, { admin }) =>
      projectKey === undefined
        ? admin.send('PUT', '/state', { projects: [{ ...EVERY_PROJECT, resources: records }] })
        : admin.send('PUT', pathOf('state', projectKey), records),
  }),
  createTool({
    name: 'query_resources',
    description:
      'Queries the resources of a project as an app would: active scenarios apply, and the request is recorded in the journal.',
    input: z.object({
      projectKey: short,
      where: short.optional().describe('a predicate, for example key = "hat"'),
      sort: short.optional().describe('for example lastModifiedAt desc'),
      limit: z.int().min(0).max(500).optional(),
    }),
    isReading: true,
    async call({ projectKey, limit, ...query }, mock) {
      const parameters = { ...query, ...(limit === undefined ? {} : { limit: String(limit) }) }
      const path = `/${encodeURIComponent(projectKey)}/resource?${new URLSearchParams(parameters)}`
      const { response } = await sendRequest(mock, { method: 'GET', path })
      return response
    },
  }),
  createTool({
    name: 'send_request',
    description:
      'Sends a request to the service and returns the request and response as recorded in the journal. By default, Authorization is a token with every scope; set it to an empty string to send none.',
    input: z.object({
      method: short,
      path: short.regex(/^\//).describe('path and query, for example /acme/resource'),
      headers: toHeaders(z.string()).optional(),
      body: z.unknown().optional().describe('strings are sent unchanged, anything else as JSON'),
    }),
    call: (input, mock) => sendRequest(mock, input),
  }),
  createTool({
    name: 'list_requests',
    description: 'Lists the requests in the journal, newest first. Use get_request for details.',
    input: z.object({
      pattern: z
        .looseObject({})
        .optional()
        .describe('a WireMock request pattern, for example {"method": "POST", "urlPath": "/acme/resource"}'),
      limit: z.int().min(1).max(1000).optional().describe(`default: ${LISTED}`),
    }),
    isReading: true,
    async call({ pattern, limit = LISTED }, mock) {
      const found = pattern === undefined ? readNewest(mock, limit) : findRequests(mock, pattern)
      const requests: ReturnType<typeof toSummary>[] = []
      for await (const request of found) if (requests.push(toSummary(request)) >= limit) break
      return { requests }
    },
  }),
  createTool({
    name: 'get_request',
    description: 'Returns a request from the journal with its response, including headers and bodies.',
    input: z.object({ id: requestId }),
    isReading: true,
    call: async ({ id }, mock) => toExchange(await readRequest(mock, id)),
  }),
  createTool({
    name: 'explain_failure',
    description:
      'Explains why a request failed: the cause, the versions of the resource, near misses, the decisions behind the response, and how to fix it.',
    input: z.object({ id: requestId.optional().describe('default: the last failed request') }),
    isReading: true,
    call: ({ id }, mock) => explainFailure(mock, id),
  }),
  createTool({
    name: 'coverage',
    description:
      'Reports which operations, statuses, error codes, scenarios and recoveries the requests covered, and which they missed.',
    input: z.object({}),
    isReading: true,
    call: (_input, { admin }) => admin.send('GET', '/coverage'),
  }),
  createTool({
    name: 'snapshot',
    description: 'Saves the current data as a named snapshot.',
    input: z.object({ name }),
    call: (input, { admin }) => admin.send('PUT', pathOf('snapshots', input.name)),
  }),
  createTool({
    name: 'restore',
    description: 'Restores the data from a snapshot. Scenarios and the journal are unchanged.',
    input: z.object({ name }),
    call: (input, { admin }) => admin.send('POST', `${pathOf('snapshots', input.name)}/restore`),
  }),
  createTool({
    name: 'reset_session',
    description:
      'Resets data, active scenarios, counters, clock and journal, and deletes the scenarios defined in the session. Snapshots are kept.',
    input: z.object({}),
    call: (_input, { admin }) => admin.send('POST', '/reset'),
  }),
]

/** Maximum length of a message about an invalid argument, in characters. */
const MOST_CHARACTERS = 1000

/**
 * The schema that the MCP SDK uses to validate a tool's input. The number of errors is limited, as in all other responses.
 */
function toToolSchema(input: z.ZodObject): StandardSchemaWithJSON<unknown, Readonly<Record<string, unknown>>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'resource-mock',
      jsonSchema: input['~standard'].jsonSchema,
      validate(args) {
        const { problems, unknown } = check(input, args)
        const messages = [
          ...unknown.map((name) => `Unrecognized argument "${name}". Remove it, or correct its name.`),
          ...problems.map(({ message, detailedErrorMessage = message }) => detailedErrorMessage),
        ]
        const issues = messages.map((message) => ({ message: message.slice(0, MOST_CHARACTERS) }))
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

const toText = (value: unknown): string => JSON.stringify(value, undefined, 2)

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
  readonly session?: string
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
      instructions: `Controls the mock server at ${baseUrl}. Each session has its own data, scenarios and journal; an app selects one with the path prefix /@name or the header X-Mock-Session.`,
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
    // Refuse unknown arguments: a misspelled `session` would act on another session.
    const inputSchema = toToolSchema(z.strictObject({ ...input.shape, ...(hasSession ? { session } : {}) }))
    server.registerTool(name, { description, inputSchema, annotations: { readOnlyHint: isReading } }, async (args) => {
      const { session: named, ...own } = args
      const text = toText(await call(own, access(session.parse(named))))
      return { content: [{ type: 'text', text }] }
    })
  }

  const resources = [
    {
      name: 'openapi',
      title: 'The API as an OpenAPI document',
      read: () => access().admin.send('GET', '/openapi.json'),
    },
    {
      name: 'decisions',
      title: 'How the mock behaves where the specification says nothing',
      read: async () => decisions,
    },
    {
      name: 'scenario-schema',
      title: 'The JSON schema of a scenario',
      async read() {
        const { toScenarioJsonSchema } = await import('../scenarios/schema.ts')
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

/** Handles one MCP request over HTTP. Stateless. */
export const serveMcp = (
  request: Request,
  parsedBody: unknown,
  parts: Parameters<typeof createMcpServer>[0],
): Promise<Response> => createMcpHandler(() => createMcpServer(parts)).fetch(request, { parsedBody })
