import { parseJson } from '../http/json.ts'
import { isSuccess, listCounts, listRecoveries, toPause, toRequestName, findRecoveryKind } from '../journal/coverage.ts'
import type {
  AnsweredRequest,
  Coverage,
  Failure,
  SessionCoverage,
  CoverageCounts,
  RecoveryKind,
} from '../journal/coverage.ts'
import { toHash } from '../util/chance.ts'
import type { Engine } from './engine.ts'
import type { CountReply } from './count-scripts.ts'
import type { Keys } from './connection.ts'

/** What a script is told of a request that it counts. */
interface Counted {
  readonly answered: AnsweredRequest
  /** The request, how it failed, and the names of counts. */
  readonly values: readonly string[]
}

/** The coverage of a session, for what sends the journal. */
export interface RedisCoverage extends SessionCoverage {
  /** The keys of the scripts that record and count. */
  readonly keys: readonly string[]
  /** Takes what is to be counted with the next entry of the journal. */
  take(): Counted | undefined
  /** Counts what the client of a request that was counted has recovered from. */
  recover(answered: AnsweredRequest, reply: CountReply): Promise<unknown> | undefined
}

interface CoverageParts {
  readonly engine: Engine
  readonly keys: Keys
  /** Whether each request is in the journal, too. */
  readonly isJournaling: boolean
  /** How many milliseconds a test has moved the clock of the session to the future. */
  readonly passed: () => number
  /** Makes the response wait until something is sent. */
  readonly hand: (sent: Promise<unknown>) => void
}

/** What JSON keeps of the failures of a request. */
interface Kept {
  readonly failures: Readonly<Record<RecoveryKind, Failure>>
}

/** The store gets no tokens, and needs none to tell two apart. */
const toMark = (authorization: string | undefined): string =>
  authorization === undefined ? '' : toHash(authorization).toString(36)

async function readCounts(engine: Engine, key: string): Promise<CoverageCounts> {
  const counts = await engine.insist('coverage', (client) => client.hgetall(key))
  return new Map(Object.entries(counts).map(([name, count]) => [name, Number(count)]))
}

/** Opens the counts of all sessions. */
export const openTotal = (engine: Engine, { total }: Keys): Pick<Coverage, 'read' | 'clear'> => ({
  read: () => readCounts(engine, total),
  clear: () => engine.insist('clear', (client) => client.del(total)).then(() => undefined),
})

/** Opens the coverage of a session. The total is in another slot of a cluster, where no script reaches both. */
export function openRedisCoverage(
  name: string,
  { engine, keys, isJournaling, passed, hand }: CoverageParts,
): RedisCoverage {
  const { head, journal, counters, buckets, starts, failed, counts } = keys.session(name)
  const own = [head, journal, counters, buckets, starts, failed, counts]
  let next: Counted | undefined

  function send(sent: Promise<unknown>): void {
    // What was answered is answered, whether or not it can be counted.
    hand(sent.catch(() => undefined))
  }

  const add = (names: readonly string[]): Promise<unknown> =>
    engine.ask('coverage', (client) => client.mockAdd(head, counts, ...names))
  const addToTotal = (names: readonly string[]): Promise<unknown> =>
    engine.ask('coverage', (client) => client.mockAddTotal(keys.total, ...names))

  /** How a request has failed, for the script: its kind, the mark of its token, and how long to wait. */
  function toFailure(answered: AnsweredRequest): string | undefined {
    if (isSuccess(answered)) return ''
    const kind = findRecoveryKind(answered.status)
    if (kind === undefined) return undefined
    // JSON has no infinite numbers.
    const wait = Math.min(passed() + toPause(answered), Number.MAX_SAFE_INTEGER)
    return `${kind} ${toMark(answered.authorization)} ${wait}`
  }

  function recover(answered: AnsweredRequest, reply: CountReply): Promise<unknown> | undefined {
    if (reply === null) return undefined
    const [now, text] = reply
    // What a mock of the same version has written.
    const { failures } = parseJson(text) as Kept
    const success = { authorization: toMark(answered.authorization), time: now + passed() }
    const names = listRecoveries(Object.entries(failures) as [RecoveryKind, Failure][], success)
    return names.length === 0 ? undefined : Promise.all([add(names), addToTotal(names)])
  }

  const coverage: RedisCoverage = {
    keys: keys.isCluster ? own : [...own, keys.total],
    read: () => readCounts(engine, counts),
    count(answered) {
      const names = listCounts(answered)
      const failure = toFailure(answered)
      const values = [failure === undefined ? '' : toRequestName(answered), failure ?? '', ...names]
      if (keys.isCluster) send(addToTotal(names))
      if (isJournaling) next = { answered, values }
      else {
        const counting = engine.ask('coverage', (client) => client.mockCount(...coverage.keys, ...values))
        send(counting.then((reply) => recover(answered, reply)))
      }
    },
    clear: () => engine.insist('clear', (client) => client.del(counts, failed)).then(() => undefined),
    take() {
      const taken = next
      next = undefined
      return taken
    },
    recover,
  }
  return coverage
}
