import type { OpenApiDocument } from '../openapi/document.ts'
import type { OperationObject, ParameterObject, Reference, ResponseObject } from '../openapi/schemas.ts'

/** An operation of the document with its path and method. */
export interface PlacedOperation {
  readonly path: string
  readonly method: string
  readonly operation: OperationObject
}

/** Every operation, in the order of the document. */
export const listOperations = ({ paths }: OpenApiDocument): readonly PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1)

const isReference = (value: object): value is Reference => '$ref' in value

/** The parameters of an operation, references followed. */
export const parametersOf = (
  { components }: OpenApiDocument,
  { parameters }: OperationObject,
): readonly ParameterObject[] =>
  parameters.flatMap((one) => (isReference(one) ? (components.parameters[nameOf(one)] ?? []) : [one]))

/** The responses of an operation by status, references followed. */
export const responsesOf = (
  { components }: OpenApiDocument,
  { responses }: OperationObject,
): readonly (readonly [status: string, response: ResponseObject])[] =>
  Object.entries(responses).flatMap(([status, one]) => {
    const response = isReference(one) ? components.responses[nameOf(one)] : one
    return response === undefined ? [] : [[status, response] as const]
  })

/** The type of a schema in a few words: `array of string`, `ObjectTestType`. */
export function toTypeText(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'any'
  if (isReference(schema)) return nameOf(schema)
  const { type, format, items, enum: values, anyOf } = schema as Readonly<Record<string, unknown>>
  if (Array.isArray(values)) return values.map(String).join(' | ')
  if (Array.isArray(anyOf)) return anyOf.map(toTypeText).join(' or ')
  if (type === 'array') return `array of ${toTypeText(items)}`
  if (typeof type !== 'string') return 'any'
  return typeof format === 'string' ? `${type} (${format})` : type
}

/** The names of all schemas that a value refers to, directly or through other schemas. */
export function listSchemas(document: OpenApiDocument, value: unknown, found = new Set<string>()): readonly string[] {
  if (typeof value !== 'object' || value === null) return [...found]
  if (isReference(value) && value.$ref.includes('/schemas/')) {
    const name = nameOf(value)
    if (found.has(name)) return [...found]
    found.add(name)
    return listSchemas(document, document.components.schemas[name], found)
  }
  for (const member of Object.values(value)) listSchemas(document, member, found)
  return [...found]
}
