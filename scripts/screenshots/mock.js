/**
 * A mock with a manual clock and five minutes of a shop's requests. Runs as a worker, so that the clock of the machine that
 * takes the pictures keeps running. Reports its address and its time.
 */
import { parentPort } from 'node:worker_threads'
import { toPicture } from './picture.js'

const END = Date.parse('2026-03-02T10:05:00.000Z')
let now = END - 5 * 60_000
let count = 0
/** When the pending request started, how long it takes, and whether it has started; in milliseconds. */
const stopwatch = { at: 0, took: 0, isRunning: false }

/** The same numbers every time, from 0 to 1 (Lehmer, 1951). */
let drawn = 20_260_302
const draw = () => (drawn = (drawn * 48_271) % 2_147_483_647) / 2_147_483_647

Date.now = () => now
performance.now = () => {
  const { at, took, isRunning } = stopwatch
  stopwatch.isRunning = true
  return isRunning ? at + took : at
}
crypto.randomUUID = () => {
  count += 1
  return `7c1f${count.toString(16).padStart(4, '0')}-52d4-4e0b-9a63-${(count * 7919).toString(16).padStart(12, '0')}`
}

const { startServer } = await import('../../dist/node.js')
const server = await startServer({ port: 0, seed: 1 })

const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'
const DESK = '716c55f8-ef78-46e2-a052-fcfe094890c1'

/** @param {string} method @param {string} path @param {unknown} [json] @param {Record<string, string>} [headers] */
async function ask(method, path, json, headers = {}) {
  const isPicture = json instanceof Uint8Array
  const request = new Request(`http://127.0.0.1:4010${path}`, {
    method,
    headers: {
      Authorization: 'Bearer storefront',
      ...(json === undefined ? {} : { 'Content-Type': isPicture ? 'image/png' : 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: isPicture ? json : JSON.stringify(json) }),
  })
  Object.assign(stopwatch, { at: stopwatch.at + 1000, took: 0.2 + draw() ** 6 * 12, isRunning: false })
  const response = await server.mock.fetch(request)
  await response.arrayBuffer()
}

const rename = (id, version, someProperty, prefix = '') =>
  ask('POST', `${prefix}/acme/resource/${id}`, { version, actions: [{ action: 'changeSomeProperty', someProperty }] })

const visits = [
  () => ask('GET', '/acme/resource?limit=12&sort=lastModifiedAt%20desc'),
  () => ask('GET', '/acme/resource/searchApiPattern?text.en=oak&facet=arrayOfStringExample'),
  () => ask('GET', '/acme/resource/key=walnut-desk'),
  () => ask('GET', `/acme/resource/${TABLE}`),
  () =>
    ask('GET', '/acme/resource/namespace-action-with-headers', undefined, {
      Accept: 'application/json',
      'Storefront-Locale': 'de-DE',
    }),
  () => ask('HEAD', '/acme/resource?stringParameter=oak'),
]
const slips = [
  () => ask('GET', '/acme/resource/key=oak-sidetable'),
  () => ask('GET', '/acme/resource?limitt=12'),
  () => ask('GET', '/acme/resource/sorted-query-parameters?where=version%20%3E'),
]

while (now < END - 9000) {
  const crowd = 2 + Math.round(3 * Math.sin(now / 21_000) + 3 * draw())
  for (let at = 0; at < crowd; at += 1) {
    now += Math.round(draw() * 400)
    await visits[Math.floor(draw() * visits.length)]?.()
    if (draw() > 0.95) await slips[Math.floor(draw() * slips.length)]?.()
  }
  now += 3000
}

await ask('GET', '/@worker-1/acme/resource?limit=3')
await ask('POST', '/@worker-1/acme/resource', { key: 'from-a-test', objectTypeProperty: { arrayOfIntExample: [1] } })
await ask('PUT', '/@worker-2/__admin/scenarios/active', { active: ['unavailable-twice'] })
await ask('GET', '/@worker-2/acme/resource')
await ask('GET', '/@checkout-demo/acme/resource/key=oak-side-table')

/** A run of tests on four workers: two of them meet a conflict at each attempt and do not retry, one at the first. */
const titles = [
  'lists products',
  'finds a product',
  'saves a product',
  'shows a product',
  'sorts by price',
  'filters by material',
]
const starts = [0, 0, 0, 0]
const runStart = END - 60_000
const attempts = Array.from({ length: 24 }, (_, at) => ({ at, retry: 0 })).flatMap((first) =>
  [8, 11, 14].includes(first.at) ? [first, { ...first, retry: 1 }] : [first],
)
for (const { at, retry } of attempts) {
  const worker = starts.indexOf(Math.min(...starts))
  const session = `shop-${at + 1}${retry === 0 ? '' : '-r1'}`
  const test = {
    run: 'nightly',
    title: [
      'shop',
      at % 2 === 0 ? 'cart' : 'catalog',
      `${titles[at % titles.length]} ${Math.floor(at / titles.length) + 1}`,
    ],
    file: 'tests/shop.spec.ts',
    line: 12 + at * 9,
    worker,
    retry,
  }
  const hasFailed = at === 8 || at === 14 || (at === 11 && retry === 0)
  const duration = 600 + Math.round(draw() * 5000)
  now = runStart + starts[worker]
  await ask('PUT', `/__admin/sessions/${session}/test`, test)
  if (hasFailed) await ask('PUT', `/@${session}/__admin/scenarios/active`, { active: ['conflict'] })
  now += Math.round(duration / 3)
  await ask('GET', `/@${session}/acme/resource/${DESK}`)
  now += Math.round(duration / 3)
  await rename(DESK, 2, 'reserved', `/@${session}`)
  now = runStart + starts[worker] + duration
  const error = 'Error: expect(received).toBe(expected)\n\nExpected: 200\nReceived: 409'
  await ask('PUT', `/__admin/sessions/${session}/test`, {
    ...test,
    duration,
    ...(hasFailed ? { status: 'failed', error } : { status: 'passed' }),
  })
  await ask('DELETE', `/__admin/sessions/${session}`)
  starts[worker] += duration + 100
}

now = END - 8000
await ask('PUT', '/__admin/snapshots/before-demo')
const grounds = [
  [236, 231, 220],
  [219, 230, 227],
]
await ask(
  'POST',
  '/acme/resource/images?filename=oak-front.png&sku=oak-side-table',
  toPicture([176, 128, 74], grounds[0]),
)
await ask('POST', '/acme/resource/images?filename=walnut.png&sku=walnut-desk', toPicture([92, 62, 44], grounds[1]))
now += 900
await ask('POST', '/acme/resource', {
  key: 'ash-bench',
  objectTypeProperty: { arrayOfStringExample: ['bench', 'ash'] },
})
now += 700
await ask('GET', '/acme/resouce/key=ash-bench')
now += 800
await ask(
  'PATCH',
  '/acme/resource',
  { key: 'ash-bench', objectTypeProperty: {} },
  { Authorization: 'Bearer view_test:acme' },
)
now += 900
await ask('PUT', '/__admin/scenarios/active', { active: ['conflict-once', 'flaky'] })
await ask('PUT', '/__admin/scenarios/active', { active: ['conflict-once'] })
await rename(DESK, 3, 'reserved')
now += 400
await ask('GET', `/acme/resource/${DESK}`)
await rename(DESK, 4, 'reserved')
now += 600
await ask('GET', '/acme/resource?limit=12&sort=lastModifiedAt%20desc')
now = END

// A port between threads has no origins.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage({ url: server.url, now })
