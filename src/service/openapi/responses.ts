import * as z from 'zod'
import * as models from '../contract/models.ts'
import * as results from '../contract/results.ts'
import { responseHeaders, headersOf, headersOfError } from '../contract/endpoint.ts'
import type { Endpoint, Purpose, ResponseHeader, ResponseHeaderName, ResponseSpec } from '../contract/endpoint.ts'
import { toDecisions } from './schemas.ts'
import { decision } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import { errorCodes, errorStatusesOf, findErrorExample } from '../contract/error-responses.ts'
import { complexExample, int32, int64, named } from '../contract/models.ts'
import { toEnvelope } from '../http/envelope.ts'
import { stringifyJson, parseJson } from '../http/json.ts'
import { toObjectTestType, toResultEntry } from '../operations/reads.ts'
import { toResource } from '../state/records.ts'
import type { DocumentLinks, Reference, MediaType, ResponseObject, RequestBodyObject, Schemas } from './schemas.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { StoredResource } from '../state/resource.ts'

/** All response headers, by name. */
export function toHeaderObjects({ toSchema }: Schemas) {
  const headers = Object.entries<ResponseHeader>(responseHeaders)
  return Object.fromEntries(
    headers.map(([name, { description, schema, example, optional, decision }]) => [
      name,
      { description, required: optional !== true, schema: toSchema(schema), example, ...toDecisions([decision]) },
    ]),
  )
}

export const toHeaderReferences = (names: readonly ResponseHeaderName[]): Readonly<Record<string, Reference>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const JSON_CONTENT = 'application/json'

/**
 * The parameters of links are qualified with their place (OpenAPI 3.1.0, section 4.8.20): tools that resolve references in
 * 3.0 take a member called `id` for the address of a schema.
 */
const ofProject = { 'path.projectKey': '$request.path.projectKey' }

/** Links from a resource with a known id and version. */
const onResource = (id: string, version: string, which: string): DocumentLinks => ({
  getResource: {
    operationId: 'getResourceById',
    parameters: { ...ofProject, 'path.id': id },
    description: `Reads ${which}`,
  },
  updateResource: {
    operationId: 'updateResource',
    parameters: { ...ofProject, 'path.id': id },
    description: `Updates ${which}; the body's \`version\` is \`${version}\``,
  },
  deleteResource: {
    operationId: 'deleteResource',
    parameters: { ...ofProject, 'path.id': id, 'query.version': version },
    description: `Deletes ${which}`,
  },
})

const onShown = onResource('$request.path.id', '$response.body#/version', 'the resource')
const onKey = (key: string): DocumentLinks => ({
  getResourceByKey: {
    operationId: 'getResourceByKey',
    parameters: { ...ofProject, 'path.key': key },
    description: 'Reads the resource, if the request identified it by key',
  },
})

const onFirst = onResource(
  '$response.body#/results/0/id',
  '$response.body#/results/0/version',
  'the first of `results`',
)

/** Links from the result of an operation. */
const linksOf: Readonly<Record<Purpose, DocumentLinks | undefined>> = {
  query: onFirst,
  search: onFirst,
  check: undefined,
  read: onShown,
  draft: onKey('$request.body#/key'),
  update: onShown,
  delete: undefined,
  complex: undefined,
  readPayload: undefined,
  cart: undefined,
  localisedCart: undefined,
  upload: onKey('$request.query.sku'),
  writePayload: {
    getAction: { operationId: 'getAction', parameters: ofProject, description: 'Reads the payload again' },
  },
}

function toMediaType(response: ResponseSpec, schemas: Schemas, examples: Examples): MediaType | undefined {
  if (response.schema === undefined) return undefined
  const schema = schemas.toSchema(response.schema)
  if (response.examples === undefined) return { schema, example: examples.of(response.schema) }
  const payloads = Object.keys(response.examples).map((name) => {
    const summary = `The ${name} payload. To get it from the mock, send \`Prefer: example=${name}\`.`
    return [name, { summary, value: examples.named(name) }] as const
  })
  return { schema, examples: Object.fromEntries(payloads) }
}

/** What the operations of a document share. */
export interface DocumentParts {
  readonly schemas: Schemas
  readonly examples: Examples
  readonly errors: ErrorResponses
}

