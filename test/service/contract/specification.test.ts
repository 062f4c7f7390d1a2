import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Endpoint } from '../../../src/service/contract/endpoint.ts'
import { endpoints } from '../../../src/service/contract/endpoints.ts'
import { readText } from '../../house/sources.ts'
import { codedEndpoints, isSpecified } from './specification/coded-endpoints.ts'
import { codedModels, modelShapes } from './specification/coded-models.ts'
import { documentedEndpoints } from './specification/documented-endpoints.ts'
import { documentedModels } from './specification/documented-models.ts'
import { findDifferences } from './specification/fact.ts'
import type { CodedFacts, Fact } from './specification/fact.ts'
import { parseSections } from './specification/markdown.ts'

type Table = Readonly<Record<string, Endpoint>>

const specification = readText('docs/specification.md')
const table: Table = endpoints

const factsOf = (markdown: string): readonly Fact[] => {
  const sections = parseSections(markdown)
  return [...documentedModels(sections), ...documentedEndpoints(sections)]
}

const documented = factsOf(specification)

const codedFacts = (changed: Table = table, shapes = modelShapes): CodedFacts => {
  const [models, endpointTable] = [codedModels(shapes), codedEndpoints(changed)]
  return {
    asserted: [...models.asserted, ...endpointTable.asserted],
    filled: [...models.filled, ...endpointTable.filled],
  }
}

const coded = codedFacts()

const without = <Value>(record: Readonly<Record<string, Value>>, name: string): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(record).filter(([other]) => other !== name))

describe('the contract in src', () => {
  it('agrees with the specification, and marks the rest as decisions', () => {
    expect(findDifferences(documented, coded)).toEqual([])
  })

  it('covers every endpoint and shape of the specification', () => {
    expect(documented.filter((fact) => / is \/\{projectKey\}/.test(fact))).toHaveLength(17)
    expect(documented.filter((fact) => / field 1 is /.test(fact))).toHaveLength(10)
  })
})

