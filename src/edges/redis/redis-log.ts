import { parseChangeLines, toChangeLine } from '../../service/state/change-text.ts'
import { inSlices, timeSlices } from '../../util/time-slices.ts'
import { createQueues } from '../../util/queues.ts'
import { problem } from '../../errors.ts'
import { BoundedMap } from '../../util/collections.ts'
import type {
  Change,
  Commit,
  KeptCommit,
  LogPosition,
  ChangeLog,
  Position,
  AppendResult,
  Writer,
} from '../../service/state/change.ts'
import type { Engine, Keys } from './redis-connection.ts'
import type { AppendReply, RecordReply, SinceReply } from './scripts.ts'

/** Length of a commit id in characters. */
const ID_LENGTH = 16

/** Minimum chunk size: parsing several lines at once is faster. */
const LINES_CHUNK = 50_000

export const commitIdOf = (text: string): string => text.slice(0, ID_LENGTH)

/** The lines of changes; created in slices, because a whole session can be long. */
export async function toChangeLines(changes: readonly Change[]): Promise<string> {
  const lines: string[] = []
  for await (const change of inSlices(changes)) lines.push(toChangeLine(change))
  return lines.join('\n')
}

/** Parses the output of {@link toChangeLines}, in slices. */
export async function parseLines(text: string): Promise<readonly Change[]> {
  const changes: Change[] = []
  const slice = timeSlices.start()
  let from = 0
  while (from < text.length) {
    const end = text.indexOf('\n', from + LINES_CHUNK)
    const to = end === -1 ? text.length : end
    changes.push(...parseChangeLines(text.slice(from, to)))
    if (slice.isOver()) await slice.next()
    from = to + 1
  }
  return changes
}

/** A commit as stored in Redis, after its id: a line with the keys that it writes and its author, and one line per change. */
export const toRedisCommit = ({ writeKeys, writer: by, changes }: Commit): string =>
  [JSON.stringify([[...writeKeys], by ?? null]), ...changes.map(toChangeLine)].join('\n')

/** A commit without its position, which only the log knows. */
type KnownCommit = Omit<KeptCommit, 'position'>

/** Parses the start of the output of {@link toRedisCommit}, with its id. */
function parseHead(text: string): Omit<KeptCommit, 'position' | 'changes'> {
  // Written by a mock of the same version.
  const [, by] = JSON.parse(text.slice(ID_LENGTH, text.indexOf('\n'))) as readonly [
    writeKeys: readonly string[],
    writer: Writer | null,
  ]
  return { commitId: commitIdOf(text), isForeign: true, ...(by === null ? {} : { writer: by }) }
}

/**
 * Reads commits, in slices.
 *
 * @param after the position before the first one
 * @param known commits that need not be parsed; the others are added
 */
async function readCommits(
  texts: readonly string[],
  after: Position,
  known: Pick<Map<string, KnownCommit>, 'get' | 'set'>,
): Promise<KeptCommit[]> {
  const commits: KeptCommit[] = []
  const slice = timeSlices.start()
  for (const [at, text] of texts.entries()) {
    let commit = known.get(commitIdOf(text))
    if (commit === undefined) {
      const lines = text.slice(text.indexOf('\n') + 1)
      // oxlint-disable-next-line no-await-in-loop -- commits are read in order, and few are long
      const changes = lines.length > LINES_CHUNK ? await parseLines(lines) : parseChangeLines(lines)
      commit = { ...parseHead(text), changes }
      known.set(commitIdOf(text), commit)
    }
    commits.push({ ...commit, position: after + at + 1 })
    // oxlint-disable-next-line no-await-in-loop -- yields to others; a generator would take a microtask per commit
    if (slice.isOver()) await slice.next()
  }
  return commits
}

/** A session is compacted when its log exceeds both this many characters and the length of its snapshot. */
const SHORT = 256 * 1024

/** The number of commits before a snapshot that stay in the log, for readers that are slightly behind. */
const OVERLAP = 100

/** How a commit ends its session: not at all, until its next use, or permanently. */
function toEnding(changes: readonly Change[]): '' | 'end' | 'final' {
  const end = changes.find((change) => change.kind === 'end')
  if (end === undefined) return ''
  return end.isFinal ? 'final' : 'end'
}

const toEndChange = (ended: string): readonly Change[] =>
  ended === '' ? [] : [{ kind: 'end', ...(ended === 'final' ? { isFinal: true } : {}) }]

/** The number of read or appended commits to remember, so that none is read twice. */
const MOST_KNOWN = 200

