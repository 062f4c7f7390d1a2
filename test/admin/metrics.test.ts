import { describe, expect, it } from 'vitest'
import { createAsk } from './ask.ts'

describe('the metrics', () => {
  it('count what is served, by operation and status, and the admin API not at all', async () => {
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
        'resource_mock_request_duration_seconds_count{operation="queryResources",status="200"} 2',
        'resource_mock_sessions 3',
        'resource_mock_journal_entries 4',
        'resource_mock_event_streams 0',
      ]),
    )
    for (const line of lines.slice(0, -1))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{[^{}]*\})? [\d.e-]+)$/)
    expect(lines.at(-1)).toBe('')
  })
})
