import type * as z from 'zod'
import { check } from '../contract/check.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import type { ErrorItem } from '../errors.ts'
import type { BaseUrl } from '../http/address.ts'
import { stringifyJson } from '../http/json.ts'
import type { JsonLimits } from '../http/json.ts'
import { JSON_TYPE } from '../walk/respond.ts'
import type { Session } from '../sessions/session.ts'

/** What every path of the admin API begins with. */
export const ADMIN_PATH = '/__admin'

/** Where the admin API is below a request's prefix, such as `/@worker-1/eu/gcp`, with no session in its path. */
export const toDoor = (prefix: string): string => `${prefix.replace(/\/@[^/]*/, '')}${ADMIN_PATH}`

/** The paths of a cookie of the dashboard: where it is, and where it is for other sessions. */
export const toCookiePaths = (prefix: string): Iterable<string> => new Set([`${prefix}${ADMIN_PATH}`, toDoor(prefix)])

/** Whether a path is the admin API's first, where the dashboard is. */
export const isAdminRoot = (path: string): boolean => path === ADMIN_PATH || path === `${ADMIN_PATH}/`

/** A request to the admin API. */
export interface AdminRequest {
  /** The one that it acts on. */
  readonly session: Session
  readonly method: string
  readonly headers: Headers
  /** Calls a listener when the client goes before its answer is whole; gives what stops listening. */
  readonly onAbort: (listener: () => void) => () => void
  /** Where it was sent, such as `http://127.0.0.1:4010`. */
  readonly origin: string
  /** What stood before the admin API's own path, such as `/@s1`. */
  readonly prefix: string
  /** Whether it came over TLS. */
  readonly isSecure: boolean
  /** The base URL in its address. */
  readonly baseUrl: BaseUrl | undefined
  /** From the path. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /**
   * The parsed body.
   *
   * @param limits what it may hold; default: as much as a request's body to the service
   * @throws {Problem} 400 for what is not JSON or holds too much, 413 for too many bytes.
   */
  readonly readJson: (limits?: JsonLimits) => Promise<unknown>
  /**
   * The body's text as it came.
   *
   * @param limit in bytes; default: that of JSON bodies
   * @throws {Problem} 400 for what is not UTF-8, 413 for too many bytes.
   */
  readonly readText: (limit?: number) => Promise<string>
  /** As {@link readText}, but the bytes. */
  readonly readBytes: (limit?: number) => Promise<Uint8Array>
}

export type Handle = (request: AdminRequest) => Response | Promise<Response>

/** What each method of a path does; HEAD is GET without the body. */
export type Methods = Readonly<Partial<Record<'GET' | 'PUT' | 'POST' | 'DELETE', Handle>>>

/** Paths below {@link ADMIN_PATH}, as Hono writes them; literal ones before those with a parameter in their place. */
export type Routes = Readonly<Record<string, Methods>>

/** A response of JSON text. */
export const toJsonText = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { 'Content-Type': JSON_TYPE } })

export const toJson = (value: unknown, status = 200): Response => toJsonText(stringifyJson(value), status)

/** A path parameter; the route has it. */
export const parameterOf = ({ parameters }: AdminRequest, name: string): string => parameters[name] ?? ''

/**
 * Holds a body to its schema.
 *
 * @throws {Problem} 400 for what does not conform, unknown members included.
 */
export function expectBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  const { faults, unknown } = check(schema, body)
  const [member] = unknown
  if (member !== undefined) {
    throw problem.invalidInput(`${member}: unknown member.${didYouMean(member, Object.keys(schema.shape))}`, {
      field: member,
    })
  }
  const [first, ...others] = faults
  if (first !== undefined) throw problem.invalidRequest([first, ...others] as [ErrorItem, ...ErrorItem[]])
  return body as z.output<Schema>
}

/**
 * A whole number of at least 0 from the query; undefined where there is none.
 *
 * @throws {Problem} 400 for anything else.
 */
export function findCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw problem.invalidField({
    field: name,
    invalidValue: text,
    message: `Malformed parameter: ${name}: ${JSON.stringify(text)} is no whole number of at least 0.`,
  })
}

/**
 * `true` or `false` from the query; false where there is none.
 *
 * @throws {Problem} 400 for anything else.
 */
export function readSwitch(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)
  if (text === null || text === 'false') return false
  if (text === 'true' || text === '') return true
  throw problem.invalidField({
    field: name,
    invalidValue: text,
    allowedValues: ['true', 'false'],
    message: `Malformed parameter: ${name}: ${JSON.stringify(text)} is neither true nor false.`,
  })
}
