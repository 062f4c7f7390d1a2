import * as z from 'zod'
import { decision, decisions } from '../contract/decisions.ts'
import { responseHeaders } from '../contract/endpoint.ts'
import type { Endpoint, Parameter, ParameterFamily, ScopeName, Purpose } from '../contract/endpoint.ts'
import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { Endpoints, OperationId } from '../contract/endpoints.ts'
import { controlHeaders } from '../http/control-headers.ts'
import { CORRELATION_ID } from '../http/request-head.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { VERSION } from '../../version.ts'
import { findRequestBody, createErrorResponses, createExamples, toHeaderObjects, toResponses } from './responses.ts'
import type { DocumentParts } from './responses.ts'
import { toDecisions, createSchemas } from './schemas.ts'
import type { JsonSchema, ParameterObject, Reference, Schemas, OperationObject } from './schemas.ts'

/** All names under `query` or `families` in the endpoint table. */
type NameOf<Place extends 'query' | 'families' | 'headers'> = {
  [Id in OperationId]: keyof Endpoints[Id][Place]
}[OperationId]

/** Example values of the query parameters, before encoding. */
const queryExamples: Readonly<Record<NameOf<'query'>, unknown>> = {
  stringParameter: 'oak',
  floatParameter: 189.9,
  integerParameter: 14,
  withMarkdownDescription: 8.4,
  arrayOfString: ['oak', 'natural'],
  arrayOfStringWithDescription: ['living room'],
  objectParameter: { arrayOfString: ['oak'] },
  unionParameter: 14,
  where: ['version >= :least'],
  sort: ['lastModifiedAt desc', 'version asc'],
  limit: 20,
  offset: 0,
  withTotal: true,
  expand: ['objectTypeProperty'],
  optionalQueryParameter: 'one',
  secondOptionalQueryParameter: 'two',
  fuzzy: true,
  fuzzyLevel: 1,
  staged: false,
  filter: ['arrayOfIntExample:range (1 to 20)'],
  'filter.facets': ['arrayOfStringExample:oak'],
  'filter.query': ['arrayOfStringExample:oak'],
  facet: ['arrayOfStringExample'],
  queryParameterOne: 1.5,
  queryParameterTwo: 'two',
  version: 3,
  filename: 'front.png',
  variant: 1,
  sku: 'oak-side-table',
}

/** Example members of each query parameter family, by full name. */
const familyExamples: Readonly<Record<NameOf<'families'>, Readonly<Record<string, unknown>>>> = {
  text: { 'text.en': 'table' },
  var: { 'var.least': ['1'] },
}

const headerExamples: Readonly<Record<NameOf<'headers'>, string>> = {
  Accept: 'application/json',
  'Content-Type': 'image/png',
  'Storefront-Locale': 'de-DE',
  'If-Match': '*',
  'If-None-Match': '"0"',
}

type ParameterValues = Readonly<Record<string, unknown>>

const textSchema: JsonSchema = { type: 'string' }

const CORRELATION = 'CorrelationId'

/** Mock-only headers, by component name such as `MockDelay`. */
const mockHeaders: Readonly<Record<string, ParameterObject>> = Object.fromEntries(
  Object.values(controlHeaders)
    .filter(({ name }) => name.startsWith('X-'))
    .map(({ name, description, schema, example }) => [
      name.slice('X-'.length).replaceAll('-', ''),
      { name, in: 'header', description: `Mock only: ${description}`, schema, example },
    ]),
)

const pathDescriptions: Readonly<Record<string, string>> = {
  projectKey: 'The project key',
  id: 'The resource id',
  key: 'The resource key, preceded by the literal text `key=`',
  uriParameterOne: 'Preceded by the literal text `uri-parameter-one=`',
  uriParameterTwo: 'A separate path segment',
}

/** Shared parameters, by component name. */
const toSharedParameters = (examples: ParameterValues): Readonly<Record<string, ParameterObject>> => ({
  ...Object.fromEntries(
    Object.entries(pathDescriptions).map(([name, description]) => [
      name,
      { name, in: 'path', description, required: true, schema: textSchema, example: examples[name] },
    ]),
  ),
  [CORRELATION]: {
    name: 'X-Correlation-ID',
    in: 'header',
    description: 'Returned with the response; generated if absent',
    schema: { type: 'string', pattern: CORRELATION_ID.source },
    example: responseHeaders['X-Correlation-ID'].example,
  },
  ...mockHeaders,
})

