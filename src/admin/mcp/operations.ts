import { operationIds } from '../../service/contract/endpoints.ts'
import { SetupError } from '../../errors.ts'
import { isJsonObject, stringifyJson } from '../../service/http/json.ts'
import type { OpenApiDocument } from '../../service/openapi/document.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import type { MockAccess } from './tool.ts'

const readDocument = async ({ admin }: MockAccess): Promise<OpenApiDocument> =>
  (await admin.send('GET', '/openapi.json')) as OpenApiDocument

const listOperations = (paths: OpenApiDocument['paths']) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as object).flatMap(([method, operation]: [string, unknown]) =>
      isJsonObject(operation) && 'operationId' in operation ? [{ path, method, operation }] : [],
    ),
  )

/** Lists the operations of the API, each with the URI of its description. */
export async function readOperations(mock: MockAccess): Promise<object> {
  const operations = listOperations((await readDocument(mock)).paths).map(({ path, method, operation }) => ({
    operation: operation['operationId'],
    method: method.toUpperCase(),
    path,
    summary: operation['summary'],
    uri: `mock://openapi/${String(operation['operationId'])}`,
  }))
  return { operations }
}

/** The kinds and names of the components that a value refers to, at any depth. */
const findReferences = (value: unknown) =>
  Array.from(stringifyJson(value).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g), ([, kind = '', name = '']) => ({
    kind,
    name,
  }))

/** The components that a value refers to, directly or through another component. */
function selectComponents(value: unknown, all: Readonly<Record<string, unknown>>): object {
  const selected: Record<string, Record<string, unknown>> = {}
  const pending = [...findReferences(value)]
  for (const { kind, name } of pending) {
    const group = all[kind]
    if (!isJsonObject(group) || !(name in group) || selected[kind]?.[name] !== undefined) continue
    selected[kind] = { ...selected[kind], [name]: group[name] }
    pending.push(...findReferences(group[name]))
  }
  return selected
}

/**
 * Returns the part of the OpenAPI document that describes one operation.
 *
 * @throws {SetupError} for an unknown operation.
 */
export async function readOperation(mock: MockAccess, id: string): Promise<object> {
  const { openapi, info, paths, components } = await readDocument(mock)
  const found = listOperations(paths).find(({ operation }) => operation['operationId'] === id)
  if (found === undefined) {
    throw new SetupError(
      `Unknown operation ${JSON.stringify(id.slice(0, 100))}.${didYouMean(id, operationIds)} The resource mock://openapi lists all operations.`,
    )
  }
  const { path, method, operation } = found
  return {
    openapi,
    info: { title: info.title, version: info.version },
    paths: { [path]: { [method]: operation } },
    components: selectComponents(operation, components),
  }
}
