import type { Answer } from '../contract/handler.ts'
import type { Identity } from '../scenarios/preference.ts'
import type { StoredResource } from '../state/resource.ts'
import type { Context } from './operation.ts'

// Bodies are put together from texts that were written once, when the resource was: a read writes no JSON anew.

const quote = (text: string): string => JSON.stringify(text)

function toIdentified({
  id,
  key,
  version,
  propertyText,
  someProperty,
  createdAt,
  lastModifiedAt,
}: StoredResource): string {
  const before = key === undefined ? `{"id":"${id}",` : `{"id":"${id}","key":"${key}",`
  const own = someProperty === undefined ? '' : `"someProperty":${quote(someProperty)},`
  return `${before}"version":${version},"objectTypeProperty":${propertyText},${own}"createdAt":"${createdAt}","lastModifiedAt":"${lastModifiedAt}"}`
}

/** An ObjectTestType as JSON text: the documented members, and its identity where it was asked for (D5, D8). */
export const toObjectTestType = (resource: StoredResource, identity: Identity): string =>
  identity === 'body' ? toIdentified(resource) : resource.text

/** An entry of `results` as JSON text; it always carries its identity (D5). */
export const toResultEntry = toIdentified

const toEtag = ({ version }: StoredResource): string => `"${version}"`

/** 200 of a read by id or key (D5). */
export const readAnswer = (resource: StoredResource, { identity, locate }: Context): Answer => ({
  status: 200,
  body: toObjectTestType(resource, identity),
  headers: { ETag: toEtag(resource), 'Content-Location': locate(resource) },
})

/** The answer of a write: the resource, and where it is (D5). */
export const writeAnswer = (status: 200 | 201, resource: StoredResource, { identity, locate }: Context): Answer => ({
  status,
  body: toObjectTestType(resource, identity),
  headers: { ETag: toEtag(resource), Location: locate(resource) },
})

/** 200 of a deletion: the resource as it was, without a place (D5). */
export const deletionAnswer = (resource: StoredResource, { identity }: Context): Answer => ({
  status: 200,
  body: toObjectTestType(resource, identity),
  headers: { ETag: toEtag(resource) },
})
