import { operationIds } from '../../service/contract/endpoints.ts'
import { SetupError } from '../../errors.ts'
import { isJsonObject } from '../../service/http/json.ts'
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

/** Collects the references in a value, at any depth. */
const findReferences = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap(findReferences)
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([name, member]) =>
          name === '$ref' && typeof member === 'string' ? [member] : findReferences(member),
        )
      : []

/** The components that a value refers to, directly or through another component. */
function selectComponents(value: unknown, all: Readonly<Record<string, unknown>>): object {
  const selected: Record<string, Record<string, unknown>> = {}
  const pending = [...findReferences(value)]
  for (const reference of pending) {
    const [, , kind = '', name = ''] = reference.split('/')
    const group = all[kind]
    if (!isJsonObject(group) || !(name in group) || selected[kind]?.[name] !== undefined) continue
    selected[kind] = { ...selected[kind], [name]: group[name] }
    pending.push(...findReferences(group[name]))
  }
  return selected
}

/** Reduces error responses to their descriptions: their bodies take most of the space, and are all alike. */
function toShortResponses(responses: unknown, all: Readonly<Record<string, unknown>>): object {
  if (!isJsonObject(responses)) return {}
  const shared = isJsonObject(all['responses']) ? all['responses'] : {}
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if (Number(status) < 400 || !isJsonObject(response)) return [status, response]
      const name = typeof response['$ref'] === 'string' ? response['$ref'].split('/').at(-1) : undefined
      const found = name === undefined ? response : shared[name]
      return [status, { description: isJsonObject(found) ? found['description'] : '' }]
    }),
  )
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
  const described = { ...operation, responses: toShortResponses(operation['responses'], components) }
  return {
    openapi,
    info: { title: info.title, version: info.version },
    paths: { [path]: { [method]: described } },
    components: selectComponents(described, components),
  }
}