const toReference = (name: string): Reference => ({ $ref: `#/components/parameters/${name}` })

/** Objects in a query are JSON text. A lone object may also be written as one parameter per member (D11). */
function toQuerySchema(schema: z.ZodType, { toSchema }: Schemas): JsonSchema {
  if (!(schema instanceof z.ZodUnion)) return toSchema(schema)
  return {
    anyOf: schema.options.map((option) =>
      option instanceof z.ZodObject
        ? {
            type: 'string',
            pattern: String.raw`^\s*\{`,
            contentMediaType: 'application/json',
            contentSchema: toSchema(option),
          }
        : toSchema(option),
    ),
  }
}

/** OpenAPI defines these elsewhere and ignores them as parameters (3.1.0, section 4.8.12.2.1). */
const ELSEWHERE = new Set(['Accept', 'Content-Type', 'Authorization'])

function toQueryParameter(name: string, parameter: Parameter, schemas: Schemas): ParameterObject {
  const { schema, required = false, decision, repeatable, description } = parameter
  const examples: ParameterValues = queryExamples
  return {
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    required,
    style: schema instanceof z.ZodObject ? 'deepObject' : 'form',
    explode: true,
    schema: toQuerySchema(schema, schemas),
    example: examples[name],
    ...toDecisions([decision, repeatable]),
  }
}

/** A family is an object whose members are separate query parameters (`explode`). */
function toFamily(name: string, family: ParameterFamily, { toSchema }: Schemas): ParameterObject {
  const { pattern, schema, decision, othersRefused, prefix } = family
  const examples: ParameterValues = familyExamples
  return {
    name,
    in: 'query',
    description: family.description ?? `Any number of parameters \`${prefix}<name>\``,
    required: false,
    style: 'form',
    explode: true,
    schema: { type: 'object', patternProperties: { [pattern.source]: toSchema(schema) } },
    example: examples[name],
    ...toDecisions([decision, othersRefused]),
  }
}

function toHeaderParameter(name: string, parameter: Parameter, { toSchema }: Schemas): ParameterObject {
  const { schema, required = false, decision, description } = parameter
  const examples: ParameterValues = headerExamples
  return {
    name,
    in: 'header',
    ...(description === undefined ? {} : { description }),
    required,
    schema: toSchema(schema),
    example: examples[name],
    ...toDecisions([decision]),
  }
}

const scopeMeanings: Readonly<Record<ScopeName | 'manage_project', string>> = {
  view_test: 'Read resources',
  manage_test: 'Read, write and delete resources',
  manage_products: 'Upload images',
  manage_project: 'Everything in the project (D30)',
}

/** Scopes are bound to a project (specification, section 5). */
const toScope = (name: string): string => `${name}:{projectKey}`

/** Authentication: bearer tokens as specified, issued by the mock's token endpoints (D31). */
const toSecuritySchemes = (baseUrl: string) => ({
  oauth2: {
    type: 'oauth2',
    description:
      'Send `Authorization: Bearer <token>`. Anonymous customers get tokens at `/oauth/{projectKey}/anonymous/token`, customers with a password at `/oauth/{projectKey}/customers/token`.',
    flows: {
      clientCredentials: {
        tokenUrl: `${baseUrl}/oauth/token`,
        refreshUrl: `${baseUrl}/oauth/token`,
        scopes: Object.fromEntries(Object.entries(scopeMeanings).map(([name, meaning]) => [toScope(name), meaning])),
      },
    },
    ...toDecisions([decision('D31'), decision('D32')]),
  },
})

const freeText = (example: string) => ({ default: example, description: 'Free text' })

/** The base URLs of the document's paths. */
function toServers({ url, isPlaced }: Parameters<typeof createOpenApi>[0]): readonly {
  readonly url: string
  readonly description: string
  readonly variables?: Readonly<
    Record<'region' | 'cloudProvider', { readonly default: string; readonly description: string }>
  >
}[] {
  const plain = { url, description: 'The mock' }
  if (isPlaced) return [plain]
  return [
    plain,
    {
      url: `${url}/{region}/{cloudProvider}`,
      description: 'The mock, with separate data for each region and cloud provider',
      variables: { region: freeText('eu'), cloudProvider: freeText('gcp') },
    },
  ]
}

