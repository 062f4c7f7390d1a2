import type { OperationId } from '../../service/contract/endpoints.ts'
import { findServicePath } from '../../service/contract/paths.ts'
import type { PathParameters } from '../../service/contract/paths.ts'
import { lastSegmentOf, parseAddress, parseRawQuery } from '../../service/http/request-head.ts'
import type { RawQuery } from '../../service/http/request-head.ts'
import { createQueryDecoder } from '../../service/contract/decode.ts'
import { compileConditions } from '../../service/query/list.ts'
import { compileWhere } from '../../service/query/where.ts'
import type { RedactedExchange } from '../journal/record.ts'
import type { KeptBody } from '../journal/redact.ts'
import type { Input } from '../../service/contract/types.ts'
import type { Endpoint, Purpose, ScopeName } from '../../service/contract/endpoint.ts'
import * as z from 'zod'
import { endpoints, isOperation } from '../../service/contract/endpoints.ts'
import { arrayTestType, resultEntry, isIntegral } from '../../service/contract/models.ts'
import { resourceRecord, toResource, toResourceText } from '../../service/state/records.ts'
import type { ResourceRecord } from '../../service/state/records.ts'
import { findJson, parseJson } from '../../service/http/json.ts'
import { inSlices } from '../../util/time-slices.ts'
import type { Scenario } from '../../service/scenarios/schema.ts'
import type { StoredResource } from '../../service/state/resource.ts'

/** The state name for exchanges without active scenarios. Any other name lists scenarios. */
export const PLAIN_STATE = 'a project with these resources'

/** The parameters of a provider state. They make the interaction's ids and versions exist, whatever ran before. */
export const stateParameters = z.looseObject({
  projectKey: z.string().optional(),
  /** The scopes that the token needs, for example `manage_test:acme`; absent if the request had no valid token. */
  scopes: z.array(z.string()).optional(),
  /** All resources of the project, in fixture format. */
  resources: z.array(z.unknown()).optional(),
  /** Names of earlier posts (D16). */
  posted: z.array(z.string()).optional(),
  /** JSON text of the action payload (D22). */
  action: z.string().optional(),
  /** The status caused by the scenarios. */
  status: z.int().optional(),
  /** Scenarios without a file, by name. */
  definitions: z.record(z.string(), z.unknown()).optional(),
})
export type StateParameters = z.output<typeof stateParameters>

/** A journal entry parsed as an operation. */
export interface ReadExchange {
  readonly entry: RedactedExchange
  readonly operation: OperationId
  /** The path within the service, still percent-encoded. */
  readonly path: string
  readonly query: RawQuery
  readonly parameters: PathParameters
  /** Parsed JSON; undefined if the body is missing, truncated or not JSON. */
  readonly requestJson: unknown
  readonly responseJson: unknown
}

/** Parses a JSON body; undefined if it is missing, truncated or not JSON. */
export const findBodyJson = (body: KeptBody | undefined): unknown =>
  body === undefined || body.isCut || body.encoding === 'base64' ? undefined : findJson(body.text)

/** Parses a journal entry; undefined if it matched no operation or got no response. */
export function findExchange(entry: RedactedExchange): ReadExchange | undefined {
  const { operation, request, response } = entry
  if (!isOperation(operation) || response.status === 0) return undefined
  const { path, search } = parseAddress(request.url)
  return {
    entry,
    operation,
    path,
    query: parseRawQuery(search),
    parameters: findServicePath(path)?.parameters ?? {},
    requestJson: findBodyJson(request.body),
    responseJson: findBodyJson(response.body),
  }
}

const decodeHead = createQueryDecoder(endpoints.checkResources)

/**
 * Finds the first resource that a HEAD request with status 200 could have matched. Its response does not identify it.
 */
async function findMatch(
  { query }: ReadExchange,
  resources: AsyncIterable<StoredResource>,
): Promise<StoredResource | undefined> {
  // The cast is safe: the decoder validated the query against the endpoint from which this type is derived.
  const input = decodeHead(query, () => undefined) as Pick<Input<'checkResources'>, 'query' | 'families'>
  const holds = compileConditions(input.query)
  const where = input.query.where === undefined ? undefined : compileWhere(input.query.where, input.families.var).holds
  for await (const resource of resources) {
    if (holds?.(resource) !== false && where?.(resource) !== false) return resource
  }
  return undefined
}

/** Whether the request was refused because of its token rather than by a scenario. */
export const isRefusedFor = (status: 401 | 403, { entry }: ReadExchange): boolean =>
  entry.response.status === status && entry.scenarios.length === 0

function chooseScope({ scopes }: Endpoint, isRefused: boolean): ScopeName {
  if (scopes === 'anyToken') return 'view_test'
  const isRead = scopes.includes('view_test')
  if (isRefused) return isRead ? 'manage_products' : 'view_test'
  return isRead ? 'view_test' : scopes[0]
}

