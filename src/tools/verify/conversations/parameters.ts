import * as z from 'zod'
import { endpoints } from '../../../service/contract/endpoints.ts'
import type { Endpoint, Parameter, ParameterFamily } from '../../../service/contract/endpoint.ts'
import { byId, conversation, createStep, eachAlone, json, splitList } from './conversation.ts'
import type { Conversation, Query } from './conversation.ts'
import { complexBody } from './complex.ts'
import type { Grammar } from './grammar.ts'

/** The conversation that asks for each documented parameter alone. */
export const PARAMETERS_ALONE = 'parameters-alone'

/** Values of parameters whose meaning a decision gives them. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  where: splitList('version = 1 | key = "abc"'),
  sort: splitList('version asc | key asc'),
  expand: splitList('abc | def'),
  filter: ['arrayOfIntExample:1'],
  'filter.facets': ['arrayOfIntExample:1'],
  'filter.query': ['arrayOfIntExample:1'],
  facet: ['arrayOfIntExample'],
  // They are floats.
  limit: ['5.0', '5'],
  offset: ['3.0', '0'],
  fuzzyLevel: ['0.0', '0'],
  unionParameter: [
    ...splitList('1.5 | 2026-01-01T00:00:00.000Z'),
    json({ version: 1, objectTypeProperty: { arrayOfIntExample: [1] } }),
  ],
}

const PARAMETER_KINDS: Readonly<Record<string, readonly string[]>> = { integer: ['42', '-7'], number: ['1.5', '42'] }

/** Values of a parameter's type. */
function toValues(name: string, { schema }: Pick<Parameter, 'schema'>): readonly string[] {
  if (schema instanceof z.ZodBoolean) return ['true', 'false']
  return MEANT[name] ?? PARAMETER_KINDS[String(schema.meta()?.['type'])] ?? ['abc', 'def']
}

const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  'text.': splitList('text.en | text.de-CH'),
  'var.': splitList('var.abc | var.X9'),
}

/** The queries that hold one documented parameter: each value, and all of them if it may be passed multiple times. */
function toQueries(name: string, parameter: Pick<Parameter, 'schema' | 'repeatable'>): readonly Query[] {
  const values = toValues(name, parameter)
  const isMany = parameter.schema instanceof z.ZodArray && parameter.repeatable === undefined && values.length > 1
  return [
    ...values.map((value): Query => [[name, value]]),
    ...(isMany ? [values.map((value) => [name, value] as const)] : []),
  ]
}

const isOpen = ({ decision }: Pick<Parameter, 'decision'>): boolean => decision === undefined

function toEndpointQueries({ query, families }: Endpoint): readonly Query[] {
  const shown = Object.entries(query).filter(([name, one]) => isOpen(one) && name !== 'objectParameter')
  const named = Object.values(families)
    .filter(isOpen)
    .flatMap((one: ParameterFamily) => (FAMILIES[one.prefix] ?? []).map((name) => [name, one] as const))
  return [...shown, ...named].flatMap(([name, one]) => toQueries(name, one))
}

/**
 * Each parameter of section 4 alone, with values of its type: every service has to accept it. An endpoint's parameters come
 * from its entry in the table.
 *
 * @param found the name of a resource to read; undefined if the run creates one
 */
export function createParameters({ isQuick }: Grammar, found: string | undefined): readonly Conversation[] {
  return Object.values<Endpoint>(endpoints).flatMap((endpoint): readonly Conversation[] => {
    const isById = endpoint.path.includes('{id}')
    if (endpoint.body?.kind === 'image') return []
    const path = endpoint.path
      .replace('{projectKey}', '{p}')
      .replace('{uriParameterOne}', 't')
      .replace('{uriParameterTwo}', 'u')
    const queries = toEndpointQueries(endpoint)
    /** A quick run sends one value of each type. */
    const isNew = (query: Query, at: number) => {
      const [[name, value] = []] = query
      return query.length > 1 || name === 'unionParameter' || value === 'false' || name !== queries[at - 1]?.[0]?.[0]
    }
    const steps = (isQuick ? queries.filter(isNew) : queries).map((query, at) => ({
      method: endpoint.method,
      path: isById ? byId(found ?? 'pa') : path,
      query,
      topic: 'free answer' as const,
      about: query[0]?.[0] ?? '',
      ...(endpoint.body === undefined ? {} : { body: complexBody(`-alone${at}`) }),
    }))
    return isById && found === undefined && steps.length > 0
      ? [conversation(PARAMETERS_ALONE, 'D11', [createStep('pa'), ...steps])]
      : eachAlone(PARAMETERS_ALONE, 'D11, D14, D20', steps)
  })
}
