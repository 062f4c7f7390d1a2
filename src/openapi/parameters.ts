import * as z from 'zod'
import { MAX_DELAY } from '../http/delay.ts'
import { NAME_PATTERN } from '../sessions/sessions.ts'
import { toDecisions } from './schemas.ts'
import type { Endpoints, OperationId } from '../contract/endpoints.ts'
import type { Endpoint, Parameter, ParameterFamily } from '../contract/endpoint.ts'
import type { JsonSchema, ParameterObject, Reference, Schemas } from './schemas.ts'

/** Every name under `query` or `families` of the endpoint table. */
type NameOf<Place extends 'query' | 'families' | 'headers'> = {
  [Id in OperationId]: keyof Endpoints[Id][Place]
}[OperationId]

/** A value of each query parameter, as it is before it is written into an URL. */
export const queryExamples: Readonly<Record<NameOf<'query'>, unknown>> = {
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

/** Members of each family of query parameters, by their whole names. */
export const familyExamples: Readonly<Record<NameOf<'families'>, Readonly<Record<string, unknown>>>> = {
  text: { 'text.en': 'table' },
  var: { 'var.least': ['1'] },
}

export const headerExamples: Readonly<Record<NameOf<'headers'>, string>> = {
  Accept: 'application/json',
  'Content-Type': 'image/png',
  'Storefront-Locale': 'de-DE',
}

type ParameterValues = Readonly<Record<string, unknown>>

const text: JsonSchema = { type: 'string' }

const CORRELATION_ID = 'CorrelationId'

/** Headers that only the mock takes, by the names that they are referred to by. */
const mockHeaders: Readonly<Record<string, ParameterObject>> = {
  MockScenario: {
    name: 'X-Mock-Scenario',
    in: 'header',
    description: 'Mock only: the scenarios for this request, separated by commas; `none` for no scenario',
    schema: { type: 'string', minLength: 1 },
    example: 'none',
  },
  MockSession: {
    name: 'X-Mock-Session',
    in: 'header',
    description: 'Mock only: the session, with its own data, scenarios and journal',
    schema: { type: 'string', pattern: `^${NAME_PATTERN}$` },
    example: 'checkout',
  },
  MockDelay: {
    name: 'X-Mock-Delay',
    in: 'header',
    description: `Mock only: milliseconds, such as \`300\` or \`100-500\`, at most ${MAX_DELAY}`,
    schema: { type: 'string', pattern: String.raw`^\d{1,5}(-\d{1,5})?$` },
    example: '0',
  },
}

const pathDescriptions: Readonly<Record<string, string>> = {
  projectKey: 'The project key',
  id: 'The id of the resource',
  key: 'The key of the resource; the literal text `key=` precedes it',
  uriParameterOne: 'Written behind the literal text `uri-parameter-one=`',
  uriParameterTwo: 'A path element of its own',
}

/** The parameters that operations share, by the names that they are referred to by. */
export const toSharedParameters = (examples: ParameterValues): Readonly<Record<string, ParameterObject>> => ({
  ...Object.fromEntries(
    Object.entries(pathDescriptions).map(([name, description]) => [
      name,
      { name, in: 'path', description, required: true, schema: text, example: examples[name] },
    ]),
  ),
  [CORRELATION_ID]: {
    name: 'X-Correlation-ID',
    in: 'header',
    description: 'Returned with the response; generated if absent',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,256}$' },
    example: 'checkout-7f3a',
  },
  ...mockHeaders,
})

const toReference = (name: string): Reference => ({ $ref: `#/components/parameters/${name}` })

/** A query has objects as JSON text; alone they may be spelled by member too (D11). */
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

function toQueryParameter(name: string, parameter: Parameter, example: unknown, schemas: Schemas): ParameterObject {
  const { schema, required = false, decision, repeatable, description } = parameter
  return {
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    required,
    style: schema instanceof z.ZodObject ? 'deepObject' : 'form',
    explode: true,
    schema: toQuerySchema(schema, schemas),
    example,
    ...toDecisions([decision, repeatable]),
  }
}

/** A family is one object, and each member is a query parameter: `explode`. */
function toFamily(name: string, family: ParameterFamily, example: unknown, { toSchema }: Schemas): ParameterObject {
  const { pattern, schema, decision, othersRefused, prefix } = family
  return {
    name,
    in: 'query',
    description: family.description ?? `Any number of parameters \`${prefix}<name>\``,
    required: false,
    style: 'form',
    explode: true,
    schema: { type: 'object', patternProperties: { [pattern.source]: toSchema(schema) } },
    example,
    ...toDecisions([decision, othersRefused]),
  }
}

/** Which OpenAPI has other places for, and ignores as parameters (3.1.0, section 4.8.12.2.1). */
const ELSEWHERE = new Set(['Accept', 'Content-Type', 'Authorization'])

function toHeaderParameter(name: string, parameter: Parameter, example: unknown, schemas: Schemas): ParameterObject {
  const { schema, required = false, decision, description } = parameter
  return {
    name,
    in: 'header',
    ...(description === undefined ? {} : { description }),
    required,
    schema: schemas.toSchema(schema),
    example,
    ...toDecisions([decision]),
  }
}

/** Every parameter of an operation: of its path, its query, its headers. */
export function toParameters(endpoint: Endpoint, schemas: Schemas): readonly (ParameterObject | Reference)[] {
  const { path, query, families, headers } = endpoint
  const queries: ParameterValues = queryExamples
  const members: ParameterValues = familyExamples
  const sent: ParameterValues = headerExamples
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => toReference(name)),
    ...Object.entries(query)
      .filter(([, { ignored }]) => ignored !== true)
      .map(([name, one]) => toQueryParameter(name, one, queries[name], schemas)),
    ...Object.entries(families).map(([name, one]) => toFamily(name, one, members[name], schemas)),
    ...Object.entries(headers)
      .filter(([name]) => !ELSEWHERE.has(name))
      .map(([name, one]) => toHeaderParameter(name, one, sent[name], schemas)),
    toReference(CORRELATION_ID),
    ...Object.keys(mockHeaders).map(toReference),
  ]
}