/**
 * The token scopes for repeating an exchange: the narrowest scope that suffices, or one that does not if the response was
 * 403. None if the response was 401.
 */
export function toTokenScopes(exchange: ReadExchange): readonly string[] {
  if (isRefusedFor(401, exchange)) return []
  const { projectKey = '' } = exchange.parameters
  return [`${chooseScope(endpoints[exchange.operation], isRefusedFor(403, exchange))}:${projectKey}`]
}

/** The project state that reproduces an exchange as recorded. */
export interface RequiredState {
  readonly resources: readonly ResourceRecord[]
  /** Names of earlier posts (D16). */
  readonly posted?: readonly string[]
  /** JSON text of the action payload (D22). */
  readonly action?: string
}

/** Maximum number of resources created before those of a page, to keep the state readable. */
const MOST_BEFORE = 200

const NO_STATE: RequiredState = { resources: [] }

const resourceBody = z.looseObject({ objectTypeProperty: arrayTestType, key: z.string().optional() })
const pageBody = z.looseObject({ results: z.array(resultEntry), offset: z.number() })
const conflictBody = z.looseObject({ errors: z.array(z.looseObject({ currentVersion: z.number() })) })
const updateBody = z.looseObject({ version: z.unknown(), actions: z.array(z.unknown()) })
const draftBody = z.looseObject({ key: z.string().optional(), objectTypeProperty: arrayTestType })

/** The resource that a response describes, from its headers and body (D5). */
function findResource({ entry, parameters, responseJson }: ReadExchange): ResourceRecord | undefined {
  const { headers } = entry.response
  const version = /^"(\d+)"$/.exec(headers['etag'] ?? '')?.[1]
  const location = headers['location'] ?? headers['content-location']
  const id = location === undefined ? parameters['id'] : lastSegmentOf(location)
  if (version === undefined || id === undefined) return undefined
  const { data } = resourceBody.safeParse(responseJson)
  const key = data?.key ?? parameters['key']
  return {
    id,
    ...(key === undefined ? {} : { key }),
    version: Number(version),
    objectTypeProperty: data?.objectTypeProperty ?? {},
  }
}

const toEarlier = (record: ResourceRecord): ResourceRecord => ({ ...record, version: (record.version ?? 1) - 1 })

/** The state with this resource, if any. */
const toSingleState = (record: ResourceRecord | undefined): RequiredState =>
  record === undefined ? NO_STATE : { resources: [record] }

/** The resource of a response with status 200. */
const findFound = (exchange: ReadExchange): ResourceRecord | undefined =>
  exchange.entry.response.status === 200 ? findResource(exchange) : undefined

/**
 * The current version is in the response. With scenarios, which can raise it on every request, the requested version is
 * used instead.
 */
function stateForConflict({ entry, parameters, responseJson, query, requestJson }: ReadExchange): RequiredState {
  const sent = updateBody.safeParse(requestJson).data?.version ?? Number(query.get('version')?.[0])
  const actual = conflictBody.safeParse(responseJson).data?.errors[0]?.currentVersion
  const version = entry.scenarios.length > 0 ? sent : actual
  if (!isIntegral(version) || version < 1) return NO_STATE
  return toSingleState({ id: parameters['id'], version: Number(version), objectTypeProperty: {} })
}

/** The resources of a page, and as many before it as its offset says. */
function stateForPage({ responseJson }: ReadExchange): RequiredState {
  const { results: [first, ...others] = [], offset = 0 } = pageBody.safeParse(responseJson).data ?? {}
  if (first === undefined) return NO_STATE
  const { objectTypeProperty, someProperty, createdAt } = first
  const like = { objectTypeProperty, createdAt, ...(someProperty === undefined ? {} : { someProperty }) }
  const before = Array.from({ length: Math.min(offset, MOST_BEFORE) }, () => like)
  return { resources: [...before, first, ...others].map((record) => resourceRecord.parse(record)) }
}

/**
 * The state that an exchange needs, by purpose, based only on its request and response, so that interactions can be verified
 * in any order. For checks, see createToState.
 */
