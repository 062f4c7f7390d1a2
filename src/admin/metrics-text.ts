import { BOUNDS } from '../journal/counts.ts'
import type { Count, Durations, StoreMetrics } from '../journal/counts.ts'
import { VERSION } from '../version.ts'
import type { AdminParts } from './routes.ts'

/** One metric of the Prometheus text format, version 0.0.4. */
interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** Labels after the name, and the value. */
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

/** The class of a status, `2xx`; `broken` is a broken connection. */
const toStatusClass = (status: number): string => (status === 0 ? 'broken' : `${Math.floor(status / 100)}xx`)

/** The samples of a histogram: a bucket counts all that took up to its bound. */
function toHistogram(labels: string, counts: readonly Durations[]): Family['samples'] {
  const sum = (read: (count: Durations) => number) => counts.reduce((total, count) => total + read(count), 0)
  let below = 0
  const buckets = BOUNDS.map((bound, at): readonly [string, number] => {
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

/** The counts by operation and status class, whose labels are the keys. */
function byStatusClass(counts: readonly Count[]): Map<string, Count[]> {
  const classes = new Map<string, Count[]>()
  for (const count of counts) {
    const labels = `operation="${count.operation ?? ''}",status_class="${toStatusClass(count.status)}"`
    classes.set(labels, [...(classes.get(labels) ?? []), count])
  }
  return classes
}

/** The metrics of a store that mocks share. */
const collectStore = ({ commands, retries }: StoreMetrics, isUp: boolean): readonly Family[] => [
  gauge('store_up', 'Whether the store that mocks share can be used: 1 or 0.', isUp ? 1 : 0),
  {
    name: 'store_duration_seconds',
    type: 'histogram',
    help: 'Time that commands to the store took, by command.',
    samples: [...commands].flatMap(([command, durations]) => toHistogram(`command="${command}"`, [durations])),
  },
  {
    name: 'store_retries_total',
    type: 'counter',
    help: 'Commands to the store that were sent once more.',
    samples: [['', retries]],
  },
]

/** Collects the metrics. */
function collect(
  { metrics, journals, sessions, events, elapsed, store, storeMetrics, processGauges }: AdminParts,
  startedAt: number,
): readonly Family[] {
  const counts = metrics.counts()
  const all = [...sessions.all()]
  return [
    {
      name: 'requests_total',
      type: 'counter',
      help: 'Requests served, by operation and status; status 0 is a broken connection.',
      samples: counts.map(({ operation = '', status, requests }) => [
        `{operation="${operation}",status="${status}"}`,
        requests,
      ]),
    },
    {
      name: 'request_duration_seconds',
      type: 'histogram',
      help: 'Time from receiving a request to answering it, by operation and class of status.',
      samples: [...byStatusClass(counts)].flatMap(([labels, ofClass]) => toHistogram(labels, ofClass)),
    },
    {
      name: 'version_conflicts_total',
      type: 'counter',
      help: 'Requests answered with 409, by operation.',
      samples: counts
        .filter(({ status }) => status === 409)
        .map(({ operation = '', requests }) => [`{operation="${operation}"}`, requests]),
    },
    {
      name: 'scenario_requests_total',
      type: 'counter',
      help: 'Requests that a rule of the scenario acted on.',
      samples: metrics.scenarios().map(({ scenario, requests }) => [`{scenario="${scenario}"}`, requests]),
    },
    gauge('sessions', 'Sessions that exist.', all.length),
    gauge(
      'journal_entries',
      'Exchanges kept in the journals of all sessions.',
      all.reduce((sum, { journal }) => sum + journal.size, 0),
    ),
    gauge('journal_bytes', 'Memory that the journals of all sessions take.', journals.bytes),
    gauge('event_streams', 'Event streams that are open.', events.size),
    {
      name: 'build_info',
      type: 'gauge',
      help: 'The version of the mock.',
      samples: [[`{version="${VERSION}"}`, 1]],
    },
    ...(storeMetrics === undefined ? [] : collectStore(storeMetrics, store.fault() === undefined)),
    ...(processGauges?.() ?? []).map(({ name, help, value }) => gauge(name, help, value)),
    gauge('uptime_seconds', 'Time since the mock started.', (elapsed() - startedAt) / 1000),
  ]
}

/** All metrics in Prometheus's text format. */
export const toMetricsText = (parts: AdminParts, startedAt: number): string =>
  `${collect(parts, startedAt).map(toText).join('\n')}\n`
