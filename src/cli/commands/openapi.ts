import { stringifyJson } from '../../http/json.ts'
import { OPENAPI_VERSIONS, toVersion } from '../../openapi/schemas.ts'
import type { OpenApiVersion } from '../../openapi/schemas.ts'
import * as values from '../../options/option.ts'
import { defineCommand, print } from '../command.ts'

/** The default address of `resource-mock`. */
const BASE = { url: 'http://127.0.0.1:4010', isPlaced: false }

/** The OpenAPI document as the text of JSON or YAML, 64-bit integers exact. */
export async function toOpenApiText(isYaml: boolean, version: OpenApiVersion = '3.1'): Promise<string> {
  const { createOpenApi } = await import('../../openapi/document.ts')
  const { loadFixtures } = await import('../../state/fixtures.ts')
  const document = toVersion(createOpenApi(BASE, await loadFixtures()), version)
  if (!isYaml) return stringifyJson(document, 2)
  const { stringify } = await import('yaml')
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd()
}

export const openapi = defineCommand({
  name: 'openapi',
  summary: 'print the API as an OpenAPI document',
  description: 'Prints the API as an OpenAPI document: operations, models, errors, examples and scopes.',
  options: {
    yaml: { flag: '--yaml', default: false, about: 'print YAML instead of JSON', value: values.onOrOff },
    openapiVersion: {
      flag: '--openapi-version <version>',
      default: '3.1',
      about: `version of OpenAPI: ${OPENAPI_VERSIONS.join(' or ')}`,
      value: values.oneOf(OPENAPI_VERSIONS),
    },
  },
  async run({ yaml, openapiVersion }) {
    print(await toOpenApiText(yaml, openapiVersion))
  },
})
