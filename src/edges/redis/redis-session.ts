import { parseJson } from '../../service/http/json.ts'
import {
  isSuccessful,
  listCounts,
  listRecoveries,
  toPause,
  toRequestName,
  findRecoveryKind,
} from '../../sessions/journal/counts.ts'
import type {
  AnsweredRequest,
  Coverage,
  FailedCall,
  SessionCoverage,
  CoverageCounts,
  RecoveryKind,
} from '../../sessions/journal/counts.ts'
import { toHash } from '../../util/chance.ts'
import type { CountReply } from './count-scripts.ts'
import type { LookReply, RecordReply } from './scripts.ts'
import type { RedisLog } from './redis-log.ts'
import type { KeptCommit, LogPosition } from '../../service/state/change.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'
import { perMillisecondOf, toLimited } from '../../service/scenarios/rule-runner.ts'
import type { JournalDelta, RecordedEntry, SharedSession } from '../../sessions/shared-store.ts'
import { BoundedMap } from '../../util/collections.ts'
import type { Client, Engine, Keys } from './redis-connection.ts'

/** Used instead of a scenario name: all scenarios without their own start time. */
const ALL_SCENARIOS = ''

/** Page size of a journal in bytes. Larger pages would delay everyone on the connection. */
const PAGE_BYTES = 512 * 1024

/** The script arguments that count a request. */
interface Counted {
  readonly answered: AnsweredRequest
  /** The request, how it failed, and the names of counters. */
  readonly values: readonly string[]
}

/** Requests that one command records. */
interface Batch {
  /** The position in the log at which they read; undefined for those that are recorded wherever it is. */
  readonly after: LogPosition | undefined
  readonly requests: { readonly text: string; readonly counted: Counted | undefined }[]
  readonly send: () => Promise<readonly KeptCommit[] | undefined>
}

/** The coverage of a session, part of which is sent with the journal. */
interface RedisCoverage extends SessionCoverage {
  /** The keys of the scripts that record and count. */
  readonly keys: readonly string[]
  /** Takes the counts to send with the journal entry. */
  take(): Counted | undefined
  /** Counts the failures that the client of a counted request has recovered from. */
  recover(answered: AnsweredRequest, reply: CountReply): Promise<unknown> | undefined
}

/** Hashes a token. The store gets only hashes, which are enough for comparison. */
const toTokenHash = (authorization: string | undefined): string =>
  authorization === undefined ? '' : toHash(authorization).toString(36)

async function readCounts(engine: Engine, key: string): Promise<CoverageCounts> {
  const counts = await engine.sendWithRetry('coverage', (client) => client.hgetall(key))
  return new Map(Object.entries(counts).map(([name, count]) => [name, Number(count)]))
}

/** Opens the counts of all sessions. */
export const openTotal = (engine: Engine, { total }: Keys): Coverage => ({
  read: () => readCounts(engine, total),
  clear: () => engine.sendWithRetry('clear', (client) => client.del(total)).then(() => undefined),
})

/**
 * Opens the coverage of a session.
 *
 * @param track makes the response wait until something has been sent
 */
