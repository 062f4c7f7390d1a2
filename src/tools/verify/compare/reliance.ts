import * as z from 'zod'
import { isOperation, endpoints } from '../../../service/contract/endpoints.ts'
import type { Endpoint, Parameter } from '../../../service/contract/endpoint.ts'
import { decision } from '../../../service/contract/decisions.ts'
import {
  actionNames,
  arrayTestType,
  isDateTime,
  isIntegral,
  outOfOrderPropertiesTestType,
} from '../../../service/contract/models.ts'
import { isJsonObject, parseJson } from '../../../service/http/json.ts'
import { Problem } from '../../../errors.ts'
import type { Message, Side } from '../side.ts'
import { IMAGES } from '../conversations/values.ts'
import type { Compared, DecidedBy } from './difference.ts'

/** A text that no service has a reason to refuse: the limits of strings are not shown. */
const isPlainText = (text: unknown): boolean => typeof text === 'string' && /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(text)

const KINDS: Readonly<Record<string, RegExp>> = {
  boolean: /^(?:true|false)$/,
  integer: /^-?\d{1,9}$/,
  number: /^-?\d{1,9}(?:\.\d{1,6})?$/,
}

/** Whether a parameter's value is of its type, in a form that every service reads. */
function isPlainValue({ schema }: Pick<Parameter, 'schema'>, value: string): boolean {
  if (schema instanceof z.ZodBoolean) return KINDS['boolean']?.test(value) === true
  const kind = schema.meta()?.['type']
  return (typeof kind === 'string' ? KINDS[kind]?.test(value) : undefined) ?? isPlainText(value)
}

/** What the meaning of a value rests on, unless every service takes it. */
const findMeaning = ({ values }: Pick<Parameter, 'values'>, value: string): DecidedBy | undefined =>
  values === undefined || values.except?.test(value) === true ? undefined : values.by

/** The decision that lets a query have a parameter with these values. */
function findOfParameter(
  { query, families }: Endpoint,
  name: string,
  values: readonly string[],
): DecidedBy | undefined {
  const family = Object.values(families).find(({ prefix }) => name.startsWith(prefix))
  if (family !== undefined && !family.pattern.test(name)) return family.othersRefused ?? decision('D4')
  const isGroup = query['objectParameter'] !== undefined && name.startsWith('objectParameter')
  const parameter = query[name] ?? family ?? (isGroup ? query['objectParameter'] : undefined)
  if (parameter === undefined) return decision('D4')
  if (parameter.decision !== undefined) return parameter.decision
  if (values.length > 1) {
    if (!(parameter.schema instanceof z.ZodArray)) return decision('D9')
    if ('repeatable' in parameter && parameter.repeatable !== undefined) return parameter.repeatable
  }
  const wrong = values.some((value) => !isPlainValue(parameter, value))
  return (
    values.map((value) => findMeaning(parameter, value)).find((one) => one !== undefined) ?? (wrong ? 'D9' : undefined)
  )
}

/** The parameters of a request, with all their values. */
export function parametersOf({ path }: Pick<Message, 'path'>): ReadonlyMap<string, readonly string[]> {
  const query = new URLSearchParams(path.split('?')[1])
  return new Map([...new Set(query.keys())].map((name) => [name, query.getAll(name)]))
}

