import { describe, expect, it } from 'vitest'
import { createProjectData } from '../../src/state/project-data.ts'
import { createSnapshotOpener } from '../../src/state/snapshots.ts'
import { aResource } from './records.ts'

const TAKEN_AT = '2026-01-31T12:00:00.000Z'
const data = new Map([['acme', createProjectData([aResource('a'), aResource('b')], '{}')]])

describe('snapshots', () => {
  const size = createSnapshotOpener()().take('one', data, TAKEN_AT).bytes
  const open = createSnapshotOpener({ sessionBytes: size * 2, totalBytes: size * 3 })

  it('are bounded in bytes, of a session and of all', () => {
    const [one, other] = [open(), open()]
    one.take('a', data, TAKEN_AT)
    one.take('b', data, TAKEN_AT)
    expect(() => one.take('c', data, TAKEN_AT)).toThrow(/^The snapshots of the session may use/)
    one.take('b', data, TAKEN_AT)
    other.take('a', data, TAKEN_AT)
    expect(() => other.take('b', data, TAKEN_AT)).toThrow(/^Snapshots may use .* over all sessions/)
    expect([one, other].map((each) => each.all().length)).toEqual([2, 1])
    one.remove('a')
    other.take('b', data, TAKEN_AT)
    one.clear()
    other.clear()
    expect(open().take('a', data, TAKEN_AT).bytes).toBe(size)
  })
})
