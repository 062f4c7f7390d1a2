import { describe, expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../src/sessions/journal/counts.ts'
import { startServer } from '../../../src/node.ts'
import { create, createAsk, update } from './ask.ts'

describe('the metrics', () => {
  it('count responses of the service by operation and status, but not the admin API', async () => {
    const { ask } = await createAsk()
    for (const session of ['a', 'b']) await ask('GET', `/@${session}/acme/resource`)
    await ask('GET', '/acme/resource/1')
    await ask('GET', '/acme/resourc')
    await ask('GET', '/__admin/state')
    const { status, headers, text } = await ask('GET', '/__admin/metrics')
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    const lines = text.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        '# TYPE resource_mock_requests_total counter',
        'resource_mock_requests_total{operation="queryResources",status="200"} 2',
        'resource_mock_requests_total{operation="getResourceById",status="404"} 1',
        'resource_mock_requests_total{operation="",status="404"} 1',
        'resource_mock_request_duration_seconds_count{operation="queryResources",status_class="2xx"} 2',
        'resource_mock_request_duration_seconds_bucket{operation="queryResources",status_class="2xx",le="+Inf"} 2',
        expect.stringMatching(/^resource_mock_build_info\{version=".+"\} 1$/),
        'resource_mock_sessions 3',
        'resource_mock_journal_entries 4',
        'resource_mock_event_streams 0',
      ]),
    )
    for (const line of lines.slice(0, -1))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{[^{}]*\})? [\d.e-]+)$/)
    expect(lines.at(-1)).toBe('')
  })

  it('count applied scenarios and version conflicts', async () => {
    const { ask } = await createAsk({ scenario: 'conflict-once' })
    const path = await create(ask)
    expect([await update(ask, path, 1), await update(ask, path, 2)]).toEqual([409, 200])
    const { text } = await ask('GET', '/__admin/metrics')
    expect(text).toContain('\nresource_mock_scenario_requests_total{scenario="conflict-once"} 1\n')
    expect(text).toContain('\nresource_mock_version_conflicts_total{operation="updateResource"} 1\n')
  })

  it.each([
    [1, 0],
    [1.5, 1],
    [10_001, 13],
  ])('put %d ms into bucket %i', (duration, bucket) => {
    const metrics = createMetrics()
    metrics.count('queryResources', 200, duration, [])
    expect(metrics.counts()[0]?.buckets.indexOf(1)).toBe(bucket)
  })

  it('measure the process of a server', async () => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const text = await (await fetch(`${server.url}/__admin/metrics`)).text()
    expect(text).toMatch(/^resource_mock_process_resident_memory_bytes \d+$/m)
    expect(text).toMatch(/^resource_mock_event_loop_lag_max_seconds [\d.e-]+$/m)
  })
})
