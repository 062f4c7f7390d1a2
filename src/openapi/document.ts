import { decision, decisions } from '../contract/decisions.ts'
import { toDecisions, createSchemas } from './schemas.ts'
import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { VERSION } from '../version.ts'
import { findRequestBody, createErrorResponses, createExamples, toHeaders, toResponses } from './responses.ts'
import type { ErrorResponses, Examples } from './responses.ts'
import { toParameters, toSharedParameters } from './parameters.ts'
import type { Schemas, OperationObject } from './schemas.ts'
import type { Endpoint, ScopeName, Purpose } from '../contract/endpoint.ts'
import type { Fixtures } from '../state/fixtures.ts'

const scopes: Readonly<Record<ScopeName | 'manage_project', string>> = {
  view_test: 'Read resources',
  manage_test: 'Read, write and delete resources',
  manage_products: 'Upload images',
  manage_project: 'Everything in the project (D30)',
}

/** Scopes are bound to a project (specification, section 5). */
const toScope = (name: string): string => `${name}:{projectKey}`

/** Authentication: the specification's bearer tokens, issued by the mock's token endpoints (D31). */
export const toSecuritySchemes = (baseUrl: string) => ({
  oauth2: {
    type: 'oauth2',
    description:
      'Send `Authorization: Bearer <token>`. Anonymous customers get tokens at `/oauth/{projectKey}/anonymous/token`, customers with a password at `/oauth/{projectKey}/customers/token`.',
    flows: {
      clientCredentials: {
        tokenUrl: `${baseUrl}/oauth/token`,
        refreshUrl: `${baseUrl}/oauth/token`,
        scopes: Object.fromEntries(Object.entries(scopes).map(([name, meaning]) => [toScope(name), meaning])),
      },
    },
    ...toDecisions([decision('D31'), decision('D32')]),
  },
})

/** Each scope that an endpoint accepts suffices alone. */
export const toSecurity = ({ scopes: accepted }: Endpoint): OperationObject['security'] =>
  accepted === 'anyToken' ? [{ oauth2: [] }] : accepted.map((scope) => ({ oauth2: [toScope(scope)] }))

/** A base URL of the mock, and whether it names region and cloud provider (specification, section 1) already. */
export interface DocumentBase {
  readonly url: string
  readonly isPlaced: boolean
}

export interface DocumentServer {
  readonly url: string
  readonly description: string
  readonly variables?: Readonly<
    Record<'region' | 'cloudProvider', { readonly default: string; readonly description: string }>
  >
}

/** The addresses that the document's paths are appended to. */
export function toServers({ url, isPlaced }: DocumentBase): readonly DocumentServer[] {
  const plain = { url, description: 'The mock' }
  if (isPlaced) return [plain]
  return [
    plain,
    {
      url: `${url}/{region}/{cloudProvider}`,
      description: 'The mock, each region and cloud provider with its own data',
      variables: {
        region: { default: 'eu', description: 'Free text' },
        cloudProvider: { default: 'gcp', description: 'Free text' },
      },
    },
  ]
}

/** Groups of operations. */
export const tags = {
  Queries: 'Find resources',
  Resources: 'Read, write and delete one resource',
  Images: 'Images of product variants',
  Actions: 'What a frontend fetches and writes apart from resources',
} as const

type Tag = keyof typeof tags

/** The tag of the operations that serve a purpose. */
export const tagOf: Readonly<Record<Purpose, Tag>> = {
  query: 'Queries',
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
is about. Objects are closed: requests with undocumented members get a warning, and answers have none.

The parameters \`X-Mock-*\` are for the mock alone; it also takes \`Prefer\`, and answers with
 \`X-Mock-Operation\`, \`X-Mock-Scenario\` and \`X-Mock-Warning\`.`

/** Names the operation's section of the specification, and the decisions about its gaps. */
function describe({ number, decisions: ids, headers }: Endpoint): string {
  const needed = Object.keys(headers).filter((name) => headers[name]?.required === true)
  const sentences = [
    typeof number === 'number' ? `Section 4.${number} of the specification.` : `Added by ${number}.`,
    ...(needed.length === 0 ? [] : [`Needs the headers ${needed.map((name) => `\`${name}\``).join(' and ')}.`]),
    `Where it is silent: ${ids.map((id) => `${id} (${decisions[id]})`).join(', ')}.`,
  ]
  return sentences.join(' ')
}

function toOperation(id: OperationId, schemas: Schemas, examples: Examples, errors: ErrorResponses): OperationObject {
  const endpoint: Endpoint = endpoints[id]
  const requestBody = findRequestBody(endpoint, schemas, examples)
  return {
    operationId: id,
    summary: endpoint.summary,
    description: describe(endpoint),
    tags: [tagOf[endpoint.purpose]],
    security: toSecurity(endpoint),
    parameters: toParameters(endpoint, schemas),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: toResponses(endpoint, errors, schemas, examples),
    ...toDecisions(endpoint.decisions),
  }
}

/**
 * Creates the OpenAPI 3.1 document of the endpoint table, its examples taken from the fixtures. Whole numbers past 2^53
 * are `bigint`, so write it with {@link stringifyJson}.
 *
 * @example createOpenApi({ url: 'http://127.0.0.1:4010', isPlaced: false }, await loadFixtures())
 */
export function createOpenApi(base: DocumentBase, fixtures: Fixtures) {
  const schemas = createSchemas()
  const examples = createExamples(fixtures)
  const errors = createErrorResponses(Object.values(endpoints), examples.path, schemas)
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const id of operationIds) {
    const { path, method } = endpoints[id]
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(id, schemas, examples, errors) }
  }
  const headers = toHeaders(schemas)
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
