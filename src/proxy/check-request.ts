import { createDecoder } from '../contract/decode.ts'
import type { BodyHolder, Decoded, Decoder } from '../contract/decode.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { Problem } from '../errors.ts'
import type { ErrorItem } from '../errors.ts'
import { createHeaderReader } from '../http/request-headers.ts'
import { createWarnInto, toSteps } from './violation.ts'
import type { ProxyViolation } from './violation.ts'

/** What a request was found to be. */
export interface CheckedRequest {
  readonly violations: readonly ProxyViolation[]
  /** Decompressed; undefined where it was not read. */
  readonly body: string | Uint8Array | undefined
  /** Undefined where it is not what the contract asks for. */
  readonly decoded: Decoded | undefined
}

/** Where in a request the fault is that a decoder threw. */
function toLocation({ headers, query, families }: Endpoint, { field, message, detailedErrorMessage }: ErrorItem) {
  const parameter = /^Malformed parameter: (\S+): /.exec(message)?.[1]
  const path = typeof field === 'string' ? field : (parameter ?? /^\S+(?=: )/.exec(detailedErrorMessage ?? '')?.[0])
  if (path === undefined) return ['request', 'body'] as const
  if (path === 'Content-Type' || Object.hasOwn(headers, path)) return ['request', 'headers', path] as const
  const isOfFamily = Object.values(families).some(({ prefix }) => path.startsWith(prefix))
  if (isOfFamily || Object.hasOwn(query, path.split('[', 1)[0] ?? '')) return ['request', 'query', path] as const
  return ['request', 'body', ...toSteps(path)] as const
}

export const toViolation = (endpoint: Endpoint, item: ErrorItem): ProxyViolation => ({
  location: toLocation(endpoint, item),
  severity: 'Error',
  code: item.code,
  message: item.detailedErrorMessage ?? item.message,
})

/** Specification 5: every request carries a bearer token. */
function checkAuthorization(headers: Headers): readonly ProxyViolation[] {
  if (/^Bearer +\S/i.test(headers.get('Authorization') ?? '')) return []
  const message = 'The header Authorization: Bearer <ACCESS_TOKEN> is required.'
  return [{ location: ['request', 'headers', 'Authorization'], severity: 'Error', code: 'RequiredField', message }]
}

/** Holds a request to the contract; its body is read. */
export type CheckRequest = (operation: OperationId, request: Request, search: string) => Promise<CheckedRequest>

/**
 * Creates what holds requests to the endpoint table, by the very decoders that the mock itself reads them with.
 *
 * @param limit of bodies, in bytes
 */
export function createCheckRequest(limit: number): CheckRequest {
  const options = { strict: false, maxBody: limit }

  const decoders = new Map<OperationId, Decoder>(operationIds.map((id) => [id, createDecoder(endpoints[id], options)]))

  return async function checkRequest(operation, request, search) {
    const violations = [...checkAuthorization(request.headers)]
    const header = createHeaderReader(request)
    const holder: BodyHolder = { request, header, requestBody: undefined }
    let decoded: Decoded | undefined
    try {
      const warn = createWarnInto(violations)
      const decoder = decoders.get(operation)
      const head = decoder?.decodeHead(search, warn, header)
      // Whole or not at all: what is refused half-way has no body for others to look into.
      decoded = head && ((await decoder?.decodeBody?.(head, warn, holder)) ?? head)
    } catch (fault) {
      if (!(fault instanceof Problem)) throw fault
      violations.push(...fault.errors.map((item) => toViolation(endpoints[operation], item)))
    }
    return { violations, body: holder.requestBody, decoded }
  }
}
