import * as z from 'zod'
import { arrayTestType, cart, objectTestType, resultEntry } from '../../service/contract/models.ts'
import { readPage } from '../../service/contract/results.ts'
import { endpoints } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { fixtureFiles, fixtureRecord } from '../../service/state/fixtures.ts'
import { lastSegmentOf } from '../../service/http/request-head.ts'
import { stringifyJson } from '../../service/http/json.ts'
import type { Purpose } from '../../service/contract/endpoint.ts'
import type { ResourceRecord } from '../../service/state/records.ts'
import type { PathParameters } from '../../service/contract/paths.ts'

/** Removes and returns the member at a path. */
function removeMember(value: unknown, path: readonly PropertyKey[], name: string): void {
  let at = value
  for (const step of path) at = (at as Record<PropertyKey, unknown>)[step]
  Reflect.deleteProperty(at as object, name)
}

/** The parts of a value that a schema accepts, without unknown members; undefined if it is still invalid. */
export function stripUnknown<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const unknown = result.error.issues.filter((issue) => issue.code === 'unrecognized_keys')
  if (unknown.length < result.error.issues.length) return undefined
  const copy = structuredClone(value)
  for (const { path, keys } of unknown) for (const name of keys) removeMember(copy, path, name)
  return schema.safeParse(copy).data
}

/** The project data that an exchange reveals. */
export type Observation =
  | { readonly kind: 'resource'; readonly record: ResourceRecord }
  | { readonly kind: 'deleted'; readonly id: string }
  /** The content of a fixture file. */
  | { readonly kind: 'file'; readonly file: string; readonly content: unknown }

/** An exchange with an upstream response. */
export interface ObservedExchange {
  readonly operation: OperationId
  readonly parameters: PathParameters
  readonly query: URLSearchParams
  readonly requestHeaders: Headers
  /** Parsed, if it follows the contract. */
  readonly requestJson: unknown
  readonly status: number
  readonly headers: Headers
  /** Parsed. */
  readonly json: unknown
}

type Observe = (exchange: ObservedExchange) => readonly Observation[]

const keyed = z.looseObject({ key: z.string() })

const observeResource = (record: ResourceRecord): Observation => ({ kind: 'resource', record })

/** The resource in a response; its id is in the body, the headers or the path (D5). */
const observeAnswer: Observe = ({ parameters, headers, json, requestJson }) => {
  const shown = stripUnknown(objectTestType, json)
  if (shown === undefined) return []
  const location = headers.get('Location') ?? headers.get('Content-Location')
  const id = shown.id ?? (location === null ? parameters['id'] : lastSegmentOf(location))
  // Zod would visit every byte of an image.
  const draft = requestJson instanceof Uint8Array ? undefined : keyed.safeParse(requestJson).data
  const key = shown.key ?? parameters['key'] ?? draft?.key
  if (id === undefined && key === undefined) return []
  return [observeResource({ ...shown, ...(id === undefined ? {} : { id }), ...(key === undefined ? {} : { key }) })]
}

const observeFile = (file: string, schema: z.ZodType, json: unknown): readonly Observation[] => {
  const content = stripUnknown(schema, json)
  return content === undefined ? [] : [{ kind: 'file', file, content }]
}

const observeAction: Observe = ({ json }) =>
  json === undefined ? [] : observeFile(fixtureFiles.action, z.unknown(), json)

function findLocales(text: string): readonly string[] {
  if (!/^[a-z]{2,3}(?:[-_][a-z\d]+)*$/i.test(text)) return []
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))
  } catch {
    return []
  }
}

/** Pages contain complete resources, except that staged ones use another projection (D14). */
const observePage: Observe = ({ query, json }) => {
  if (query.get('staged') === 'true') return []
  const { results = [] } = readPage(json) ?? {}
  return results.flatMap((entry) => {
    const record = stripUnknown(resultEntry, entry)
    return record === undefined ? [] : [observeResource(record)]
  })
}

