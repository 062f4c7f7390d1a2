import { stringifyJson } from '../http/json.ts'
import { createOpenApi } from '../openapi/document.ts'
import { toVersion } from '../openapi/versions.ts'
import type { OpenApiVersion } from '../openapi/versions.ts'
import { loadFixtures } from '../state/fixtures.ts'

/** Where `resource-mock` listens by default. */
const BASE = { url: 'http://127.0.0.1:4010', isPlaced: false }

/** The OpenAPI document as the text of JSON or YAML, 64-bit integers exact. */
export async function toOpenApiText(isYaml: boolean, version: OpenApiVersion = '3.1'): Promise<string> {
  const document = toVersion(createOpenApi(BASE, await loadFixtures()), version)
  if (!isYaml) return stringifyJson(document, 2)
  const { stringify } = await import('yaml')
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd()
}
