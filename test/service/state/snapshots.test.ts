import { describe, expect, it } from 'vitest'
import { createProjectData } from '../../../src/service/state/project-data.ts'
import { MAX_SNAPSHOTS, expectSnapshotWithinLimits } from '../../../src/service/state/limits.ts'
import { takeSnapshot, createStateData } from '../../../src/service/state/state-data.ts'
import type { StateData } from '../../../src/service/state/state-data.ts'
import { aResource } from './records.ts'

const data = new Map([['acme', createProjectData([aResource('a'), aResource('b')], '{}')]])
const snapshot = (name: string) => takeSnapshot(name, '2026-01-31T12:00:00.000Z', data)
const { bytes } = snapshot('a')

/** A state whose sessions have snapshots of these names. */
const toState = (snapshots: Readonly<Record<string, readonly string[]>>): StateData => ({
  ...createStateData(),
  snapshots: new Map(
    Object.entries(snapshots).map(([session, names]) => [
      session,
      new Map(names.map((name) => [name, snapshot(name)])),
    ]),
  ),
})

describe('snapshots', () => {
  const limits = { sessionBytes: bytes * 2, totalBytes: bytes * 3 }
  const expectSnapshot = (state: StateData, session: string, name: string) =>
    expectSnapshotWithinLimits(state, session, snapshot(name), limits)

  it('are limited in bytes per session', () => {
    expect(() => expectSnapshot(toState({ s1: ['a', 'b'] }), 's1', 'c')).toThrow(
      /^The snapshots of a session are limited to/,
    )
  })

  it('are limited in bytes across all sessions', () => {
    const state = toState({ s1: ['a', 'b'], s2: ['a'] })
    expect(() => expectSnapshot(state, 's2', 'b')).toThrow(/^The snapshots of all sessions are limited to .* in total/)
  })

  it('may replace one of the same name at the limit', () => {
    expect(() => expectSnapshot(toState({ s1: ['a', 'b'] }), 's1', 'b')).not.toThrow()
  })

  it('are limited in number', () => {
    const names = Array.from({ length: MAX_SNAPSHOTS }, (_, at) => `${at}`)
    expect(() => expectSnapshotWithinLimits(toState({ s1: names }), 's1', snapshot('one-more'))).toThrow(
      /^Snapshot limit of the session \(100\) reached/,
    )
  })

  it('do not count towards that number if they were taken before a reset', () => {
    const names = Array.from({ length: MAX_SNAPSHOTS - 1 }, (_, at) => `${at}`)
    const state = toState({ s1: [...names, 'before-reset'] })
    expect(() => expectSnapshotWithinLimits(state, 's1', snapshot('one-more'))).not.toThrow()
    const full = toState({ s1: [...names, 'one-more'] })
    expect(() => expectSnapshotWithinLimits(full, 's1', snapshot('before-reset'))).not.toThrow()
  })
})
