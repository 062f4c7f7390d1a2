import { toOpenApiText } from '../../../src/edges/cli/commands/print.ts'
import type { ParameterObject, ResponseObject } from '../../../src/service/openapi/schemas.ts'
import { createOpenApi } from '../../../src/service/openapi/document.ts'
import type { OpenApiDocument } from '../../../src/service/openapi/document.ts'
import { loadFixtures } from '../../../src/service/state/fixtures.ts'

export const openApi = createOpenApi({ url: 'http://mock', isPlaced: false }, await loadFixtures())

/** As any tool reads it: integers past 2^53 are rounded. */
export const read = JSON.parse(await toOpenApiText(false)) as OpenApiDocument

export interface ReadOperation {
  readonly id: string
  readonly path: string
  readonly method: string
  readonly operation: OpenApiDocument['paths'][string][string]
  /** Without references. */
  readonly parameters: readonly ParameterObject[]
  readonly responses: Readonly<Record<string, ResponseObject>>
}

/** The target of a local reference. */
function resolve<T extends object>(part: T | { readonly $ref: string }): T {
  if (!('$ref' in part)) return part
  const steps = part.$ref.split('/').slice(1)
  // Redocly and Spectral check every reference against its allowed targets.
  return steps.reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>>)[step], read) as T
}

/** Every operation, its references resolved. */
export const operations: readonly ReadOperation[] = Object.entries(read.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    id: operation.operationId,
    path,
    method: method.toUpperCase(),
    operation,
    parameters: operation.parameters.map((one) => resolve<ParameterObject>(one)),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, one]) => [status, resolve<ResponseObject>(one)]),
    ),
  })),
)

type HeaderObject = OpenApiDocument['components']['headers'][string]

export const headersOf = ({ headers }: ResponseObject): readonly (readonly [string, HeaderObject])[] =>
  Object.entries(headers).map(([name, one]) => [name, resolve<HeaderObject>(one)])
