import * as z from 'zod'
import { didYouMean } from '../../util/did-you-mean.ts'
import { problem } from '../../errors.ts'
import type { ErrorItem } from '../../errors.ts'
import { findJson, isJsonObject, parseJson, readFlag } from '../http/json.ts'
import { readInteger, readNumber } from '../http/numbers.ts'
import { describeLostPlus, expectEncodedParameters, parseRawQuery } from '../http/request-head.ts'
import type { RawQuery, ReadHeader } from '../http/request-head.ts'
import { check, warnOfUnknown } from './check.ts'
import { decision } from './decisions.ts'
import type { DecisionId } from './decisions.ts'
import type { Warn } from './check.ts'
import { readBytes, decodeUtf8 } from '../http/body.ts'
import { MAX_BYTES } from '../http/sizes.ts'
import type { Endpoint, Parameter, ImageBody, JsonBody } from './endpoint.ts'

/** How to parse the text of a parameter. */
export type ParameterKind = 'text' | 'float' | 'integer' | 'flag' | 'texts' | 'object' | 'union'

const KIND_NAMES: Readonly<Record<Exclude<ParameterKind, 'texts' | 'text'>, string>> = {
  float: 'a number',
  integer: 'a whole number',
  flag: 'true or false',
  object: 'a JSON object',
  union: 'a number, an ISO 8601 date-time or a JSON ObjectTestType',
}

export function toKind(schema: z.ZodType): ParameterKind {
  if (schema instanceof z.ZodArray) return 'texts'
  if (schema instanceof z.ZodBoolean) return 'flag'
  if (schema instanceof z.ZodObject) return 'object'
  if (schema instanceof z.ZodUnion) return 'union'
  if (schema.meta()?.type === 'integer') return 'integer'
  if (schema.meta()?.type === 'number') return 'float'
  return 'text'
}

interface Reader {
  readonly name: string
  readonly kind: ParameterKind
  readonly schema: z.ZodType
  /** For `objectParameter[arrayOfString]`: the member of the object parameter that is set. */
  readonly member?: string
  readonly ignoredBy?: DecisionId
}

const invalid = (reader: Reader, text: string, why: string) =>
  problem.invalidField({
    field: reader.name,
    invalidValue: text,
    message: `Malformed parameter: ${reader.name}: ${why}, got ${JSON.stringify(text.slice(0, 200))}.${describeLostPlus(text)}`,
  })

const isObjectText = (text: string): boolean => text.trimStart().startsWith('{')

/** D11: a list with a single string may be passed as a plain string. */
function wrapTexts(value: unknown, schema: z.ZodType): unknown {
  if (!isJsonObject(value) || !(schema instanceof z.ZodObject)) return value
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const expected: unknown = schema.shape[name]
    const isList = expected instanceof z.ZodOptional && expected.unwrap() instanceof z.ZodArray
    return [name, isList && typeof member === 'string' ? [member] : member]
  })
  return Object.fromEntries(members)
}

function parseParameterText({ kind, schema }: Reader, text: string): unknown {
  switch (kind) {
    case 'float':
      return readNumber(text)
    case 'integer':
      return readInteger(text)
    case 'flag':
      return readFlag(text)
    case 'object':
      return isObjectText(text) ? wrapTexts(findJson(text), schema) : undefined
    case 'union':
      return isObjectText(text) ? findJson(text) : (readNumber(text) ?? text)
    default:
      return text
  }
}

/** Describes the expected value more specifically than by its type, if possible. */
function describeExpected({ kind }: Reader, error: ErrorItem | undefined): string | undefined {
  if (kind === 'integer' && error?.code === 'InvalidField')
    return `expected an ${error.message.replace(/ expected\.$/, '')}`
  // The message names the invalid member of the object.
  return kind === 'object' ? error?.detailedErrorMessage?.replace(/\.$/, '') : undefined
}

function readOne(reader: Reader, texts: readonly string[], warn: Warn): unknown {
  const [text = ''] = texts
  if (reader.kind === 'texts') return texts
  if (texts.some((one) => one !== text)) throw invalid(reader, texts.join(', '), 'takes one value')
  if (texts.length > 1)
    warn(decision('D9'), `The query parameter "${reader.name}" is repeated with the same value, which counts once.`)
  const value = parseParameterText(reader, text)
  const expected = reader.kind === 'text' ? 'text' : KIND_NAMES[reader.kind]
  if (value === undefined) throw invalid(reader, text, `expected ${expected}`)
  const checked = check(reader.schema, value)
  const { problems, unknown } = checked
  if (problems.length > 0 || (unknown.length > 0 && reader.kind !== 'object'))
    throw invalid(reader, text, describeExpected(reader, problems[0]) ?? `expected ${expected}`)
  warnOfUnknown(warn, checked, reader.name)
  return value
}

