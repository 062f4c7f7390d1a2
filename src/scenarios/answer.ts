import type { Endpoint } from '../contract/endpoint.ts'
import type { Answer } from '../contract/handler.ts'
import { stringifyJson } from '../http/json.ts'
import type { AnswerEffect } from './effect-schema.ts'
import { findExampleNamed } from './examples.ts'
import type { Scenario } from './schema.ts'

/** Headers that the mock itself sets, as it spells them. */
const OWN_HEADERS = [
  'Content-Type',
  'Vary',
  'X-Correlation-ID',
  'X-Mock-Operation',
  'X-Mock-Scenario',
  'X-Mock-Warning',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
]
const spellings: ReadonlyMap<string, string> = new Map(OWN_HEADERS.map((name) => [name.toLowerCase(), name]))

/** A name that the mock sets too is spelled as it spells it, so that it is not sent twice. */
const toHeaders = (headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [spellings.get(name.toLowerCase()) ?? name, value]))

/** An error answer always has the envelope: what the scenario does not say is said for it. */
function toErrorBody(status: number, error: AnswerEffect['error'], scenario: Scenario): string | undefined {
  if (error === undefined && status < 400) return undefined
  const item = error ?? { code: 'General', message: `The scenario "${scenario.name}" answers with status ${status}.` }
  return stringifyJson({ statusCode: status, message: item.message, errors: [item] })
}

/** Payloads of an endpoint's named examples, by status and name. */
export type FindExample = (endpoint: Endpoint, status: number, name: string) => string | undefined

/** A documented payload may be answered with whatever status, and by any endpoint. */
function takeExample(name: string, findExample: FindExample): string | undefined {
  const example = findExampleNamed(name)
  return example && findExample(example.endpoint, example.status, name)
}

function toBody(effect: AnswerEffect, scenario: Scenario, findExample: FindExample): string | undefined {
  const { status, error, body, bodyFile, example } = effect
  if (body !== undefined) return stringifyJson(body)
  if (bodyFile !== undefined) return scenario.bodyFiles.get(bodyFile)
  return example === undefined ? toErrorBody(status, error, scenario) : takeExample(example, findExample)
}

/** The answer that a scenario's rule gives. */
export function toAnswer(effect: AnswerEffect, scenario: Scenario, findExample: FindExample): Answer {
  const body = toBody(effect, scenario, findExample)
  return { status: effect.status, headers: toHeaders(effect.headers), ...(body === undefined ? {} : { body }) }
}
