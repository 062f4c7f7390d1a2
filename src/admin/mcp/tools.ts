import * as z from 'zod'
import { sentMethod, toHeaderSchema } from '../api/requests.ts'
import { calledOperations } from '../../service/contract/endpoints.ts'
import { SetupError } from '../../errors.ts'
import { isJsonObject } from '../../service/http/json.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { scenarioSchema } from '../../service/scenarios/schema.ts'
import { EVERY_PROJECT } from '../../service/state/project-data.ts'
import { resourceRecord } from '../../service/state/records.ts'
import type { CoverageReport } from '../../sessions/journal/coverage-report.ts'
import { pathOf } from '../client/admin-client.ts'
import { listEntries, readRequest, sendRequest, toExchange, toSummary } from './journal-requests.ts'
import { createTool } from './tool.ts'
import type { Tool } from './tool.ts'

/** A URL segment. Its length is limited because encoding a long one is slow. */
const short = z.string().max(MAX_BYTES.requestLine, { error: `at most ${MAX_BYTES.requestLine} characters expected.` })
const name = short.describe('1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-"')
const requestId = short.describe('a request id from list_requests')

const isUnmet = ({ met }: { readonly met: number }): boolean => met === 0

const withCause = (item: number | string, scenario?: string): string =>
  scenario === undefined ? String(item) : `${item} (${scenario})`

/** What a report lacks: for each operation that was called, its statuses and error codes, and the scenarios that cause them. */
function toUnmet({ summary: { percent, met, of }, operations, scenarios, recoveries }: CoverageReport) {
  const called = operations.filter((one) => !isUnmet(one))
  return {
    percent,
    met,
    of,
    unmet: {
      operations: operations.filter(isUnmet).map(({ id }) => id),
      answers: Object.fromEntries(
        called.map(({ id, statuses, errors }) => {
          const unmetStatuses = statuses.filter(isUnmet).map(({ status, scenario }) => withCause(status, scenario))
          const unmetErrors = errors.filter(isUnmet).map(({ code, scenario }) => withCause(code, scenario))
          return [id, [...unmetStatuses, ...unmetErrors]]
        }),
      ),
      scenarios: scenarios.filter(isUnmet).map((scenario) => scenario.name),
      recoveries: recoveries.filter(({ recovered }) => recovered === 0).map(({ kind }) => kind),
    },
  }
}

