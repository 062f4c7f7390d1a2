/** A resource's life cycle for each generated client: programs with the same calls that print the results. */

/** Constants of all programs, including the smallest PNG. */
const COMMON = `
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const image = new Blob([Uint8Array.from(atob(PNG), (character) => character.charCodeAt(0))], { type: 'image/png' })
const path = { projectKey: 'acme' }
const draft = { key: 'client', objectTypeProperty: { arrayOfStringExample: ['zebrano'] } }
const byKey = { where: ['key = :wanted', 'version >= :least'], sort: ['version desc'], var: { 'var.wanted': ['client'], 'var.least': ['1'] } }
const byArrays = { arrayOfString: ['zebrano'], objectParameter: { arrayOfString: ['zebrano'] } }
const bySearch = { text: { 'text.en': 'zebr' }, 'filter.query': ['arrayOfStringExample:"zebrano"'] }
const actions = [{ action: 'changeSomeProperty' as const, someProperty: 'mine' }]
`

export const openApiFetch = `
import { client, uploadImage } from './openapi-fetch.ts'
${COMMON}
async function main() {
  const created = await client.POST('/{projectKey}/resource', { params: { path }, body: draft })
  const page = await client.GET('/{projectKey}/resource/sorted-query-parameters', { params: { path, query: byKey } })
  const id = page.data?.results[0]?.id ?? ''
  const read = await client.GET('/{projectKey}/resource/{id}', { params: { path: { ...path, id } } })
  const update = () =>
    client.POST('/{projectKey}/resource/{id}', { params: { path: { ...path, id } }, body: { version: 1, actions } })
  const updated = await update()
  const conflict = await update()
  const [error] = conflict.error !== undefined && conflict.response.status === 409 && 'errors' in conflict.error ? conflict.error.errors : []
  const listed = await client.GET('/{projectKey}/resource', { params: { path, query: byArrays } })
  const found = await client.GET('/{projectKey}/resource/searchApiPattern', { params: { path, query: bySearch } })
  const uploaded = await uploadImage('acme', 'client', image)
  const deleted = await client.DELETE('/{projectKey}/resource/{id}', { params: { path: { ...path, id }, query: { version: 3 } } })
  console.log(JSON.stringify({
    created: created.data?.version, queried: page.data?.total, read: read.data?.objectTypeProperty, updated: updated.data?.version,
    conflict: error?.code, listed: listed.data?.total, found: found.data?.total, uploaded: uploaded.data?.version,
    deleted: deleted.data?.version,
  }))
}
void main()
`

export const heyApi = `
import * as sdk from './hey/sdk.gen.ts'
import { uploadImage } from './hey-api.ts'
import { toQuery } from './to-query.ts'
${COMMON}
async function main() {
  const created = await sdk.createResource({ path, body: draft })
  const page = await sdk.sortedQuery({ path, query: byKey, querySerializer: toQuery })
  const id = page.data?.results[0]?.id ?? ''
  const read = await sdk.getResourceById({ path: { ...path, id } })
  const update = () => sdk.updateResource({ path: { ...path, id }, body: { version: 1, actions } })
  const updated = await update()
  const conflict = await update()
  const [error] = conflict.error !== undefined && 'errors' in conflict.error ? conflict.error.errors : []
  const listed = await sdk.queryResources({ path, query: byArrays, querySerializer: toQuery })
  const found = await sdk.searchResources({ path, query: bySearch, querySerializer: toQuery })
  const uploaded = await uploadImage('acme', 'client', image)
  const deleted = await sdk.deleteResource({ path: { ...path, id }, query: { version: 3 } })
  console.log(JSON.stringify({
    created: created.data?.version, queried: page.data?.total, read: read.data?.objectTypeProperty, updated: updated.data?.version,
    conflict: error?.code, listed: listed.data?.total, found: found.data?.total, uploaded: uploaded.data?.version,
    deleted: deleted.data?.version,
  }))
}
void main()
`

export const orval = `
import { isAxiosError } from 'axios'
import type { ConflictError } from './orval/client.ts'
import { service, uploadImage } from './orval.ts'
${COMMON}
async function main() {
  const created = await service.createResource('acme', draft)
  const page = await service.sortedQuery('acme', byKey)
  const id = page.data.results[0]?.id ?? ''
  const read = await service.getResourceById('acme', id)
  const update = () => service.updateResource('acme', id, { version: 1, actions })
  const updated = await update()
  const conflict = await update().then(() => undefined, (fault: unknown) => (isAxiosError<ConflictError>(fault) ? fault.response?.data : undefined))
  const listed = await service.queryResources('acme', byArrays)
  const found = await service.searchResources('acme', bySearch)
  const uploaded = await uploadImage('acme', 'client', image)
  const deleted = await service.deleteResource('acme', id, { version: 3 })
  console.log(JSON.stringify({
    created: created.data.version, queried: page.data.total, read: read.data.objectTypeProperty, updated: updated.data.version,
    conflict: conflict?.errors[0]?.code, listed: listed.data.total, found: found.data.total, uploaded: uploaded.data.version,
    deleted: deleted.data.version,
  }))
}
void main()
`
