import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMock } from '../../../src/index.ts'
import type { Mock } from '../../../src/index.ts'
import { stringifyJson } from '../../../src/service/http/json.ts'
import { createFakePersistence } from '../../service/state/fake-persistence.ts'
import type { FakePersistence } from '../../service/state/fake-persistence.ts'
import { arrayTestTypes } from '../../service/state/records.ts'
import { runs } from '../../support/thorough.ts'

/** A method, a path of the session, and a body. */
type Sending = readonly [method: string, path: string, body?: unknown]

const NOON = '2026-01-31T12:00:00.000Z'
const SESSIONS = ['s1', '__proto__', '..a']
const GIF = Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='), (one) => one.charCodeAt(0))

const text = fc.string({ unit: 'binary', maxLength: 8 })
const projectKeys = fc.constantFrom('acme', '__proto__')
const names = fc.constantFrom('one', '__proto__', '0')
const ids = fc.constantFrom('a', '__proto__', '7')
const keys = fc.constantFrom('aa', '__proto__', '00')
const versions = fc.constantFrom(1, 2, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER)
const times = fc.constantFrom(
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+14:00',
  '0001-01-01T00:00:00.1Z',
  '1969-12-31T23:59:59.9999999Z',
  '2024-02-29T23:59:59-00:00',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999-14:00',
)
const inAProject = (search: string) => projectKeys.map((key) => `/${key}/resource${search}`)

const drafts = fc.record(
  { key: keys, version: versions, objectTypeProperty: arrayTestTypes },
  { requiredKeys: ['objectTypeProperty'], noNullPrototype: true },
)
const records = fc.record(
  {
    id: ids,
    key: keys,
    version: versions,
    createdAt: times,
    lastModifiedAt: times,
    someProperty: text,
    objectTypeProperty: arrayTestTypes,
    staged: fc.record({ objectTypeProperty: arrayTestTypes }, { noNullPrototype: true }),
  },
  { requiredKeys: ['objectTypeProperty'], noNullPrototype: true },
)
const projects = fc.record(
  {
    baseUrl: fc.constantFrom('', 'EU/gcp', 'eu/gcp', '__proto__'),
    projectKey: projectKeys,
    resources: fc.uniqueArray(records, { maxLength: 3, selector: ({ id }) => id }),
    recent: fc.array(ids, { maxLength: 4 }),
    action: fc.json(),
    posted: fc.array(text, { maxLength: 3 }),
  },
  { requiredKeys: ['projectKey', 'resources'], noNullPrototype: true },
)
const actions = fc.array(
  fc.oneof(
    fc.constant({ action: 'doSomeThing' }),
    text.map((someProperty) => ({ action: 'changeSomeProperty', someProperty })),
  ),
  { maxLength: 2 },
)
const scenarios = fc.record({
  description: fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  rules: fc.array(
    fc.constantFrom(
      { match: { operation: 'updateResource' }, effect: { advanceVersion: Number.MAX_SAFE_INTEGER } },
      { match: { operation: 'updateResource' }, effect: { advanceVersion: 2 } },
      { match: { headers: { 'x-tea': '__proto__' } }, effect: { answer: { status: 418, body: { __proto__: null } } } },
    ),
    { minLength: 1, maxLength: 2 },
  ),
})

const requests: fc.Arbitrary<Sending> = fc.oneof(
  fc.tuple(fc.constantFrom('POST', 'PUT', 'PATCH'), inAProject(''), drafts),
  fc.tuple(fc.constant('POST'), inAProject(''), drafts),
  fc
    .tuple(inAProject(''), ids, versions, actions)
    .map(([path, id, version, list]): Sending => ['POST', `${path}/${id}`, { version, actions: list }]),
  fc.tuple(
    fc.constant('DELETE'),
    fc.tuple(inAProject(''), ids).map((parts) => parts.join('/')),
  ),
  fc
    .tuple(inAProject('/images'), fc.string({ maxLength: 8 }), keys, fc.constantFrom('', '&variant=1', '&staged=true'))
    .map(([path, name, sku, more]): Sending => [
      'POST',
      `${path}?filename=${encodeURIComponent(name)}&sku=${sku}${more}`,
      GIF,
    ]),
  inAProject('/images').map((path): Sending => ['POST', path, GIF]),
  fc.tuple(fc.constant('POST'), inAProject('/namespace-action'), fc.jsonValue()),
  fc
    .tuple(projectKeys, fc.constantFrom('x', '__proto__', 'ü'), text)
    .map(([key, one, id]): Sending => [
      'POST',
      `/${key}/resource/artificially-complex/path/uri-parameter-one=${encodeURIComponent(one)}/y`,
      { id },
    ]),
)

