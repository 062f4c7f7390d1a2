import { Hono } from 'hono'
import { problem } from '../errors.ts'
import { toJson } from '../http/json-response.ts'
import { isOpenApiVersion, OPENAPI_VERSIONS, toVersion, toVersionSentence } from '../openapi/versions.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { AdminEnv } from './request.ts'

interface OpenApiParts {
  readonly fixtures: () => Fixtures
}

/** The contract as an OpenAPI document, whose server is the address that was asked. */
export function createOpenApiRoutes({ fixtures }: OpenApiParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/openapi.json', async ({ env: { admin } }) => {
    const version = admin.query.get('version') ?? '3.1'
    if (!isOpenApiVersion(version))
      throw problem.invalidField({
        field: 'version',
        invalidValue: version,
        allowedValues: OPENAPI_VERSIONS,
        message: toVersionSentence(version),
      })
    // Large and rarely asked for: a start need not load it.
    const { createOpenApi } = await import('../openapi/document.ts')
    const base = { url: `${admin.origin}${admin.prefix}`, isPlaced: admin.baseUrl !== undefined }
    return toJson(toVersion(createOpenApi(base, fixtures()), version))
  })
  return routes
}
