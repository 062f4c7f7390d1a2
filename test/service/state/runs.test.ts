import { describe, expect, it } from 'vitest'
import { toRunJson } from '../../../src/admin/api/runs.ts'
import { createRuns } from '../../../src/sessions/runs.ts'
import { createMemory } from '../../../src/service/state/memory.ts'
import { archivedBytes } from '../../../src/sessions/archived-session.ts'
import type { ArchivedSession } from '../../../src/sessions/archived-session.ts'
import type { KeptExchange } from '../../../src/sessions/journal/kept-exchange.ts'
import { NO_SELECTION, NOT_MOVED } from '../../../src/service/state/state-data.ts'
import type { RunChange, Runs } from '../../../src/sessions/runs.ts'

const SEEN = { requests: 1, failures: 0, scenarios: [], responses: [] }

const toInfo = (title: string) => ({ run: 'r1', title: [title], file: 'a.spec.ts', line: 1 })

/** What is archived of a session, of this many bytes. */
function anArchived(bytes: number): ArchivedSession {
  const empty: ArchivedSession = {
    exchanges: [],
    dropped: 0,
    versions: new Map(),
    coverage: new Map(),
    selection: NO_SELECTION,
    counters: [],
    clock: NOT_MOVED,
  }
  // All that counts of an exchange.
  const exchange = { bytes: bytes - archivedBytes(empty) } as unknown as KeptExchange
  return { ...empty, exchanges: [exchange] }
}

/** Runs of at most three tests, with the ids of evicted tests and the changes for other mocks. */
function create({ limit = Infinity } = {}) {
  const evicted: string[] = []
  const changes: RunChange[] = []
  const memory = createMemory(limit)
  const runs = createRuns({
    events: { publish: () => undefined, hasSubscribers: () => false },
    now: () => 0,
    memory,
    shared: { share: (change) => changes.push(change), remove: (id) => evicted.push(id) },
    mostTests: 3,
  })
  memory.freeInOrder({ all: [runs.evictOldest, runs.forgetOldest], one: [] })
  return { runs, evicted, changes }
}

const shown = (runs: Runs) => {
  const run = runs.findRun('r1') ?? expect.fail('no run')
  return [toRunJson(run), ...run.attempts()]
}

const titlesOf = ({ runs }: ReturnType<typeof create>) =>
  [...(runs.findRun('r1')?.attempts() ?? [])].map(({ title }) => title[0])

describe('runs', () => {
  it('forget the oldest tests beyond a number', () => {
    const created = create()
    const ids = ['a', 'b', 'c', 'd', 'e'].map((name) => created.runs.report(name, toInfo(name), undefined).id)
    expect(titlesOf(created)).toEqual(['c', 'd', 'e'])
    expect(created.evicted).toEqual(ids.slice(0, 2))
    expect(created.runs.ofSession('a')).toBeUndefined()
  })

  it('forget the oldest tests whose session has ended if memory is full', () => {
    const created = create({ limit: 9000 })
    for (const name of ['a', 'b', 'c']) {
      const { id } = created.runs.report(name, toInfo(name.repeat(1000)), undefined)
      if (name !== 'b') created.runs.end(id, SEEN, anArchived(0))
    }
    expect(titlesOf(created)).toEqual(['b'.repeat(1000), 'c'.repeat(1000)])
  })

  it('do not archive a session that exceeds the memory', () => {
    const { runs, evicted } = create({ limit: 10_000 })
    const { id } = runs.report('a', toInfo('a'), undefined)
    runs.end(id, SEEN, anArchived(10_001))
    expect(runs.find(id)?.ended).toMatchObject({ ...SEEN, bytes: undefined })
    expect(evicted).toEqual([id])
  })

  it('record the outcome of a test whose session has ended before', () => {
    const { runs } = create()
    const { id } = runs.report('a', toInfo('a'), undefined)
    runs.end(id, SEEN, anArchived(10))
    expect(runs.report('a', toInfo('a'), { status: 'passed', duration: 1 }).id).toBe(id)
    expect([...(runs.findRun('r1')?.attempts() ?? [])]).toMatchObject([{ outcome: { status: 'passed' }, ended: SEEN }])
    expect(runs.report('a', toInfo('a'), undefined).id).not.toBe(id)
  })

  it('count their tests as they come, and not those that are forgotten', () => {
    const { runs } = create()
    const countsOf = () => toRunJson(runs.findRun('r1') ?? expect.fail('no run')).counts
    for (const name of ['a', 'b', 'c']) runs.report(name, toInfo(name), undefined)
    expect(countsOf()).toMatchObject({ tests: 3, passed: 0, running: 3 })
    for (const name of ['a', 'b']) runs.report(name, toInfo(name), { status: 'passed', duration: 1 })
    expect(countsOf()).toMatchObject({ tests: 3, passed: 2, running: 1 })
    runs.report('d', toInfo('d'), undefined)
    expect(countsOf()).toMatchObject({ tests: 3, passed: 1, running: 2 })
    runs.remove('r1')
    expect(runs.all()).toEqual([])
  })

  it('are listed without going over their tests', () => {
    const { runs } = create()
    runs.report('a', toInfo('a'), undefined)
    const run = runs.findRun('r1') ?? expect.fail('no run')
    const attempts = (): never => expect.fail('the tests were read')
    expect(toRunJson({ ...run, attempts }).counts.tests).toBe(1)
  })

  it('record the end of a session once', () => {
    const { runs, changes } = create()
    const { id } = runs.report('a', toInfo('a'), undefined)
    for (const _again of [1, 2]) runs.end(id, SEEN, anArchived(10))
    expect(changes).toHaveLength(2)
  })

  it('are the same at mocks that apply the changes of each other', () => {
    const [one, two] = [create({ limit: 13_000 }), create()]
    const [a, b] = ['a', 'b'].map((name) => one.runs.report(name, toInfo(name), undefined).id)
    one.runs.report('a', toInfo('a'), { status: 'failed', duration: 1 })
    for (const id of [a, b]) one.runs.end(id ?? '', SEEN, anArchived(6000))
    for (const change of one.changes) two.runs.apply(change)
    for (const { runs, evicted } of [one, two]) {
      expect(shown(runs)).toEqual(shown(one.runs))
      // Both sessions ended without room for both; the first has failed, the second has no outcome.
      expect(evicted).toEqual([a])
      expect(runs.find('b')?.id).toBe(b)
    }
    expect(two.changes).toEqual([])
  })
})
