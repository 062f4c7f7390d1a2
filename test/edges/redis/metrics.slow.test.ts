import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { newStoreUrl, startReplica } from './replicas.ts'

it('the metrics of the Grafana dashboard exist, including those of the store', async () => {
  const { call } = await startReplica(newStoreUrl())
  await call('GET', '/acme/resource')
  const { text } = await call('GET', '/__admin/metrics')
  const dashboard = await readFile(new URL('../../../examples/deploy/grafana.json', import.meta.url), 'utf8')
  const known = new Set<string | undefined>()
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) known.add(name + suffix)
  }
  const asked = [...dashboard.matchAll(/resource_mock_\w+/g)].map(([name]) => name)
  expect(asked.length).toBeGreaterThan(10)
  expect(asked.filter((name) => !known.has(name))).toEqual([])
  expect(text).toMatch(/^resource_mock_store_duration_seconds_count\{command="\w+"\} \d+$/m)
  expect(text).toContain('\nresource_mock_store_up 1\n')
  expect(text).toContain('\nresource_mock_store_retries_total 0\n')
})

it('a read queries the store once for the writes of others', async () => {
  const { call } = await startReplica(newStoreUrl())
  async function countReads(): Promise<number> {
    const { text } = await call('GET', '/__admin/metrics')
    return Number(/^resource_mock_store_duration_seconds_count\{command="since"\} (\d+)$/m.exec(text)?.[1])
  }
  await call('GET', '/acme/resource')
  const before = await countReads()
  const again = await countReads()
  await call('GET', '/acme/resource')
  // Metrics read the store, too.
  expect((await countReads()) - again).toBe(again - before + 1)
})
