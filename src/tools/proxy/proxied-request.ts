import { readStream } from '../../service/http/body.ts'
import { keepWarning, toAscii } from '../../service/contract/check.ts'
import type { Warn, Warnings } from '../../service/contract/check.ts'
import { REDACTED } from '../../sessions/journal/redact.ts'
import type { Redactor } from '../../sessions/journal/redact.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { findServicePath } from '../../service/contract/paths.ts'
import { decisions } from '../../service/contract/decisions.ts'
import type { DecidedBy } from '../verify/compare/difference.ts'
import type { PathParameters } from '../../service/contract/paths.ts'
import type { HttpMethod } from '../../service/contract/endpoint.ts'
import type { Decoded } from '../../service/contract/decode.ts'
import type { RawHeaders } from '../../service/http/connection.ts'

export type BodyBytes = Uint8Array<ArrayBuffer>

/** A body as far as it was read: complete, or a stream that starts with the part already read. */
export type TakenBody =
  | { readonly kind: 'whole'; readonly bytes: BodyBytes | undefined }
  | { readonly kind: 'stream'; readonly stream: ReadableStream<BodyBytes> }

/** The part already read, followed by the rest of the stream. */
function replayBody(
  begun: readonly BodyBytes[],
  reader: ReadableStreamDefaultReader<BodyBytes>,
): ReadableStream<BodyBytes> {
  const waiting = [...begun]
  return new ReadableStream<BodyBytes>({
    async pull(controller) {
      const next = waiting.shift()
      if (next !== undefined) return controller.enqueue(next)
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Reads a body up to a limit in bytes, so that longer bodies are not buffered. */
export async function takeBody(body: ReadableStream<BodyBytes> | null, limit: number): Promise<TakenBody> {
  if (body === null) return { kind: 'whole', bytes: undefined }
  const read = await readStream(body, limit)
  return read.kind === 'whole' ? read : { kind: 'stream', stream: replayBody(read.begun, read.reader) }
}

/** A violation of the contract, in the format of Prism's proxy. */
export interface ProxyViolation {
  /** For example `["request", "body", "actions", "0", "action"]`. */
  readonly location: readonly [side: 'request' | 'response', ...steps: string[]]
  /** A warning if something passed unchecked. */
  readonly severity: 'Error' | 'Warning'
  readonly code: string
  readonly message: string
  /** What it differs from, if the specification leaves it open. */
  readonly decision?: DecidedBy | undefined
}

/** Splits `body.results[0].version` into its segments. */
export const toPathSegments = (path: string): readonly string[] => path.split(/[.[\]]+/).filter((step) => step !== '')

/** Keeps the lines for an exchange's violations, within the limits of warnings. */
export function keepLines(kept: Warnings, violations: readonly ProxyViolation[]): void {
  for (const violation of violations)
    keepWarning(kept, `${violation.severity} at ${violation.location.join('.')}: ${violation.message}`)
}

/** Maximum length of the header in characters, far below what servers accept for all headers together. */
const LONGEST_HEADER = 4096
const LONGEST_MESSAGE = 500

/** Where a service and the mock decide differently what the specification leaves open. */
export type Differences = ReturnType<typeof createDifferences>

/** Counts differences by decision, with the first one as an example. */
export function createDifferences() {
  const found = new Map<DecidedBy, { readonly example: string; times: number }>()
  return {
    /** @param operation such as `GET /{projectKey}/resource` */
    add(decision: DecidedBy, operation: string, { location, message }: ProxyViolation): void {
      const known = found.get(decision) ?? { example: `${operation}, ${location.join('.')}: ${message}`, times: 0 }
      found.set(decision, { ...known, times: known.times + 1 })
    },
    /** One line for each decision. */
    toLines: (): readonly string[] =>
      Array.from(found, ([decision, { example, times }]) => {
        const title = decision === 'Errors' ? 'decisions, "Errors"' : `${decision}, ${decisions[decision]}`
        return `≠ ${title}: ${times} ${times === 1 ? 'time' : 'times'}, such as ${example}`
      }),
  }
}

/** The value of `Sl-Violations`: a JSON array with as many violations as fit. */
export function toViolationHeader(violations: readonly ProxyViolation[]): string {
  const shown: string[] = []
  let size = 2
  for (const violation of violations) {
    const { message } = violation
    const brief = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`
    const text = toAscii(JSON.stringify({ ...violation, message: brief }))
    size += text.length + 1
    if (size > LONGEST_HEADER) break
    shown.push(text)
  }
  return `[${shown.join(',')}]`
}

/** Converts decoder warnings to differences. */
export const createWarnInto =
  (violations: ProxyViolation[]): Warn =>
  (decision, message) =>
    void violations.push({ location: ['request'], severity: 'Warning', code: decision, message, decision })

const PLACES = { headers: 'header', query: 'parameter', body: 'member' } as const

/** A text, quoted as in messages. */
const QUOTED_NAME = /"(?:[^"\\]|\\.)*"/g

/**
 * Creates a function that redacts values repeated in messages: those of headers, parameters and members with secret names,
 * and the user and password in a path.
 */
export const createRedactViolation =
  ({ isSecretName, url }: Pick<Redactor, 'isSecretName' | 'url'>) =>
  (violation: ProxyViolation): ProxyViolation => {
    const [, part = '', ...steps] = violation.location
    if (part === 'path') return { ...violation, message: url(violation.message) }
    if (part !== 'headers' && part !== 'query' && part !== 'body') return violation
    if (!steps.some((name) => isSecretName(name, PLACES[part]))) return violation
    const shown = violation.message.split('\n', 1)[0] ?? ''
    const message = shown
      .replaceAll(QUOTED_NAME, JSON.stringify(REDACTED))
      .replace(/, got [^"].*$/, `, got ${REDACTED}.`)
    return { ...violation, message }
  }

/** What the contract documents for a request. */
export type FoundOperation =
  | { readonly kind: 'operation'; readonly operation: OperationId; readonly parameters: PathParameters }
  /** A token endpoint or OPTIONS, whose response formats the contract does not document. */
  | { readonly kind: 'undocumented' }
  | { readonly kind: 'unknown'; readonly violation: ProxyViolation }

function toUnknown(part: 'path' | 'method', code: string, message: string): FoundOperation {
  return { kind: 'unknown', violation: { location: ['request', part], severity: 'Error', code, message } }
}

/** A path that is not in the contract. */
export const toUnknownPath = (path: string): FoundOperation =>
  toUnknown('path', 'UnknownPath', `The contract does not document the path ${path.slice(0, 200)}.`)

/** Finds the operation of a request by the service's own path. HEAD uses the GET unless it has its own operation (D9). */
export function findOperation(method: string, path: string): FoundOperation {
  const route = findServicePath(path)
  if (route === undefined) {
    if (path === '/oauth' || path.startsWith('/oauth/')) return { kind: 'undocumented' }
    return toUnknownPath(path)
  }
  const { operations, allowed } = route.path
  // Undefined for any other method.
  const named = operations.get(method as HttpMethod)
  const operation = named ?? (method === 'HEAD' ? operations.get('GET') : undefined)
  if (operation !== undefined) return { kind: 'operation', operation, parameters: route.parameters }
  if (method === 'OPTIONS') return { kind: 'undocumented' }
  return toUnknown(
    'method',
    'UnknownMethod',
    `The contract does not document ${method} for this path. Allowed: ${allowed.join(', ')}.`,
  )
}

/** A request on its way to the upstream. */
export interface OutgoingRequest {
  readonly found: FoundOperation
  readonly body: TakenBody
  /** Undefined if the request violates the contract. */
  readonly decoded: Decoded | undefined
  readonly violations: readonly ProxyViolation[]
}

/** A response on its way to the client. */
export interface Incoming {
  readonly status: number
  readonly statusText: string | undefined
  /** Parsed headers. */
  readonly headers: Headers
  /** Headers as received. */
  readonly rawHeaders: RawHeaders
  /** Complete if it was read for checking, otherwise a stream. */
  readonly body: BodyBytes | ReadableStream<BodyBytes> | undefined
  /** The decoded body, as far as it was read. */
  readonly decoded: BodyBytes | undefined
  /** The parsed body, if it is JSON. */
  readonly json: unknown
  /** Known once the body has been read. */
  readonly trailers: () => RawHeaders
  readonly violations: readonly ProxyViolation[]
}
