import * as z from 'zod'
import { toHeaders } from '../admin/requests.ts'
import { LONGEST_HEAD } from '../http/headers.ts'
import { EVERY_PROJECT } from '../state/change.ts'
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

/** Requests listed by default. */
const LISTED = 20

/** What becomes part of a URL: to encode a longer one takes long, too. */
const short = z.string().max(LONGEST_HEAD, { error: `at most ${LONGEST_HEAD} characters expected.` })
const name = short.describe('1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-"')
const requestId = short.describe('an id of list_requests')
const pathOf = (folder: string, one: string): string => `/${folder}/${encodeURIComponent(one)}`

interface ScenarioList {
  readonly active: readonly string[]
  readonly scenarios: readonly { readonly name: string; readonly description: string; readonly source: string }[]
}

/** The tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  createTool({
    name: 'list_scenarios',
    description: 'Lists the scenarios, what each one does, and which are active.',
    input: z.object({}),
    isReading: true,
    async call(_input, { admin }) {
      const { active, scenarios } = (await admin.ask('GET', '/scenarios')) as ScenarioList
      return { active, scenarios: scenarios.map(({ name, description, source }) => ({ name, description, source })) }
    },
  }),
  createTool({
    name: 'activate_scenarios',
    description: 'Makes these scenarios the active ones, in place of those that were. Their counters start again.',
    input: z.object({ names: z.array(z.string()).describe('names of list_scenarios; [] for none') }),
    call: ({ names }, { admin }) => admin.ask('PUT', '/scenarios/active', { active: names }),
  }),
  createTool({
    name: 'define_scenario',
    description:
      'Defines a scenario, or replaces the one of that name. It is not active until activate_scenarios names it. The resource mock://scenario-schema describes its shape.',
    input: z.object({
      name,
      scenario: z
        .looseObject({})
        .describe(
          'such as {"description": "Reads fail", "rules": [{"match": {"operation": "getResourceById"}, "effect": {"answer": {"status": 500}}}]}',
        ),
    }),
    call: (input, { admin }) => admin.ask('PUT', pathOf('scenarios', input.name), input.scenario),
  }),
  createTool({
    name: 'seed_resources',
    description: 'Replaces all resources by these records, in one project or in every project.',
    input: z.object({
      projectKey: short.optional().describe('default: every project'),
      records: z.array(z.looseObject({})).describe('such as [{"key": "hat", "objectTypeProperty": {}}]'),
    }),
    call: ({ projectKey, records }, { admin }) =>
      projectKey === undefined
        ? admin.ask('PUT', '/state', { projects: [{ ...EVERY_PROJECT, resources: records }] })
        : admin.ask('PUT', pathOf('state', projectKey), records),
  }),
  createTool({
    name: 'query_resources',
    description:
      'Queries the resources of a project as an app does: active scenarios apply, and the journal has the request.',
    input: z.object({
      projectKey: short,
      where: short.optional().describe('a predicate, such as key = "hat"'),
      sort: short.optional().describe('such as lastModifiedAt desc'),
      limit: z.int().min(0).max(500).optional(),
    }),
    isReading: true,
    async call({ projectKey, limit, ...query }, mock) {
      const given = { ...query, ...(limit === undefined ? {} : { limit: String(limit) }) }
      const path = `/${encodeURIComponent(projectKey)}/resource?${new URLSearchParams(given)}`
      const { response } = await sendRequest(mock, { method: 'GET', path })
      return response
    },
  }),
  createTool({
    name: 'send_request',
    description:
      'Sends a request to the service and returns it with its response, as the journal has them. Without Authorization, a token with every scope is sent; with an empty one, none.',
    input: z.object({
      method: short,
      path: short.regex(/^\//).describe('path and query, such as /acme/resource'),
      headers: toHeaders(z.string()).optional(),
      body: z.unknown().optional().describe('text as it is, anything else as JSON'),
    }),
    call: (input, mock) => sendRequest(mock, input),
  }),
  createTool({
    name: 'list_requests',
    description: 'Lists requests of the journal, the newest first. get_request has the whole of one.',
    input: z.object({
      pattern: z
        .looseObject({})
        .optional()
        .describe('a request pattern of WireMock, such as {"method": "POST", "urlPath": "/acme/resource"}'),
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
    description: 'Returns a request of the journal and its response, with headers and bodies.',
    input: z.object({ id: requestId }),
    isReading: true,
    call: async ({ id }, mock) => toExchange(await readRequest(mock, id)),
  }),
  createTool({
    name: 'explain_failure',
    description:
      'Explains why a request failed: the cause, the versions of its resource, near misses, the decisions behind the response, and what to do.',
    input: z.object({ id: requestId.optional().describe('default: the last request that failed') }),
    isReading: true,
    call: ({ id }, mock) => explainFailure(mock, id),
  }),
  createTool({
    name: 'coverage',
    description:
      'Reports which operations, statuses, error codes, scenarios and recoveries the requests have met, and which never.',
    input: z.object({}),
    isReading: true,
    call: (_input, { admin }) => admin.ask('GET', '/coverage'),
  }),
  createTool({
    name: 'snapshot',
    description: 'Keeps the data as they are now under a name, for restore.',
    input: z.object({ name }),
    call: (input, { admin }) => admin.ask('PUT', pathOf('snapshots', input.name)),
  }),
  createTool({
    name: 'restore',
    description: 'Brings the data back to a snapshot. Scenarios and journal stay as they are.',
    input: z.object({ name }),
    call: (input, { admin }) => admin.ask('POST', `${pathOf('snapshots', input.name)}/restore`),
  }),
  createTool({
    name: 'reset_session',
    description:
      'Resets data, active scenarios, counters, clock and journal, and drops the scenarios that the session defined. Snapshots stay.',
    input: z.object({}),
    call: (_input, { admin }) => admin.ask('POST', '/reset'),
  }),
]
