import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import { toPng } from '../http/image-samples.ts'
import type { JsonSchema, MediaType, ParameterObject } from '../../../src/service/openapi/schemas.ts'
import { headersOf, operations, read } from './the-document.ts'
import type { ReadOperation } from './the-document.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
formats.default(ajv)
ajv.addVocabulary(['components', 'x-decision'])

/** By the text of their schema, which many examples share. */
const validators = new Map<string, ValidateFunction>()

/** The problems of a value, as ajv reports them. */
function faultsOf(schema: JsonSchema, value: unknown): string {
  const text = JSON.stringify(schema)
  // References point to the components of the document, so the schema includes them.
  const validate = validators.get(text) ?? ajv.compile({ ...schema, components: read.components })
  validators.set(text, validate)
  return validate(value) ? '' : ajv.errorsText(validate.errors)
}

type Example = readonly [place: string, schema: JsonSchema, value: unknown]

const ofContent = (place: string, content: Readonly<Record<string, MediaType>> = {}): readonly Example[] =>
  Object.values(content).flatMap(({ schema, example, examples = {} }): readonly Example[] => [
    ...(example === undefined ? [] : [[place, schema, example] as const]),
    ...Object.entries(examples).map(([name, { value }]) => [`${place} ${name}`, schema, value] as const),
  ])

const ofOperation = ({ id, operation, parameters, responses }: ReadOperation): readonly Example[] => [
  ...parameters.map(({ name, schema, example }) => [`${id} ${name}`, schema, example] as const),
  ...ofContent(`${id} body`, operation.requestBody?.content),
  ...Object.entries(responses).flatMap(([status, response]) => [
    ...ofContent(`${id} ${status}`, response.content),
    ...headersOf(response).map(([name, { schema, example }]) => [`${id} ${status} ${name}`, schema, example] as const),
  ]),
]

const examples = operations.flatMap(ofOperation)

describe('every example', () => {
  it('exists for each parameter, JSON body and response body', () => {
    const lacking = examples.filter(([, , value]) => value === undefined).map(([place]) => place)
    expect(lacking).toEqual([])
    const bodies = operations.filter(({ operation }) => 'application/json' in (operation.requestBody?.content ?? {}))
    for (const { id } of bodies) expect(examples.map(([place]) => place)).toContain(`${id} body`)
    for (const { id, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        const shown = examples.filter(([place]) => place.split(' ', 2).join(' ') === `${id} ${status}`)
        if (content !== undefined) expect(shown, `${id} ${status}`).not.toEqual([])
      }
    }
  })

  it('is valid against its schema', () => {
    const faults = examples.map(([place, schema, value]) => [place, faultsOf(schema, value)] as const)
    expect(faults.filter(([, fault]) => fault !== '')).toEqual([])
  })

  it('is checked by a validator that reports invalid values', () => {
    const schema = { $ref: '#/components/schemas/ObjectTestType' }
    expect(faultsOf(schema, { version: 1.5, objectTypeProperty: {}, extra: 1 })).toMatch(
      /integer.*additional|additional.*integer/,
    )
  })
})

/** Writes a query in the styles of its parameters. */
function toQuery(parameters: readonly ParameterObject[]): URLSearchParams {
  const query = new URLSearchParams()
  const add = (name: string, value: unknown) => {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  }
  for (const { name, style, example } of parameters) {
    if (typeof example !== 'object' || example === null || Array.isArray(example)) add(name, example)
    else
      for (const [member, value] of Object.entries(example))
        add(style === 'deepObject' ? `${name}[${member}]` : member, value)
  }
  return query
}

describe('a request built from the examples', () => {
  it.each(operations)('is served without a warning: $id', async (one) => {
    const mock = await createMock({ checkResponses: true })
    const { id, path, method, operation, parameters } = one
    const valueOf = (name: string) => String(parameters.find((one) => one.name === name)?.example)
    const query = toQuery(parameters.filter((one) => one.in === 'query'))
    const headers = new Headers({ Authorization: 'Bearer any' })
    for (const { name, example } of parameters.filter((one) => one.in === 'header')) headers.set(name, String(example))
    const content = operation.requestBody?.content['application/json']
    if (content !== undefined) headers.set('Content-Type', 'application/json')
    if (id === 'uploadImage') headers.set('Content-Type', 'image/png')
    if (id === 'getActionWithHeaders') headers.set('Accept', 'application/json')
    const response = await mock.fetch(
      new Request(`http://mock${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => valueOf(name))}?${query}`, {
        method,
        headers,
        body:
          id === 'uploadImage'
            ? new Uint8Array(toPng(1, 1))
            : content === undefined
              ? null
              : JSON.stringify(content.example),
      }),
    )
    expect(await response.text()).not.toContain('"errors"')
    expect(response.ok).toBe(true)
    expect(response.headers.get('X-Correlation-ID')).toBe('checkout-7f3a')
    expect(response.headers.get('X-Mock-Warning')).toBeNull()
  })
})