const commands: fc.Arbitrary<Sending> = fc.oneof(
  fc.tuple(projectKeys, ids, records).map(([key, id, record]): Sending => {
    const { id: _id, ...rest } = record
    return ['PUT', `/__admin/state/${key}/resources/${id}`, rest]
  }),
  fc.tuple(projectKeys, ids).map((parts): Sending => ['DELETE', `/__admin/state/${parts.join('/resources/')}`]),
  fc.array(projects, { maxLength: 2 }).map((list): Sending => ['PUT', '/__admin/state', { projects: list }]),
  projects.map(({ projectKey, baseUrl: _baseUrl, ...one }): Sending => ['PUT', `/__admin/state/${projectKey}`, one]),
  projectKeys.map((key): Sending => ['DELETE', `/__admin/state/${key}`]),
  times.map((now): Sending => ['PUT', '/__admin/clock', { now }]),
  fc.constantFrom('1ms', '2h', '3652058d').map((advance): Sending => ['PUT', '/__admin/clock', { advance }]),
  names.map((name): Sending => ['PUT', `/__admin/snapshots/${name}`]),
  names.map((name): Sending => ['DELETE', `/__admin/snapshots/${name}`]),
  names.map((name): Sending => ['POST', `/__admin/snapshots/${name}/restore`]),
  fc.tuple(names, scenarios).map(([name, one]): Sending => ['PUT', `/__admin/scenarios/${name}`, one]),
  names.map((name): Sending => ['DELETE', `/__admin/scenarios/${name}`]),
  fc
    .array(fc.oneof(names, fc.constant('conflict')), { maxLength: 2 })
    .map((active): Sending => ['PUT', '/__admin/scenarios/active', { active }]),
  fc.constantFrom<Sending>(
    ['DELETE', '/__admin/scenarios/active'],
    ['DELETE', '/__admin/clock'],
    ['POST', '/__admin/reset'],
    ['DELETE', '/__admin/sessions/__proto__'],
    ['DELETE', '/__admin/sessions/..a?final=true'],
  ),
)

async function open(file: FakePersistence): Promise<Mock> {
  return createMock({ auth: 'off', persistence: file, clock: NOON })
}

function toRequest(session: string, [method, path, body]: Sending): Request {
  const isImage = body instanceof Uint8Array
  const sent = body === undefined ? {} : { body: isImage ? (body as BodyInit) : stringifyJson(body) }
  const headers = { 'Content-Type': isImage ? 'image/gif' : 'application/json' }
  return new Request(`http://mock/@${session}${path}`, { method, headers, ...sent })
}

/** Scenarios without counters, which only a shutdown stores, and without the built-in ones. */
const toDefined = (text: string): string =>
  stringifyJson(
    (
      JSON.parse(text) as { scenarios: { source: string; description: string; rules: { effect: object }[] }[] }
    ).scenarios
      .filter(({ source }) => source !== 'built-in')
      .map(({ description, rules }) => [description, rules.map(({ effect }) => effect)]),
  )

/** Everything in the sessions that a restart keeps, as the admin API shows it. */
async function readAll(mock: Mock): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const session of SESSIONS) {
    // A mock remembers permanently deleted sessions while it runs. The next one starts them again.
    const isDeleted = (await mock.fetch(`http://mock/@${session}/__admin/clock`)).status === 400
    const read = async (path: string): Promise<string> =>
      (await mock.fetch(`http://mock/@${isDeleted ? 'unused' : session}/__admin/${path}`)).text()
    for (const path of ['state', 'clock', 'snapshots', 'scenarios/active']) {
      found[`${session} ${path}`] = await read(path)
    }
    found[`${session} scenarios`] = toDefined(await read('scenarios'))
    const { snapshots } = JSON.parse(await read('snapshots')) as { snapshots: { name: string }[] }
    for (const { name } of snapshots) found[`${session} snapshot ${name}`] = await read(`snapshots/${name}`)
  }
  return found
}

it('reads again whatever it has acknowledged, after a crash and after a shutdown', async () => {
  const sent = fc.tuple(fc.constantFrom(...SESSIONS), fc.oneof(requests, commands))
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 40, size: 'max' }), async (list) => {
      const file = createFakePersistence()
      const mock = await open(file)
      for (const [session, sending] of list) {
        const { status } = await mock.fetch(toRequest(session, sending))
        expect(status, sending.slice(0, 2).join(' ')).toBeLessThan(500)
      }
      const written = await readAll(mock)
      const afterCrash = await open(createFakePersistence({ text: file.kept() ?? '' }))
      expect(await readAll(afterCrash)).toEqual(written)
      await mock.close()
      expect(await readAll(await open(file))).toEqual(written)
    }),
    { numRuns: runs(20) },
  )
})
