import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/service/http/json.ts'
import { createProjectData } from '../../../src/service/state/project-data.ts'
import { writeSession } from '../../../src/service/state/records.ts'
import { Project } from '../../../src/service/state/project.ts'
import { createLoggedStore } from '../../../src/service/state/logged-store.ts'
import { createStore } from '../../../src/service/state/store.ts'
import type { Store } from '../../../src/service/state/store.ts'
import { aResource } from './records.ts'
import { createSharedLog } from './shared-log.ts'
import { storeCases } from './store-cases.ts'
import { runs } from '../../support/thorough.ts'

storeCases('a log that others share', async (parts) =>
  createLoggedStore({ ...parts, log: createSharedLog().connect() }),
)

const acme = { baseUrl: '', projectKey: 'acme' }
const fixtures = createProjectData([aResource('a', { key: 'key-a' }), aResource('b')], '{}')

const projectOf = (store: Store) => new Project(store.access('s1', acme))

/** All data of the session. */
const dataOf = (store: Store) => parseJson([...writeSession(store.changedProjects('s1'))].join(''))

/** The operations of a client, chosen by what it found; returns what that was. */
const operations = {
  update(project: Project, id: string): string {
    const before = project.find(id)
    if (before === undefined) return 'missing'
    project.replace(before, aResource(id, { ...before, version: before.version + 1 }))
    return `version ${before.version + 1}`
  },
  createByKey(project: Project, id: string): string {
    const known = project.findByKey(`key-${id}`)
    if (known !== undefined) return 'exists'
    if (project.find(id) !== undefined) return 'exists without the key'
    project.insert(aResource(id, { key: `key-${id}` }))
    return `created as number ${project.size}`
  },
  remove(project: Project, id: string): string {
    const before = project.find(id)
    if (before !== undefined) project.remove(before)
    return before === undefined ? 'missing' : `removed version ${before.version}`
  },
  updateLatest(project: Project): string {
    const latest = project.findLatest()
    if (latest === undefined) return 'empty'
    project.replace(latest, aResource(latest.id, { ...latest, version: latest.version + 1 }))
    return `updated ${latest.id}`
  },
  countAll(project: Project): string {
    project.action = `${[...project.all()].length}`
    return project.action
  },
  advance(_project: Project, _id: string, store: Store): string {
    const { offset, passed } = store.clock('s1')
    store.change('s1', { kind: 'clock', offset: offset + 1, passed: passed + 1 })
    return `advanced to ${offset + 1}`
  },
  writeTime(project: Project, _id: string, store: Store): string {
    project.action = `${store.clock('s1').offset}`
    return project.action
  },
} as const

type Name = keyof typeof operations
// These are all of its keys.
const names = Object.keys(operations) as Name[]

interface Client {
  readonly replica: number
  readonly name: Name
  readonly id: string
}

const clients: fc.Arbitrary<readonly Client[]> = fc.array(
  fc.record({
    replica: fc.nat({ max: 2 }),
    name: fc.constantFrom<Name>(...names),
    id: fc.constantFrom('a', 'b', 'c'),
  }),
  { minLength: 2, maxLength: 12 },
)

describe('stores that share a log', () => {
  it('behave like one store with sequential writes, however their requests are interleaved', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), clients, async (scheduler, all) => {
        const log = createSharedLog(() => scheduler.schedule(Promise.resolve()))
        const stores = [0, 1, 2].map(() => createLoggedStore({ sources: { initial: fixtures }, log: log.connect() }))
        const results = await scheduler.waitFor(
          Promise.all(
            all.map(async ({ replica, name, id }, at) => {
              const store = stores[replica] ?? expect.fail('there is no such replica')
              await store.catchUp('s1')
              return store.write('s1', () => {
                const result = operations[name](projectOf(store), id, store)
                // The write's log position.
                projectOf(store).notePosted(`write ${at}`)
                return result
              })
            }),
          ),
        )
        const order = log.texts().map((text) => Number(/write (\d+)/.exec(text)?.[1]))
        expect(order.toSorted((a, b) => a - b)).toEqual(all.map((_client, at) => at))

        const alone = createStore({ sources: { initial: fixtures } })
        for (const at of order) {
          const { name, id } = all[at] ?? expect.fail('there is no such client')
          expect(operations[name](projectOf(alone), id, alone)).toBe(results[at])
          projectOf(alone).notePosted(`write ${at}`)
        }
        for (const store of stores) {
          await scheduler.waitFor(store.catchUp('s1') ?? Promise.resolve())
          expect(dataOf(store)).toEqual(dataOf(alone))
          expect(store.clock('s1')).toEqual(alone.clock('s1'))
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('see the writes of the others once they catch up', async () => {
    const log = createSharedLog()
    const [one, other] = [
      createLoggedStore({ sources: { initial: fixtures }, log: log.connect() }),
      createLoggedStore({ sources: { initial: fixtures }, log: log.connect() }),
    ]
    await one.write('s1', () => projectOf(one).insert(aResource('c')))
    expect(projectOf(other).find('c')).toBeUndefined()
    await other.catchUp('s1')
    expect(projectOf(other).find('c')).toEqual(projectOf(one).find('c'))
  })
})
