import * as z from 'zod'
import { sentMethod, toHeaderSchema } from '../api/requests.ts'
import { calledOperations } from '../../service/contract/endpoints.ts'
import { SetupError } from '../../errors.ts'
import { isJsonObject } from '../../service/http/json.ts'
import type { CoverageReport } from '../../sessions/journal/coverage-report.ts'
import { EVERY_PROJECT } from '../../service/state/project-data.ts'
import { resourceRecord, toDefaultId } from '../../service/state/records.ts'
import type { StoredResource } from '../../service/state/resource.ts'
import { isFitting, takeFitting, toBrief } from './brief.ts'
import {
  explainFailure,
  listEntries,
  readRequest,
  sendRequest,
  toShownAnswer,
  toExchange,
  toExchangeSummary,
} from './exchange.ts'
import { scenarioTools } from './scenario-tools.ts'
import { pathOf } from '../client/admin-client.ts'
import { count, createTool, describeFaults, name, toolNames, short, whole } from './tool.ts'
import type { ActiveNames, Tool } from './tool.ts'

/** Default number of requests listed. */
const LISTED = 20

/** Maximum number of resources whose ids are listed. */
const LISTED_RESOURCES = 10

/** The project that the fixtures and the documentation use. */
const DEFAULT_PROJECT = 'acme'

const requestId = short.describe('a request id from list_requests')

const response = z.looseObject({
  status: count.describe('0 if a fault broke the connection'),
  body: z
    .unknown()
    .optional()
    .describe('JSON, with integers above 2^53 as strings; text if it is not JSON or is shortened'),
  bodySize: count.optional().describe('in bytes, if the body is shortened'),
})

const exchange = z.looseObject({ id: z.string(), operation: z.string().optional(), response })

const summary = z.looseObject({ id: z.string(), method: z.string(), url: z.string(), status: count })

const resources = z.looseObject({ count, first: z.array(z.looseObject({ id: z.string() })) })

const snapshotInfo = z.looseObject({ name: z.string(), takenAt: z.string() })

/** Maximum number of records whose faults are listed. The mock checks all of them in slices, up to the first fault. */
const MOST_CHECKED = 1000

const recordsInput = z.object({ records: z.array(resourceRecord) })
/** What is listed of records that were stored. */
const accepted = z.array(resourceRecord.pick({ id: true, key: true }).loose())

/** Lists the ids and keys of the first resources. */
const toFirst = (found: readonly Pick<StoredResource, 'id' | 'key'>[]) =>
  found.slice(0, LISTED_RESOURCES).map(({ id, key }) => (key === undefined ? { id } : { id, key }))

const isUnmet = ({ met }: { readonly met: number }): boolean => met === 0

/** What a report lacks: for each operation that was called, its statuses and error codes. */
function toUnmet({ summary: { percent, met, of }, operations, scenarios, recoveries }: CoverageReport) {
  const called = operations.filter((operation) => !isUnmet(operation))
  // For each status, the scenario that causes it; with the operation if it does so only there.
  const all = called.flatMap(({ id, statuses }) => statuses.map((one) => ({ id, ...one })))
  return {
    percent,
    met,
    of,
    unmet: {
      operations: operations.filter(isUnmet).map(({ id }) => id),
      answers: Object.fromEntries(
        called.map(({ id, statuses, errors }) => [
          id,
          [...statuses.filter(isUnmet).map(({ status }) => status), ...errors.filter(isUnmet).map(({ code }) => code)],
        ]),
      ),
      causes: Object.fromEntries(
        all.flatMap(({ id, status, scenario }) => {
          if (scenario === undefined) return []
          const isEverywhere = all.every((one) => one.status !== status || one.scenario === scenario)
          return [[isEverywhere ? `${status}` : `${id} ${status}`, scenario]]
        }),
      ),
      scenarios: scenarios.filter(isUnmet).map((scenario) => scenario.name),
      recoveries: recoveries.filter(({ recovered }) => recovered === 0).map(({ kind }) => kind),
    },
  }
}

