import { once } from 'node:events'
import { createServer, connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { Redis } from 'ioredis'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { redisStore } from '../../../src/redis.ts'
import { openEngine, parseStoreAddress, waitUntilReady } from '../../../src/edges/redis/redis-connection.ts'
import { startCluster, startEngine } from '../../support/engine.ts'
import type { EngineServer } from '../../support/engine.ts'
import { base, create, draft, listen, newStoreUrl, startReplica, update } from './replicas.ts'
import type { Call, Reply } from './replicas.ts'

const NOON = '2026-01-31T12:00:00.000Z'

const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always']

/** An engine that a test may kill. */
async function ownEngine(options: readonly string[] = DURABLE): Promise<EngineServer> {
  const engine = await startEngine(inject('engine'), options)
  onTestFinished(engine.close)
  return engine
}

/** A client for commands that no mock sends. */
function clientOf({ url }: { readonly url: string }): Redis {
  const client = new Redis(url)
  onTestFinished(() => client.disconnect())
  return client
}

/** Retries a request until the store is available. */
async function untilServed(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send()
    if (reply.status !== 503) return reply
  }
}

const NOTHING = 'nothing contains this'

/** Forwards connections to an engine, and holds back its response to a command that contains a text. */
async function startRelay(port: number, text = NOTHING) {
  const sockets = new Set<Socket>()
  let isHeld = false
  const server = createServer((incoming) => {
    const outgoing = connect(port, '127.0.0.1')
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    incoming.on('data', (data: Buffer) => {
      if (data.includes(text)) isHeld = true
      outgoing.write(data)
    })
    outgoing.on('data', (data: Buffer) => void (isHeld || incoming.write(data)))
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  function breakAll(): void {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  onTestFinished(() => {
    breakAll()
    server.close()
  })
  // A server that listens on a port has such an address.
  const { port: own } = server.address() as AddressInfo
  return {
    url: `redis://127.0.0.1:${own}`,
    /** Holds back the response to the next command that contains another text. */
    hold(next: string) {
      text = next
    },
    /** Breaks the connections, and forwards everything from now on. */
    mend() {
      text = NOTHING
      isHeld = false
      breakAll()
    },
  }
}

/**
 * Forwards connections to an engine. On request, it breaks all of them, and then a given number of connections whose client
 * sends a text.
 */
async function startBreaker(port: number) {
  const sockets = new Set<Socket>()
  let text: string | undefined
  let left = 0
  const server = createServer((incoming) => {
    const outgoing = connect(port, '127.0.0.1')
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    incoming.on('data', (data: Buffer) => {
      if (text === undefined || left === 0 || !data.includes(text)) return void outgoing.write(data)
      left -= 1
      incoming.resetAndDestroy()
      return outgoing.destroy()
    })
    outgoing.on('data', (data: Buffer) => void incoming.write(data))
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  function breakAll(): void {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    breakAll()
    server.close()
  })
  // A server that listens on a port has such an address.
  const { port: own } = server.address() as AddressInfo
  return {
    url: `redis://127.0.0.1:${own}`,
    /** The number of connections still to be broken. */
    left: () => left,
    breakOnceAndAgain(at: string, times: number) {
      text = at
      left = times
      breakAll()
    },
  }
}

describe('a mock whose connections break once, and again on reconnection', () => {
  it.each([
    ['checking whether the engine is ready', '\r\ninfo\r\n', 2],
    ['subscribing to change notifications', '\r\nsubscribe\r\n', 1],
    ['only sending the name', 'setname', 6],
  ])('recovers by itself and gets the changes of others again: while %s', async (_moment, text, times) => {
    const rejected: unknown[] = []
    const note = (cause: unknown) => void rejected.push(cause)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const engine = await ownEngine([])
    const breaker = await startBreaker(engine.port)
    const [url, ownUrl] = [breaker.url, engine.url].map((one) => `${one}?prefix=broken`) as [string, string]
    const [one, other] = [await startReplica(url), await startReplica(ownUrl)]
    const stream = await listen(one)
    breaker.breakOnceAndAgain(text, times)
    await expect.poll(breaker.left).toBe(0)
    expect((await untilServed(() => one.call('GET', base))).status).toBe(200)
    const watched = clientOf(engine)
    await expect.poll(() => watched.pubsub('NUMSUB', 'broken:1:news:0')).toEqual(['broken:1:news:0', 2])
    await other.call('GET', `${base}?limit=7`)
    await stream.until(/limit=7/)
    await stream.end()
    expect(rejected).toEqual([])
  })
})

describe('a command that is sent as its connection closes', () => {
  it('is sent again after the reconnection', async () => {
    const address = parseStoreAddress((await ownEngine([])).url)
    const metrics = { observe: () => undefined, retry: () => undefined }
    const { client, sendWithRetry, close } = await openEngine(
      { address, wait: 1000, timeout: 1000 },
      { elapsed: () => performance.now(), onNotice: () => undefined, metrics },
    )
    onTestFinished(close)
    await waitUntilReady(client, 1000)
    // The client takes the connection for open until its next turn.
    client.stream.destroy()
    expect(await sendWithRetry('get', (one) => one.get('nothing'))).toBeNull()
  })
})

describe('a mock whose store is gone', () => {
  it('responds with 503 and Retry-After, even to reads, reports it, and recovers by itself', async () => {
    const engine = await ownEngine()
    const { call, notices } = await startReplica(newStoreUrl(engine.url), {
      store: redisStore({ url: newStoreUrl(engine.url), timeout: 1000 }),
    })
    const id = await create(call, 'kept')
    await engine.kill()
    const refused = await call('GET', `${base}/${id}`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(refused.body.message).toMatch(/^The store redis:\/\/127\.0\.0\.1:\d+ does not respond \(.+\)\. Try again\.$/)
    const sentence = /does not respond \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)\. Try again\.$/
    await expect.poll(async () => (await call('GET', base)).body.message).toMatch(sentence)
    expect((await call('POST', base, draft('lost'))).status).toBe(503)
    const health = await call('GET', '/__admin/health')
    expect([health.status, health.body.status, health.body.message]).toEqual([
      503,
      'unhealthy',
      expect.stringContaining('The store redis://'),
    ])
    expect((await call('GET', '/__admin/health/ready')).status).toBe(503)
    expect((await call('GET', '/__admin/health/live')).status).toBe(200)
    expect((await call('GET', '/__admin/metrics')).text).toContain('resource_mock_store_up 0')
    await engine.restart()
    expect((await untilServed(() => call('GET', `${base}/${id}`))).status).toBe(200)
    expect((await call('GET', '/__admin/health/ready')).status).toBe(200)
    expect(notices).toContainEqual(expect.stringMatching(/is disconnected\. Requests get a 503 until it reconnects\.$/))
    expect(notices).toContainEqual(expect.stringMatching(/is connected\.$/))
  })

  it('lets many requests wait for it without a warning', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error) => void warnings.push(name)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const engine = await ownEngine()
    const { call } = await startReplica(newStoreUrl(engine.url))
    await engine.kill()
    const waiting = Array.from({ length: 30 }, (_, at) => call('GET', base, undefined, { 'X-Mock-Session': `s${at}` }))
    await engine.restart()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
    expect(warnings).not.toContain('MaxListenersExceededWarning')
  })

  it('shares its tokens with later mocks, and refuses others, once an engine without persistence is back', async () => {
    const engine = await ownEngine(['--appendonly', 'no'])
    const url = newStoreUrl(engine.url)
    const options = { auth: 'strict', clients: ['app:secret'] } as const
    const { call } = await startReplica(url, options)
    await engine.restart()
    await untilServed(() => call('GET', base))
    const client = clientOf(engine)
    await expect.poll(() => client.keys('*:secret')).toHaveLength(1)
    const later = await startReplica(url, options)
    const issued = await fetch(`${later.server.url}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('app:secret')}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&scope=manage_project:acme',
    })
    const { access_token: token } = (await issued.json()) as { access_token: string }
    expect((await call('GET', base, undefined, { Authorization: `Bearer ${token}` })).status).toBe(200)
    await expect(startReplica(url, { ...options, seed: 7 })).rejects.toThrow('is used by mocks with other settings')
  })

  it('neither loses nor duplicates acknowledged writes when the engine is killed under load', async () => {
    const engine = await ownEngine()
    const url = newStoreUrl(engine.url)
    const replicas = await Promise.all([startReplica(url), startReplica(url)])
    const acknowledged: string[] = []
    const over = new AbortController()
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let at = 0; !over.signal.aborted; at += 1) {
        const key = `writer-${writer}-${at}`
        const { call } = replicas[writer % 2] as { call: Call }
        const { status } = await call('POST', base, draft(key))
        if (status === 201) acknowledged.push(key)
      }
    })
    for (let kill = 1; kill <= 5; kill += 1) {
      await expect.poll(() => acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(kill * 30)
      await engine.restart()
    }
    over.abort()
    await Promise.all(writers)
    const [{ call }] = replicas
    expect((await untilServed(() => call('GET', base))).status).toBe(200)
    const all: string[] = []
    for (let offset = 0; ; offset += 500) {
      const page = await call('GET', `${base}?limit=500&offset=${offset}`)
      all.push(...page.body.results.map(({ key = '' }: { key?: string }) => key))
      if (page.body.results.length < 500) break
    }
    const written = all.filter((key) => key.startsWith('writer-'))
    expect(acknowledged.filter((key) => !written.includes(key))).toEqual([])
    expect(new Set(written).size).toBe(written.length)
  })

  it.each(['hset', 'evalsha', 'xadd'])(
    'archives all requests of a test, even if %s of its end was lost and its client deletes the session again',
    async (command) => {
      const engine = await ownEngine()
      const relay = await startRelay(engine.port)
      const { call } = await startReplica(relay.url, { store: redisStore({ url: relay.url, timeout: 1000 }) })
      const other = await startReplica(engine.url)
      const report = { run: 'r', title: ['saves'], file: 'save.spec.ts', line: 1 }
      await call('PUT', '/__admin/sessions/a/test', report)
      for (let sent = 0; sent < 5; sent += 1) await call('GET', base, undefined, { 'X-Mock-Session': 'a' })
      await call('PUT', '/__admin/sessions/a/test', { ...report, status: 'failed', duration: 1 })
      relay.hold(command)
      await call('DELETE', '/__admin/sessions/a')
      relay.mend()
      const { status } = await untilServed(() => call('DELETE', '/__admin/sessions/a'))
      expect([200, 404]).toContain(status)
      for (const one of [call, other.call]) {
        const { tests } = (await one('GET', '/__admin/runs/r')).body
        expect(tests).toMatchObject([{ archive: 'archived', requests: 5 }])
        expect((await one('GET', `/__admin/requests?session=${tests[0].id}`)).body.requests).toHaveLength(5)
      }
    },
  )

  it('applies a write once if its response was lost', async () => {
    const engine = await ownEngine()
    const relay = await startRelay(engine.port, 'written-once')
    const { call } = await startReplica(newStoreUrl(relay.url), {
      store: redisStore({ url: newStoreUrl(relay.url), timeout: 60_000 }),
    })
    const watched = clientOf(engine)
    const answering = call('POST', base, draft('written-once'))
    await expect.poll(() => watched.keys('*:log'), { timeout: 60_000 }).toHaveLength(1)
    relay.mend()
    expect((await answering).status).toBe(201)
    const { body } = await call('GET', `${base}?where=${encodeURIComponent('key = "written-once"')}`)
    expect(body.results).toHaveLength(1)
  })
})

describe('a store whose engine becomes a read-only replica', () => {
  it('gets 503s for reads and writes, logs it once, and loses nothing once it is the primary again', async () => {
    const [engine, other] = await Promise.all([ownEngine(), ownEngine()])
    const [primary, replica] = [clientOf(engine), clientOf(other)]
    const swap = async (from: Redis, to: Redis, { port }: EngineServer): Promise<void> => {
      await from.failover('TO', '127.0.0.1', port)
      await expect.poll(async () => (await to.role())[0], { timeout: 60_000 }).toBe('master')
      await expect.poll(async () => (await from.role())[0], { timeout: 60_000 }).toBe('slave')
    }
    await replica.replicaof('127.0.0.1', engine.port)
    await expect.poll(() => primary.info('replication'), { timeout: 60_000 }).toContain('state=online')
    const url = newStoreUrl(engine.url)
    const replicas = await Promise.all([startReplica(url), startReplica(url)])
    const [{ call, notices }] = replicas
    const acknowledged: string[] = []
    const refused: string[] = []
    const over = new AbortController()
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let at = 0; !over.signal.aborted; at += 1) {
        const key = `writer-${writer}-${at}`
        const { status, body } = await (replicas[writer % 2] as { call: Call }).call('POST', base, draft(key))
        if (status === 201) acknowledged.push(key)
        else refused.push(body.message)
      }
    })
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(50)
    await swap(primary, replica, other)
    const sentence = /^The store redis:\/\/127\.0\.0\.1:\d+ is a read-only replica\. Make it the primary, or /
    await expect.poll(() => refused.find((one) => sentence.test(one)), { timeout: 60_000 }).toBeDefined()
    over.abort()
    await Promise.all(writers)
    // Another mock that knows the new primary may have written there.
    expect((await call('GET', base)).status).toBe(503)
    expect((await call('GET', '/__admin/requests')).status).toBe(503)
    expect((await call('GET', '/__admin/health')).status).toBe(503)
    expect(notices.filter((notice) => sentence.test(notice))).toHaveLength(1)
    await swap(replica, primary, engine)
    expect((await untilServed(() => call('GET', base))).status).toBe(200)
    expect((await call('GET', '/__admin/health/ready')).status).toBe(200)
    expect(notices.at(-1)).toMatch(/is the primary again\.$/)
    const found = await Promise.all(acknowledged.map((key) => call('GET', `${base}/key=${key}`)))
    expect(found.filter(({ status }) => status !== 200)).toEqual([])
  })
})

describe('a slow store', () => {
  it('lets a request wait up to the limit, then gets a 503; liveness does not wait', async () => {
    const engine = await ownEngine()
    const relay = await startRelay(engine.port, 'too-slow')
    const { call } = await startReplica(newStoreUrl(relay.url), {
      store: redisStore({ url: newStoreUrl(relay.url), timeout: 3000 }),
    })
    const refused = call('POST', base, draft('too-slow'))
    const watched = clientOf(engine)
    await expect.poll(() => watched.keys('*:log'), { timeout: 60_000 }).toHaveLength(1)
    // A delayed probe would be refused after the write was.
    const first = await Promise.race([
      refused.then(() => 'write'),
      call('GET', '/__admin/health/live').then(() => 'live'),
    ])
    expect(first).toBe('live')
    expect((await refused).body.message).toContain('does not respond (Command timed out)')
    relay.mend()
    expect((await untilServed(() => call('GET', base))).status).toBe(200)
  })
})

describe('a store whose data differ from a mock’s', () => {
  it('takes precedence if it was emptied', async () => {
    const engine = await ownEngine()
    const { call } = await startReplica(newStoreUrl(engine.url), { clock: NOON })
    const id = await create(call, 'gone')
    await call('PUT', '/__admin/clock', { advance: '2h' })
    await clientOf(engine).flushall()
    expect((await call('GET', `${base}/${id}`)).status).toBe(404)
    expect((await call('GET', '/__admin/clock')).body).toEqual({ now: NOON })
    expect((await call('POST', base, draft('new'))).status).toBe(201)
    expect((await call('GET', `${base}/key=new`)).status).toBe(200)
  })

  it('takes precedence if it is an older copy that others have written to', async () => {
    const engine = await ownEngine()
    const url = newStoreUrl(engine.url)
    const [one, other] = [await startReplica(url, { clock: NOON }), await startReplica(url, { clock: NOON })]
    const id = await create(one.call, 'raced')
    await one.call('PUT', '/__admin/clock', { advance: '1h' })
    const client = clientOf(engine)
    const keys = await client.keys('*')
    const copies = new Map<string, Buffer | null>()
    for (const key of keys) copies.set(key, await client.dumpBuffer(key))
    await one.call('POST', `${base}/${id}`, update(1))
    await one.call('PUT', '/__admin/clock', { advance: '1h' })
    for (const [key, copy] of copies) if (copy !== null) await client.restore(key, 0, copy, 'REPLACE')
    // The same number of commits, but other ones.
    expect((await other.call('DELETE', `${base}/${id}`)).status).toBe(200)
    expect((await one.call('GET', `${base}/${id}`)).status).toBe(404)
    expect((await one.call('GET', '/__admin/clock')).body).toEqual({ now: '2026-01-31T13:00:00.000Z' })
  })

  it('is reported as incomplete if the engine has evicted a part of a session', async () => {
    const engine = await ownEngine()
    const { call } = await startReplica(newStoreUrl(engine.url))
    const id = await create(call, 'large')
    const actions = [{ action: 'changeSomeProperty', someProperty: 'x'.repeat(50_000) }]
    for (let version = 1; version <= 12; version += 1) await call('POST', `${base}/${id}`, { version, actions })
    const client = clientOf(engine)
    await expect.poll(() => client.keys('*:snap')).toHaveLength(1)
    const [snap] = await client.keys('*:snap')
    await client.del(snap as string)
    const late = await startReplica(newStoreUrl(engine.url), {
      store: redisStore({ url: `${engine.url}?prefix=${(snap as string).split(':')[0]}` }),
    })
    const refused = await late.call('GET', `${base}/${id}`)
    expect([refused.status, refused.body.message]).toEqual([
      503,
      'The store has lost part of session "default" because its engine evicts keys. Delete the session, and set maxmemory-policy to noeviction.',
    ])
  })
})

describe('a write that exceeds the memory of the engine', () => {
  it('gets a 503 with the reason, and changes nothing', async () => {
    const engine = await ownEngine([])
    const { call } = await startReplica(newStoreUrl(engine.url))
    const id = await create(call, 'kept')
    const client = clientOf(engine)
    await client.config('SET', 'maxmemory', '1')
    const refused = await call('POST', `${base}/${id}`, update(1))
    expect(refused.status).toBe(503)
    expect(refused.body.message).toContain('is out of memory, so nothing was written')
    await client.config('SET', 'maxmemory', '0')
    expect((await call('GET', `${base}/${id}`)).body.version).toBe(1)
    expect((await call('POST', `${base}/${id}`, update(1))).status).toBe(200)
  })
})

describe('the start of a mock', () => {
  const start = (url: string, wait = 0) =>
    startServer({ port: 0, store: redisStore({ url, wait }), onNotice: () => undefined })

  it('fails with a message if the store is not available in time', async () => {
    const engine = await ownEngine()
    await engine.kill()
    await expect(start(engine.url)).rejects.toThrow(
      /^The store redis:\/\/127\.0\.0\.1:\d+ does not respond \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)\. Start it, or increase the wait: --store-wait 2m\.$/,
    )
  })

  it('waits for a store that starts later, and reports it', async () => {
    const engine = await ownEngine()
    await engine.kill()
    const notices: string[] = []
    const starting = startServer({
      port: 0,
      store: redisStore({ url: engine.url, wait: 120_000 }),
      onNotice: (sentence) => notices.push(sentence),
    })
    await expect.poll(() => notices[0]).toMatch(/^Waiting for the store redis:/)
    await engine.restart()
    await (await starting).close()
  })

  it('fails with a message if the store has no database of that number, instead of sharing database 0', async () => {
    const engine = await ownEngine()
    await expect(startReplica(`${engine.url}/99`)).rejects.toThrow(/does not open database 99 \(ERR .*out of range\)/)
    await startReplica(`${engine.url}/15`)
  })

  it('fails with a message if the store refuses the mock, without its password', async () => {
    const engine = await ownEngine(['--requirepass', 'right'])
    const url = engine.url.replace('redis://', 'redis://:wrong@')
    await expect(start(url, 60_000)).rejects.toThrow(/refuses this mock: .+ Check the name and password in --store\.$/)
    await expect(start(url, 60_000)).rejects.not.toThrow('wrong@')
    await expect(start(engine.url, 60_000)).rejects.toThrow(
      /refuses this mock: it requires a password\. Check the name and password in --store\.$/,
    )
    await (await start(engine.url.replace('redis://', 'redis://:right@'))).close()
  })

  it('waits for a replica that becomes the primary, and fails with a message if it does not', async () => {
    const primary = await ownEngine()
    const replica = await ownEngine()
    const client = clientOf(replica)
    await client.replicaof('127.0.0.1', primary.port)
    await expect(start(replica.url)).rejects.toThrow(
      /^The store redis:\S+ is a read-only replica\. Make it the primary, or point --store at the primary\.$/,
    )
    const notices: string[] = []
    const starting = startServer({
      port: 0,
      store: redisStore({ url: replica.url, wait: 120_000 }),
      onNotice: (sentence) => notices.push(sentence),
    })
    await expect.poll(() => notices[0]).toMatch(/^Waiting for the store redis:\S+ \(READONLY /)
    await client.replicaof('NO', 'ONE')
    await (await starting).close()
  })

  it('fails with a message if the store has no memory left', async () => {
    const engine = await ownEngine()
    await clientOf(engine).config('SET', 'maxmemory', '1')
    await expect(start(engine.url)).rejects.toThrow(/ is out of memory, so nothing was written\. Delete sessions, /)
  })

  it('refuses a cluster', async () => {
    const engine = await startCluster(inject('engine'))
    onTestFinished(engine.close)
    await expect(start(engine.url, 3_600_000)).rejects.toThrow(
      / is a cluster, which is not supported\. Use one engine, with or without replicas\.$/,
    )
  })

  it.each([
    ['keys', ['~other:*', '&team:*']],
    ['channels', ['~team:*', 'resetchannels']],
  ])('fails with a message if its user may not use the %s', async (_what, rules) => {
    const engine = await ownEngine()
    await clientOf(engine).acl('SETUSER', 'bob', 'on', '>pw', '+@all', ...rules)
    const url = `${engine.url.replace('redis://', 'redis://bob:pw@')}?prefix=team`
    await expect(start(url, 3_600_000)).rejects.toThrow(
      /^The store redis:\S+ refuses this mock: NOPERM .+\. Give its user access to all keys and channels that start with "team:", /,
    )
    const names = await clientOf(engine).client('LIST')
    expect(names).not.toContain('resource-mock-')
  })

  it('fails if mocks with other options share the store, and names the differences', async () => {
    const url = newStoreUrl()
    await startReplica(url)
    await expect(startReplica(url, { generate: 3, strict: true })).rejects.toThrow(
      /is used by mocks with other settings: generate is 3 instead of the default; strict is true instead of the default\. Start this mock with the same settings, or give it a separate prefix: --store "redis:.*\?prefix=other"\.$/,
    )
  })

  it.each([
    [{ tokenSecret: 'hush' }, 'tokenSecret is different'],
    [{ clients: ['shop:hush'] }, 'clients is different'],
    [{ passthrough: 'http://127.0.0.1:9' }, 'passthrough is different'],
    [{ maxBody: '2mb' }, 'maxBody is the default instead of 2097152'],
    [{ redact: ['email'] }, 'redact is the default instead of ["email"]'],
  ])('fails if mocks share the store without %j, and reveals no secret', async (options, sentence) => {
    const url = newStoreUrl()
    await startReplica(url, options)
    await startReplica(url, options)
    await expect(startReplica(url)).rejects.toThrow(sentence)
    await expect(startReplica(url, { ...options, seed: 2 })).rejects.toThrow(
      ': seed is 2 instead of the default. Start',
    )
    expect(await clientOf({ url: url.replace(/\?.*/, '') }).get(`${url.split('=')[1]}:1:identity`)).not.toContain(
      'hush',
    )
  })

  it('warns about an engine that evicts data', async () => {
    const engine = await ownEngine(['--appendonly', 'no', '--maxmemory-policy', 'allkeys-lru'])
    const { notices } = await startReplica(newStoreUrl(engine.url))
    expect(notices.join('\n')).toMatch(
      /set appendonly to yes\.[^]*set maxmemory-policy to noeviction instead of allkeys-lru\./,
    )
  })

  it.each([
    ['http://127.0.0.1', 'unsupported protocol "http:"'],
    ['redis://127.0.0.1/x', 'has the path "/x"'],
    ['redis://127.0.0.1?port=1', 'has the unknown parameter "port"'],
    ['redis://127.0.0.1?prefix=%20', 'has the invalid prefix " "'],
    ['nowhere', 'is not a URL: "nowhere"'],
  ])('refuses the URL %s', (url, sentence) => {
    expect(() => redisStore({ url })).toThrow(sentence)
  })

  it.each([
    [{ wait: '2 s' }, 'wait of redisStore must be a duration of up to 1h, .+, not "2 s"'],
    [{ wait: -1 }, 'wait of redisStore must be .+, not -1'],
    [{ timeout: 0 }, 'timeout of redisStore must be a duration above 0 .+, not 0'],
    [{ timeout: Number.NaN }, 'timeout of redisStore must be .+, not NaN'],
  ])('refuses the times %j in code', (times, sentence) => {
    expect(() => redisStore({ url: 'redis://host', ...times })).toThrow(new RegExp(`^The option ${sentence}\\.$`))
  })

  it('accepts times in the format of the command line', async () => {
    await expect(
      startServer({
        port: 0,
        store: redisStore({ url: 'redis://127.0.0.1:1', wait: '1ms' }),
        onNotice: () => undefined,
      }),
    ).rejects.toThrow('does not respond')
  })

  it.each(['redis://:50%@host', 'redis://me:6#secret@host', 'redis://me:6?secret@host', 'redis://me:6/secret@host'])(
    'refuses a password that is not encoded, without showing it: %s',
    (url) => {
      expect(() => redisStore({ url })).toThrow(/has "%", .+ Encode them as %25, /)
      expect(() => redisStore({ url })).not.toThrow('secret')
    },
  )
})
