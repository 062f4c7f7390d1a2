import { describe, expect, it } from 'vitest'
import { createJournals } from '../../../src/sessions/journal/journal.ts'
import { createRedactor } from '../../../src/sessions/journal/redact.ts'
import { createMemory } from '../../../src/service/state/memory.ts'
import { createSessions } from '../../../src/sessions/sessions.ts'

/** Sessions over a clock that the test controls, with the names of ended sessions. */
function createAt({ max = 3, ttl = 1000, hasWritten = (name: string) => name !== '' } = {}) {
  let now = 0
  const ended: string[] = []
  // A session's parts are created lazily, and these tests never need them.
  const unasked = () => expect.fail('a session made a part that nobody asked for')
  // The end of a session frees its journal.
  const journals = createJournals({
    capacity: 0,
    memory: createMemory(Infinity),
    newId: unasked,
    redactor: createRedactor([]),
  })
  const sessions = createSessions({
    store: {
      has: hasWritten,
      sessions: () => [],
      snapshots: () => new Map<string, never>(),
      scenarioSelection: unasked,
      clock: unasked,
      change: () => undefined,
    },
    clock: unasked,
    elapsed: unasked,
    now: () => now,
    createRuleRunner: unasked,
    createJournal: journals.open,
    createCoverage: unasked,
    findTest: unasked,
    archive: {
      capture: () => undefined,
      find: () => undefined,
      findName: () => undefined,
    },
    max,
    ttl,
    events: { publish: ({ session }) => void ended.push(session), end: () => undefined },
  })
  const turnTo = (time: number) => {
    now = time
  }
  return { sessions, ended, turnTo }
}

describe('sessions', () => {
  it('are created on first use, and reused after that', () => {
    const { sessions } = createAt()
    expect(sessions.enter('a')).toBe(sessions.enter('a'))
    expect(Array.from(sessions.all(), ({ name }) => name)).toEqual(['a'])
  })

  it.each(['', 'a b', 'a/b', 'ä', 'x'.repeat(65), 'a\u0000'])('cannot be named %j', (name) => {
    const { sessions } = createAt()
    expect(() => sessions.enter(name)).toThrow(/^Invalid session name .*Use 1 to 64 of/)
  })

  it.each(['a', 'A.b_c-9', 'x'.repeat(64), '__proto__'])('may be named %j', (name) => {
    expect(createAt().sessions.enter(name).name).toBe(name)
  })

  it('make room by ending the one idle longest, once it was idle for long enough', () => {
    const { sessions, ended, turnTo } = createAt()
    sessions.enter('a')
    turnTo(1)
    sessions.enter('b')
    turnTo(2)
    sessions.enter('c')
    sessions.enter('a')
    turnTo(1001)
    sessions.enter('d')
    expect(ended).toEqual(['b'])
  })

  it('make room immediately by ending a session that never wrote, the one idle longest first', () => {
    const { sessions, ended, turnTo } = createAt({ hasWritten: (name: string) => name === 'a' })
    for (const [at, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      turnTo(at)
      sessions.enter(name)
    }
    expect(ended).toEqual(['b', 'c'])
  })

  it('refuse a new one while all are busy, and suggest a remedy', () => {
    const { sessions, ended, turnTo } = createAt()
    for (const name of ['a', 'b', 'c']) sessions.enter(name)
    turnTo(999)
    expect(() => sessions.enter('d')).toThrow(
      /^Session limit \(3\) reached: session "d" cannot start, because all others were used in the last 1 s\..*--max-sessions.*--session-ttl\.$/,
    )
    expect(sessions.enter('a').lastUsedAt).toBe(999)
    expect(ended).toEqual([])
  })

  it('always have room for the default one, which never ends', () => {
    const { sessions, ended, turnTo } = createAt({ max: 1 })
    sessions.enter('a')
    sessions.enter('default')
    turnTo(5000)
    sessions.enter('b')
    turnTo(10_000)
    sessions.enter('c')
    expect(ended).not.toContain('default')
  })

  it('end on request', () => {
    const { sessions, ended } = createAt()
    sessions.enter('a')
    expect([sessions.end('a'), sessions.end('a'), ended]).toEqual([true, false, ['a']])
  })
})
