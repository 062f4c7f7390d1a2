import type { Endpoint, Purpose } from '../contract/endpoint.ts'
import type { OperationId } from '../contract/endpoints.ts'

/** What a result can be used for: values of it as parameters of another operation. */
export type DocumentLinks = Readonly<
  Record<
    string,
    {
      readonly operationId: OperationId
      /** Runtime expressions, such as `$response.body#/version`. */
      readonly parameters: Readonly<Record<string, string>>
      readonly description: string
    }
  >
>

const projectKey = '$request.path.projectKey'

/** What can be done with a resource of which the id is known, and its version. */
const onResource = (id: string, version: string, which: string): DocumentLinks => ({
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
const onKey = (key: string): DocumentLinks => ({
  getResourceByKey: {
    operationId: 'getResourceByKey',
    parameters: { projectKey, key },
    description: 'Reads the resource, if the request named its key',
  },
})

/** What a result of an operation can be used for; undefined for nothing. */
const links: Readonly<Record<Purpose, DocumentLinks | undefined>> = {
  query: onFirstResult,
  check: undefined,
  read: onShown,
  draft: onKey('$request.body#/key'),
  update: onShown,
  delete: undefined,
  upload: onKey('$request.query.sku'),
  complex: undefined,
  writePayload: {
    getAction: { operationId: 'getAction', parameters: { projectKey }, description: 'Reads the payload again' },
  },
  readPayload: undefined,
  cart: undefined,
  localisedCart: undefined,
}

/** The links of an operation's successful responses; undefined for none. Those of one resource need its id, from the path. */
export const findLinks = ({ purpose, path }: Endpoint): DocumentLinks | undefined =>
  links[purpose] === onShown && !path.includes('{id}') ? undefined : links[purpose]
