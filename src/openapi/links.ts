import type { OperationId } from '../contract/endpoints.ts'
import type { LinkObject } from './document-types.ts'

type Links = Readonly<Record<string, LinkObject>>

const projectKey = '$request.path.projectKey'

/** What can be done with a resource of which the id is known, and its version. */
const onResource = (id: string, version: string, which: string): Links => ({
  getResource: { operationId: 'getResourceById', parameters: { projectKey, id }, description: `Reads ${which}` },
  updateResource: {
    operationId: 'updateResource',
    parameters: { projectKey, id },
    description: `Updates ${which}; the body's \`version\` is \`${version}\``,
  },
  deleteResource: {
    operationId: 'deleteResource',
    parameters: { projectKey, id, version },
    description: `Deletes ${which}`,
  },
})

const onFirstResult = onResource(
  '$response.body#/results/0/id',
  '$response.body#/results/0/version',
  'the first of `results`',
)
const onShown = onResource('$request.path.id', '$response.body#/version', 'the resource')
const onKey = (key: string): Links => ({
  getResourceByKey: {
    operationId: 'getResourceByKey',
    parameters: { projectKey, key },
    description: 'Reads the resource, if the request named its key',
  },
})
const onDraft = onKey('$request.body#/key')

/** What a result of an operation can be used for, by operation. */
const links: Readonly<Partial<Record<OperationId, Links>>> = {
  queryResources: onFirstResult,
  searchResources: onFirstResult,
  sortedQuery: onFirstResult,
  getResourceById: onShown,
  updateResource: onShown,
  createResource: onDraft,
  overwriteResource: onDraft,
  putResource: onDraft,
  uploadImage: onKey('$request.query.sku'),
  postAction: {
    getAction: { operationId: 'getAction', parameters: { projectKey }, description: 'Reads the payload again' },
  },
}

/** The links of an operation's successful responses; undefined for none. */
export const findLinks = (id: OperationId): Links | undefined => links[id]
