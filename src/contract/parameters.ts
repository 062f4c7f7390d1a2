import * as z from 'zod'
import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import type { ErrorItem } from '../errors.ts'
import { findJson, isJsonObject } from '../http/json.ts'
import { readFlag, readInteger, readNumber } from '../http/query.ts'
import type { RawQuery } from '../http/query.ts'
import { check } from './check.ts'
import { decision } from './decisions.ts'
import type { DecisionId } from './decisions.ts'
import type { Endpoint, Parameter } from './endpoint.ts'
import { warnOfUnknown } from './warning.ts'
import type { Warn } from './warning.ts'

/** How the text of a parameter becomes its value. */
type Kind = 'text' | 'float' | 'integer' | 'flag' | 'texts' | 'object' | 'union'

const KIND_NAMES: Readonly<Record<Exclude<Kind, 'texts' | 'text'>, string>> = {
  float: 'a number',
  integer: 'a whole number',
  flag: 'true or false',
  object: 'a JSON object',
  union: 'a number, an ISO 8601 date-time or a JSON ObjectTestType',
}

function toKind(schema: z.ZodType): Kind {
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
  readonly kind: Kind
  readonly schema: z.ZodType
  /** The member of the object parameter `name` that this spelling sets: `objectParameter[arrayOfString]`. */
  readonly member?: string
  readonly ignoredBy?: DecisionId
}

const invalid = (reader: Reader, text: string, why: string) =>
  problem.invalidField({
    field: reader.name,
    invalidValue: text,
    message: `Malformed parameter: ${reader.name}: ${why}, got ${JSON.stringify(text.slice(0, 200))}.`,
  })

/** A date-time whose `+` a form decoder took for a space is still that date-time. */
const restorePlus = (text: string): string => text.replace(/ (\d\d:?\d\d)$/, '+$1')

const isObjectText = (text: string): boolean => text.trimStart().startsWith('{')

/** D11: a list of strings may be written as the one string that it has. */
function wrapTexts(value: unknown, schema: z.ZodType): unknown {
  if (!isJsonObject(value) || !(schema instanceof z.ZodObject)) return value
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const expected: unknown = schema.shape[name]
    const isList = expected instanceof z.ZodOptional && expected.unwrap() instanceof z.ZodArray
    return [name, isList && typeof member === 'string' ? [member] : member]
  })
  return Object.fromEntries(members)
}

function readText({ kind, schema }: Reader, text: string): unknown {
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
      return isObjectText(text) ? findJson(text) : (readNumber(text) ?? restorePlus(text))
    default:
      return text
  }
}

/** What the value is to be where that is more than its type; undefined elsewhere. */
function describe({ kind }: Reader, fault: ErrorItem | undefined): string | undefined {
  if (kind === 'integer' && fault?.code === 'InvalidField')
    return `expected an ${fault.message.replace(/ expected\.$/, '')}`
  // An object's fault is in one of its members, which the sentence names.
  return kind === 'object' ? fault?.detailedErrorMessage?.replace(/\.$/, '') : undefined
}

function readOne(reader: Reader, texts: readonly string[], warn: Warn): unknown {
  const [text = ''] = texts
  if (reader.kind === 'texts') return texts
  if (texts.length > 1) {
    // D9: a single-valued parameter given twice is refused rather than guessed at.
    throw invalid(reader, texts.join(', '), 'takes one value')
  }
  const value = readText(reader, text)
  const expected = reader.kind === 'text' ? 'text' : KIND_NAMES[reader.kind]
  if (value === undefined) throw invalid(reader, text, `expected ${expected}`)
  const checked = check(reader.schema, value)
  const { faults, unknown } = checked
  if (faults.length > 0 || (unknown.length > 0 && reader.kind !== 'object')) {
    throw invalid(reader, text, describe(reader, faults[0]) ?? `expected ${expected}`)
  }
  warnOfUnknown(warn, checked, reader.name)
  return value
}

/** What an endpoint's query said, typed by its table entry elsewhere. */
export interface DecodedQuery {
  readonly query: Readonly<Record<string, unknown>>
  /** By the family's name in the table, then by what follows its prefix. */
  readonly families: Readonly<Record<string, ReadonlyMap<string, readonly string[]>>>
}

export type QueryDecoder = (raw: RawQuery, warn: Warn) => DecodedQuery

/**
 * Builds the reader of one endpoint's query from its table entry.
 *
 * The reader throws a 400 for a value of the wrong type, a single-valued parameter given twice (D9) and a name that a
 * family's pattern does not admit (D14); it warns of parameters that nobody documents (D4).
 */
export function createQueryDecoder(endpoint: Endpoint): QueryDecoder {
  const readers = new Map<string, Reader>()
  for (const [name, parameter] of Object.entries<Parameter>(endpoint.query)) {
    const { schema, ignored, decision: ignoredBy } = parameter
    readers.set(name, { name, kind: toKind(schema), schema, ...(ignored && ignoredBy ? { ignoredBy } : {}) })
    if (!(schema instanceof z.ZodObject)) continue
    // D11: both spellings of an object's member, and the object as JSON.
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
      readOne({ name, kind: toKind(schema), schema }, texts, warn)
      found[familyName]?.set(name.slice(prefix.length), texts)
    }
    return { query, families: found }
  }
}

/** Two spellings of one object parameter add up, their lists joined. */
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