/** A decoded query. Operations see it as the type defined by their table entry. */
export interface DecodedQuery {
  readonly query: Readonly<Record<string, unknown>>
  /** Keyed by the family's name in the table, then by the parameter name without its prefix. */
  readonly families: Readonly<Record<string, ReadonlyMap<string, readonly string[]>>>
}

export type QueryDecoder = (raw: RawQuery, warn: Warn) => DecodedQuery

/**
 * Creates a decoder for an endpoint's query from its table entry.
 *
 * The decoder throws a 400 for a value of the wrong type, for different values of a single-valued parameter (D9) and for a name that
 * does not match its family's pattern (D14). It adds a warning for undocumented parameters (D4).
 */
export function createQueryDecoder(endpoint: Endpoint): QueryDecoder {
  const readers = new Map<string, Reader>()
  for (const [name, parameter] of Object.entries<Parameter>(endpoint.query)) {
    const { schema, ignored, decision: ignoredBy } = parameter
    readers.set(name, { name, kind: toKind(schema), schema, ...(ignored && ignoredBy ? { ignoredBy } : {}) })
    if (!(schema instanceof z.ZodObject)) continue
    // D11: accept both spellings of an object's member, and the object as JSON.
    for (const [member, of] of Object.entries<z.ZodOptional<z.ZodType>>(schema.shape)) {
      const inner = of.unwrap()
      for (const spelling of [`${name}[${member}]`, `${name}.${member}`]) {
        readers.set(spelling, { name, kind: toKind(inner), schema: inner, member })
      }
    }
  }
  const families = Object.entries(endpoint.families)
  const names = [...Object.keys(endpoint.query), ...families.map(([, { prefix }]) => prefix)]
  const nothing: DecodedQuery = {
    query: {},
    families: Object.fromEntries(families.map(([name]) => [name, new Map<string, readonly string[]>()])),
  }

  return function decodeQuery(raw, warn) {
    if (raw.size === 0) return nothing
    const query: Record<string, unknown> = {}
    const found = Object.fromEntries(families.map(([name]) => [name, new Map<string, readonly string[]>()]))
    for (const [name, texts] of raw) {
      const reader = readers.get(name)
      if (reader?.ignoredBy !== undefined) {
        warn(reader.ignoredBy, `${endpoint.method} ignores the query parameter "${name}".`, 'tolerated')
        continue
      }
      if (reader !== undefined) {
        const value = readOne(reader, texts, warn)
        const known = query[reader.name]
        if (reader.member === undefined) query[reader.name] = merge(known, value)
        else query[reader.name] = merge(known, { [reader.member]: value })
        continue
      }
      const family = families.find(([, { prefix }]) => name.startsWith(prefix))
      const isMember = family?.[1].pattern.test(name) === true
      if (family === undefined || (!isMember && family[1].othersRefused === undefined)) {
        const hint =
          family === undefined ? didYouMean(name, names) : ` Its name must match ${family[1].pattern.source}.`
        warn(decision('D4'), `Unknown query parameter "${name}" is ignored.${hint}`)
        continue
      }
      const [familyName, { pattern, prefix, schema }] = family
      if (!isMember) {
        throw problem.invalidField({
          field: name,
          message: `Malformed parameter: ${name}: the name must match ${pattern.source}.`,
        })
      }
      const value = readOne({ name, kind: toKind(schema), schema }, texts, warn)
      found[familyName]?.set(name.slice(prefix.length), value === texts ? texts : texts.slice(0, 1))
    }
    return { query, families: found }
  }
}

/** Merges two spellings of the same object parameter and concatenates their lists. */
function merge(known: unknown, value: unknown): unknown {
  if (!isJsonObject(known) || !isJsonObject(value)) return value
  const merged: Record<string, unknown> = { ...known }
  for (const [member, more] of Object.entries(value)) {
    const before = merged[member]
    merged[member] = isList(before) && isList(more) ? [...before, ...more] : more
  }
  return merged
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** A request decoded according to its endpoint's table entry. Each operation sees it as its own `Input` type. */
export interface Decoded extends DecodedQuery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The body's JSON text as received; empty without a body. */
  readonly text: string
}

