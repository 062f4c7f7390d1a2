import * as z from 'zod'
import type { Endpoint } from '../../../../src/service/contract/endpoint.ts'
import { describeParameter, describeType } from './coded-types.ts'
import { toPlainPattern } from './documented-endpoints.ts'
import { UNSHOWN } from './fact.ts'
import type { CodedFacts, Fact } from './fact.ts'

const isDocumented = ([, about]: readonly [string, { readonly decision?: string }]): boolean =>
  about.decision === undefined

/** Every path starts with the project; section 4.n names the rest. */
const pathFacts = ({ path }: Endpoint): readonly Fact[] =>
  [...path.matchAll(/\{(\w+)\}/g)].slice(1).map(([, name]) => `has ${name} in its path`)

const parameterFacts = ({ query, families }: Endpoint): readonly Fact[] => [
  ...Object.entries(query)
    .filter(isDocumented)
    .map(([name, parameter]) => `query ${name}: ${describeParameter(parameter)}`),
  ...Object.entries(families)
    .filter(isDocumented)
    .map(([, { pattern, schema }]) => `family ${toPlainPattern(pattern.source)}: ${describeParameter({ schema })}`),
]

const headerFacts = ({ headers }: Endpoint): readonly Fact[] =>
  Object.entries(headers)
    .filter(isDocumented)
    .flatMap(([name, { schema, required }]) => [
      `header ${name} is ${required === true ? 'required' : 'optional'}`,
      ...(schema instanceof z.ZodEnum ? schema.options.map((value) => `header ${name} admits ${value}`) : []),
    ])

const bodyFacts = ({ body }: Endpoint): readonly Fact[] => {
  if (body?.kind === 'image') return body.contentTypes.map((type) => `takes ${type}`)
  // The only optional body is the action payload, by D22.
  return body?.required === true ? [`takes ${describeType(body.schema)}`] : []
}

const responseFacts = ({ responses }: Endpoint): readonly Fact[] =>
  Object.entries(responses)
    .filter(isDocumented)
    .flatMap(([status, { schema, examples = {} }]) => {
      // Section 7 shows no error body.
      if (Number(status) >= 400) return [`answers ${status}`]
      return [
        `answers ${status} with ${schema === undefined ? 'no body' : describeType(schema)}`,
        ...Object.keys(examples).map((name) => `answers ${status} with example ${name}`),
      ]
    })

const filledFacts = ({ number, method, responses }: Endpoint): readonly Fact[] =>
  Object.entries(responses)
    .filter((entry) => !isDocumented(entry))
    .map(([status]) => `${number} ${method} answers ${status} with ${UNSHOWN}`)

const scopeFacts = ({ scopes, decisions }: Endpoint): readonly Fact[] => {
  if (decisions.includes('D30')) return ['shows no scope']
  return scopes === 'anyToken' ? ['admits any token'] : scopes.map((scope) => `admits ${scope}`)
}

const READERS = [pathFacts, parameterFacts, headerFacts, bodyFacts, responseFacts]

const endpointFacts = (endpoint: Endpoint): readonly Fact[] => {
  const { number, method, path } = endpoint
  return [
    `${number} ${method} is ${path}`,
    ...READERS.flatMap((read) => read(endpoint)).map((fact) => `${number} ${method} ${fact}`),
    ...scopeFacts(endpoint).map((fact) => `${number} ${fact}`),
  ]
}

/** Whether the specification lists the endpoint; a decision adds the others. */
export const isSpecified = ({ number }: Endpoint): boolean => typeof number === 'number'

/** The facts of the endpoint table about the specification's endpoints. */
export function codedEndpoints(endpoints: Readonly<Record<string, Endpoint>>): CodedFacts {
  const specified = Object.values(endpoints).filter(isSpecified)
  return { asserted: specified.flatMap(endpointFacts), filled: specified.flatMap(filledFacts) }
}