function toResponseObject(
  endpoint: Endpoint,
  response: ResponseSpec,
  { schemas, examples }: DocumentParts,
): ResponseObject {
  const { description, decision } = response
  // Links from a single resource use the id in the path.
  const found = linksOf[endpoint.purpose]
  const links = found === onShown && !endpoint.path.includes('{id}') ? undefined : found
  const content = toMediaType(response, schemas, examples)
  return {
    description,
    headers: toHeaderReferences(headersOf(response)),
    ...(content === undefined ? {} : { content: { [JSON_CONTENT]: content } }),
    ...(links === undefined ? {} : { links }),
    ...toDecisions([decision]),
  }
}

/** All responses of an operation, by status, including errors. */
export function toResponses(
  endpoint: Endpoint,
  parts: DocumentParts,
): Readonly<Record<string, ResponseObject | Reference>> {
  const errorResponses = parts.errors.of(endpoint)
  const own = Object.entries(endpoint.responses).filter(([status]) => !Object.hasOwn(errorResponses, status))
  const responses = own.map(([status, response]) => [status, toResponseObject(endpoint, response, parts)] as const)
  return { ...Object.fromEntries(responses), ...errorResponses }
}

/** Descriptions of the error responses, by status. */
const facts: Readonly<
  Record<number, { readonly name: string; readonly description: string; readonly decision?: DecisionId }>
> = {
  400: { name: 'BadRequest', description: 'The request is invalid', decision: decision('D9') },
  401: { name: 'Unauthorized', description: 'The token is missing, malformed or expired', decision: decision('D33') },
  403: { name: 'Forbidden', description: 'The token lacks the scope', decision: decision('D33') },
  404: { name: 'NotFound', description: 'The resource does not exist' },
  406: { name: 'NotAcceptable', description: 'The Accept header does not allow JSON', decision: decision('D23') },
  409: { name: 'Conflict', description: 'The version does not match the current version' },
  412: { name: 'PreconditionFailed', description: 'A precondition of the request failed', decision: decision('D5') },
  413: { name: 'ContentTooLarge', description: 'The body is too large' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The media type of the body is not supported',
    decision: decision('D9'),
  },
  429: { name: 'TooManyRequests', description: 'Too many requests' },
  500: { name: 'InternalServerError', description: 'The service failed' },
  502: { name: 'BadGateway', description: 'A gateway received an invalid response from the service' },
  503: { name: 'ServiceUnavailable', description: 'The service is over capacity' },
}

const nameOfStatus = (status: number): string => facts[status]?.name ?? String(status)

function toErrorSchema(status: number, codes: readonly [string, ...string[]]): z.ZodType {
  const code = z.enum(codes)
  const entry = z.looseObject({
    code,
    message: z.string(),
    // The version to use for a retry.
    ...(status === 409 ? { currentVersion: int64 } : {}),
  })
  const isOfToken = status === 401 || status === 403
  return z
    .looseObject({
      statusCode: int32.meta({ type: 'integer', format: 'int32', enum: [status] }),
      message: z.string(),
      errors: z.array(entry).min(1),
      ...(isOfToken ? { error: code, error_description: z.string() } : {}),
    })
    .meta(named(`${nameOfStatus(status).replace(/Error$/, '')}Error`, `The error envelope of status ${status}`))
}

/** The error envelope of each status: its codes, and the members of its entries other than `message`. */
const errorSchemas: ReadonlyMap<number, z.ZodType> = new Map(
  Object.entries(errorCodes).map(([status, codes]) => [Number(status), toErrorSchema(Number(status), codes)]),
)

function toErrorResponse(
  endpoint: Endpoint,
  status: number,
  path: Readonly<Record<string, string>>,
  { toSchema }: Schemas,
): ResponseObject {
  const { description = '', decision: rests } = facts[status] ?? {}
  const own = endpoint.responses[status]
  const example = findErrorExample(endpoint, status, path)
  const schema = errorSchemas.get(status)
  return {
    description: own?.description ?? description,
    headers: toHeaderReferences(headersOfError(status)),
    // Responses to HEAD have no body (RFC 9110, section 9.3.2).
    ...(endpoint.method === 'HEAD' || example === undefined || schema === undefined
      ? {}
      : { content: { 'application/json': { schema: toSchema(schema), example: toEnvelope(example) } } }),
    ...toDecisions([own === undefined ? rests : own.decision]),
  }
}