/** A page of the results of a query, without the members of the response that only apps need. */
function toResultPage(body: Readonly<Record<string, unknown>>, results: readonly unknown[], isLimited: boolean) {
  const { offset, total } = body
  const listed = isLimited ? results : takeFitting(results)
  const isMore = listed.length < results.length
  const isShortened = !isLimited && !listed.every(isFitting)
  return {
    total,
    offset,
    count: listed.length,
    results: isShortened ? listed.map((one) => toBrief(one).brief) : listed,
    ...(isShortened ? { isShortened } : {}),
    ...(isMore ? { nextOffset: Number(offset) + listed.length } : {}),
  }
}

/** The tools, in listing order. */
export const tools: readonly Tool[] = [
  ...scenarioTools,
  createTool({
    name: 'seed_resources',
    title: 'Replace all resources',
    description:
      'Replaces all resources with these records, in one project or in all projects. Returns their number and the first ids.',
    input: z.object({
      projectKey: short.optional().describe('default: every project'),
      records: z.array(z.looseObject({})),
    }),
    listedInput: z.object({
      projectKey: short.optional().describe('default: every project'),
      records: z
        .array(
          z.looseObject({
            id: z.string().optional(),
            key: z.string().optional(),
            objectTypeProperty: z.looseObject({}),
          }),
        )
        .describe('for example [{"key": "hat", "objectTypeProperty": {}}]'),
    }),
    output: resources,
    isDestructive: true,
    async call({ projectKey, records }, { admin }) {
      const faults = describeFaults(recordsInput, { records: records.slice(0, MOST_CHECKED) })
      if (faults.length > 0) throw new SetupError(faults.join('\n'))
      await (projectKey === undefined
        ? admin.send('PUT', '/state', { projects: [{ ...EVERY_PROJECT, resources: records }] })
        : admin.send('PUT', pathOf('state', projectKey), records))
      return {
        count: records.length,
        first: toFirst(accepted.parse(records).map(({ id, key }, at) => ({ id: id ?? toDefaultId(at), key }))),
      }
    },
  }),
  createTool({
    name: 'query_resources',
    title: 'Query resources',
    description:
      'Queries the resources of a project as an app would: active scenarios apply, and the request is recorded in the journal. Returns a page; for the next one, pass nextOffset as offset.',
    input: z.object({
      projectKey: short.optional().describe(`default: ${DEFAULT_PROJECT}`),
      where: short.optional().describe('a predicate, for example key = "hat"'),
      sort: short.optional().describe('for example lastModifiedAt desc'),
      limit: z.int().min(0).max(500).optional().describe('default: as many as fit in 3 KB, at most 20'),
      offset: z.int().min(0).max(10_000).optional().describe('default: 0'),
    }),
    output: z.looseObject({
      id: z.string(),
      status: count,
      total: count.optional(),
      results: z.array(z.unknown()).optional(),
      nextOffset: count.optional(),
      isShortened: z.boolean().optional().describe('true if a result was too large; pass limit to get all of it'),
      body: z.unknown().optional().describe('of a response without results'),
    }),
    isReading: true,
    async call({ projectKey = DEFAULT_PROJECT, limit, offset, ...query }, mock) {
      const parameters = {
        ...query,
        ...(limit === undefined ? {} : { limit: String(limit) }),
        ...(offset === undefined ? {} : { offset: String(offset) }),
      }
      const path = `/${encodeURIComponent(projectKey)}/resource?${new URLSearchParams(parameters)}`
      const request = await sendRequest(mock, { method: 'GET', path })
      const { id, response: all } = toShownAnswer(request, true)
      if (isJsonObject(all.body) && Array.isArray(all.body['results']) && all.status === 200)
        return { id, status: all.status, ...toResultPage(all.body, all.body['results'], limit !== undefined) }
      const { response: brief, ...members } = toShownAnswer(request, limit !== undefined)
      return { ...members, ...brief }
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
      whole,
    }),
    output: exchange,
    isDestructive: true,
    call: async ({ whole: isWhole = false, ...input }, mock) => toShownAnswer(await sendRequest(mock, input), isWhole),
  }),
  createTool({
    name: 'list_requests',
    title: 'List requests',
    description:
      'Lists the requests in the journal, newest first. Use get_request for details. For the next page, pass next as before.',
    input: z.object({
      pattern: z
        .looseObject({})
        .optional()
        .describe('a WireMock request pattern, for example {"method": "POST", "urlPath": "/acme/resource"}'),
      limit: z.int().min(1).max(100).optional().describe(`default: as many as fit in 3 KB, at most ${LISTED}`),
      before: short.optional().describe('list the requests before this one'),
    }),
    output: z.looseObject({ requests: z.array(summary), next: z.string().optional() }),
    isReading: true,
    async call({ pattern, limit: given, before }, mock) {
      const limit = given ?? LISTED
      const page = { limit: String(limit + 1), ...(before === undefined ? {} : { before }) }
      const found = (await listEntries(mock, page, pattern)).map(toExchangeSummary)
      const asked = found.slice(0, limit)
      const requests = given === undefined ? takeFitting(asked) : asked
      const last = requests.at(-1)
      return { requests, ...(last !== undefined && requests.length < found.length ? { next: last.id } : {}) }
    },
  }),
  createTool({
    name: 'get_request',
    title: 'Read a request',
    description: 'Returns a request from the journal with its response, including headers and bodies.',
    input: z.object({ id: requestId, whole }),
    output: exchange,
    isReading: true,
    call: async ({ id, whole: isWhole = false }, mock) => toExchange(await readRequest(mock, id), isWhole),
  }),
  createTool({
    name: 'explain_failure',
    title: 'Explain a failure',
    description:
      'Explains why a request failed: the cause, the versions of the resource, near misses, the decisions behind the response, and how to fix it.',
    input: z.object({ id: requestId.optional().describe('default: the last failed request') }),
    output: z.looseObject({
      id: z.string(),
      status: count,
      sentence: z.string().optional(),
      cause: z.looseObject({ kind: z.string().optional() }),
      remedy: z.string().optional(),
      omitted: z.record(z.string(), count).optional().describe('how many entries each list has besides those shown'),
    }),
    isReading: true,
    call: ({ id }, mock) => explainFailure(mock, id),
  }),
  createTool({
    name: 'coverage',
    title: 'Report coverage',
    description:
      'Reports how much of the contract the requests covered, and what they missed: operations, statuses and error codes of the called operations, scenarios and recoveries.',
    input: z.object({
      only: z.array(z.enum(calledOperations)).optional().describe('count only these operations; default: all'),
    }),
    output: z.looseObject({
      percent: z.number(),
      met: count,
      of: count,
      unmet: z.looseObject({
        operations: toolNames,
        answers: z.record(z.string(), z.array(z.union([count, z.string()]))),
        scenarios: toolNames,
        recoveries: toolNames,
      }),
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
    output: snapshotInfo,
    isDestructive: true,
    call: async (input, { admin }) => (await admin.send('PUT', pathOf('snapshots', input.name))) as object,
  }),
  createTool({
    name: 'restore',
    title: 'Restore a snapshot',
    description: 'Restores the data from a snapshot. Scenarios and the journal are unchanged.',
    input: z.object({ name }),
    output: snapshotInfo,
    isDestructive: true,
    call: async (input, { admin }) =>
      (await admin.send('POST', `${pathOf('snapshots', input.name)}/restore`)) as object,
  }),
  createTool({
    name: 'reset_session',
    title: 'Reset the session',
    description:
      'Resets data, active scenarios, counters, clock and journal, and deletes the scenarios defined in the session. Snapshots are kept. Returns the number of deleted requests, and of the resources of the default project.',
    input: z.object({}),
    output: z.looseObject({
      deletedRequests: count,
      active: toolNames,
      resources,
    }),
    isDestructive: true,
    async call(_input, { admin }) {
      const { meta } = (await admin.send('GET', '/requests?limit=0')) as {
        readonly meta: { readonly total: number }
      }
      await admin.send('POST', '/reset')
      const { active: current } = (await admin.send('GET', '/scenarios/active')) as ActiveNames
      const page = await admin.send('GET', `${pathOf('state', DEFAULT_PROJECT)}/resources?limit=${LISTED_RESOURCES}`)
      const { total, results } = page as { readonly total: number; readonly results: readonly StoredResource[] }
      return { deletedRequests: meta.total, active: current, resources: { count: total, first: toFirst(results) } }
    },
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
    output: z.looseObject({ now: z.string() }),
    call: async (input, { admin }) => (await admin.send('PUT', '/clock', input)) as object,
  }),
]
