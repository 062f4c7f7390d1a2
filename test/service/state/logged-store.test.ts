import { expect, it, vi } from 'vitest'
import type { ChangeLog, KeptCommit, Change } from '../../../src/service/state/change.ts'
import { createProjectData, toProjectId } from '../../../src/service/state/project-data.ts'
import { Project } from '../../../src/service/state/project.ts'
import { createLoggedStore } from '../../../src/service/state/logged-store.ts'
import { timeSlices } from '../../../src/util/time-slices.ts'
import { StateFault } from '../../../src/service/state/records.ts'
import { aResource, anImage } from './records.ts'

const acme = { baseUrl: '', projectKey: 'acme' }
const acmeId = toProjectId(acme)
const MANY = 10_000

const put = (id: string): Change => ({ kind: 'put', project: acmeId, resource: aResource(id) })
const toPuts = (name: string, count: number) => Array.from({ length: count }, (_, at) => put(`${name}-${at}`))

/** A store over a log whose responses a test provides. */
function openStore(own: Partial<ChangeLog> = {}) {
  const answers: KeptCommit[][] = []
  const log: ChangeLog = {
    since: () => Promise.resolve(answers.shift() ?? []),
    append: () => expect.fail('no test of these writes'),
    close: () => Promise.resolve(),
    fault: () => undefined,
    ...own,
  }
  const onWrite = vi.fn<() => void>()
  const store = createLoggedStore({ sources: { initial: createProjectData([aResource('a')], '{}') }, log, onWrite })
  const project = new Project(store.access('s1', acme))
  return { store, project, onWrite, answer: (...commits: KeptCommit[]) => void answers.push(commits) }
}

/** The values that others see in their turns, until a promise settles. */
async function watch<Value>(read: () => Value, until: Promise<void> | undefined): Promise<Value[]> {
  const over = new AbortController()
  const ended = until?.finally(() => over.abort())
  const seen: Value[] = []
  while (!over.signal.aborted) {
    seen.push(read())
    // oxlint-disable-next-line no-await-in-loop -- one turn after the other
    await timeSlices.pause()
  }
  await ended
  return seen
}

const whole = (position: number, changes: readonly Change[]): KeptCommit => ({
  position,
  changes,
  isWhole: true,
  isForeign: true,
})

it('yields while a mock reads a large session, and shows it only as a whole', async () => {
  const { store, project, onWrite, answer } = openStore()
  answer(whole(7, toPuts('new', MANY)))
  const seen = await watch(() => project.size, store.catchUp('s1'))
  expect(seen.length).toBeGreaterThan(5)
  expect(seen.filter((size) => size !== 1 && size !== MANY + 1)).toEqual([])
  expect(project.size).toBe(MANY + 1)
  expect(store.position('s1').position).toBe(7)
  expect([...store.sessions()]).toEqual(['s1'])
  expect(onWrite).toHaveBeenCalledTimes(MANY)
  expect(store.history.versions('s1', acmeId, 'new-1')).toMatchObject([{ kind: 'put' }])

  // The session is replaced.
  answer(whole(9, [put('other')]))
  await store.catchUp('s1')
  expect(Array.from(project.all(), ({ id }) => id)).toEqual(['a', 'other'])
})

it('yields while a mock applies many missed commits, each as a whole', async () => {
  const { store, project, answer } = openStore()
  const pairs = Array.from({ length: MANY / 2 }, (_, at) => [put(`one-${at}`), put(`other-${at}`)])
  answer(...pairs.map((changes, at): KeptCommit => ({ position: at + 1, changes, isForeign: true })))
  const seen = await watch(() => project.size, store.catchUp('s1'))
  expect(new Set(seen).size).toBeGreaterThan(5)
  expect(seen.filter((size) => size % 2 === 0)).toEqual([])
  expect(project.size).toBe(MANY + 1)
})

it('applies a commit that arrives during a read after that read', async () => {
  const { store, project, answer } = openStore()
  answer(whole(7, toPuts('new', MANY)))
  answer({ position: 8, changes: [{ kind: 'remove', project: acmeId, id: 'new-0' }], isForeign: true })
  await Promise.all([store.catchUp('s1'), store.catchUp('s1')])
  expect(project.find('new-0')).toBeUndefined()
  expect(project.size).toBe(MANY)
  expect(store.position('s1').position).toBe(8)
})

it.each<[string, Change]>([
  ['a version beyond 2^53', { kind: 'put', project: acmeId, resource: aResource('b', { version: 2 ** 53 }) }],
  [
    'a year beyond 9999',
    { kind: 'put', project: acmeId, resource: aResource('b', { createdAt: '+010000-01-01T00:00:00.000Z' }) },
  ],
  ['an image of no width', { kind: 'image', project: acmeId, image: { ...anImage('i', 1), width: 0 } }],
  ['a clock beyond the range of dates', { kind: 'clock', offset: 9e15, passed: 0 }],
])('neither stores nor shows what no start could read again: %s', async (_what, change) => {
  const { store, project } = openStore()
  await expect(store.write('s1', () => store.change('s1', change))).rejects.toThrow(StateFault)
  expect(() => store.change('s1', change)).toThrow(StateFault)
  expect([project.size, [...project.images()], store.clock('s1').offset]).toEqual([1, [], 0])
})

it('compacts a session only once at a time, and again after that', async () => {
  let isLong = true
  const running: (() => void)[] = []
  const { store, project } = openStore({
    append: () => Promise.resolve({ isKept: true, commits: [], isLong }),
    compact: () => new Promise<void>((resolve) => running.push(resolve)),
  })
  const insert = (id: string) => store.write('s1', () => project.insert(aResource(id)))
  for (const id of ['b', 'c', 'd']) await insert(id)
  expect(running).toHaveLength(1)
  running[0]?.()
  isLong = false
  await insert('e')
  isLong = true
  await insert('f')
  expect(running).toHaveLength(2)
})
