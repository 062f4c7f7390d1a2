import { calledOperations } from '../../service/contract/endpoints.ts'
import { problem, toMessage } from '../../errors.ts'
import { toJson } from '../../service/http/envelope.ts'
import { OPENAPI_VERSIONS, toOpenApiVersion } from '../../service/openapi/schemas.ts'
import { readEntries } from '../../sessions/journal/record.ts'
import { BUCKET_BOUNDS } from '../../sessions/journal/counts.ts'
import type { Count, Coverage, Durations, StoreMetrics } from '../../sessions/journal/counts.ts'
import type { CoverageReport } from '../../sessions/journal/coverage-report.ts'
import { EVERY_SESSION } from '../../sessions/events.ts'
import type { Session } from '../../sessions/sessions.ts'
import { didYouMean, toChoice } from '../../util/did-you-mean.ts'
import { VERSION } from '../../version.ts'
import type { AdminParts, AdminRoutes } from './request.ts'
import { toJsonStream } from './state.ts'

const DRAINING = {
  status: 503,
  report: { status: 'unhealthy', message: 'The mock is shutting down. Send requests elsewhere.' },
}

/** The mock's health: 503 while writes cannot be saved (`--persist`). */
function toHealthReport(error: unknown, found: readonly string[]) {
  if (error !== undefined) return { status: 503, report: { status: 'unhealthy', message: toMessage(error) } }
  const message =
    found.length === 0 ? 'The mock is healthy' : 'Some files are unreadable; the mock serves their last valid version'
  return { status: 200, report: { status: 'healthy', message } }
}

/** Each with the labels that follow the name. */
type Samples = readonly (readonly [suffix: string, value: number])[]

/** Formats a metric in the Prometheus text format, version 0.0.4. */
function toMetric(
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  value: number | Samples,
): string {
  const samples = typeof value === 'number' ? [['', value] as const] : value
  const lines = samples.map(([suffix, one]) => `resource_mock_${name}${suffix} ${one}`)
  return [`# HELP resource_mock_${name} ${help}`, `# TYPE resource_mock_${name} ${type}`, ...lines].join('\n')
}

/** The samples of a histogram. Buckets are cumulative. */
function toHistogramSamples(labels: string, counts: readonly Durations[]): Samples {
  const sum = (read: (count: Durations) => number) => counts.reduce((total, count) => total + read(count), 0)
  let below = 0
  const buckets = BUCKET_BOUNDS.map((bound, at): readonly [string, number] => {
    below += sum(({ buckets }) => buckets[at] ?? 0)
    return [`_bucket{${labels},le="${bound / 1000}"}`, below]
  })
  const requests = sum(({ requests }) => requests)
  return [
    ...buckets,
    [`_bucket{${labels},le="+Inf"}`, requests],
    [`_sum{${labels}}`, sum(({ duration }) => duration) / 1000],
    [`_count{${labels}}`, requests],
  ]
}

/** Counts by operation and status class. The keys are the labels. */
function byStatusClass(counts: readonly Count[]): Map<string, Count[]> {
  const classes = new Map<string, Count[]>()
  for (const count of counts) {
    const labels = `operation="${count.operation ?? ''}",status_class="${count.status === 0 ? 'broken' : `${Math.floor(count.status / 100)}xx`}"`
    classes.set(labels, [...(classes.get(labels) ?? []), count])
  }
  return classes
}

function collectMetrics(parts: AdminParts): readonly string[] {
  const { metrics, memory, sessions, events, elapsed, startedAt, store, storeMetrics, processGauges } = parts
  const counts = metrics.counts()
  const all = [...sessions.all()]
  const entries = all.reduce((sum, { journal }) => sum + journal.size, 0)
  const conflicts = counts.filter(({ status }) => status === 409)
  return [
    toMetric(
      'counter',
      'requests_total',
      'Requests served, by operation and status; status 0 is a broken connection.',
      counts.map(({ operation = '', status, requests }) => [`{operation="${operation}",status="${status}"}`, requests]),
    ),
    toMetric(
      'histogram',
      'request_duration_seconds',
      'Time from receiving a request to responding, by operation and status class.',
      [...byStatusClass(counts)].flatMap(([labels, ofClass]) => toHistogramSamples(labels, ofClass)),
    ),
    toMetric(
      'counter',
      'version_conflicts_total',
      'Requests with a 409 response, by operation.',
      conflicts.map(({ operation = '', requests }) => [`{operation="${operation}"}`, requests]),
    ),
    toMetric(
      'counter',
      'scenario_requests_total',
      'Requests affected by the scenario rule.',
      metrics.scenarios().map(({ scenario, requests }) => [`{scenario="${scenario}"}`, requests]),
    ),
    toMetric('gauge', 'sessions', 'Sessions that exist.', all.length),
    toMetric('gauge', 'journal_entries', 'Exchanges kept in the journals of all sessions.', entries),
    toMetric(
      'gauge',
      'memory_bytes',
      'Memory used by what all sessions keep, which --memory limits.',
      [...memory.uses].map(([use, bytes]) => [`{use="${use}"}`, bytes]),
    ),
    toMetric('gauge', 'event_streams', 'Open event streams.', events.size),
    toMetric('gauge', 'build_info', 'The version of the mock.', [[`{version="${VERSION}"}`, 1]]),
    ...(storeMetrics === undefined ? [] : collectStoreMetrics(storeMetrics, store.fault() === undefined)),
    ...(processGauges?.() ?? []).map(({ name, help, value }) => toMetric('gauge', name, help, value)),
    toMetric('gauge', 'uptime_seconds', 'Time since the mock started.', (elapsed() - startedAt) / 1000),
  ]
}