function openRedisCoverage(
  name: string,
  engine: Engine,
  keys: Keys,
  capacity: number,
  passed: () => number,
  track: (sent: Promise<unknown>) => void,
): RedisCoverage {
  const { head, journal, counters, buckets, starts, failed, counts } = keys.session(name)
  let next: Counted | undefined

  function send(sent: Promise<unknown>): void {
    // A counting error must not change the response.
    track(sent.catch(() => undefined))
  }

  const add = (names: readonly string[]): Promise<unknown> =>
    engine.send('coverage', (client) => client.mockAdd(head, counts, keys.total, ...names))

  /** How a request failed, for the script: the kind, the hash of its token, and how long to wait. */
  function toFailure(answered: AnsweredRequest): string | undefined {
    if (isSuccessful(answered)) return ''
    const kind = findRecoveryKind(answered.status)
    if (kind === undefined) return undefined
    // JSON has no Infinity.
    const wait = Math.min(passed() + toPause(answered), Number.MAX_SAFE_INTEGER)
    return `${kind} ${toTokenHash(answered.authorization)} ${wait}`
  }

  function recover(answered: AnsweredRequest, reply: CountReply): Promise<unknown> | undefined {
    if (reply === null) return undefined
    const [now, text] = reply
    // Written by a mock of the same version.
    const { failures } = parseJson(text) as { readonly failures: Readonly<Record<RecoveryKind, FailedCall>> }
    const success = { authorization: toTokenHash(answered.authorization), time: now + passed() }
    const names = listRecoveries(Object.entries(failures) as [RecoveryKind, FailedCall][], success)
    return names.length === 0 ? undefined : add(names)
  }

  const coverage: RedisCoverage = {
    keys: [head, journal, counters, buckets, starts, failed, counts, keys.total],
    read: () => readCounts(engine, counts),
    count(answered) {
      const names = listCounts(answered)
      const failure = toFailure(answered)
      const values = [failure === undefined ? '' : toRequestName(answered), failure ?? '', ...names]
      if (capacity > 0) next = { answered, values }
      else {
        const counting = engine.send('coverage', (client) => client.mockCount(...coverage.keys, ...values))
        send(counting.then((reply) => recover(answered, reply)))
      }
    },
    clear: () => engine.sendWithRetry('clear', (client) => client.del(counts, failed)).then(() => undefined),
    take() {
      const taken = next
      next = undefined
      return taken
    },
    recover,
  }
  return coverage
}

/**
 * Opens everything of a session except its data: its journal and rule counters.
 *
 * @param capacity maximum number of requests in the journal
 * @param passed returns how many milliseconds a test has moved the session's clock forward
 */
