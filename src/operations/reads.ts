import type { Answer } from '../contract/handler.ts'
import { problem } from '../errors.ts'
import type { Identity } from '../scenarios/preference.ts'
import type { StoredResource } from '../state/resource.ts'
import type { Context, Operation } from './operation.ts'

// Bodies are joined from JSON texts that were written once, with the resource: a read serializes nothing.

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
const readAnswer = (resource: StoredResource, { identity, locate }: Context): Answer => ({
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

/** Specification 4.2. */
export const getResourceById: Operation<'getResourceById'> = ({ path: { id } }, context) => {
  const resource = context.project.find(id)
  if (resource === undefined) throw problem.resourceNotFound('ID', id)
  return readAnswer(resource, context)
}

/** Specification 4.3; an unknown or empty key is 404 (D13). */
export const getResourceByKey: Operation<'getResourceByKey'> = ({ path: { key } }, context) => {
  const resource = context.project.findByKey(key)
  if (resource === undefined) throw problem.resourceNotFound('key', key)
  return readAnswer(resource, context)
}