const collectStoreMetrics = ({ commands, retries }: StoreMetrics, isUp: boolean): readonly string[] => [
  toMetric('gauge', 'store_up', 'Whether the shared store is available: 1 or 0.', isUp ? 1 : 0),
  toMetric(
    'histogram',
    'store_duration_seconds',
    'Duration of store commands, by command.',
    [...commands].flatMap(([command, durations]) => toHistogramSamples(`command="${command}"`, [durations])),
  ),
  toMetric('counter', 'store_retries_total', 'Store commands that were retried.', retries),
]

const LONGEST_LABEL = 200

/** @throws {Problem} 400 if it is missing or invalid. */
function expectParticipant(query: URLSearchParams, name: 'consumer' | 'provider'): string {
  const value = query.get(name)?.trim() ?? ''
  if (value !== '' && value.length <= LONGEST_LABEL) return value
  throw problem.requiredField(
    name,
    `The parameter ${name} must be the name of the pact's ${name}, 1 to ${LONGEST_LABEL} characters long. Example: GET /__admin/pact?consumer=storefront&provider=resource-service.`,
  )
}

/** @throws {Problem} 400 for an unknown operation. */
function findOnly(query: URLSearchParams): readonly string[] | undefined {
  const text = query.get('only')
  if (text === null) return undefined
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !calledOperations.some((id) => id === name))
  if (unknown === undefined) return names
  throw problem.invalidField({
    field: 'only',
    invalidValue: unknown,
    allowedValues: calledOperations,
    message: `Unknown operation ${JSON.stringify(unknown.slice(0, 100))} in only.${didYouMean(unknown, calledOperations)} Separate ids with commas; they are: ${calledOperations.join(', ')}.`,
  })
}

/** Reports the coverage of a session, or of all. */
export async function readCoverage(
  { sources }: Pick<AdminParts, 'sources'>,
  { coverage, scenarios }: Session,
  counted: Pick<Coverage, 'read'> = coverage,
): Promise<CoverageReport> {
  // Loaded on demand: a mock that runs in a page does not need it.
  const { toCoverageReport } = await import('../../sessions/journal/coverage-report.ts')
  return toCoverageReport(await counted.read(), sources.catalog.all(), scenarios.defined.values())
}

/**
 * Routes for the mock's health, version and metrics, the contract as an OpenAPI document, and a session's pact and
 * coverage.
 */
export function createReportRoutes(parts: AdminParts): AdminRoutes {
  const { clock, elapsed, startedAt, sources, fingerprint, store, status: mock, coverage, sessions } = parts
  return {
    'GET /health': async () => {
      const found = sources.problems()
      const { status, report } = toHealthReport(store.fault(), found)
      return toJson(
        {
          ...report,
          version: VERSION,
          uptimeInSeconds: Math.floor((elapsed() - startedAt) / 1000),
          timestamp: new Date(clock()).toISOString(),
          problems: found,
          fingerprint: await fingerprint(),
        },
        status,
      )
    },
    'GET /health/live': () => toJson({ status: 'healthy' }),
    'GET /health/ready': () => {
      const { status, report } = mock.isDraining ? DRAINING : toHealthReport(store.fault(), [])
      return toJson(report, status)
    },
    'GET /version': () => toJson({ version: VERSION }),
    'GET /openapi.json': async (admin) => {
      const requested = admin.query.get('version') ?? '3.1'
      const version = OPENAPI_VERSIONS.find((one) => one === requested)
      if (version === undefined)
        throw problem.invalidField({
          field: 'version',
          invalidValue: requested,
          allowedValues: OPENAPI_VERSIONS,
          message: `OpenAPI version ${JSON.stringify(requested)} is not supported. Use ${toChoice(OPENAPI_VERSIONS)}.`,
        })
      // Loaded on demand: it is large and rarely requested.
      const { createOpenApi } = await import('../../service/openapi/document.ts')
      // Behind a reverse proxy, the client's scheme differs from the mock's.
      const origin = admin.isSecure ? admin.origin.replace(/^http:/, 'https:') : admin.origin
      const base = { url: `${origin}${admin.prefix}`, isPlaced: admin.baseUrl !== undefined }
      return toJson(toOpenApiVersion(createOpenApi(base, sources.fixtures), version))
    },
    'GET /metrics': () =>
      new Response(`${collectMetrics(parts).join('\n')}\n`, {
        headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
    'GET /pact': async (admin) => {
      const { journal, scenarios } = admin.session
      const participants = {
        consumer: expectParticipant(admin.query, 'consumer'),
        provider: expectParticipant(admin.query, 'provider'),
      }
      const { writePact } = await import('../../sessions/pact/write-pact.ts')
      const known = { fixtures: sources.fixtures.resources, defined: scenarios.defined }
      return toJsonStream(writePact(readEntries(journal.exchanges()), participants, known))
    },
    'GET /coverage': async (admin) => {
      const isAll = admin.query.get('session') === EVERY_SESSION
      const report = await readCoverage(parts, admin.session, isAll ? coverage : admin.session.coverage)
      const only = findOnly(admin.query)
      if (only === undefined) return toJson(report)
      const { restrictReport } = await import('../../sessions/journal/coverage-report.ts')
      return toJson(restrictReport(report, only))
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