/** Creates the error responses of the endpoints. Shared ones appear only once. */
export function createErrorResponses(
  endpoints: readonly Endpoint[],
  path: Readonly<Record<string, string>>,
  schemas: Schemas,
) {
  const variants = new Map<number, Map<string, ResponseObject>>()
  for (const endpoint of endpoints.filter(({ method }) => method !== 'HEAD')) {
    for (const status of errorStatusesOf(endpoint)) {
      const response = toErrorResponse(endpoint, status, path, schemas)
      variants.set(
        status,
        (variants.get(status) ?? new Map<string, ResponseObject>()).set(stringifyJson(response), response),
      )
    }
  }
  const shared = [...variants].filter(([, { size }]) => size === 1)
  const isShared = new Set(shared.map(([status]) => status))

  return {
    /** By status, in addition to the endpoint's documented responses. */
    of(endpoint: Endpoint): Readonly<Record<string, ResponseObject | Reference>> {
      const responses = errorStatusesOf(endpoint).map((status): [string, ResponseObject | Reference] => [
        String(status),
        isShared.has(status) && endpoint.method !== 'HEAD'
          ? { $ref: `#/components/responses/${nameOfStatus(status)}` }
          : toErrorResponse(endpoint, status, path, schemas),
      ])
      return Object.fromEntries(responses)
    },
    /** Error responses that are identical in every operation. */
    shared: Object.fromEntries(
      shared.flatMap(([status, all]) => [...all.values()].map((one) => [nameOfStatus(status), one])),
    ),
  }
}

type ErrorResponses = ReturnType<typeof createErrorResponses>

/** The request body of an operation, or undefined. */
export function findRequestBody(
  { body, summary }: Endpoint,
  schemas: Schemas,
  examples: Examples,
): RequestBodyObject | undefined {
  if (body === undefined) return undefined
  if (body.kind === 'json') {
    const content = { [JSON_CONTENT]: { schema: schemas.toSchema(body.schema), example: examples.of(body.schema) } }
    return { description: summary, required: body.required, content }
  }
  // The media type is enough for JSON Schema, but from `format: binary` generators produce a Blob or File, in both 3.0 and
  // 3.1.
  const content = body.contentTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }] as const)
  return { description: 'The image file', required: true, content: Object.fromEntries(content) }
}

/** An existing key, so that the example can both overwrite and create (D15). */
const toDraft = ({ key = 'oak-side-table', objectTypeProperty }: StoredResource) => ({ key, objectTypeProperty })

/** Takes the examples from the fixtures, so that they match the mock's responses. */
export function createExamples({ resources, arrayTestType: arrays, custom, action, carts }: Fixtures) {
  const record = { objectTypeProperty: parseJson(arrays) as z.output<typeof models.arrayTestType> }
  const [resource = toResource(record, 0)] = resources
  // A page with one resource and a facet.
  const page = { limit: 20, offset: 0, count: 1, total: 1, results: [parseJson(toResultEntry(resource))] }
  const facet = { type: 'terms', dataType: 'text', missing: 0, total: 1, other: 0, terms: [{ term: 'oak', count: 1 }] }
  const pages = {
    paged: page,
    query: { ...resource.objectTypeProperty, ...page },
    search: { ...page, facets: { arrayOfStringExample: facet } },
  }
  const examples = new Map<z.ZodType, unknown>([
    [models.objectTestType, parseJson(toObjectTestType(resource, 'header'))],
    [results.queryResult, pages.query],
    [results.pagedResult, pages.paged],
    [results.searchResult, pages.search],
    [models.arrayTestType, record.objectTypeProperty],
    [models.cart, parseJson(carts.get('') ?? '{}')],
    [models.anyJson, parseJson(action)],
    [models.objectTestTypeDraft, toDraft(resource)],
    [
      models.updateRequest,
      {
        version: resource.version,
        actions: [{ action: 'changeSomeProperty', someProperty: 'reserved' }, { action: 'doSomeThing' }],
      },
    ],
    [models.outOfOrderPropertiesTestType, complexExample],
  ])
  return {
    /** An example body for the schema, or undefined. */
    of: (schema: z.ZodType): unknown => examples.get(schema),
    named: (name: string): unknown =>
      Object.hasOwn(custom, name) ? parseJson(custom[name as keyof typeof custom]) : undefined,
    /** Example path parameters. */
    path: {
      projectKey: 'acme',
      id: resource.id,
      key: resource.key ?? 'oak-side-table',
      uriParameterOne: 'one',
      uriParameterTwo: 'two',
    },
  }
}

type Examples = ReturnType<typeof createExamples>
