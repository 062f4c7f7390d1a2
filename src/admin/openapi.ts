import { problem } from '../errors.ts'
import { isOpenApiVersion, OPENAPI_VERSIONS, toVersion, toVersionSentence } from '../openapi/versions.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { toJson } from './route.ts'
import type { Routes } from './route.ts'

interface OpenApiParts {
  readonly fixtures: () => Fixtures
}

/** The contract as an OpenAPI document, whose server is the address that was asked. */
export function createOpenApiRoutes({ fixtures }: OpenApiParts): Routes {
  return {
    '/openapi.json': {
      async GET({ origin, prefix, baseUrl, query }) {
        const version = query.get('version') ?? '3.1'
        if (!isOpenApiVersion(version))
          throw problem.invalidField({
            field: 'version',
            invalidValue: version,
            allowedValues: OPENAPI_VERSIONS,
            message: toVersionSentence(version),
          })
        // Made by few, and large: a start need not load it.
        const { createOpenApi } = await import('../openapi/document.ts')
        const base = { url: `${origin}${prefix}`, isPlaced: baseUrl !== undefined }
        return toJson(toVersion(createOpenApi(base, fixtures()), version))
      },
    },
  }
}
