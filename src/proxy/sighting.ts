import * as z from 'zod'
import { arrayTestType, cart, objectTestType, resultEntry } from '../contract/models.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { fixtureFiles } from '../state/fixture-files.ts'
import type { ResourceRecord } from '../state/resource-record.ts'
import type { PathParameters } from '../walk/router.ts'
import { findConforming } from './conform.ts'

/** What an exchange shows of a project. */
export type Sighting =
  | { readonly kind: 'resource'; readonly record: ResourceRecord }
  | { readonly kind: 'deleted'; readonly id: string }
  /** The content of a fixture file. */
  | { readonly kind: 'file'; readonly file: string; readonly content: unknown }

/** An exchange that the upstream answered. */
export interface Seen {
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

type See = (seen: Seen) => readonly Sighting[]

const page = z.looseObject({ results: z.array(z.unknown()) })
const keyed = z.looseObject({ key: z.string() })

const lastSegment = (path: string | null): string | undefined => path?.split('?', 1)[0]?.split('/').at(-1)

const see = (record: ResourceRecord): Sighting => ({ kind: 'resource', record })

/** Pages show resources whole, but staged ones in another projection (D14). */
const seePage: See = ({ query, json }) => {
  if (query.get('staged') === 'true') return []
  const { results = [] } = page.safeParse(json).data ?? {}
  return results.flatMap((entry) => {
    const record = findConforming(resultEntry, entry)
    return record === undefined ? [] : [see(record)]
  })
}

/** The resource of an answer; its id stands in the body, in the headers, or in the path (D5). */
const seeResource: See = ({ parameters, headers, json, requestJson }) => {
  const shown = findConforming(objectTestType, json)
  if (shown === undefined) return []
  const place = headers.get('Location') ?? headers.get('Content-Location')
  const id = shown.id ?? lastSegment(place) ?? parameters['id']
  const key = shown.key ?? parameters['key'] ?? keyed.safeParse(requestJson).data?.key
  if (id === undefined && key === undefined) return []
  return [see({ ...shown, ...(id === undefined ? {} : { id }), ...(key === undefined ? {} : { key }) })]
}

const seeDeletion: See = ({ parameters: { id } }) => (id === undefined ? [] : [{ kind: 'deleted', id }])

const seeFile = (file: string, schema: z.ZodType, json: unknown): readonly Sighting[] => {
  const content = findConforming(schema, json)
  return content === undefined ? [] : [{ kind: 'file', file, content }]
}

/** D16: the payloads of 203 are told apart by what was preferred. */
const seeComplex: See = ({ status, requestHeaders, json }) => {
  const isSecond = /\bexample="?custom2\b/.test(requestHeaders.get('Prefer') ?? '')
  const custom = isSecond ? fixtureFiles.custom2 : fixtureFiles.custom1
  return seeFile(status === 203 ? custom : fixtureFiles.arrayTestType, arrayTestType, json)
}

const seeAction: See = ({ json }) => (json === undefined ? [] : seeFile(fixtureFiles.action, z.unknown(), json))

/** `cart.de-DE.json`, as the answer says, or else the request; the default one for what is no locale. */
const seeLocalisedCart: See = ({ headers, requestHeaders, json }) => {
  const asked = headers.get('Content-Language') ?? requestHeaders.get('Storefront-Locale') ?? ''
  const [locale] = findLocales(asked)
  return seeFile(locale === undefined ? fixtureFiles.cart : `cart.${locale}.json`, cart, json)
}

function findLocales(text: string): readonly string[] {
  if (!/^[a-z]{2,3}(?:[-_][a-z\d]+)*$/i.test(text)) return []
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))
  } catch {
    return []
  }
}

const sights: Readonly<Partial<Record<OperationId, See>>> = {
  queryResources: seePage,
  searchResources: seePage,
  sortedQuery: seePage,
  getResourceById: seeResource,
  getResourceByKey: seeResource,
  createResource: seeResource,
  putResource: seeResource,
  overwriteResource: seeResource,
  updateResource: seeResource,
  uploadImage: seeResource,
  deleteResource: seeDeletion,
  postComplex: seeComplex,
  postAction: seeAction,
  getAction: seeAction,
  getActionWithExample: ({ json }) => seeFile(fixtureFiles.cart, cart, json),
  getActionWithHeaders: seeLocalisedCart,
}

/** What an answer of success shows; nothing that is not of the contract's shape. */
export const toSightings: See = (seen) =>
  seen.status >= 200 && seen.status < 300 ? (sights[seen.operation]?.(seen) ?? []) : []