const states: Readonly<Record<Exclude<Purpose, 'check'>, (exchange: ReadExchange) => RequiredState>> = {
  query: stateForPage,
  search: stateForPage,
  read: (exchange) => toSingleState(findFound(exchange)),
  // A write that returned a version above 1 updated an existing resource; any other created one.
  draft: (exchange: ReadExchange) => {
    const shown = findResource(exchange)
    if (shown?.version === undefined || shown.version <= 1) return NO_STATE
    const { key } = draftBody.safeParse(exchange.requestJson).data ?? {}
    return toSingleState(toEarlier({ ...shown, ...(key === undefined ? {} : { key }) }))
  },
  update: (exchange) => {
    const { status } = exchange.entry.response
    const update = updateBody.safeParse(exchange.requestJson).data
    if (status === 409) return stateForConflict(exchange)
    const shown = findFound(exchange)
    // An update without actions changes nothing (D7).
    if (shown !== undefined) return toSingleState(update?.actions.length === 0 ? shown : toEarlier(shown))
    // Actions are checked once the resource exists and its version matches (D18).
    const isRefused = status === 400 && isIntegral(update?.version) && update.version >= 1
    return isRefused
      ? toSingleState({ id: exchange.parameters['id'], version: Number(update.version), objectTypeProperty: {} })
      : NO_STATE
  },
  delete: (exchange) =>
    exchange.entry.response.status === 409 ? stateForConflict(exchange) : toSingleState(findResource(exchange)),
  // The resource at its previous version. With a sku, that is its key; with a variant, enough resources come
  // before it (D21).
  upload: (exchange: ReadExchange) => {
    const shown = findFound(exchange)
    if (shown === undefined) return NO_STATE
    const sku = exchange.query.get('sku')?.[0]
    const variant = sku === undefined ? Number(exchange.query.get('variant')?.[0] ?? 1) : 1
    const before = Array.from({ length: Math.min(variant - 1, MOST_BEFORE) }, () => ({ objectTypeProperty: {} }))
    return { resources: [...before, toEarlier({ ...shown, ...(sku === undefined ? {} : { key: sku }) })] }
  },
  // A 200 means that the id had already been posted to the path (D16).
  complex: ({ entry, parameters, requestJson }: ReadExchange) => {
    const { id } = z.looseObject({ id: z.string().optional() }).safeParse(requestJson).data ?? {}
    const { uriParameterOne, uriParameterTwo } = parameters
    if (entry.response.status !== 200 || id === undefined) return NO_STATE
    return { ...NO_STATE, posted: [JSON.stringify([uriParameterOne, uriParameterTwo, id])] }
  },
  readPayload({ entry: { response }, responseJson }) {
    const isKnown = response.status === 200 && responseJson !== undefined
    return isKnown && response.body !== undefined ? { ...NO_STATE, action: response.body.text } : NO_STATE
  },
  writePayload: () => NO_STATE,
  cart: () => NO_STATE,
  localisedCart: () => NO_STATE,
}

/** Whether a response is a page with an offset. The resources before it are unknown. */
export const isLaterPage = ({ responseJson }: ReadExchange): boolean =>
  (pageBody.safeParse(responseJson).data?.offset ?? 0) > 0

export function findSeenRecords(exchange: ReadExchange): readonly ResourceRecord[] {
  const shown = findResource(exchange)
  if (shown !== undefined) return [shown]
  const { results = [] } = pageBody.safeParse(exchange.responseJson).data ?? {}
  return results.map((record) => resourceRecord.parse(record))
}

/**
 * Creates a function that returns the state that an exchange needs, or undefined if it cannot be determined. Call it with
 * the exchanges of a session in chronological order.
 *
 * @param parts.fixtures the initial resources of every project
 * @param parts.defined scenarios defined in the session
 */
export function createToState(parts: {
  readonly fixtures: readonly StoredResource[]
  readonly defined: ReadonlyMap<string, Scenario>
}) {
  const { fixtures, defined } = parts
  const seen: ResourceRecord[] = []
  /** The seen records as resources, created once for all checks. */
  const resources: StoredResource[] = []

  function* listKnown(): Generator<StoredResource> {
    for (const [at, record] of seen.entries()) yield (resources[at] ??= toResource(record, at))
    yield* fixtures
  }

  async function findState(exchange: ReadExchange): Promise<RequiredState | undefined> {
    const { purpose } = endpoints[exchange.operation]
    if (purpose !== 'check') return states[purpose](exchange)
    if (exchange.entry.response.status !== 200) return NO_STATE
    const match = await findMatch(exchange, inSlices(listKnown()))
    return match && { resources: [resourceRecord.parse(parseJson(toResourceText(match)))] }
  }

  return async function toState(
    exchange: ReadExchange,
  ): Promise<{ readonly name: string; readonly params: StateParameters } | undefined> {
    const { entry, parameters } = exchange
    const found = await findState(exchange)
    seen.push(...findSeenRecords(exchange))
    if (found === undefined) return undefined
    const underScenarios = entry.scenarios.length > 0
    const definitions = entry.scenarios.flatMap((name) => {
      const { description, rules } = defined.get(name) ?? {}
      return rules === undefined ? [] : [[name, { description, rules }] as const]
    })
    const scopes = toTokenScopes(exchange)
    return {
      name: underScenarios ? entry.scenarios.join(', ') : PLAIN_STATE,
      params: {
        projectKey: parameters['projectKey'],
        ...(scopes.length === 0 ? {} : { scopes: [...scopes] }),
        resources: [...found.resources],
        ...(found.posted === undefined ? {} : { posted: [...found.posted] }),
        ...(found.action === undefined ? {} : { action: found.action }),
        ...(underScenarios ? { status: entry.response.status } : {}),
        // Scenarios without a file, in admin API format.
        ...(definitions.length === 0 ? {} : { definitions: Object.fromEntries(definitions) }),
      },
    }
  }
}
