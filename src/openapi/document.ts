import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { decisions } from '../contract/decisions.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { VERSION } from '../version.ts'
import { findRequestBody } from './bodies.ts'
import { toDecisions } from './decisions.ts'
import type { OperationObject } from './document-types.ts'
import { createErrorResponses } from './errors.ts'
import type { ErrorResponses } from './errors.ts'
import { createExamples } from './examples.ts'
import type { Examples } from './examples.ts'
import { toHeaders } from './headers.ts'
import { toParameters, toSharedParameters } from './parameters.ts'
import { toResponses } from './responses.ts'
import { createSchemas } from './schemas.ts'
import type { Schemas } from './schemas.ts'
import { toSecurity, toSecuritySchemes } from './security.ts'
import { toServers } from './servers.ts'
import type { DocumentBase } from './servers.ts'
import { tagOf, tags } from './tags.ts'

const DESCRIPTION = `Made from the endpoint table of resource-mock, which serves, validates and verifies by it.

\`x-decision\` marks what rests on a decision because the specification does not show it: the decision's number and what it
is about. Objects are closed: requests with undocumented members get a warning, and answers have none.

The parameters \`X-Mock-*\` are for the mock alone; it also takes \`Prefer\`, and answers with
 \`X-Mock-Operation\`, \`X-Mock-Scenario\` and \`X-Mock-Warning\`.`

interface OperationParts {
  readonly schemas: Schemas
  readonly examples: Examples
  readonly errors: ErrorResponses
}

/** Where the specification has the operation, and what it leaves open there. */
function describe({ number, decisions: ids, headers }: Endpoint): string {
  const needed = Object.keys(headers).filter((name) => headers[name]?.required === true)
  const sentences = [
    typeof number === 'number' ? `Section 4.${number} of the specification.` : `Added by ${number}.`,
    ...(needed.length === 0 ? [] : [`Needs the headers ${needed.map((name) => `\`${name}\``).join(' and ')}.`]),
    `Where it is silent: ${ids.map((id) => `${id} (${decisions[id]})`).join(', ')}.`,
  ]
  return sentences.join(' ')
}

function toOperation(id: OperationId, { schemas, examples, errors }: OperationParts): OperationObject {
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

function toPaths(parts: OperationParts): Readonly<Record<string, Readonly<Record<string, OperationObject>>>> {
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const id of operationIds) {
    const { path, method } = endpoints[id]
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(id, parts) }
  }
  return paths
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
  const paths = toPaths({ schemas, examples, errors })
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
