import { Hono } from 'hono'
import type { Events } from '../sessions/events.ts'
import type { Journals } from '../journal/journal.ts'
import type { Metrics } from '../journal/metrics.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AdminEnv } from './request.ts'

interface MetricsParts {
  readonly metrics: Metrics
  readonly journals: Journals
  readonly sessions: Sessions
  readonly events: Events
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
}

/** One metric of the Prometheus text format, version 0.0.4. */
interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'summary'
  readonly help: string
  /** What stands after the name, and the value. */
  readonly samples: readonly (readonly [suffix: string, value: number])[]
}

const toText = ({ name, type, help, samples }: Family): string =>
  [
    `# HELP resource_mock_${name} ${help}`,
    `# TYPE resource_mock_${name} ${type}`,
    ...samples.map(([suffix, value]) => `resource_mock_${name}${suffix} ${value}`),
  ].join('\n')

const gauge = (name: string, help: string, value: number): Family => ({
  name,
  type: 'gauge',
  help,
  samples: [['', value]],
})

/** What the mock counts, for Prometheus. */
export function createMetricsRoutes({ metrics, journals, sessions, events, elapsed }: MetricsParts): Hono<AdminEnv> {
  const startedAt = elapsed()

  function collect(): readonly Family[] {
    const counts = metrics.counts().map(({ operation = '', status, requests, duration }) => ({
      labels: `{operation="${operation}",status="${status}"}`,
      requests,
      seconds: duration / 1000,
    }))
    const all = [...sessions.all()]
    return [
      {
        name: 'requests_total',
        type: 'counter',
        help: 'Requests served, by operation and status; status 0 is a broken connection.',
        samples: counts.map(({ labels, requests }) => [labels, requests]),
      },
      {
        name: 'request_duration_seconds',
        type: 'summary',
        help: 'Time from the arrival of a request to its answer.',
        samples: counts.flatMap(({ labels, requests, seconds }) => [
          [`_sum${labels}`, seconds],
          [`_count${labels}`, requests],
        ]),
      },
      gauge('sessions', 'Sessions that have begun.', all.length),
      gauge(
        'journal_entries',
        'Exchanges kept in the journals of all sessions.',
        all.reduce((sum, { journal }) => sum + journal.size, 0),
      ),
      gauge('journal_bytes', 'Memory that the journals of all sessions take.', journals.bytes),
      gauge('event_streams', 'Event streams that are open.', events.size),
      gauge('uptime_seconds', 'Time since the mock began.', (elapsed() - startedAt) / 1000),
    ]
  }

  const routes = new Hono<AdminEnv>()
  routes.get(
    '/metrics',
    () =>
      new Response(`${collect().map(toText).join('\n')}\n`, {
        headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
  )
  return routes
}