describe('a change of the specification', () => {
  // Region and cloud provider precede the path, so the table of common parameters belongs to no endpoint.
  const rows = specification
    .split('\n')
    .slice(specification.split('\n').indexOf('### ArrayTestType (JSON object)'))
    .filter((line) => /^\|(?! (?:#|Name|Field|Endpoints|Query parameter) \||---)/.test(line))

  it.each(rows)('notices if this row is lost: %s', (row) => {
    expect(findDifferences(factsOf(specification.replace(`${row}\n`, '')), coded)).not.toEqual([])
  })

  it.each([
    ['an endpoint', '| 16 | GET |', '| 17 | GET | /{projectKey}/resource/extra |\n| 16 | GET |'],
    ['a query parameter', '| unionParameter |', '| extraParameter | string | |\n| unionParameter |'],
    ['a field', '| sum | Money |', '| sum | Money |\n| extra | string |'],
    ['a method', '| 15 | GET |', '| 15 | POST, GET |'],
    ['a scope', '| manage_products:{projectKey} |', '| manage_products:{projectKey} or manage_test:{projectKey} |'],
  ])('notices if %s comes in', (_what, before, after) => {
    expect(specification).toContain(before)
    expect(findDifferences(factsOf(specification.replace(before, after)), coded)).not.toEqual([])
  })

  it.each([
    ['`variant` (int)', '`variant` (float)'],
    ['`filename` (string), ', ''],
    ['`secondOptionalQueryParameter`', '`thirdOptionalQueryParameter`'],
    ['`queryParameterOne` (float)', '`queryParameterOne` (string)'],
    ['named custom1 and custom2', 'named custom1 and custom3'],
    ['Responses: 200, 201 and 203', 'Responses: 200 and 203'],
    ['the same as 4.1 except unionParameter', 'the same as 4.1 except floatParameter'],
    ['| floatParameter | float |', '| floatParameter | int |'],
    ['| stringParameter | string | |', '| stringParameter | string | may be passed multiple times |'],
    ['`text.[a-z]{2}(-[A-Z]{2})?`', '`text.[a-z]{2}`'],
    ['`^var[.][a-zA-Z0-9]+$`', '`^var[.][a-z]+$`'],
    ['Required request headers: `Accept`, ', 'Required request headers: '],
    ['allowed values `image/jpeg`', 'allowed values `image/webp`'],
    ['Version mismatch: 409 (section 7)', 'Version mismatch: 412 (section 7)'],
    ['Request body: OutOfOrderPropertiesTestType', 'Request body: ObjectTestTypeDraft'],
    ['200: ObjectTestType (the deleted resource).', '204: no body shape.'],
    ['Response 200. Request body', 'Response 202. Request body'],
    ['Required scopes for endpoints 9, 10,', 'Required scopes for endpoints 9,'],
    ['eleventhPropery', 'eleventhProperty'],
    ['`_url` (string', '`url` (string'],
    ['`centAmount` (integer', '`centAmount` (string'],
    ['`integerExampleInt32` (integer, 32-bit)', '`integerExampleInt32` (integer, 64-bit)'],
    ['field `someProperty`, string', 'field `someProperty`, integer'],
    ['`season` (strings)', '`season` (integers)'],
  ])('notices if %j reads %j', (before, after) => {
    expect(specification).toContain(before)
    expect(findDifferences(factsOf(specification.replace(before, after)), coded)).not.toEqual([])
  })
})

describe('a change of the endpoint table', () => {
  const expectNoticed = (changed: Table): void => {
    expect(findDifferences(documented, codedFacts(changed))).not.toEqual([])
  }
  const change = (name: string, part: Partial<Endpoint>): Table => {
    const endpoint = table[name]
    if (endpoint === undefined) throw new Error(`No endpoint is called ${name}.`)
    return { ...table, [name]: { ...endpoint, ...part } }
  }
  /** Every documented entry of one part of every endpoint. */
  const entriesOf = (part: 'query' | 'families' | 'headers' | 'responses') =>
    Object.entries(table)
      .filter(([, endpoint]) => isSpecified(endpoint))
      .flatMap(([name, endpoint]) =>
        Object.entries(endpoint[part])
          .filter(([, about]) => about.decision === undefined)
          .map(([entry]) => [name, entry] as const),
      )
  const specified = Object.keys(table).filter((name) => table[name] !== undefined && isSpecified(table[name]))
  const partOf = (name: string, part: 'query' | 'families' | 'headers' | 'responses') =>
    (table[name]?.[part] ?? {}) as Readonly<Record<string, never>>

  it.each(specified)('notices if %s is gone', (name) => {
    expectNoticed(without(table, name))
  })

  it.each(specified)('notices if %s is marked as a decision', (name) => {
    expectNoticed(change(name, { number: 'D4' }))
  })

  it('may add an endpoint that is based on a decision', () => {
    const archive = { ...endpoints.deleteResource, number: 'D4', path: '/{projectKey}/resource/{id}/archive' } as const
    expect(findDifferences(documented, codedFacts({ ...table, archive }))).toEqual([])
  })

  it.each(entriesOf('query'))('notices if %s lost the query parameter %s', (name, parameter) => {
    expectNoticed(change(name, { query: without(partOf(name, 'query'), parameter) }))
  })

  it.each(entriesOf('query'))('notices if %s marks the query parameter %s as a decision', (name, parameter) => {
    const query = table[name]?.query ?? {}
    expectNoticed(change(name, { query: { ...query, [parameter]: { schema: z.string(), decision: 'D4' } } }))
  })

  it.each(entriesOf('responses'))('notices if %s marks its response %s as a decision', (name, status) => {
    const { responses = {} } = table[name] ?? {}
    expectNoticed(change(name, { responses: { ...responses, [status]: { description: '', decision: 'D4' } } }))
  })

  it.each(entriesOf('query'))('notices if %s has another type for %s', (name, parameter) => {
    const query = table[name]?.query ?? {}
    expectNoticed(change(name, { query: { ...query, [parameter]: { schema: z.array(z.boolean()) } } }))
  })

  it.each(entriesOf('families'))('notices if %s lost the family %s', (name, family) => {
    expectNoticed(change(name, { families: without(partOf(name, 'families'), family) }))
  })

  it.each(entriesOf('headers'))('notices if %s lost the header %s', (name, header) => {
    expectNoticed(change(name, { headers: without(partOf(name, 'headers'), header) }))
  })

  it.each(entriesOf('responses'))('notices if %s lost its response %s', (name, status) => {
    expectNoticed(change(name, { responses: without(partOf(name, 'responses'), status) }))
  })

  it.each(specified)('notices if %s accepts or returns something new', (name) => {
    const { query = {}, headers = {}, responses = {} } = table[name] ?? {}
    expectNoticed(change(name, { query: { ...query, extra: { schema: z.string() } } }))
    expectNoticed(change(name, { headers: { ...headers, Extra: { schema: z.string() } } }))
    expectNoticed(change(name, { responses: { ...responses, 418: { description: 'Extra' } } }))
  })

  it.each(specified)('notices if %s moves', (name) => {
    expectNoticed(change(name, { number: 99 }))
    expectNoticed(change(name, { path: '/{projectKey}/resource/elsewhere' }))
    expectNoticed(change(name, { method: table[name]?.method === 'PUT' ? 'GET' : 'PUT' }))
  })

  it.each(specified.filter((name) => table[name]?.decisions.includes('D30') === false))(
    'notices if %s requires other scopes',
    (name) => {
      expectNoticed(change(name, { scopes: 'anyToken' }))
      expectNoticed(change(name, { scopes: [name === 'uploadImage' ? 'manage_test' : 'manage_products'] }))
    },
  )
})

describe('a change of the models', () => {
  const fields = Object.entries(modelShapes).flatMap(([model, shape]) =>
    Object.keys(shape).map((field) => [model, field] as const),
  )
  const isDocumented = ([model, field]: readonly [string, string]): boolean =>
    documented.some((fact) => fact.startsWith(`${model} field `) && fact.includes(` is ${field}: `))

  it.each(fields.filter(isDocumented))('notices if %s lost %s', (model, field) => {
    const changed = { ...modelShapes, [model]: without(modelShapes[model] ?? {}, field) }
    expect(findDifferences(documented, codedFacts(table, changed))).not.toEqual([])
  })

  it.each(Object.keys(modelShapes))('notices if %s has one more member, or another order', (model) => {
    const shape = modelShapes[model] ?? {}
    const longer = { ...modelShapes, [model]: { ...shape, extra: z.string() } }
    expect(findDifferences(documented, codedFacts(table, longer))).not.toEqual([])
    const turned = { ...modelShapes, [model]: Object.fromEntries(Object.entries(longer[model] ?? {}).toReversed()) }
    expect(findDifferences(documented, codedFacts(table, turned))).not.toEqual([])
  })
})
