import type { Decided } from './decisions.ts'

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

export interface HeaderObject extends Decided {
  readonly description: string
  readonly required: boolean
  readonly schema: JsonSchema
  readonly example: string
}

export interface ExampleObject {
  readonly summary: string
  readonly value: unknown
}

export interface MediaType {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, ExampleObject>>
}

export type MediaTypes = Readonly<Record<string, MediaType>>

export interface RequestBodyObject {
  readonly description: string
  readonly required: boolean
  readonly content: MediaTypes
}

/** What a result can be used for: values of it as parameters of another operation. */
export interface LinkObject {
  readonly operationId: string
  /** Runtime expressions, such as `$response.body#/version`. */
  readonly parameters: Readonly<Record<string, string>>
  readonly description: string
}

export interface ResponseObject extends Decided {
  readonly description: string
  readonly headers: Readonly<Record<string, Reference>>
  readonly content?: MediaTypes
  readonly links?: Readonly<Record<string, LinkObject>>
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

export interface OperationObject extends Decided {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly SecurityRequirement[]
  readonly parameters: readonly (ParameterObject | Reference)[]
  readonly requestBody?: RequestBodyObject
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
}

export interface SecurityScheme extends Decided {
  readonly type: 'oauth2'
  readonly description: string
  readonly flows: {
    readonly clientCredentials: {
      readonly tokenUrl: string
      readonly refreshUrl: string
      readonly scopes: Readonly<Record<string, string>>
    }
  }
}

export interface ServerObject {
  readonly url: string
  readonly description: string
  readonly variables?: Readonly<Record<string, { readonly default: string; readonly description: string }>>
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly contact: { readonly name: string }
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly ServerObject[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly parameters: Readonly<Record<string, ParameterObject>>
    readonly headers: Readonly<Record<string, HeaderObject>>
    readonly responses: Readonly<Record<string, ResponseObject>>
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  }
}
