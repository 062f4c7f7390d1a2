import type { JournalEntry } from '../journal/entry.ts'
import { perMillisecondOf, toLimited } from '../scenarios/rule-runner.ts'
import type { JournalNews, RecordedEntry, SharedSession } from '../sessions/shared-store.ts'
import { BoundedMap } from '../util/memoize.ts'
import type { Engine } from './engine.ts'
import type { Keys } from './connection.ts'
import { openRedisCoverage } from './redis-coverage.ts'
import type { LookReply } from './scripts.ts'

/** In the place of a scenario's name: all that have no start of their own. */
const ALL = ''

/** A page of a journal has about so many bytes of entries: a larger one holds up all that use the connection. */
const PAGE_BYTES = 512 * 1024

interface SessionParts {
  readonly engine: Engine
  readonly keys: Keys
  /** Requests that the journal keeps. */
  readonly journal: number
  /** How many milliseconds a test has moved the clock of the session to the future. */
  readonly passed: () => number
}

const toCounters = (flat: readonly string[]): ReadonlyMap<string, number> =>
  new Map(flat.flatMap((rule, at) => (at % 2 === 0 ? [[rule, Number(flat[at + 1])] as const] : [])))

/** Opens what a session has apart from its data: its journal, and the counters of its rules. */
export function openRedisSession(
  name: string,
  { engine, keys, journal: capacity, passed }: SessionParts,
): SharedSession {
  const { head, journal, counters, buckets, starts } = keys.session(name)
  const news = [keys.news, name] as const
  /** What was handed over and is not there yet. */
  const underWay = new Set<Promise<unknown>>()
  let seen: ReadonlyMap<string, number> = new Map()
  /** The id in the stream of each entry that was read, and may still be there. */
  let streamIds = new BoundedMap<string, string>(capacity)
  let last = ''
  let timesCleared = '0'

  function hand(sent: Promise<unknown>): void {
    underWay.add(sent)
    sent.then(
      () => underWay.delete(sent),
      () => underWay.delete(sent),
    )
  }

  const coverage = openRedisCoverage(name, { engine, keys, isJournaling: capacity > 0, passed, hand })

  const readPage = (): Promise<LookReply> =>
    engine.insist('look', (client) => client.mockLook(head, journal, counters, last, timesCleared, PAGE_BYTES))

  /** Takes the entries of a page over. */
  function takeEntries(page: LookReply[4]): readonly RecordedEntry[] {
    return page.map(([id, [, text]]) => {
      // What a mock of the same version has written; no number in it is too long for JSON.parse.
      const entry = JSON.parse(text) as JournalEntry
      streamIds.set(entry.id, id)
      last = id
      // The id begins with the milliseconds.
      return { entry, characters: text.length, recordedAt: Number.parseInt(id, 10) }
    })
  }

  return {
    coverage,
    counters: {
      count: (rule) => engine.ask('count', (client) => client.mockHit(head, counters, rule)),
      async take(rule, limit) {
        const [isAllowed, left] = await engine.ask('take', (client) =>
          client.mockTake(head, buckets, passed(), rule, limit.requests, perMillisecondOf(limit)),
        )
        return toLimited(limit, isAllowed === 1, Number(left))
      },
      elapsed: (scenario) => engine.insist('elapsed', (client) => client.mockElapsed(head, starts, passed(), scenario)),
      seen: (rule) => seen.get(rule) ?? 0,
      start: (scenario) => hand(engine.ask('start', (client) => client.mockStart(head, starts, passed(), scenario))),
      forget(scenario, rules) {
        hand(engine.ask('forget', (client) => client.hdel(starts, scenario)))
        if (rules.length === 0) return
        hand(engine.ask('forget', (client) => client.hdel(counters, ...rules)))
        hand(engine.ask('forget', (client) => client.hdel(buckets, ...rules)))
      },
      reset() {
        hand(engine.ask('forget', (client) => client.del(counters, buckets, starts)))
        hand(engine.ask('start', (client) => client.mockStart(head, starts, passed(), ALL)))
      },
    },
    record(entry) {
      const text = JSON.stringify(entry)
      const counted = coverage.take()
      const values = counted?.values ?? []
      const recorded = engine.ask('record', (client) =>
        client.mockRecord(...coverage.keys, capacity, text, ...news, ...values),
      )
      // What was answered is answered, whether or not the journal can have it.
      hand(recorded.then((reply) => counted && coverage.recover(counted.answered, reply)).catch(() => undefined))
    },
    clear() {
      streamIds.clear()
      hand(engine.ask('clear', (client) => client.mockClear(head, journal, ...news)))
    },
    remove(ids) {
      const known = ids.map((id) => streamIds.get(id)).filter((id) => id !== undefined)
      for (const id of ids) streamIds.delete(id)
      if (known.length > 0) hand(engine.ask('remove', (client) => client.mockRemove(head, journal, ...news, ...known)))
    },
    async look(): Promise<JournalNews> {
      const before = streamIds
      let isNew = false
      const entries: RecordedEntry[] = []
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one page after the other
        const [goesOn, cleared, total, hasMore, page, flat] = await readPage()
        if (goesOn === 0) {
          isNew = true
          timesCleared = cleared
          streamIds = new BoundedMap(capacity)
          last = ''
          entries.length = 0
        }
        seen = toCounters(flat)
        entries.push(...takeEntries(page))
        if (hasMore === 1) continue
        const all = entries.map(({ entry }) => entry)
        const unseen = isNew ? all.filter(({ id }) => !before.has(id)) : all
        const isShorter = isNew && [...before.keys()].some((id) => !streamIds.has(id))
        return { isNew, entries, unseen, isShorter, total }
      }
    },
    settled: () => (underWay.size === 0 ? undefined : Promise.all(underWay).then(() => undefined)),
  }
}
