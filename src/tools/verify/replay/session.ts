import { isSuccessStatus } from '../transport.ts'
import { encoder } from '../../../service/http/body.ts'
import { isJsonObject, parseJson, stringifyJson } from '../../../service/http/json.ts'
import { escapeExpression } from '../../../util/quote.ts'
import { findSubject } from '../subjects.ts'
import { decodeSegment, idOf, resultsOf, versionOf } from '../side.ts'
import type { SideAnswer } from '../side.ts'
import type { Recorded, RecordedTest } from './recording.ts'

/** A resource of a recorded test. */
export interface KnownResource {
  /** The name under which both sides know it. */
  readonly name: string
  /** What the test began with; undefined if the test created it. */
  readonly start:
    | {
        readonly key: string | undefined
        readonly content: unknown
        readonly someProperty: unknown
        readonly version: number
      }
    | undefined
  /** The recorded project. */
  readonly project: string
  /** Whether it has no key, as far as the recording shows; the replay gives it one, to find it again. */
  readonly isKeyless: boolean
  /** By how much the service's version exceeds the recorded one. */
  offset: number
  /** Whether a request that was left out may have changed it. */
  isUncertain: boolean
}

/** What a recorded test is about. */
export interface KnownTest {
  readonly resources: ReadonlyMap<string, KnownResource>
  readonly keys: ReadonlySet<string>
}

const isCollectionPath = (path: string): boolean => /^\/[^/]+\/resource$/.test(path)

/** The body of a request as JSON; undefined if it is not. */
export function readBody({ body }: Recorded): unknown {
  try {
    return body === undefined ? undefined : (JSON.parse(new TextDecoder().decode(body)) as unknown)
  } catch {
    return undefined
  }
}

/** The id of the resource that a request and its answer are about, as recorded. */
export function findTarget({ path, answer, method }: Recorded): string | undefined {
  const last = decodeSegment(/^\/[^/]+\/resource\/([^/]+)$/.exec(path)?.[1] ?? '')
  const subject = findSubject(method, path)
  if (subject === 'updateResource' || subject === 'deleteResource' || subject === 'getResourceById') return last
  return isSuccessStatus(answer.status) && resultsOf(answer).length === 0 ? idOf(answer) : undefined
}

/** Finds the resources of a test: those it created, and those it began with, as its first answer shows them. */
export function analyse({ exchanges }: RecordedTest): KnownTest {
  const resources = new Map<string, KnownResource>()
  const keys = new Set<string>()
  const add = (id: string, start: KnownResource['start'], path: string, key: unknown): void => {
    if (resources.has(id)) return
    const isKeyless = typeof key !== 'string' || key === ''
    const project = path.split('/')[1] ?? ''
    resources.set(id, { name: `r${resources.size}`, start, project, isKeyless, offset: 0, isUncertain: false })
  }
  for (const exchange of exchanges) {
    const { answer, method, path, isPreferred } = exchange
    const sent = readBody(exchange)
    const asked = decodeSegment(/\/resource\/key=([^/]+)$/.exec(path)?.[1] ?? '')
    const key = isJsonObject(sent) && isCollectionPath(path) ? sent['key'] : asked
    // A key that no resource may have stays as it is (D6).
    if (typeof key === 'string' && /^[\w-]{2,256}$/.test(key)) keys.add(key)
    if (!isSuccessStatus(answer.status) || isPreferred) continue
    for (const one of resultsOf(answer)) {
      const { objectTypeProperty: content, someProperty } = one
      const own = typeof one['key'] === 'string' ? one['key'] : undefined
      if (own !== undefined) keys.add(own)
      add(String(one['id']), { key: own, content, someProperty, version: Number(one['version']) }, path, own)
    }
    const id = findTarget(exchange)
    const version = Number(versionOf(answer))
    if (id === undefined || !isJsonObject(answer.body) || !('objectTypeProperty' in answer.body)) continue
    if (isCollectionPath(path) && method !== 'GET' && version === 1) add(id, undefined, path, key)
    const { objectTypeProperty: content, someProperty } = answer.body
    // Before a write, the version was lower; its content is unknown, and replaced by an overwrite anyway.
    const isRaised = method !== 'GET' && method !== 'DELETE'
    const first = isRaised ? Math.max(1, version - 1) : version
    const start = {
      key: typeof key === 'string' && key !== '' ? key : undefined,
      content,
      someProperty,
      version: first,
    }
    add(id, start, path, key)
  }
  return { resources, keys }
}

/** Replaces recorded ids, keys and versions by those of the service. */
export interface Mapping {
  readonly test: KnownTest
  /** Starts the keys of the replay. */
  readonly run: string
  /** The service's id of a resource; undefined if it has none. */
  readonly idOf: (resource: KnownResource) => string | undefined
}

const replaceIds = (text: string, { test, idOf }: Mapping): string =>
  [...test.resources].reduce((all, [id, one]) => all.replaceAll(id, idOf(one) ?? id), text)