const tags = {
  Queries: 'Find resources',
  Resources: 'Read, write and delete one resource',
  Images: 'Images of product variants',
  Actions: 'Frontend data and actions other than resources',
} as const

/** The tag of the operations with a purpose. */
const tagOf: Readonly<Record<Purpose, keyof typeof tags>> = {
  query: 'Queries',
  search: 'Queries',
  check: 'Queries',
  read: 'Resources',
  draft: 'Resources',
  update: 'Resources',
  delete: 'Resources',
  complex: 'Resources',
  upload: 'Images',
  writePayload: 'Actions',
  readPayload: 'Actions',
  cart: 'Actions',
  localisedCart: 'Actions',
}

const DESCRIPTION = `Made from the endpoint table of resource-mock, which serves, validates and verifies by it.

\`x-decision\` marks what rests on a decision because the specification does not show it: the decision's number and what it
is about. Objects are closed: requests with undocumented members get a warning, and responses have none.

The parameters \`X-Mock-*\` are for the mock alone; it also takes \`Prefer\`, and answers with
 \`X-Mock-Operation\`, \`X-Mock-Scenario\` and \`X-Mock-Warning\`.`

/** Cites the operation's section of the specification and the decisions about its gaps. */
function describeEndpoint({ number, decisions: ids, headers }: Endpoint): string {
  const needed = Object.keys(headers).filter((name) => headers[name]?.required === true)
  const sentences = [
    typeof number === 'number' ? `Section 4.${number} of the specification.` : `Added by ${number}.`,
    ...(needed.length === 0 ? [] : [`Requires the headers ${needed.map((name) => `\`${name}\``).join(' and ')}.`]),
    `Decisions on gaps in the specification: ${ids.map((id) => `${id} (${decisions[id]})`).join(', ')}.`,
  ]
  return sentences.join(' ')
}

function toOperation(id: OperationId, parts: DocumentParts): OperationObject {
  const { schemas, examples } = parts
  const endpoint: Endpoint = endpoints[id]
  const requestBody = findRequestBody(endpoint, schemas, examples)
  return {
    operationId: id,
    summary: endpoint.summary,
    description: describeEndpoint(endpoint),
    tags: [tagOf[endpoint.purpose]],
    security:
      endpoint.scopes === 'anyToken'
        ? [{ oauth2: [] }]
        : endpoint.scopes.map((scope) => ({ oauth2: [toScope(scope)] })),
    parameters: [
      ...[...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => toReference(name)),
      ...Object.entries(endpoint.query)
        .filter(([, { ignored }]) => ignored !== true)
        .map(([name, one]) => toQueryParameter(name, one, schemas)),
      ...Object.entries(endpoint.families).map(([name, one]) => toFamily(name, one, schemas)),
      ...Object.entries(endpoint.headers)
        .filter(([name]) => !ELSEWHERE.has(name))
        .map(([name, one]) => toHeaderParameter(name, one, schemas)),
      toReference(CORRELATION),
      ...Object.keys(mockHeaders).map(toReference),
    ],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: toResponses(endpoint, parts),
    ...toDecisions(endpoint.decisions),
  }
}

/**
 * Creates the OpenAPI 3.1 document from the endpoint table, with examples from the fixtures. Integers beyond 2^53 are
 * `bigint`, so serialize it with {@link stringifyJson}.
 *
 * @param base a base URL of the mock, and whether it already includes the region and cloud provider (specification, section
 * 1)
 * @example createOpenApi({ url: 'http://127.0.0.1:4010', isPlaced: false }, await loadFixtures())
 */
export function createOpenApi(base: { readonly url: string; readonly isPlaced: boolean }, fixtures: Fixtures) {
  const schemas = createSchemas()
  const examples = createExamples(fixtures)
  const errors = createErrorResponses(Object.values(endpoints), examples.path, schemas)
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const id of operationIds) {
    const { path, method } = endpoints[id]
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(id, { schemas, examples, errors }) }
  }
  const headers = toHeaderObjects(schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Resource service',
      version: VERSION,
      summary: 'One resource family under a project, a few actions, and image uploads',
      description: DESCRIPTION,
      contact: { name: 'resource-mock' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: toServers(base),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.components(),
      parameters: toSharedParameters(examples.path),
      headers,
      responses: errors.shared,
      securitySchemes: toSecuritySchemes(base.url),
    },
  }
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = ReturnType<typeof createOpenApi>