/** Creates a reader of engine replies. */
function createReader() {
  const known = new BoundedMap<string, KnownCommit>(MOST_KNOWN)

  /** The commits that a reader has missed since a position. */
  async function readMissed(reply: SinceReply, session: string, after: Position): Promise<readonly KeptCommit[]> {
    if (reply[0] === 'lost')
      throw problem.overCapacity(
        `The store has lost part of session "${session}" because its engine evicts keys. Delete the session, and set maxmemory-policy to noeviction.`,
      )
    if (reply[0] === 'tail') return readCommits(reply[1], after, known)
    const [, position, commitId, ended, snap, texts] = reply
    const commits: KeptCommit[] = [
      {
        position,
        commitId,
        changes: [...toEndChange(ended), ...(await parseLines(snap))],
        isWhole: true,
        isForeign: true,
      },
    ]
    // Later commits changed the data of one that was already applied, so read them all.
    return [...commits, ...(await readCommits(texts, position, new Map()))]
  }

  async function readVerdict(reply: AppendReply, { session, after }: Commit): Promise<AppendResult> {
    if (reply[0] === 'final') {
      throw problem.invalidInput(
        `The session "${session}" was permanently deleted (DELETE with final=true). Use another name.`,
      )
    }
    if (reply[0] !== 'kept') return { isKept: false, commits: await readMissed(reply, session, after.position) }
    const [, texts, bytes, snapBytes] = reply
    return {
      isKept: true,
      commits: await readCommits(texts, after.position, known),
      isLong: bytes > Math.max(SHORT, snapBytes),
    }
  }

  return {
    readMissed,
    readVerdict,
    /** Remembers a commit that is about to be appended. */
    note: ({ changes, writer }: Commit, commitId: string) => void known.set(commitId, { commitId, changes, writer }),
  }
}

/** Creates the change log that mocks share. */
export function createRedisLog(engine: Engine, keys: Keys) {
  // Replies are processed in order.
  const queues = createQueues()
  const reader = createReader()

  /** Reads a reply after the earlier ones, possibly long after the command has failed. */
  function readInTurn<Reply, Read>(
    session: string,
    asked: Promise<Reply>,
    read: (reply: Reply) => Promise<Read>,
  ): Promise<Read> {
    asked.catch(() => undefined)
    return queues.run(session, async () => read(await asked))
  }

  return {
    since(session: string, { position, commitId = '' }: LogPosition) {
      const { head, log, snap } = keys.session(session)
      const asked = engine.sendWithRetry('since', (client) => client.mockSince(head, log, snap, position, commitId))
      return readInTurn(session, asked, (reply) => reader.readMissed(reply, session, position))
    },
    /** Reads what the requests that were to be recorded have missed; undefined if nothing. */
    readUnrecorded: (session: string, { position }: LogPosition, asked: Promise<RecordReply>) =>
      readInTurn(session, asked, async (reply) =>
        reply[0] === 'kept' || (reply[0] === 'tail' && reply[1].length === 0)
          ? undefined
          : reader.readMissed(reply, session, position),
      ),
    append(commit: Commit) {
      const { session, after, readKeys, changes } = commit
      const { head, log, snap, journal, counters, buckets, starts, counts, failed } = keys.session(session)
      const commitId = crypto.randomUUID().replaceAll('-', '').slice(0, ID_LENGTH)
      reader.note(commit, commitId)
      const asked = engine.sendWithRetry('append', (client) =>
        client.mockAppend(
          head,
          log,
          snap,
          journal,
          counters,
          buckets,
          starts,
          counts,
          failed,
          after.position === Infinity ? -1 : after.position,
          after.commitId ?? '',
          JSON.stringify([...readKeys]),
          commitId,
          toRedisCommit(commit),
          toEnding(changes),
          keys.news,
          session,
        ),
      )
      return readInTurn(session, asked, (reply) => {
        // The reply has only its id, and many others at the same time may have displaced it.
        reader.note(commit, commitId)
        return reader.readVerdict(reply, commit)
      })
    },
    async compact(session: string, { position, commitId = '' }: LogPosition, changes: readonly Change[]) {
      const { head, log, snap } = keys.session(session)
      const text = await toChangeLines(changes)
      await engine.send('fold', (client) => client.mockCompact(head, log, snap, position, commitId, text, OVERLAP))
    },
    close: () => Promise.resolve(),
    fault: () => engine.fault(),
  } satisfies ChangeLog & Record<string, unknown>
}

export type RedisLog = ReturnType<typeof createRedisLog>