const toReplayKey = (key: string, { run }: Mapping): string => `${run}-${key}`

/** Replaces a parameter's value: a key alone, or keys in quotes. */
const mapValue = (text: string, mapping: Mapping): string => {
  if (mapping.test.keys.has(text)) return toReplayKey(text, mapping)
  const withKeys = [...mapping.test.keys].reduce(
    (all, key) => all.replaceAll(JSON.stringify(key), JSON.stringify(toReplayKey(key, mapping))),
    text,
  )
  return replaceIds(withKeys, mapping)
}

/** The path and query of a request to the service. */
export function mapTarget({ path, search, method }: Recorded, resource: KnownResource | undefined, mapping: Mapping) {
  const mapped = replaceIds(path, mapping).replace(/\/key=([^/]+)$/, (whole, key: string) => {
    const decoded = decodeSegment(key)
    return mapping.test.keys.has(decoded) ? `/key=${encodeURIComponent(toReplayKey(decoded, mapping))}` : whole
  })
  const query = new URLSearchParams(search)
  const pairs = [...query].map(([name, value]): readonly [string, string] => {
    const isVersion = method === 'DELETE' && name === 'version' && /^\d+$/.test(value)
    return [name, isVersion ? String(Number(value) + (resource?.offset ?? 0)) : mapValue(value, mapping)]
  })
  return { path: mapped, pairs }
}

/** The body of a request to the service. */
export function mapBody(exchange: Recorded, resource: KnownResource | undefined, mapping: Mapping): Recorded['body'] {
  const sent = readBody(exchange)
  if (!isJsonObject(sent)) return exchange.body
  const { key, version, id } = sent
  const subject = findSubject(exchange.method, exchange.path)
  // Only the changed member is written anew, so that every digit of the others stays.
  const text = new TextDecoder().decode(exchange.body)
  const replace = (name: string, from: unknown, to: unknown): Recorded['body'] => {
    const pattern = new RegExp(`("${name}"\\s*:\\s*)${escapeExpression(stringifyJson(from))}`)
    // Written with escapes, it is not found.
    if (!pattern.test(text)) return encoder.encode(stringifyJson({ ...(parseJson(text) as object), [name]: to }))
    return encoder.encode(text.replace(pattern, (_, start: string) => start + stringifyJson(to)))
  }
  if (isCollectionPath(exchange.path) && typeof key === 'string' && key !== '')
    return replace('key', key, toReplayKey(key, mapping))
  if (subject === 'createResource' && resource?.isKeyless === true) {
    const member = `"key":${stringifyJson(toReplayKey(resource.name, mapping))}`
    return encoder.encode(text.replace('{', `{${member},`))
  }
  if (subject === 'updateResource' && Number.isSafeInteger(version))
    return replace('version', version, Number(version) + (resource?.offset ?? 0))
  if (subject === 'postComplex' && typeof id === 'string') return replace('id', id, toReplayKey(id, mapping))
  return exchange.body
}

const shift = (version: unknown, offset: number): unknown => (typeof version === 'number' ? version + offset : version)

/** The recorded answer with the keys and versions that the service should answer. */
export function mapAnswer(answer: SideAnswer, resource: KnownResource | undefined, mapping: Mapping): SideAnswer {
  const mapOne = (one: unknown, known: KnownResource | undefined): unknown => {
    if (!isJsonObject(one)) return one
    const { version, key } = one
    const own = mapping.test.resources.get(String(one['id'])) ?? known
    return {
      ...one,
      ...(version === undefined ? {} : { version: shift(version, own?.offset ?? 0) }),
      ...(typeof key === 'string' && mapping.test.keys.has(key) ? { key: toReplayKey(key, mapping) } : {}),
      // The replay gives a key to each resource.
      ...(key === undefined && 'id' in one && own !== undefined ? { key: toReplayKey(own.name, mapping) } : {}),
    }
  }
  const offset = resource?.offset ?? 0
  const headers = new Headers(answer.headers)
  const tag = /^"(\d+)"$/.exec(headers.get('ETag') ?? '')?.[1]
  if (tag !== undefined) headers.set('ETag', `"${Number(tag) + offset}"`)
  const { body } = answer
  if (!isJsonObject(body)) return { ...answer, headers }
  const withBody = (mapped: unknown): SideAnswer => ({ ...answer, headers, body: mapped, text: stringifyJson(mapped) })
  const { errors, results } = body
  if (Array.isArray(errors)) {
    const mapError = (one: unknown): unknown =>
      isJsonObject(one) && 'currentVersion' in one
        ? { ...one, currentVersion: shift(one['currentVersion'], offset) }
        : one
    return withBody({ ...body, errors: errors.map(mapError) })
  }
  if (Array.isArray(results)) return withBody({ ...body, results: results.map((one) => mapOne(one, undefined)) })
  return withBody('objectTypeProperty' in body ? mapOne(body, resource) : body)
}
