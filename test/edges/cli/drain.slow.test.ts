import { createServer, request as sendRequest } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { AUTHORIZED, start } from './command.ts'

/** Starts a load balancer that polls readiness continuously, and sends requests to the ready mocks in turn. */
async function startBalancer(targets: readonly string[]) {
  const ready = new Set(targets)
  let count = 0
  const closing = new AbortController()

  async function poll(target: string): Promise<void> {
    while (!closing.signal.aborted) {
      const isReady = await fetch(`${target}/__admin/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isReady) ready.add(target)
      else ready.delete(target)
      await new Promise(setImmediate)
    }
  }

  const server = createServer((incoming, outgoing) => {
    const able = [...ready]
    count += 1
    const target = able[count % able.length]
    const refuse = () => outgoing.writeHead(502).end()
    if (target === undefined) return refuse()
    const { method, headers, url } = incoming
    const forwarded = sendRequest(target + url, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', refuse)
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  for (const target of targets) void poll(target)
  onTestFinished(() => {
    closing.abort()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, ready }
}

it('loses no request when a mock behind a load balancer is shut down', async () => {
  const mocks = [0, 1].map(() => start(['--port', '0', '--drain', '5s', '--log', 'silent']))
  const targets = await Promise.all(mocks.map(({ ready }) => ready))
  const balancer = await startBalancer(targets)
  const statuses = new Map<number, number>()
  const enough = new AbortController()

  async function load(): Promise<void> {
    while (!enough.signal.aborted) {
      const { status } = await fetch(`${balancer.url}/acme/resource`, {
        ...AUTHORIZED,
        method: 'POST',
        headers: { ...AUTHORIZED.headers, 'Content-Type': 'application/json' },
        body: '{"objectTypeProperty":{}}',
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }

  const clients = Array.from({ length: 8 }, load)
  await vi.waitUntil(() => (statuses.get(201) ?? 0) > 100, PATIENCE)
  const [first] = mocks
  first?.process.kill('SIGTERM')
  expect(await first?.ended).toBe(0)
  expect([...balancer.ready]).toEqual([targets[1]])
  const before = statuses.get(201) ?? 0
  await vi.waitUntil(() => (statuses.get(201) ?? 0) > before + 100, PATIENCE)
  enough.abort()
  await Promise.all(clients)
  expect([...statuses.keys()]).toEqual([201])
})
