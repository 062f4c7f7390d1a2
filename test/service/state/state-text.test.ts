import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProjectData, createProjectData, toProjectId } from '../../../src/service/state/project-data.ts'
import { createBase, imageBytes, createResourceList } from '../../../src/service/state/resource.ts'
import type { ProjectChange } from '../../../src/service/state/project-data.ts'
import type { StoredImage } from '../../../src/service/state/resource.ts'
import { parseJson } from '../../../src/service/http/json.ts'
import { parseState, writeState } from '../../../src/service/state/kept-state.ts'
import { sizeOf } from '../../../src/service/state/memory.ts'
import type { KeptState } from '../../../src/service/state/kept-state.ts'
import type { Change } from '../../../src/service/state/change.ts'
import { toImageText } from '../../../src/service/state/records.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { aResource, anImage, arrayTestTypes } from './records.ts'
import { runs } from '../../support/thorough.ts'

const resources = fc
  .uniqueArray(
    fc.record(
      {
        id: fc.uuid(),
        key: fc.stringMatching(/^[A-Za-z0-9_-]{2,20}$/),
        version: fc.integer({ min: 1 }),
        someProperty: fc.string({ unit: 'binary' }),
        objectTypeProperty: arrayTestTypes,
        staged: arrayTestTypes,
      },
      { requiredKeys: ['id', 'version', 'objectTypeProperty'], noNullPrototype: true },
    ),
    { selector: ({ id }) => id, maxLength: 4 },
  )
  .map((records) => records.map(({ id, ...members }) => aResource(id, members)))

const images: fc.Arbitrary<StoredImage> = fc.record(
  {
    id: fc.uuid(),
    projectKey: fc.string(),
    resourceId: fc.uuid(),
    type: fc.constantFrom('image/png', 'image/jpeg', 'image/gif'),
    width: fc.integer({ min: 1 }),
    height: fc.integer({ min: 1 }),
    bytes: fc.uint8Array().map((bytes) => Uint8Array.from(bytes)),
    filename: fc.string({ unit: 'binary' }),
    sku: fc.string(),
    variant: fc.integer(),
    staged: fc.boolean(),
    createdAt: fc.constant('2026-01-01T00:00:00.000Z'),
  },
  {
    requiredKeys: ['id', 'projectKey', 'resourceId', 'type', 'width', 'height', 'bytes', 'createdAt'],
    noNullPrototype: true,
  },
)

const projects: fc.Arbitrary<ProjectData> = fc
  .record({
    resources,
    images: fc.array(images, { maxLength: 2 }),
    posted: fc.array(fc.string({ unit: 'binary' })),
    action: fc.json(),
    recent: fc.array(fc.uuid()),
  })
  .map(({ resources, images, posted, action, recent }) => {
    const base = createBase({ resources: createResourceList(resources), action: '{}' })
    const data = new ProjectData(base)
    const changes: readonly ProjectChange[] = [
      ...images.map((image) => ({ kind: 'image', image }) as const),
      ...posted.map((name) => ({ kind: 'posted', name }) as const),
      { kind: 'action', text: action },
      ...recent.map((id) => ({ kind: 'put', resource: aResource(id) }) as const),
      ...resources.slice(0, 1).map(({ id }) => ({ kind: 'remove', id }) as const),
    ]
    for (const change of changes) data.apply(change, [])
    return data
  })

const projectId = fc
  .record({ baseUrl: fc.constantFrom('', 'eu/gcp'), projectKey: fc.string({ unit: 'binary' }) })
  .map(toProjectId)
const sessionName = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
  fc.constantFrom('__proto__', 'constructor', '0', '17'),
)
const mapOf = <Value>(keys: fc.Arbitrary<string>, values: fc.Arbitrary<Value>) =>
  fc.uniqueArray(fc.tuple(keys, values), { selector: ([key]) => key, maxLength: 3 }).map((entries) => new Map(entries))
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(projectId, projects).map(([project, data]): Change => ({ kind: 'project', project, data })),
  mapOf(projectId, projects).map((data): Change => ({ kind: 'session', data })),
  fc.tuple(projectId, images).map(([project, image]): Change => ({ kind: 'image', project, image })),
  fc.record({ kind: fc.constant('clock' as const), offset: fc.integer(), passed: fc.nat() }),
  fc
    .tuple(projectId, resources)
    .map(([project, [resource = aResource('a')]]): Change => ({ kind: 'put', project, resource })),
)
const states: fc.Arbitrary<KeptState> = fc.record({
  fixtures: fc.option(fc.string(), { nil: undefined }),
  sessions: mapOf(sessionName, fc.array(changes, { maxLength: 3 })),
})

