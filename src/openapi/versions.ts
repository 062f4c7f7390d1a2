import type { OpenApiDocument } from './document.ts'
import { toVersion30 } from './version-3-0.ts'

/** The versions of OpenAPI that the document is written in. */
export const OPENAPI_VERSIONS = ['3.1', '3.0'] as const
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number]

export const isOpenApiVersion = (text: string): text is OpenApiVersion => OPENAPI_VERSIONS.some((one) => one === text)

/** The document in a version of OpenAPI. */
export const toVersion = (document: OpenApiDocument, version: OpenApiVersion): object =>
  version === '3.0' ? toVersion30(document) : document

/** What is wrong with another version. */
export const toVersionSentence = (text: string): string =>
  `The document is not written in OpenAPI ${JSON.stringify(text)}. Ask for ${OPENAPI_VERSIONS.join(' or ')}.`
