import * as z from 'zod'
import { int32, int64 } from './models.ts'
import { decision } from './decisions.ts'
import { preconditions } from './endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import * as models from './models.ts'
import {
  anyText,
  conditions,
  counting,
  decided,
  flag,
  float,
  locale,
  paging,
  repeatable,
  unionParameter,
  variables,
} from './parameters.ts'
import * as results from './results.ts'

const projection = (what: string) =>
  ({ description: what, schema: models.objectTestType, headers: ['ETag', 'Content-Location'] }) as const
const written = (what: string) =>
  ({ description: what, schema: models.objectTestType, headers: ['ETag', 'Location'] }) as const

const noParameters = { query: {}, families: {}, headers: {} } as const
const reads = ['manage_test', 'view_test'] as const
const writes = ['manage_test'] as const

/** Common parts of the three operations that take a draft. */
const draftEndpoint = {
  path: '/{projectKey}/resource',
  purpose: 'draft',
  scopes: writes,
  ...noParameters,
  headers: preconditions,
  body: { kind: 'json', schema: models.objectTestTypeDraft, strict: models.strictDraft, required: true },
  decisions: [decision('D2'), decision('D5'), decision('D6'), decision('D15')],
} as const

const cartAnswer = { description: 'The cart', schema: models.cart, headers: ['Content-Language'] } as const

