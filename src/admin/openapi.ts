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
      async GET({ origin, prefix, baseUrl }) {
        // Made by few, and large: a start need not load it.
        const { createOpenApi } = await import('../openapi/document.ts')
        return toJson(createOpenApi({ url: `${origin}${prefix}`, isPlaced: baseUrl !== undefined }, fixtures()))
      },
    },
  }
}
