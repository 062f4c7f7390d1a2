import { problem } from '../errors.ts'
import { toJson } from '../http/envelope.ts'
import { isOpenApiVersion, OPENAPI_VERSIONS, toVersion, toVersionSentence } from '../openapi/versions.ts'
import { readEntries } from '../journal/record.ts'
import { toJsonStream } from './state.ts'
import { operationIds } from '../contract/endpoints.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { AdminParts, AdminRoutes } from './routes.ts'

/** The contract as an OpenAPI document, whose server is the address that was asked. */
export function createOpenApiRoutes({ fixtures }: AdminParts): AdminRoutes {
  return {
    'GET /openapi.json': async (admin) => {
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
    },
  }
}

const MOST_CHARACTERS = 200

/** @throws {Problem} 400 if it is missing or not a valid name. */
function expectParticipant(query: URLSearchParams, name: 'consumer' | 'provider'): string {
  const value = query.get(name)?.trim() ?? ''
  if (value !== '' && value.length <= MOST_CHARACTERS) return value
  throw problem.requiredField(
    name,
    `The parameter ${name} must name the ${name} of the pact, in 1 to ${MOST_CHARACTERS} characters. Ask for /__admin/pact?consumer=storefront&provider=resource-service.`,
  )
}

/** The session's exchanges as a pact. */
export function createPactRoutes({ fixtures, elapsed }: AdminParts): AdminRoutes {
  return {
    'GET /pact': async (admin) => {
      const { journal, scenarios } = admin.session
      const participants = {
        consumer: expectParticipant(admin.query, 'consumer'),
        provider: expectParticipant(admin.query, 'provider'),
      }
      const { writePact } = await import('../pact/write-pact.ts')
      const parts = { fixtures: fixtures().resources, defined: scenarios.defined, elapsed }
      return toJsonStream(writePact(readEntries(journal.exchanges(), elapsed), participants, parts))
    },
  }
}

/** @throws {Problem} 400 for an unknown operation. */
function findOnly(query: URLSearchParams): readonly string[] | undefined {
  const text = query.get('only')
  if (text === null) return undefined
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !operationIds.some((id) => id === name))
  if (unknown === undefined) return names
  throw problem.invalidField({
    field: 'only',
    invalidValue: unknown,
    allowedValues: operationIds,
    message: `Unknown operation ${JSON.stringify(unknown.slice(0, 100))} in only.${didYouMean(unknown, operationIds)} Separate operation ids with commas.`,
  })
}

/** Coverage of the contract and the scenarios, in the session of the request or in all sessions. */
export function createCoverageRoutes({ catalog, coverage, sessions }: AdminParts): AdminRoutes {
  return {
    'GET /coverage': async (admin) => {
      // Loaded on demand: a page that contains the mock does not need it.
      const { restrictReport, toCoverageReport } = await import('../journal/coverage-report.ts')
      const isAll = admin.query.get('session') === EVERY_SESSION
      const counts = await (isAll ? coverage : admin.session.coverage).read()
      const report = toCoverageReport(counts, catalog.all())
      const only = findOnly(admin.query)
      return toJson(only === undefined ? report : restrictReport(report, only))
    },
    'DELETE /coverage': async (admin) => {
      const isAll = admin.query.get('session') === EVERY_SESSION
      const cleared = isAll
        ? [coverage, ...Array.from(sessions.all(), (one) => one.coverage)]
        : [admin.session.coverage]
      await Promise.all(cleared.map(async (one) => one.clear()))
      return toJson({})
    },
  }
}

/** Metrics for Prometheus. */
export function createMetricsRoutes(parts: AdminParts): AdminRoutes {
  const startedAt = parts.elapsed()
  return {
    'GET /metrics': async () => {
      // Loaded on demand: a page that contains the mock does not need it.
      const { toMetricsText } = await import('./metrics-text.ts')
      return new Response(toMetricsText(parts, startedAt), {
        headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
      })
    },
  }
}