/** Section 4 of the specification as a table. Routing, validation, documentation and verification are derived from it. */
export const endpoints = {
  queryResources: {
    number: 1,
    method: 'GET',
    path: '/{projectKey}/resource',
    summary: 'Query resources',
    purpose: 'query',
    scopes: reads,
    query: { ...conditions, unionParameter, ...decided('D10', paging) },
    families: { var: { ...variables.var, decision: decision('D10') } },
    headers: {},
    responses: { 200: { description: 'A page of resources', schema: results.queryResult } },
    decisions: [decision('D5'), decision('D10'), decision('D11')],
  },
  getResourceById: {
    number: 2,
    method: 'GET',
    path: '/{projectKey}/resource/{id}',
    summary: 'Get a resource by id',
    purpose: 'read',
    scopes: reads,
    query: {
      optionalQueryParameter: { schema: anyText, description: 'Accepted, but has no effect' },
      secondOptionalQueryParameter: { schema: anyText, description: 'Accepted, but has no effect' },
    },
    families: {},
    headers: {},
    responses: { 200: projection('The resource') },
    decisions: [decision('D5')],
  },
  getResourceByKey: {
    number: 3,
    method: 'GET',
    path: '/{projectKey}/resource/key={key}',
    summary: 'Get a resource by key',
    purpose: 'read',
    scopes: reads,
    ...noParameters,
    responses: { 200: projection('The resource') },
    decisions: [decision('D5'), decision('D6'), decision('D13')],
  },
  searchResources: {
    number: 4,
    method: 'GET',
    path: '/{projectKey}/resource/searchApiPattern',
    summary: 'Search resources',
    purpose: 'search',
    scopes: reads,
    query: {
      fuzzy: { schema: flag, description: 'Apply fuzzy search to the text' },
      fuzzyLevel: {
        schema: counting({ least: 0, most: 2 }),
        values: { by: decision('D14'), except: /^0(?:\.0)?$/ },
        description: 'Explicit fuzzy level; must not exceed the platform default level',
      },
      staged: { schema: flag, description: 'Query staged projections when true, current projections otherwise' },
      filter: repeatable('`field:value` or `field:range (a to b)`, applied to the results; all must match'),
      'filter.facets': repeatable('Like `filter`, but applied to the facets'),
      'filter.query': repeatable('Like `filter`, but applied to results and facets'),
      facet: repeatable('A field whose values are counted; each repeated field is counted separately'),
      ...decided('D14', { limit: paging.limit, offset: paging.offset }),
    },
    families: {
      text: {
        prefix: 'text.',
        pattern: /^text\.[a-z]{2}(-[A-Z]{2})?$/,
        schema: anyText,
        othersRefused: decision('D14'),
        description: 'Search terms; any number of `text.<language>` parameters with a language such as `en` or `de-CH`',
      },
    },
    headers: {},
    responses: {
      200: { description: 'A page of resources', schema: results.searchResult, decision: decision('D14') },
    },
    decisions: [decision('D5'), decision('D9'), decision('D14')],
  },
  checkResources: {
    number: 5,
    method: 'HEAD',
    path: '/{projectKey}/resource',
    summary: 'Check whether at least one resource matches the query condition',
    purpose: 'check',
    scopes: reads,
    query: {
      ...conditions,
      unionParameter: { ...unionParameter, decision: decision('D11'), ignored: true },
      ...decided('D10', paging),
    },
    families: { var: { ...variables.var, decision: decision('D10') } },
    headers: {},
    responses: {
      200: { description: 'At least one resource matches' },
      404: { description: 'No resource matches', decision: decision('D12') },
    },
    decisions: [decision('D11'), decision('D12')],
  },
  createResource: {
    number: 6,
    method: 'POST',
    summary: 'Create or update a resource',
    ...draftEndpoint,
    responses: { 201: written('The created or updated resource') },
  },
  overwriteResource: {
    number: 7,
    method: 'PATCH',
    summary: 'Overwrite a resource',
    ...draftEndpoint,
    responses: { 201: written('The overwritten resource') },
  },
  putResource: {
    number: 8,
    method: 'PUT',
    summary: 'Create or overwrite a resource',
    ...draftEndpoint,
    responses: { 201: written('The created or overwritten resource') },
  },
  postComplex: {
    number: 9,
    method: 'POST',
    path: '/{projectKey}/resource/artificially-complex/path/uri-parameter-one={uriParameterOne}/{uriParameterTwo}',
    summary: 'Complex POST',
    purpose: 'complex',
    scopes: writes,
    scopesDecision: decision('D30'),
    query: {
      queryParameterOne: { schema: float, description: 'Accepted, but has no effect' },
      queryParameterTwo: { schema: anyText, description: 'Accepted, but has no effect' },
    },
    families: {},
    headers: {},
    body: {
      kind: 'json',
      schema: models.outOfOrderPropertiesTestType,
      strict: models.strictOutOfOrder,
      required: true,
    },
    responses: {
      200: { description: 'The body id was posted before', schema: models.arrayTestType },
      201: { description: 'The body id was posted for the first time', schema: models.arrayTestType },
      203: {
        description: 'One of two alternative payloads',
        schema: models.arrayTestType,
        examples: { custom1: 'complex-custom1.json', custom2: 'complex-custom2.json' },
      },
    },
    decisions: [decision('D16'), decision('D17'), decision('D30'), decision('D92')],
  },
  updateResource: {
    number: 10,
    method: 'POST',
    path: '/{projectKey}/resource/{id}',
    summary: 'Update a resource by actions',
    purpose: 'update',
    scopes: writes,
    scopesDecision: decision('D30'),
    ...noParameters,
    headers: preconditions,
    body: { kind: 'json', schema: models.updateRequest, required: true },
    responses: {
      200: { ...written('The updated resource'), decision: decision('D18') },
      409: { description: 'The version does not match the current version', schema: results.errorEnvelope },
    },
    decisions: [decision('D5'), decision('D7'), decision('D18'), decision('D30')],
  },
  deleteResource: {
    number: 11,
    method: 'DELETE',
    path: '/{projectKey}/resource/{id}',
    summary: 'Delete a resource by id',
    purpose: 'delete',
    scopes: writes,
    query: {
      version: {
        schema: int64,
        decision: decision('D19'),
        description: 'Deletes the resource only if it has this version; otherwise the response is 409',
      },
    },
    families: {},
    headers: preconditions,
    responses: {
      200: { description: 'The deleted resource', schema: models.objectTestType, headers: ['ETag'] },
      409: {
        description: 'The version does not match the current version',
        schema: results.errorEnvelope,
        decision: decision('D19'),
      },
    },
    decisions: [decision('D5'), decision('D19')],
  },
  sortedQuery: {
    number: 12,
    method: 'GET',
    path: '/{projectKey}/resource/sorted-query-parameters',
    summary: 'Query resources with predicates, sorting and paging',
    purpose: 'query',
    scopes: reads,
    scopesDecision: decision('D30'),
    query: paging,
    families: variables,
    headers: {},
    responses: { 200: { description: 'A page of resources', schema: results.pagedResult, decision: decision('D20') } },
    decisions: [decision('D5'), decision('D20'), decision('D30')],
  },
  uploadImage: {
    number: 13,
    method: 'POST',
    path: '/{projectKey}/resource/images',
    summary: 'Upload an image to a product variant',
    purpose: 'upload',
    scopes: ['manage_products'],
    query: {
      filename: { schema: anyText, description: 'A label for the image' },
      variant: { schema: int32, description: 'The number of the resource in order of creation, starting at 1' },
      sku: { schema: anyText, description: 'The key of the resource; takes precedence over `variant`' },
      staged: { schema: flag, description: 'Stored with the image' },
    },
    families: {},
    headers: {
      'Content-Type': { schema: z.enum(['image/jpeg', 'image/png', 'image/gif']), required: true },
      ...preconditions,
    },
    body: { kind: 'image', contentTypes: ['image/jpeg', 'image/png', 'image/gif'] },
    responses: {
      200: { ...written("The variant's resource, with its version incremented by one"), decision: decision('D21') },
    },
    decisions: [decision('D5'), decision('D7'), decision('D21')],
  },
  postAction: {
    number: 14,
    method: 'POST',
    path: '/{projectKey}/resource/namespace-action',
    summary: 'Write data to a backend system',
    purpose: 'writePayload',
    scopes: 'anyToken',
    ...noParameters,
    body: { kind: 'json', schema: models.anyJson, required: false },
    responses: {
      200: { description: 'The stored payload', schema: models.anyJson, decision: decision('D22'), namesStatus: true },
    },
    decisions: [decision('D22'), decision('D30')],
  },
  getAction: {
    number: 14,
    method: 'GET',
    path: '/{projectKey}/resource/namespace-action',
    summary: 'Fetch data asynchronously',
    purpose: 'readPayload',
    scopes: 'anyToken',
    ...noParameters,
    responses: {
      200: { description: 'The last payload', schema: models.anyJson, decision: decision('D22'), namesStatus: true },
    },
    decisions: [decision('D22'), decision('D30')],
  },
  getActionWithExample: {
    number: 15,
    method: 'GET',
    path: '/{projectKey}/resource/namespace-action-with-example',
    summary: 'Fetch the cart',
    purpose: 'cart',
    scopes: 'anyToken',
    ...noParameters,
    responses: { 200: cartAnswer },
    decisions: [decision('D23'), decision('D30')],
  },
  getActionWithHeaders: {
    number: 16,
    method: 'GET',
    path: '/{projectKey}/resource/namespace-action-with-headers',
    summary: 'Fetch the cart in a locale',
    purpose: 'localisedCart',
    scopes: 'anyToken',
    query: {},
    families: {},
    headers: {
      Accept: {
        schema: anyText,
        required: true,
        values: { by: decision('D23'), except: /^(?:application\/json|\*\/\*)$/ },
      },
      'Storefront-Locale': {
        schema: locale,
        required: true,
        values: { by: decision('D23') },
        description: 'Locale of the request',
      },
    },
    responses: { 200: cartAnswer },
    decisions: [decision('D23'), decision('D30')],
  },
} as const satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
/** The name of an operation, as used in headers, scenarios and OpenAPI. */
export type OperationId = keyof Endpoints
export const operationIds = Object.keys(endpoints) as readonly OperationId[]

export const isOperation = (name: string | undefined): name is OperationId =>
  name !== undefined && Object.hasOwn(endpoints, name)

/** The name of requests to the token endpoints (D31), which are not in the table. */
export const TOKEN_OPERATION = 'token' as const

/** What a request can call: an operation of the table, or a token endpoint. */
export type CalledOperation = OperationId | typeof TOKEN_OPERATION
export const calledOperations: readonly CalledOperation[] = [...operationIds, TOKEN_OPERATION]

export const isCalledOperation = (name: string | undefined): name is CalledOperation =>
  name === TOKEN_OPERATION || isOperation(name)