/** The tools, in listing order. */
export const tools: readonly Tool[] = [
  createTool({
    name: 'list_scenarios',
    title: 'List scenarios',
    description: 'Lists the scenarios, what each one does, and which are active; and the URL for the app under test.',
    input: z.object({}),
    isReading: true,
    async call(_input, { admin, url }) {
      const { active, scenarios } = (await admin.send('GET', '/scenarios')) as {
        readonly active: readonly string[]
        readonly scenarios: readonly { readonly name: string; readonly description: string }[]
      }
      return { url, active, scenarios: scenarios.map(({ name, description }) => ({ name, description })) }
    },
  }),
  createTool({
    name: 'activate_scenarios',
    title: 'Activate scenarios',
    description: 'Activates these scenarios and deactivates all others. Their counters are reset.',
    input: z.object({ names: z.array(z.string()).describe('scenario names from list_scenarios; [] for none') }),
    call: ({ names: active }, { admin }) => admin.send('PUT', '/scenarios/active', { active }),
  }),
  createTool({
    name: 'define_scenario',
    title: 'Define a scenario',
    description: 'Defines or replaces a scenario. It has no effect until activate_scenarios activates it.',
    input: z.object({
      name,
      scenario: scenarioSchema
        .extend({ description: scenarioSchema.shape.description.optional() })
        .describe(
          'for example {"rules": [{"match": {"operation": "getResourceById"}, "effect": {"answer": {"status": 500}}}]}',
        ),
    }),
    isDestructive: true,
    call: ({ name, scenario }, { admin }) =>
      admin.send('PUT', pathOf('scenarios', name), { description: 'Defined with define_scenario', ...scenario }),
  }),
  createTool({
    name: 'seed_resources',
    title: 'Replace all resources',
    description: 'Replaces all resources with these records, in one project or in all projects.',
    input: z.object({
      projectKey: short.optional().describe('default: every project'),
      records: z.array(resourceRecord).describe('for example [{"key": "hat", "objectTypeProperty": {}}]'),
    }),
    isDestructive: true,
    call: ({ projectKey, records }, { admin }) =>
      projectKey === undefined
        ? admin.send('PUT', '/state', { projects: [{ ...EVERY_PROJECT, resources: records }] })
        : admin.send('PUT', pathOf('state', projectKey), records),
  }),
  createTool({
    name: 'query_resources',
    title: 'Query resources',
    description:
      'Queries the resources of a project as an app would: active scenarios apply, and the request is recorded in the journal.',
    input: z.object({
      projectKey: short.optional().describe('default: acme'),
      where: short.optional().describe('a predicate, for example key = "hat"'),
      sort: short.optional().describe('for example lastModifiedAt desc'),
      limit: z.int().min(0).max(500).optional().describe('default: 20'),
      offset: z.int().min(0).max(10_000).optional().describe('default: 0'),
    }),
    readOn: 'Pass offset to read on after the last result shown, or whole: true to get the full page.',
    isReading: true,
    async call({ projectKey = 'acme', limit, offset, ...query }, mock) {
      const parameters = Object.entries({ ...query, limit, offset }).flatMap(([member, value]) =>
        value === undefined ? [] : [[member, String(value)]],
      )
      const path = `/${encodeURIComponent(projectKey)}/resource?${new URLSearchParams(parameters)}`
      const { id, response } = toExchange(await sendRequest(mock, { method: 'GET', path }))
      const { status, body } = response
      if (status !== 200 || !isJsonObject(body)) return { id, ...response }
      const { total, offset: from, results } = body
      return { id, status, total, offset: from, results }
    },
  }),
  createTool({
    name: 'send_request',
    title: 'Send a request',
    description:
      'Sends a request to the service and returns the response as recorded in the journal. By default, Authorization is a token with every scope; set it to an empty string to send none. For the request as sent, use get_request.',
    input: z.object({
      method: sentMethod,
      path: short.regex(/^\//).describe('path and query, for example /acme/resource'),
      headers: toHeaderSchema(z.string()).optional(),
      body: z.unknown().optional().describe('strings are sent unchanged, anything else as JSON'),
    }),
    readOn: 'Pass the id and whole: true to get_request.',
    isDestructive: true,
    async call(input, mock) {
      const { request: _sent, ...answer } = toExchange(await sendRequest(mock, input))
      return answer
    },
  }),
  createTool({
    name: 'list_requests',
    title: 'List requests',
    description: 'Lists the requests in the journal, newest first. Use get_request for details.',
    input: z.object({
      pattern: z
        .looseObject({})
        .optional()
        .describe('a WireMock request pattern, for example {"method": "POST", "urlPath": "/acme/resource"}'),
      limit: z.int().min(1).max(100).optional().describe('default: 20'),
      before: short.optional().describe('list the requests before this one, such as the last one of a reply'),
    }),
    readOn: 'Pass the id of the last request shown as before, or whole: true.',
    isReading: true,
    async call({ pattern, limit = 20, before }, mock) {
      const page = { limit: String(limit), ...(before === undefined ? {} : { before }) }
      return { requests: (await listEntries(mock, page, pattern)).map(toSummary) }
    },
  }),
  createTool({
    name: 'get_request',
    title: 'Read a request',
    description: 'Returns a request from the journal with its response, including headers and bodies.',
    input: z.object({ id: requestId }),
    isReading: true,
    call: async ({ id }, mock) => toExchange(await readRequest(mock, id)),
  }),
  createTool({
    name: 'explain_failure',
    title: 'Explain a failure',
    description:
      'Explains why a request failed: the cause, the versions of the resource, near misses, the decisions behind the response, and how to fix it.',
    input: z.object({ id: requestId.optional().describe('default: the last failed request') }),
    isReading: true,
    async call({ id }, mock) {
      const { requests } = (await mock.admin.send('GET', '/requests?filter=failed&limit=1&summary=true')) as {
        readonly requests: readonly { readonly id: string }[]
      }
      const failed = id ?? requests[0]?.id
      if (failed === undefined)
        throw new SetupError('No request of this session failed. Pass a request id from list_requests.')
      const request = toSummary(await readRequest(mock, failed))
      return { ...request, ...((await mock.admin.send('GET', `${pathOf('requests', failed)}/explanation`)) as object) }
    },
  }),
  createTool({
    name: 'coverage',
    title: 'Report coverage',
    description:
      'Reports how much of the contract the requests covered, and what they missed: operations, statuses and error codes of the called operations with the scenarios that cause them, scenarios and recoveries.',
    input: z.object({
      only: z.array(z.enum(calledOperations)).optional().describe('count only these operations; default: all'),
    }),
    isReading: true,
    async call({ only = [] }, { admin }) {
      const query = only.length === 0 ? '' : `?only=${only.join(',')}`
      return toUnmet((await admin.send('GET', `/coverage${query}`)) as CoverageReport)
    },
  }),
  createTool({
    name: 'snapshot',
    title: 'Save a snapshot',
    description: 'Saves the current data as a named snapshot.',
    input: z.object({ name }),
    isDestructive: true,
    call: (input, { admin }) => admin.send('PUT', pathOf('snapshots', input.name)),
  }),
  createTool({
    name: 'restore',
    title: 'Restore a snapshot',
    description: 'Restores the data from a snapshot. Scenarios and the journal are unchanged.',
    input: z.object({ name }),
    isDestructive: true,
    call: (input, { admin }) => admin.send('POST', `${pathOf('snapshots', input.name)}/restore`),
  }),
  createTool({
    name: 'reset_session',
    title: 'Reset the session',
    description:
      'Resets data, active scenarios, counters, clock and journal, and deletes the scenarios defined in the session. Snapshots are kept.',
    input: z.object({}),
    isDestructive: true,
    call: (_input, { admin }) => admin.send('POST', '/reset'),
  }),
  createTool({
    name: 'move_clock',
    title: 'Move the clock',
    description:
      "Advances the session's clock, or sets it: tokens expire, and Retry-After passes. Pass one of the two.",
    input: z.object({
      advance: z.string().optional().describe('a duration such as 2h, 90s or 500ms'),
      now: z.string().optional().describe('a time in ISO 8601, such as 2026-01-31T12:00:00Z'),
    }),
    call: (input, { admin }) => admin.send('PUT', '/clock', input),
  }),
]
