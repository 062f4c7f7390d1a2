import { problem } from '../errors.ts'
import type { ErrorItem } from '../errors.ts'
import { readBytes, toTextInSlices, useBody } from '../http/body.ts'
import { parseJsonBody } from '../http/json.ts'
import { REQUEST_LIMITS } from '../http/json-limits.ts'
import { parseRawQuery } from '../http/query.ts'
import type { ReadHeader } from '../http/request-headers.ts'
import { pauseIfLong } from '../util/pause.ts'
import { check } from './check.ts'
import { decision } from './decisions.ts'
import type { Endpoint, ImageBody, JsonBody, Parameter } from './endpoint.ts'
import { createQueryDecoder } from './parameters.ts'
import type { DecodedQuery } from './parameters.ts'
import { warnOfUnknown } from './warning.ts'
import type { Warn } from './warning.ts'

/** The largest image in bytes (D21). */
export const MAX_IMAGE = 10 * 1024 * 1024

/** What a request says, decoded by its endpoint's entry; each operation sees it as its own `Input`. */
export interface Decoded extends DecodedQuery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The body's JSON text as it came; empty where there is none. */
  readonly text: string
}

export interface DecodeOptions {
  readonly strict: boolean
  /** In bytes; for JSON, not images. */
  readonly maxBody: number
}

/** Where a decoder finds the headers, and leaves the body that it has read, even if it then refuses it. */
export interface BodyHolder {
  readonly request: Request
  readonly header: ReadHeader
  requestBody: string | Uint8Array | undefined
}

export interface Decoder {
  /** Decodes query and headers; of an endpoint without a body, that is everything. */
  decodeHead(search: string, warn: Warn, header: ReadHeader): Decoded
  /** Adds the body; absent where the endpoint has none. */
  readonly decodeBody?: (head: Decoded, warn: Warn, holder: BodyHolder) => Promise<Decoded>
}

const JSON_TYPE = 'application/json'
const NO_BODY = { body: undefined, text: '' }

/** D9: JSON of UTF-8; the type is compared without case (RFC 9110, section 8.3.1). */
function isJsonType(contentType: string): boolean {
  if (contentType === JSON_TYPE) return true
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charsets = parameters.map((one) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(one)?.[1] ?? 'utf-8')
  return type.trim() === JSON_TYPE && charsets.every((one) => one === 'utf-8' || one === 'utf8')
}

type Known = readonly (readonly [string, Parameter])[]

const NO_HEADERS: Readonly<Record<string, string>> = {}

function readHeaders(known: Known, header: ReadHeader): Readonly<Record<string, string>> {
  if (known.length === 0) return NO_HEADERS
  const headers: Record<string, string> = {}
  for (const [name, { required, description }] of known) {
    const value = header(name.toLowerCase())
    if (value !== undefined && value.trim() !== '') headers[name] = value.trim()
    else if (required === true) {
      const meaning = description === undefined ? '' : ` (${description.toLowerCase()})`
      throw problem.requiredField(name, `The header ${name}${meaning} is required. Send it with the request.`)
    }
  }
  return headers
}

/** A body about to be read. */
interface Reading extends DecodeOptions {
  readonly warn: Warn
  readonly holder: BodyHolder
}

type DecodedBody = Pick<Decoded, 'body' | 'text'>

/** Reads a body and checks it. Other requests have their turn between the steps of a long one. */
async function readJson(spec: JsonBody, reading: Reading): Promise<DecodedBody> {
  const { holder, maxBody } = reading
  const contentType = holder.header('content-type')
  const isOther = contentType !== undefined && !isJsonType(contentType)
  if (isOther && spec.required) throw problem.unsupportedMediaType(contentType, [JSON_TYPE])
  return useBody(
    holder.request,
    maxBody,
    async (bytes) => {
      // In case they are not text.
      holder.requestBody = bytes
      const text = await toTextInSlices(bytes)
      holder.requestBody = text
      if (!spec.required && text.trim() === '') return NO_BODY
      if (isOther) throw problem.unsupportedMediaType(contentType, [JSON_TYPE])
      const body = await parseJsonBody(text, REQUEST_LIMITS)
      checkBody(spec, body, contentType !== undefined, reading)
      await pauseIfLong(text)
      return { body, text }
    },
    holder.header,
  )
}

function checkBody(spec: JsonBody, body: unknown, isDeclared: boolean, { strict, warn }: Reading): void {
  const schema = strict ? (spec.strict ?? spec.schema) : spec.schema
  const checked = check(schema, body)
  const [first, ...others] = checked.faults
  if (first !== undefined) throw problem.invalidRequest([first, ...others] as [ErrorItem, ...ErrorItem[]])
  if (!isDeclared) warn(decision('D9'), 'No Content-Type was sent; the body is taken as application/json.')
  warnOfUnknown(warn, checked, 'the body')
}

async function readImage(spec: ImageBody, { holder }: Reading, declared: string | undefined): Promise<DecodedBody> {
  const type = declared?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!spec.contentTypes.some((one) => one === type)) throw problem.unsupportedMediaType(type, spec.contentTypes)
  const body = await readBytes(holder.request, MAX_IMAGE, holder.header)
  holder.requestBody = body
  return { body, text: '' }
}

/**
 * Builds the decoder of one endpoint: query, then headers, then body, each held to the table.
 *
 * The decoder throws the 400, 413 or 415 of the first that does not hold.
 */
export function createDecoder(endpoint: Endpoint, options: DecodeOptions): Decoder {
  const decodeQuery = createQueryDecoder(endpoint)
  const { body: spec } = endpoint
  const known: Known = Object.entries(endpoint.headers)

  function decodeHead(search: string, warn: Warn, header: ReadHeader): Decoded {
    const { query, families } = decodeQuery(parseRawQuery(search), warn)
    return { query, families, headers: readHeaders(known, header), body: undefined, text: '' }
  }

  if (spec === undefined) return { decodeHead }
  return {
    decodeHead,
    async decodeBody(head, warn, holder) {
      const reading = { warn, holder, ...options }
      const { body, text } = await (spec.kind === 'json'
        ? readJson(spec, reading)
        : readImage(spec, reading, head.headers['Content-Type']))
      return { ...head, body, text }
    },
  }
}
