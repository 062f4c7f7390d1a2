import { expect } from 'vitest'
import { check } from '../../src/service/contract/check.ts'
import { endpoints } from '../../src/service/contract/endpoints.ts'
import type { Endpoint } from '../../src/service/contract/endpoint.ts'
import { errorEnvelope } from '../../src/service/contract/results.ts'
import { parseJson } from '../../src/service/http/json.ts'

/** A response to check, with its body as text. */
export interface Held {
  readonly method: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** All statuses in the error table. */
const ERRORS = [400, 401, 403, 404, 405, 406, 409, 412, 413, 414, 415, 429, 431, 500, 502, 503]

const JSON_TYPE = 'application/json; charset=utf-8'

/** Internal details that must not leak into a body: stack frames, files, names of libraries. */
const INSIDES = /\bat \S+ \(|node_modules|\.[jt]s:\d+|ZodError|SyntaxError|TypeError|lossless|\[object /

/** Headers that are documented but not always sent. */
const SOMETIMES = new Set(['Content-Language'])

function endpointOf(headers: Headers): Endpoint | undefined {
  const id = headers.get('X-Mock-Operation')
  if (id === null) return undefined
  expect(Object.keys(endpoints)).toContain(id)
  // The line above checks that the name is in the table.
  return endpoints[id as keyof typeof endpoints]
}

function holdError({ status, headers, text }: Held): unknown {
  expect(ERRORS).toContain(status)
  expect(headers.get('Content-Type')).toBe(JSON_TYPE)
  expect(text).not.toMatch(INSIDES)
  const body = errorEnvelope.parse(parseJson(text))
  expect(body.statusCode).toBe(status)
  expect(body.message).toBe(body.errors[0]?.message)
  expect(body.message).not.toBe('')
  return body
}

function holdSuccess({ status, headers, text }: Held, endpoint: Endpoint): unknown {
  const documented = endpoint.responses[status]
  if (documented?.schema === undefined) throw new Error(`${endpoint.summary}: ${status} with a body is not documented.`)
  expect(headers.get('Content-Type')).toBe(JSON_TYPE)
  const body = parseJson(text)
  expect(check(documented.schema, body)).toEqual({ problems: [], unknown: [], moreUnknown: 0 })
  // A response selected with `Prefer` belongs to no resource, so it lacks the resource's headers.
  const isPreferred = /code=|dynamic=/.test(headers.get('Preference-Applied') ?? '')
  const always = (documented.headers ?? []).filter((name) => !isPreferred && !SOMETIMES.has(name))
  for (const name of always) expect(headers.has(name), `the header ${name}`).toBe(true)
  return body
}

/**
 * Checks a response against the contract: its status, headers and body must match the endpoint table or be the error
 * envelope. Returns the parsed body with exact integers; undefined if there is none.
 */
export function holdToContract(held: Held): unknown {
  const { method, status, headers, text } = held
  expect(headers.get('X-Correlation-ID')).toMatch(/^[A-Za-z0-9_-]{8,256}$/)
  if (method === 'HEAD' || status === 204) {
    expect(text).toBe('')
    return undefined
  }
  if (status >= 300 && status < 400) {
    // A redirect needs only its Location (RFC 9110, section 15.4).
    expect({ text, leads: headers.has('Location') }).toEqual({ text: '', leads: true })
    return undefined
  }
  if (status >= 400) return holdError(held)
  const endpoint = endpointOf(headers)
  return endpoint === undefined ? parseJson(text) : holdSuccess(held, endpoint)
}