/** The JSON of a body; undefined if it is none, or has a member twice. */
function findBody({ body }: Message): unknown {
  try {
    return body === undefined ? undefined : parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (fault) {
    if (fault instanceof Problem || fault instanceof TypeError) return undefined
    throw fault
  }
}

const MOST_ENTRIES = 5
const LARGE = 2 ** 31

const isInBounds = (one: unknown): boolean =>
  typeof one === 'string' ? isPlainText(one) : isJsonObject(one) || (Number(one) >= 0 && Number(one) < LARGE)

/** Whether no rule on an array's length, bounds or uniqueness could refuse it: these are not shown (D1). */
function isPlainArray(name: string, entries: readonly unknown[]): boolean {
  const isLong = entries.length === 0 || entries.length > MOST_ENTRIES
  const isDouble = new Set(entries.map((one) => (isJsonObject(one) ? {} : one))).size < entries.length
  const isPair = name !== 'arrayOfTwonumbersExample' || entries.length === 2
  return !isLong && !isDouble && isPair && entries.every(isInBounds)
}

function findOfContent(content: unknown): DecidedBy | undefined {
  if (!isJsonObject(content)) return decision('D2')
  const { error } = arrayTestType.safeParse(content)
  if (error?.issues.some(({ code }) => code === 'unrecognized_keys') === true) return decision('D4')
  if (error !== undefined) return decision('D9')
  for (const name of Object.keys(arrayTestType.shape)) {
    const entries = content[name]
    if (!Array.isArray(entries)) return decision('D2')
    if (entries.some((one) => isJsonObject(one) && Object.keys(one).length < 2)) return decision('D9')
    if (!isPlainArray(name, entries)) return decision('D1')
  }
  return undefined
}

function findOfDraft(body: unknown, { run, takesKeys }: Side): DecidedBy | undefined {
  if (!isJsonObject(body)) return decision('D9')
  const { key, objectTypeProperty: content, ...others } = body
  if (
    key !== undefined &&
    (!takesKeys || typeof key !== 'string' || !/^[\w-]{2,64}$/.test(key) || !key.startsWith(run))
  )
    return decision('D6')
  return Object.keys(others).length > 0 ? decision('D4') : findOfContent(content)
}

function findOfUpdate(body: unknown): DecidedBy | undefined {
  if (!isJsonObject(body)) return decision('D9')
  const { version, actions, ...others } = body
  if (Object.keys(others).length > 0) return decision('D4')
  if (!isIntegral(version)) return decision('D67')
  if (!Array.isArray(actions)) return decision('D18')
  if (actions.length === 0) return decision('D7')
  const isPlain = actions.every(
    (one) =>
      isJsonObject(one) &&
      actionNames.some((name) => name === one['action']) &&
      (one['action'] === 'doSomeThing' || isPlainText(one['someProperty'])),
  )
  return isPlain && actions.length <= MOST_ENTRIES ? undefined : decision('D18')
}

const COMPLEX = Object.keys(outOfOrderPropertiesTestType.shape)

function findOfComplex(body: unknown): DecidedBy | undefined {
  if (!isJsonObject(body)) return decision('D9')
  const { success } = outOfOrderPropertiesTestType.safeParse(body)
  if (Object.keys(body).some((name) => !COMPLEX.includes(name))) return decision('D4')
  if (!success) return decision('D9')
  if (COMPLEX.some((name) => body[name] === undefined)) return decision('D17')
  const dates = [body['createdAt'], body['lastModifiedAt']].map(String)
  return dates.every((one) => isDateTime(one) && /\.\d{3}Z$/.test(one)) ? undefined : decision('D92')
}

/** Whether an image is complete, and is declared as what it is. */
export const isPlainImage = ({ body, headers }: Message): boolean =>
  body !== undefined && IMAGES[/^image\/(\w+)$/.exec(headers['Content-Type'] ?? '')?.[1] as 'png'] === body

function findOfBody(endpoint: Endpoint, message: Message, service: Side): DecidedBy | undefined {
  if (endpoint.purpose === 'writePayload') return decision('D22')
  if (endpoint.body === undefined) return message.body === undefined ? undefined : decision('D19')
  if (endpoint.body.kind === 'image') return isPlainImage(message) ? decision('D21') : decision('D60')
  if (message.headers['Content-Type'] !== 'application/json' || message.headers['Content-Encoding'] !== undefined)
    return decision('D9')
  const body = findBody(message)
  if (endpoint.purpose === 'update') return findOfUpdate(body)
  return endpoint.purpose === 'complex' ? findOfComplex(body) : findOfDraft(body, service)
}

function findOfHeaders({ headers: known }: Endpoint, { headers }: Message): DecidedBy | undefined {
  const sent = Object.entries(headers)
  if (sent.some(([name]) => name === 'Prefer')) return decision('D16')
  if (!/^[\w-]{8,64}$/.test(headers['X-Correlation-ID'] ?? 'none-at-all')) return 'Errors'
  for (const [name, { values, required }] of Object.entries(known)) {
    const value = headers[name]
    if (value === undefined && required === true) return decision('D23')
    if (value !== undefined && values !== undefined && values.except?.test(value) !== true) return values.by
  }
  return undefined
}

/**
 * The decision that a request relies on to be accepted, besides its token; undefined if the specification documents all of
 * it, so that every service has to accept it.
 */
export function findReliance({ operation, sent, service }: Compared): DecidedBy | undefined {
  if (!isOperation(operation)) return decision('D24')
  const endpoint: Endpoint = endpoints[operation]
  if (sent.method !== endpoint.method) return decision('D9')
  const [path = ''] = sent.path.split('?')
  // Each server decodes, refuses or splits at what is encoded in its own way.
  if (/%(?:2F|5C|25|00)/i.test(path) || /%/.test(path) || /=[^/]*=/.test(path)) return decision('D24')
  const parameters = [...parametersOf(sent)]
  return (
    parameters.map(([name, values]) => findOfParameter(endpoint, name, values)).find((one) => one !== undefined) ??
    findOfHeaders(endpoint, sent) ??
    (endpoint.path.includes('{key}') && !service.showsKeys ? decision('D6') : undefined) ??
    findOfBody(endpoint, sent, service)
  )
}
