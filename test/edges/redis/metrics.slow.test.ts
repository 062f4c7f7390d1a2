import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { base, create, newStoreUrl, startReplica } from './replicas.ts'
import type { Replica, Reply } from './replicas.ts'

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

/** Counts the commands that requests wait for. */
async function countCommands({ call }: Replica) {
  const { text } = await call('GET', '/__admin/metrics')
  const countOf = (command: string): number =>
    Number(new RegExp(`_count\\{command="${command}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  return { read: countOf('read'), record: countOf('record'), since: countOf('since') }
}

/** The commands of requests, without those of the metrics. */
async function commandsOf(replica: Replica, send: () => Promise<unknown>) {
  const [first, before] = [await countCommands(replica), await countCommands(replica)]
  await send()
  const after = await countCommands(replica)
  const own = before.since - first.since
  return {
    read: after.read - before.read,
    record: after.record - before.record,
    since: after.since - before.since - own,
  }
}

const listed = ({ body }: Reply): readonly string[] => body.results.map(({ key }: { readonly key: string }) => key)

it('a read is a single command, in the journal and the coverage as well', async () => {
  const replica = await startReplica(newStoreUrl())
  const { call } = replica
  await call('GET', base)
  const commands = await commandsOf(replica, async () => {
    for (const path of [base, `${base}/no-such-id`, base]) await call('GET', path)
  })
  expect(commands).toEqual({ read: 3, record: 0, since: 0 })
  const { body } = await call('GET', '/__admin/requests')
  expect(body.requests).toHaveLength(4)
  const { body: coverage } = await call('GET', '/__admin/coverage')
  expect(coverage.operations.slice(0, 2)).toMatchObject([{ met: 3 }, { met: 1 }])
})

it('a read that missed a write of another mock runs again, and is recorded once', async () => {
  const url = newStoreUrl()
  const [one, two] = [await startReplica(url), await startReplica(url)]
  await two.call('GET', base)
  for (const key of ['first', 'second']) {
    await create(one.call, key)
    let reply: Reply | undefined
    const commands = await commandsOf(two, async () => {
      reply = await two.call('GET', `${base}?where=key%20%3D%20%22${key}%22`)
    })
    // The metrics load the write, too.
    expect(commands.read + commands.since).toBeLessThanOrEqual(2)
    expect(reply && listed(reply)).toEqual([key])
  }
  const { body } = await two.call('GET', '/__admin/requests')
  expect(body.requests).toHaveLength(5)
})