export function openRedisSession(
  name: string,
  engine: Engine,
  keys: Keys,
  capacity: number,
  passed: () => number,
  { readUnrecorded }: Pick<RedisLog, 'readUnrecorded'>,
): SharedSession {
  const { head, log, snap, journal, counters, buckets, starts } = keys.session(name)
  const news = [keys.news, name] as const
  /** Commands without a reply. */
  const pending = new Set<Promise<unknown>>()
  let seen: ReadonlyMap<string, number> = new Map()
  /** The stream ids of entries that were read and may still exist. */
  let streamIds = new BoundedMap<string, string>(capacity)
  let last = ''
  let timesCleared = '0'
  /** The requests of this turn, which one command records. */
  let batch: Batch | undefined

  function track(sent: Promise<unknown>): void {
    pending.add(sent)
    sent.then(
      () => pending.delete(sent),
      () => pending.delete(sent),
    )
  }

  const coverage = openRedisCoverage(name, engine, keys, capacity, passed, track)

  /** Returns what the requests have missed if they read at a position that is no longer current; undefined if not. */
  async function record({ after, requests }: Pick<Batch, 'after' | 'requests'>) {
    const values = requests.flatMap(({ text, counted }) => {
      const [request = '', failure = '', ...names] = counted?.values ?? []
      return [text, request, failure, names.length, ...names]
    })
    const { position, commitId = '' } = after ?? { position: -1 }
    const send = (client: Client): Promise<RecordReply> =>
      client.mockRecord(...coverage.keys, log, snap, capacity, ...news, position, commitId, ...values)
    const asked =
      after === undefined
        ? engine.send('record', send)
        : // Not recorded twice: if the reply is lost, only the log is read.
          engine.sendWithRetry('read', send, (client) => client.mockSince(head, log, snap, position, commitId))
    const missed = after && (await readUnrecorded(name, after, asked))
    if (missed !== undefined) return missed
    const [kind, replies] = await asked
    const recoveries = requests.map(({ counted }, at) =>
      kind === 'kept' && counted ? coverage.recover(counted.answered, replies[at] ?? null) : undefined,
    )
    await Promise.all(recoveries.filter((one) => one !== undefined))
    return undefined
  }

  /** Adds a request to the command of this turn. */
  function add(entry: RedactedExchange, after?: LogPosition): Promise<readonly KeptCommit[] | undefined> {
    if (batch === undefined || batch.after !== after) {
      let sent: ReturnType<typeof record> | undefined
      const opened: Batch = {
        after,
        requests: [],
        send() {
          if (batch === opened) batch = undefined
          return (sent ??= record(opened))
        },
      }
      batch = opened
    }
    batch.requests.push({ text: JSON.stringify(entry), counted: coverage.take() })
    return Promise.resolve().then(batch.send)
  }

  const readPage = (): Promise<LookReply> =>
    engine.sendWithRetry('look', (client) => client.mockLook(head, journal, counters, last, timesCleared, PAGE_BYTES))

  /** Adds the entries of a page. */
  function takeEntries(page: LookReply[4]): readonly RecordedEntry[] {
    return page.map(([id, [, text]]) => {
      // Written by a mock of the same version; its numbers are safe for JSON.parse.
      const entry = JSON.parse(text) as RedactedExchange
      streamIds.set(entry.id, id)
      last = id
      // The id starts with the milliseconds.
      return { entry, characters: text.length, recordedAt: Number.parseInt(id, 10) }
    })
  }

  return {
    coverage,
    counters: {
      count: (rule) => engine.send('count', (client) => client.mockHit(head, counters, rule)),
      async take(rule, limit) {
        const [isAllowed, left] = await engine.send('take', (client) =>
          client.mockTake(head, buckets, passed(), rule, limit.requests, perMillisecondOf(limit)),
        )
        return toLimited(limit, isAllowed === 1, Number(left))
      },
      elapsed: (scenario) =>
        engine.sendWithRetry('elapsed', (client) => client.mockElapsed(head, starts, passed(), scenario)),
      seen: (rule) => seen.get(rule) ?? 0,
      start: (scenario) => track(engine.send('start', (client) => client.mockStart(head, starts, passed(), scenario))),
      forget(scenario, rules) {
        track(engine.send('forget', (client) => client.hdel(starts, scenario)))
        if (rules.length === 0) return
        track(engine.send('forget', (client) => client.hdel(counters, ...rules)))
        track(engine.send('forget', (client) => client.hdel(buckets, ...rules)))
      },
      reset() {
        track(engine.send('forget', (client) => client.del(counters, buckets, starts)))
        track(engine.send('start', (client) => client.mockStart(head, starts, passed(), ALL_SCENARIOS)))
      },
    },
    // A journal error must not change the response.
    record: (entry) => track(add(entry).catch(() => undefined)),
    recordRead: add,
    clear() {
      streamIds.clear()
      batch?.send().catch(() => undefined)
      track(engine.send('clear', (client) => client.mockClear(head, journal, ...news)))
    },
    remove(ids) {
      const known = ids.map((id) => streamIds.get(id)).filter((id) => id !== undefined)
      for (const id of ids) streamIds.delete(id)
      if (known.length > 0)
        track(engine.send('remove', (client) => client.mockRemove(head, journal, ...news, ...known)))
    },
    async readDelta(): Promise<JournalDelta> {
      const before = streamIds
      let isNew = false
      const entries: RecordedEntry[] = []
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- pages are read in sequence
        const [goesOn, cleared, total, hasMore, page, flat] = await readPage()
        if (goesOn === 0) {
          isNew = true
          timesCleared = cleared
          streamIds = new BoundedMap(capacity)
          last = ''
          entries.length = 0
        }
        seen = new Map(flat.flatMap((rule, at) => (at % 2 === 0 ? [[rule, Number(flat[at + 1])] as const] : [])))
        entries.push(...takeEntries(page))
        if (hasMore === 1) continue
        const all = entries.map(({ entry }) => entry)
        const unseen = isNew ? all.filter(({ id }) => before.get(id) !== streamIds.get(id)) : all
        const isShorter = isNew && [...before.keys()].some((id) => !streamIds.has(id))
        return { isNew, entries, unseen, isShorter, total }
      }
    },
    settled: () => (pending.size === 0 ? undefined : Promise.all(pending).then(() => undefined)),
  }
}
