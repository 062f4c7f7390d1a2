import { describe, expect, it } from 'vitest'
import { toOpenApiText } from '../../../src/edges/cli/commands/print.ts'
import { decisions } from '../../../src/service/contract/decisions.ts'
import type { Endpoint, Parameter, ParameterFamily } from '../../../src/service/contract/endpoint.ts'
import { endpoints, operationIds } from '../../../src/service/contract/endpoints.ts'
import { controlHeaders } from '../../../src/service/http/control-headers.ts'
import { errorStatusesOf } from '../../../src/service/contract/error-responses.ts'
import { headersOf, openApi, operations, read } from './the-document.ts'

/** The OpenAPI objects with media types. */
const ELSEWHERE = new Set(['Accept', 'Content-Type'])

const entries = operations.map((one) => ({ ...one, endpoint: endpoints[one.id as keyof typeof endpoints] as Endpoint }))
const numbersOf = (part: { readonly 'x-decision'?: readonly { readonly number: string }[] } | undefined) =>
  part?.['x-decision']?.map(({ number }) => number) ?? []

describe('the document', () => {
  it('has each operation of the endpoint table once', () => {
    expect(operations.map(({ id }) => id).toSorted()).toEqual([...operationIds].toSorted())
  })

  it('keeps every digit of 64-bit integers, in JSON and in YAML', async () => {
    expect(await toOpenApiText(false)).toContain('"integerExample": 9223372036854775807')
    expect(await toOpenApiText(true)).toContain('integerExample: -9223372036854775808')
  })

  it('has a server variable for each part of the base URL', () => {
    expect(Object.keys(openApi.servers[1]?.variables ?? {})).toEqual(['region', 'cloudProvider'])
  })

  it('lists decisions by number and title', () => {
    const { 'x-decision': told } = read.components.schemas['ArrayTestType'] ?? {}
    expect(told).toContainEqual({ number: 'D1', title: decisions.D1 })
  })

  it.each([
    ['ObjectEntry', 'integerExample', 'int64'],
    ['ObjectEntry', 'integerExampleInt32', 'int32'],
    ['Money', 'centAmount', 'int64'],
    ['UpdateRequest', 'version', 'int64'],
  ])('describes %s.%s as %s', (model, member, format) => {
    const properties = read.components.schemas[model]?.['properties'] as Readonly<Record<string, unknown>>
    expect(properties[member]).toMatchObject({ type: 'integer', format })
  })

  it('has the minimum and maximum of limit', () => {
    const { parameters } = operations.find(({ id }) => id === 'sortedQuery') ?? expect.fail('no sortedQuery')
    expect(parameters.find(({ name }) => name === 'limit')?.schema).toEqual({
      type: 'number',
      format: 'float',
      minimum: 0,
      maximum: 500,
      multipleOf: 1,
    })
  })

  it('has the update actions as a model', () => {
    const properties = read.components.schemas['UpdateRequest']?.['properties']
    expect(properties).toMatchObject({
      actions: { items: { $ref: '#/components/schemas/ExampleResourceUpdateAction' } },
    })
  })
})

describe.each(entries)('$id', ({ endpoint, operation, method, path, parameters, responses }) => {
  const namesIn = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name)

  it('has the method and path of the endpoint table, and names its section or the decision that adds it', () => {
    expect({ method, path }).toEqual({ method: endpoint.method, path: endpoint.path })
    const { number } = endpoint
    expect(operation.description).toContain(typeof number === 'number' ? `Section 4.${number} ` : `Added by ${number}.`)
  })

  it('has every parameter', () => {
    expect(namesIn('path')).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    const taken = Object.keys(endpoint.query).filter((name) => endpoint.query[name]?.ignored !== true)
    expect(namesIn('query')).toEqual([...taken, ...Object.keys(endpoint.families)])
    const headers = Object.keys(endpoint.headers).filter((name) => !ELSEWHERE.has(name))
    expect(namesIn('header')).toEqual([
      ...headers,
      'X-Correlation-ID',
      ...Object.values(controlHeaders)
        .map(({ name }) => name)
        .filter((name) => name.startsWith('X-')),
    ])
  })

  it('describes every parameter', () => {
    expect(parameters.filter(({ description = '' }) => description === '').map(({ name }) => name)).toEqual([])
  })

  it('marks the parameters that a decision adds', () => {
    for (const [name, { decision, ...one }] of Object.entries<Parameter | ParameterFamily>({
      ...endpoint.query,
      ...endpoint.families,
    })) {
      if ('ignored' in one) continue
      const parameter = parameters.find((one) => one.name === name)
      if (decision !== undefined) expect(numbersOf(parameter)).toContain(decision)
    }
  })

  it('describes a family of parameters as one exploded object', () => {
    for (const [name, { pattern }] of Object.entries(endpoint.families)) {
      const parameter = parameters.find((one) => one.name === name)
      expect(parameter).toMatchObject({ in: 'query', style: 'form', explode: true, schema: { type: 'object' } })
      expect(Object.keys(parameter?.schema['patternProperties'] ?? {})).toEqual([pattern.source])
    }
  })

  it('has every content type of its request body', () => {
    const types = Object.keys(operation.requestBody?.content ?? {})
    const { body } = endpoint
    expect(types).toEqual(body === undefined ? [] : body.kind === 'json' ? ['application/json'] : body.contentTypes)
    expect(operation.requestBody?.required).toBe(
      body === undefined ? undefined : body.kind === 'image' || body.required,
    )
  })

  it('has every response, including errors', () => {
    const statuses = new Set([...Object.keys(endpoint.responses), ...errorStatusesOf(endpoint).map(String)])
    expect(Object.keys(responses).toSorted()).toEqual([...statuses].toSorted())
    for (const [status, response] of Object.entries(responses)) {
      const documented = endpoint.responses[Number(status)]
      expect(headersOf(response).map(([name]) => name)).toEqual(
        expect.arrayContaining(['X-Correlation-ID', ...(documented?.headers ?? [])]),
      )
      expect(Object.keys(response.content ?? {})).toEqual(method === 'HEAD' ? [] : ['application/json'])
      if (documented?.decision !== undefined) expect(numbersOf(response)).toContain(documented.decision)
    }
  })

  it('accepts each of its scopes individually', () => {
    const { scopes } = endpoint
    const expected = scopes === 'anyToken' ? [[]] : scopes.map((scope) => [`${scope}:{projectKey}`])
    expect(operation.security.map(({ oauth2 }) => oauth2)).toEqual(expected)
    const { flows } = read.components.securitySchemes['oauth2'] ?? expect.fail('no scheme')
    expect(Object.keys(flows.clientCredentials.scopes)).toEqual(expect.arrayContaining(expected.flat()))
  })

  it('names the decisions that it is based on', () => {
    expect(numbersOf(operation)).toEqual(endpoint.decisions)
  })
})

it('shows both payloads of the 203', () => {
  const { responses } = operations.find(({ id }) => id === 'postComplex') ?? expect.fail('no postComplex')
  const { examples = {} } = responses['203']?.content?.['application/json'] ?? {}
  expect(examples['custom1']?.value).toMatchObject({ arrayOfStringExample: ['custom1', 'first alternative'] })
  expect(examples['custom2']?.value).toMatchObject({ arrayOfStringExample: ['custom2', 'second alternative'] })
})
