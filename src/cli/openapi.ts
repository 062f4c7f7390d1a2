import { stringifyJson } from '../http/json.ts'
import { createOpenApi } from '../openapi/document.ts'
import { loadFixtures } from '../state/fixtures.ts'

/** Where `resource-mock` listens unless it is told otherwise. */
const BASE = { url: 'http://127.0.0.1:4010', isPlaced: false }

/** The OpenAPI 3.1 document as the text of JSON or YAML, 64-bit integers exact. */
export async function toOpenApiText(isYaml: boolean): Promise<string> {
  const document = createOpenApi(BASE, await loadFixtures())
  if (!isYaml) return stringifyJson(document, 2)
  const { stringify } = await import('yaml')
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd()
}