const observers: Readonly<Record<Purpose, Observe>> = {
  query: observePage,
  search: observePage,
  check: () => [],
  read: observeAnswer,
  draft: observeAnswer,
  update: observeAnswer,
  upload: observeAnswer,
  delete: ({ parameters: { id } }) => (id === undefined ? [] : [{ kind: 'deleted', id }]),
  // D16: the payloads of a 203 are distinguished by the preference.
  complex: ({ status, requestHeaders, json }) => {
    const isSecond = /\bexample="?custom2\b/.test(requestHeaders.get('Prefer') ?? '')
    const custom = isSecond ? fixtureFiles.custom2 : fixtureFiles.custom1
    return observeFile(status === 203 ? custom : fixtureFiles.arrayTestType, arrayTestType, json)
  },
  writePayload: observeAction,
  readPayload: observeAction,
  cart: ({ json }) => observeFile(fixtureFiles.cart, cart, json),
  // `cart.de-DE.json`, by the response's language, else the request's; the default file for anything else.
  localisedCart: ({ headers, requestHeaders, json }) => {
    const asked = headers.get('Content-Language') ?? requestHeaders.get('Storefront-Locale') ?? ''
    const [locale] = findLocales(asked)
    return observeFile(locale === undefined ? fixtureFiles.cart : `cart.${locale}.json`, cart, json)
  },
}

/** Returns the data in a successful response. Anything that does not match the contract is left out. */
export const toObservations: Observe = (exchange) =>
  exchange.status >= 200 && exchange.status < 300 ? observers[endpoints[exchange.operation].purpose](exchange) : []

/** The observed data of one project, in the format of fixtures. */
export type RecordedProject = ReturnType<typeof createRecordedProject>

/** Converts a record to a fixture, if possible: drops ids that are not UUIDs and invalid keys (D6, D59). */
function toFixtures(record: ResourceRecord): readonly ResourceRecord[] {
  const { shape } = fixtureRecord
  const { id, key, ...rest } = record
  const fixture = {
    ...(id !== undefined && shape.id.safeParse(id).success ? { id } : {}),
    ...(key !== undefined && shape.key.safeParse(key).success ? { key } : {}),
    ...rest,
  }
  return fixtureRecord.safeParse(fixture).success ? [fixture] : []
}

/** @param kept records written by an earlier recording */
export function createRecordedProject(kept: readonly ResourceRecord[]) {
  const resources = new Map<string, ResourceRecord>()
  const idsByKey = new Map<string, string>()
  const files = new Map<string, unknown>()
  let size = 0

  /** Updates the size for one replaced value; either may be undefined. Returns whether they differ. */
  function resize(previous: unknown, next: unknown): boolean {
    const before = previous === undefined ? '' : stringifyJson(previous)
    const after = next === undefined ? '' : stringifyJson(next)
    size += after.length - before.length
    return before !== after
  }

  const nameOf = ({ id, key = '' }: ResourceRecord): string => id ?? idsByKey.get(key) ?? `key=${key}`

  function forget(id: string): boolean {
    const known = resources.get(id)
    if (known?.key !== undefined) idsByKey.delete(known.key)
    resize(known, undefined)
    return resources.delete(id)
  }

  function keep(record: ResourceRecord): boolean {
    const id = nameOf(record)
    const known = resources.get(id)
    // Ignores older versions; for the same version, adds members not seen before.
    const next =
      known === undefined ? record : (record.version ?? 1) < (known.version ?? 1) ? known : { ...known, ...record }
    if (!resize(known, next)) return false
    // Keys are unique (D6): the previous resource with this key no longer exists.
    const other = next.key === undefined ? undefined : idsByKey.get(next.key)
    if (other !== undefined && other !== id) forget(other)
    resources.set(id, next)
    if (next.key !== undefined) idsByKey.set(next.key, id)
    return true
  }

  for (const record of kept) keep(record)

  return {
    /** Size of everything kept, in characters of JSON. */
    get size(): number {
      return size
    },
    /** Returns the names of changed files. */
    note(observations: readonly Observation[]): ReadonlySet<string> {
      const changed = new Set<string>()
      for (const observation of observations) {
        if (observation.kind === 'file') {
          if (!resize(files.get(observation.file), observation.content)) continue
          files.set(observation.file, observation.content)
          changed.add(observation.file)
        } else if (observation.kind === 'resource' ? keep(observation.record) : forget(observation.id)) {
          changed.add(fixtureFiles.resources)
        }
      }
      return changed
    },
    /** The content of a file. */
    text(file: string): string {
      const isResources = file === fixtureFiles.resources
      // Fixtures are sorted by creation; those without a creation date come last.
      const content = isResources
        ? [...resources.values()]
            .toSorted(({ createdAt: a = '~' }: ResourceRecord, { createdAt: b = '~' }: ResourceRecord): number =>
              a < b ? -1 : a > b ? 1 : 0,
            )
            .flatMap(toFixtures)
        : files.get(file)
      return `${stringifyJson(content, 2)}\n`
    },
  }
}

/** Resources as written by `text` of a {@link RecordedProject}. */
export const recordedResources = z.array(fixtureRecord)