export interface DecodeOptions {
  readonly strict: boolean
  /** Maximum size of a JSON body in bytes; images have their own limit. */
  readonly maxBody: number
}

/** The request to decode. The decoder stores the body in it, even if the body is then rejected. */
export interface BodyHolder {
  readonly request: Request
  readonly header: ReadHeader
  requestBody: string | Uint8Array | undefined
}

export interface Decoder {
  /** Decodes the query and headers, which is everything if the endpoint has no body. */
  decodeHead(search: string, warn: Warn, header: ReadHeader): Decoded
  /** Decodes and adds the body; absent if the endpoint has no body. */
  readonly decodeBody?: (head: Decoded, warn: Warn, holder: BodyHolder) => Promise<Decoded>
}

const JSON_MEDIA_TYPE = 'application/json'
const NO_BODY = { body: undefined, text: '' }

/** D9: the media type must be JSON in UTF-8, compared case-insensitively (RFC 9110, section 8.3.1). */
function isJsonContentType(contentType: string): boolean {
  if (contentType === JSON_MEDIA_TYPE) return true
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charsets = parameters.map((one) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(one)?.[1] ?? 'utf-8')
  return type.trim() === JSON_MEDIA_TYPE && charsets.every((one) => one === 'utf-8' || one === 'utf8')
}

type Known = readonly (readonly [string, Parameter])[]

const NO_HEADERS: Readonly<Record<string, string>> = {}

function decodeHeaders(known: Known, header: ReadHeader): Readonly<Record<string, string>> {
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

/** The context for reading a body. */
interface Reading extends DecodeOptions {
  readonly warn: Warn
  readonly holder: BodyHolder
}

/** Reads and checks a body. */
async function readJson(spec: JsonBody, reading: Reading) {
  const { holder, maxBody } = reading
  const contentType = holder.header('content-type')
  const isOther = contentType !== undefined && !isJsonContentType(contentType)
  if (isOther && spec.required) throw problem.unsupportedMediaType(contentType, [JSON_MEDIA_TYPE])
  const bytes = await readBytes(holder.request, maxBody, holder.header)
  // Keep the bytes in case they cannot be decoded as text.
  holder.requestBody = bytes
  const text = decodeUtf8(bytes)
  holder.requestBody = text
  if (!spec.required && text.trim() === '') return NO_BODY
  if (isOther) throw problem.unsupportedMediaType(contentType, [JSON_MEDIA_TYPE])
  const body = parseJson(text)
  const { strict, warn } = reading
  const schema = strict ? (spec.strict ?? spec.schema) : spec.schema
  const checked = check(schema, body)
  const [first, ...others] = checked.problems
  if (first !== undefined) throw problem.invalidRequest([first, ...others] as [ErrorItem, ...ErrorItem[]])
  if (contentType === undefined) warn(decision('D9'), 'No Content-Type was sent; assuming application/json.')
  warnOfUnknown(warn, checked, 'the body')
  return { body, text }
}

async function readImage(spec: ImageBody, { holder }: Reading, declared: string | undefined) {
  const type = declared?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!spec.contentTypes.some((one) => one === type)) throw problem.unsupportedMediaType(type, spec.contentTypes)
  const body = await readBytes(holder.request, MAX_BYTES.image, holder.header)
  holder.requestBody = body
  return { body, text: '' }
}

/** The query decoders, which all mocks of a process share. */
const queryDecoders = new WeakMap<Endpoint, QueryDecoder>()

function findQueryDecoder(endpoint: Endpoint): QueryDecoder {
  const decodeQuery = queryDecoders.get(endpoint) ?? createQueryDecoder(endpoint)
  queryDecoders.set(endpoint, decodeQuery)
  return decodeQuery
}

/**
 * Creates an endpoint's decoder, which checks query, headers and body in this order.
 *
 * The decoder throws a 400, 413 or 415 for the first invalid part.
 */
export function createDecoder(endpoint: Endpoint, options: DecodeOptions): Decoder {
  // Created for the endpoint's first request, so that a mock starts without those of the others.
  let decodeQuery: QueryDecoder | undefined
  const { body: spec } = endpoint
  const known: Known = Object.entries(endpoint.headers)

  function decodeHead(search: string, warn: Warn, header: ReadHeader): Decoded {
    if (search.includes('%')) expectEncodedParameters(search, 'query')
    decodeQuery ??= findQueryDecoder(endpoint)
    const { query, families } = decodeQuery(parseRawQuery(search), warn)
    return { query, families, headers: decodeHeaders(known, header), body: undefined, text: '' }
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