const toText = (state: KeptState): string => [...writeState(state)].join('')

const ACME = toProjectId({ baseUrl: '', projectKey: 'acme' })

/** A project, after it was written and read. */
function readAgain(data: ProjectData): ProjectData {
  const text = toText({ sessions: new Map([['default', [{ kind: 'project', project: ACME, data }]]]) })
  const [change] = parseState(text).sessions.get('default') ?? []
  return (change?.kind === 'project' ? change.data : undefined) ?? expect.fail('there is no project')
}

/** A state with one project. */
const withProject = (data: object): string =>
  JSON.stringify({
    format: 'resource-mock-state/1',
    sessions: { s1: [{ kind: 'project', project: ACME, data: { projectKey: 'acme', ...data } }] },
  })

describe('the state as text', () => {
  it('is read back unchanged', () => {
    fc.assert(
      fc.property(states, (state) => {
        const text = toText(state)
        expect(parseJson(toText(parseState(text)))).toEqual(parseJson(text))
      }),
      { numRuns: runs(60) },
    )
  })

  it('counts the memory of images and of posted ids', () => {
    const empty = createProjectData([], '{}')
    const base = createBase({
      resources: createResourceList([]),
      action: '{}',
      posted: new Set(['one', 'two']),
      images: new Map([
        ['i', anImage('i', 300)],
        ['j', anImage('j', 50)],
      ]),
    })
    const full = new ProjectData(base)
    const expected =
      sizeOf(new Set(['one', 'two'])) - sizeOf(new Set()) + imageBytes(anImage('i', 300)) + imageBytes(anImage('j', 50))
    expect(readAgain(full).bytes - readAgain(empty).bytes).toBe(expected)
  })

  it('names the session and the position of an error', () => {
    const resources = [
      { key: 'aa', objectTypeProperty: {} },
      { key: 'aa', objectTypeProperty: {} },
    ]
    expect(() => parseState(withProject({ resources }))).toThrow(
      'sessions.s1[0].data.resources[1].key: "aa" is already the key of resources[0].',
    )
  })

  it('keeps the action payload exactly, with any depth and precision', () => {
    const deep = `${'['.repeat(100)}0.12345678901234567890${']'.repeat(100)}`
    for (const action of [deep, ' {"a" : 1e400} ', '9223372036854775807']) {
      expect(readAgain(createProjectData([], action)).action).toBe(action)
    }
  })

  it('keeps images that are longer than an argument list may be', () => {
    const image = anImage('i', 300_000)
    const base = createBase({ resources: createResourceList([]), action: '{}', images: new Map([['i', image]]) })
    expect([...readAgain(new ProjectData(base)).images()]).toEqual([image])
  })

  const resource = {
    id: 'a',
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    lastModifiedAt: '2026-01-01T00:00:00.000Z',
    objectTypeProperty: {},
  }

  it.each([
    [
      'a version of 0',
      { resources: [{ ...resource, version: 0 }] },
      /^sessions\.s1\[0\]\.data\.resources\[0\]\.version: /,
    ],
    [
      'missing arrays',
      { resources: [{ ...resource, objectTypeProperty: undefined }] },
      /objectTypeProperty: Missing required value\.$/,
    ],
    [
      'an unknown array',
      { resources: [{ ...resource, objectTypeProperty: { arrayOfInt: [] } }] },
      /arrayOfInt: unknown member\.$/,
    ],
    [
      'a number out of range',
      { resources: [{ ...resource, objectTypeProperty: { arrayOfObjectType: [{ integerExampleInt32: 2 ** 31 }] } }] },
      /integerExampleInt32: integer between/,
    ],
    ['an image that is not base64', { resources: [], images: [{ id: 'i', data: '%' }] }, /images\[0\]/],
  ])('is refused with the position of %s', (_case, members, sentence) => {
    expect(() => parseState(withProject(members))).toThrow(sentence)
  })
})

it('the text of an image is not retained, since no limit would count it', async () => {
  const mebibyte = 1024 * 1024
  const some = Array.from({ length: 32 }, (_none, at) => anImage(`image-${at}`, mebibyte))
  await collectGarbage()
  const before = process.memoryUsage().heapUsed
  let length = 0
  for (const image of some) length += toImageText(image).length
  await collectGarbage()
  expect(length).toBeGreaterThan(40 * mebibyte)
  // Other files of the process may have left work behind.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * mebibyte)
  expect(some).toHaveLength(32)
})
