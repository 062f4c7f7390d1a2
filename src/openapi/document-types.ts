import type { Decided } from './decisions.ts'
import type { DocumentLinks } from './links.ts'

/** The parts of OpenAPI 3.1 that the document has. */

/** JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Reference {
  readonly $ref: string
}

export interface ParameterObject extends Decided {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly style?: 'form' | 'deepObject' | 'simple'
  readonly explode?: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface MediaType {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

export type MediaTypes = Readonly<Record<string, MediaType>>

export interface RequestBodyObject {
  readonly description: string
  readonly required: boolean
  readonly content: MediaTypes
}

export interface ResponseObject extends Decided {
  readonly description: string
  readonly headers: Readonly<Record<string, Reference>>
  readonly content?: MediaTypes
  readonly links?: DocumentLinks
}

export interface OperationObject extends Decided {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly { readonly oauth2: readonly string[] }[]
  readonly parameters: readonly (ParameterObject | Reference)[]
  readonly requestBody?: RequestBodyObject
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
}
