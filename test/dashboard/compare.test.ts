import { describe, expect, it, vi } from 'vitest'
import { MOST_CHANGES, compareStates } from '../../src/dashboard/compare.ts'
import type { ResourceChange } from '../../src/dashboard/compare.ts'
import { createProjectData, toProjectId } from '../../src/state/project-data.ts'
import type { ProjectData } from '../../src/state/project-data.ts'
import { createSample } from '../query/samples.ts'

const SEED = createProjectData([], '{}')
const ID = toProjectId({ baseUrl: '', projectKey: 'acme' })

const toState = (data: ProjectData) => new Map([[ID, data]])

/** Resources that each hold a list of a length, all of one number. */
const createResources = (count: number, length: number, value: number): ProjectData =>
  createProjectData(
    Array.from({ length: count }, (_, at) =>
      createSample(`r${at}`, { arrayOfIntExample: Array.from({ length }, () => value) }),
    ),
    '{}',
  )

const compare = async (before: ProjectData, after: ProjectData) =>
  (await compareStates(toState(before), toState(after), SEED))[0]

const linesOf = (change: ResourceChange | undefined) => change?.lines?.map(({ kind, line }) => `${kind} ${line}`)

describe('a comparison', () => {
  it('lists the lines of a resource that changed', async () => {
    const found = await compare(createResources(1, 1, 1), createResources(1, 1, 2))
    expect(found?.more).toBe(0)
    expect(linesOf(found?.changes[0])).toEqual([
      expect.stringMatching(/^removed .*"arrayOfIntExample": \[1\]/),
      expect.stringMatching(/^added .*"arrayOfIntExample": \[2\]/),
    ])
  })

  it('is empty if resources are equal but not identical', async () => {
    expect(await compare(createResources(3, 2, 1), createResources(3, 2, 1))).toBeUndefined()
  })

  it('lists a limited number of resources and counts the rest', async () => {
    const found = await compare(createResources(MOST_CHANGES + 7, 1, 1), createResources(MOST_CHANGES + 7, 1, 2))
    expect(found?.changes).toHaveLength(MOST_CHANGES)
    expect(found?.more).toBe(7)
  })

  it('does not compare a very long resource line by line', async () => {
    const found = await compare(createResources(1, 150_000, 1), createResources(1, 150_000, 2))
    expect(found?.changes[0]).toMatchObject({ kind: 'changed', lines: undefined })
  })

  it('limits the compared lines over all resources', async () => {
    const found = await compare(createResources(50, 100, 1), createResources(50, 100, 2))
    const all = found?.changes.map(({ lines }) => lines?.length)
    expect(all).toHaveLength(50)
    expect(all?.[0]).toBe(200)
    expect(all?.at(-1)).toBeUndefined()
    expect(all?.reduce<number>((sum, count = 0) => sum + count, 0)).toBeLessThanOrEqual(600)
  })

  it('lets other requests have their turn while it compares many resources', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await compare(createResources(1000, 1, 1), createResources(1000, 1, 2))
    expect(timers.mock.calls.length).toBeGreaterThanOrEqual(50)
    timers.mockRestore()
  })
})
