import * as fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { base, caller, draft, startThree, update } from './replicas.ts'
import type { Call, Reply } from './replicas.ts'

/** A method, a path and a body. */
type Sending = readonly [method: string, path: string, body?: unknown]

const KEPT = 'df3775a4-90ef-4965-b751-d48698f3949f'
const record = `/__admin/state/acme/resources/${KEPT}`
const teapot = { description: 'Tea', rules: [{ when: { every: 2 }, effect: { answer: { status: 418 } } }] }

const keys = fc.constantFrom('walnut-desk', 'a', 'b')
const versions = fc.integer({ min: 1, max: 5 })
const scenarios = fc.constantFrom('conflict-once', 'unavailable-twice', 'unauthorized', 'teapot')
const snapshots = fc.constantFrom('one', 'two')

const writes: fc.Arbitrary<Sending> = fc.oneof(
  keys.map((key): Sending => ['POST', base, draft(key)]),
  fc.tuple(keys, versions).map(([key, version]): Sending => ['PUT', base, { ...draft(key), version }]),
  versions.map((version): Sending => ['POST', `${base}/${KEPT}`, update(version)]),
  versions.map((version): Sending => ['DELETE', `${base}/${KEPT}?version=${version}`]),
  versions.map((version): Sending => ['PUT', record, { version, key: 'kept', objectTypeProperty: {} }]),
)

const reads: fc.Arbitrary<Sending> = fc.oneof(
  keys.map((key): Sending => ['GET', `${base}/key=${key}`]),
  fc.constantFrom<Sending>(
    ['GET', `${base}/${KEPT}`],
    ['GET', `${base}?sort=key+asc&limit=5`],
    ['GET', `${base}?where=version+%3E+1`],
    ['GET', '/acme/nothing'],
  ),
)

const changes: fc.Arbitrary<Sending> = fc.oneof(
  scenarios.map((name): Sending => ['PUT', '/__admin/scenarios/active', { active: [name] }]),
  scenarios.map((name): Sending => ['PUT', `/__admin/scenarios/active/${name}`]),
  scenarios.map((name): Sending => ['DELETE', `/__admin/scenarios/active/${name}`]),
  snapshots.map((name): Sending => ['PUT', `/__admin/snapshots/${name}`]),
  snapshots.map((name): Sending => ['POST', `/__admin/snapshots/${name}/restore`]),
  snapshots.map((name): Sending => ['DELETE', `/__admin/snapshots/${name}`]),
  fc.constantFrom<Sending>(
    ['PUT', '/__admin/scenarios/teapot', teapot],
    ['DELETE', '/__admin/scenarios/teapot'],
    ['DELETE', '/__admin/scenarios/active'],
    ['POST', '/__admin/scenarios/reset'],
    ['POST', '/__admin/requests/remove', { method: 'PUT' }],
    ['DELETE', '/__admin/requests'],
    ['PUT', '/__admin/clock', { advance: '5s' }],
    ['DELETE', '/__admin/coverage'],
    ['DELETE', '/__admin/state/acme'],
    ['POST', '/__admin/reset'],
    ['DELETE', '/__admin/sessions/default'],
  ),
)

const questions = fc.constantFrom<Sending>(
  ['GET', '/__admin/scenarios'],
  ['GET', '/__admin/snapshots'],
  ['GET', '/__admin/state'],
  ['GET', `/__admin/resources/${KEPT}/versions?projectKey=acme`],
  ['GET', '/__admin/requests'],
  ['GET', '/__admin/requests/unmatched/near-misses'],
  ['POST', '/__admin/requests/count', { method: 'GET' }],
  ['GET', '/__admin/requests.har'],
  ['GET', '/__admin/pact?consumer=app&provider=service'],
  ['GET', '/__admin/coverage'],
  ['GET', '/__admin/clock'],
)

const sendings = fc.oneof(
  { weight: 4, arbitrary: writes },
  { weight: 4, arbitrary: reads },
  { weight: 3, arbitrary: changes },
  { weight: 3, arbitrary: questions },
)

/** The content of a response, without what differs between mocks: ids, which are numbered, addresses, durations. */
function toComparable({ status, text }: Reply, numbers: Map<string, number>): string {
  const said = text
    .replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-)+[\da-z]{6,12}/g, (id) => {
      if (id === KEPT) return id
      if (!numbers.has(id)) numbers.set(id, numbers.size)
      return `#${numbers.get(id)}`
    })
    .replaceAll(/"bodyAsBase64":"[^"]*"/g, '')
    .replaceAll(/127\.0\.0\.1:\d+|"port":\d+/g, '')
    .replaceAll(/"(?:\w+Time|time|wait|send|receive|durationMilliseconds)":[\d.e-]+/g, '')
  return `${status} ${said}`
}

it('mocks that share a store respond like one mock, whichever gets the request', async () => {
  const clock = '2026-01-31T12:00:00.000Z'
  const single = await startServer({ port: 0, clock })
  onTestFinished(single.close)
  const shared = await startThree({ clock })
  let sessions = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: 2 }), sendings), { minLength: 20, maxLength: 60 }),
      async (sent) => {
        sessions += 1
        const [numbersOfOne, numbers] = [new Map<string, number>(), new Map<string, number>()]
        for (const [at, [method, path, body]] of sent) {
          const ask = (call: Call) => call(method, `/@run-${sessions}${path}`, body)
          const expected = await ask(caller(single.url))
          const answer = await ask(shared[at]?.call ?? shared[0].call)
          expect([method, path, toComparable(answer, numbers)]).toEqual([
            method,
            path,
            toComparable(expected, numbersOfOne),
          ])
        }
      },
    ),
    { numRuns: 25 },
  )
})
