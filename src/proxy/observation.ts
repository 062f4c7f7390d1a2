import * as z from 'zod'
import { arrayTestType, cart, objectTestType, resultEntry } from '../contract/models.ts'
import type { Purpose } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { fixtureFiles } from '../state/fixture-files.ts'
import type { ResourceRecord } from '../state/resource-record.ts'
import type { PathParameters } from '../contract/paths.ts'
import { stripUnknown } from './strip-unknown.ts'

/** What an exchange shows of a project's data. */
export type Observation =
  | { readonly kind: 'resource'; readonly record: ResourceRecord }
  | { readonly kind: 'deleted'; readonly id: string }
  /** The content of a fixture file. */
  | { readonly kind: 'file'; readonly file: string; readonly content: unknown }

/** An exchange that the upstream answered. */
export interface ObservedExchange {
  readonly operation: OperationId
  readonly parameters: PathParameters
  readonly query: URLSearchParams
  readonly requestHeaders: Headers
  /** Parsed, where it is what the contract asks for. */
  readonly requestJson: unknown
  readonly status: number
  readonly headers: Headers
  /** Parsed. */
  readonly json: unknown
}

type Observe = (exchange: ObservedExchange) => readonly Observation[]

const page = z.looseObject({ results: z.array(z.unknown()) })
const keyed = z.looseObject({ key: z.string() })

const lastSegment = (path: string | null): string | undefined => path?.split('?', 1)[0]?.split('/').at(-1)

const observeResource = (record: ResourceRecord): Observation => ({ kind: 'resource', record })

/** Pages show resources whole, but staged ones in another projection (D14). */
const observePage: Observe = ({ query, json }) => {
  if (query.get('staged') === 'true') return []
  const { results = [] } = page.safeParse(json).data ?? {}
  return results.flatMap((entry) => {
    const record = stripUnknown(resultEntry, entry)
    return record === undefined ? [] : [observeResource(record)]
  })
}

/** The resource of an answer; its id is in the body, in the headers, or in the path (D5). */
const observeAnswer: Observe = ({ parameters, headers, json, requestJson }) => {
  const shown = stripUnknown(objectTestType, json)
  if (shown === undefined) return []
  const place = headers.get('Location') ?? headers.get('Content-Location')
  const id = shown.id ?? lastSegment(place) ?? parameters['id']
  const key = shown.key ?? parameters['key'] ?? keyed.safeParse(requestJson).data?.key
  if (id === undefined && key === undefined) return []
  return [observeResource({ ...shown, ...(id === undefined ? {} : { id }), ...(key === undefined ? {} : { key }) })]
}

const observeDeletion: Observe = ({ parameters: { id } }) => (id === undefined ? [] : [{ kind: 'deleted', id }])

const observeFile = (file: string, schema: z.ZodType, json: unknown): readonly Observation[] => {
  const content = stripUnknown(schema, json)
  return content === undefined ? [] : [{ kind: 'file', file, content }]
}

/** D16: the payloads of 203 are told apart by what was preferred. */
const observeComplex: Observe = ({ status, requestHeaders, json }) => {
  const isSecond = /\bexample="?custom2\b/.test(requestHeaders.get('Prefer') ?? '')
  const custom = isSecond ? fixtureFiles.custom2 : fixtureFiles.custom1
  return observeFile(status === 203 ? custom : fixtureFiles.arrayTestType, arrayTestType, json)
}

const observeAction: Observe = ({ json }) =>
  json === undefined ? [] : observeFile(fixtureFiles.action, z.unknown(), json)

/** `cart.de-DE.json`, as the answer says, or else the request; the default one for anything else. */
const observeLocalisedCart: Observe = ({ headers, requestHeaders, json }) => {
  const asked = headers.get('Content-Language') ?? requestHeaders.get('Storefront-Locale') ?? ''
  const [locale] = findLocales(asked)
  return observeFile(locale === undefined ? fixtureFiles.cart : `cart.${locale}.json`, cart, json)
}

function findLocales(text: string): readonly string[] {
  if (!/^[a-z]{2,3}(?:[-_][a-z\d]+)*$/i.test(text)) return []
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))
  } catch {
    return []
  }
}

/** For operations whose answer shows nothing of a project's data. */
const nothing: Observe = () => []

const observers: Readonly<Record<Purpose, Observe>> = {
  query: observePage,
  check: nothing,
  read: observeAnswer,
  draft: observeAnswer,
  update: observeAnswer,
  upload: observeAnswer,
  delete: observeDeletion,
  complex: observeComplex,
  writePayload: observeAction,
  readPayload: observeAction,
  cart: ({ json }) => observeFile(fixtureFiles.cart, cart, json),
  localisedCart: observeLocalisedCart,
}

/** Returns what a successful answer shows. What does not have the contract's shape is left out. */
export const toObservations: Observe = (exchange) =>
  exchange.status >= 200 && exchange.status < 300 ? observers[endpoints[exchange.operation].purpose](exchange) : []
