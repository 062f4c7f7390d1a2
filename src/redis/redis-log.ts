import { problem } from '../errors.ts'
import type { ChangeLog, Commit, KeptCommit, Position, Verdict } from '../state/change-log.ts'
import type { Change } from '../state/change.ts'
import { createQueues } from '../util/queues.ts'
import { createMark, markOf, parseCommitText, parseLines, toCommitText, toLines } from './commit-text.ts'
import type { Engine } from './engine.ts'
import type { Keys } from './keys.ts'
import type { AppendReply, SinceReply } from './scripts.ts'

/** Once so many characters were appended, and more than the session's snapshot has, the session is folded. */
const SHORT = 256 * 1024

/** So many commits before a snapshot stay in the log, for readers that are only a little behind. */
const OVERLAP = 100

/** How a commit ends its session: not, until its next mention, or for good. */
function toEnding(changes: readonly Change[]): '' | 'end' | 'final' {
  const end = changes.find((change) => change.kind === 'end')
  if (end === undefined) return ''
  return end.isFinal ? 'final' : 'end'
}

const lost = (session: string) =>
  problem.overCapacity(
    `The store has lost a part of session "${session}", since its engine evicts keys. Delete the session, and set maxmemory-policy to noeviction.`,
  )

const toEndChange = (ended: string): readonly Change[] =>
  ended === '' ? [] : [{ kind: 'end', ...(ended === 'final' ? { isFinal: true } : {}) }]

/** @param own the commit that was appended, which is not read from its text */
async function readCommits(texts: readonly string[], after: Position, own?: KeptCommit): Promise<KeptCommit[]> {
  const commits: KeptCommit[] = []
  for (const [at, text] of texts.entries()) {
    const position = after + at + 1
    // oxlint-disable-next-line no-await-in-loop -- in order
    commits.push(markOf(text) === own?.mark ? { ...own, position } : await parseCommitText(text, position))
  }
  return commits
}

/** What a reader has missed since a position. */
async function readMissed(reply: SinceReply, session: string, after: Position): Promise<readonly KeptCommit[]> {
  if (reply[0] === 'lost') throw lost(session)
  if (reply[0] === 'tail') return readCommits(reply[1], after)
  const [, position, mark, ended, snap, texts] = reply
  const changes = [...toEndChange(ended), ...(await parseLines(snap))]
  return [{ position, mark, changes, isWhole: true, isForeign: true }, ...(await readCommits(texts, position))]
}

async function readVerdict(
  reply: AppendReply,
  { session, at, changes, writer }: Commit,
  mark: string,
): Promise<Verdict> {
  if (reply[0] === 'final') {
    throw problem.invalidInput(
      `The session "${session}" was permanently deleted (DELETE with final=true). Use another name.`,
    )
  }
  if (reply[0] !== 'kept') return { isKept: false, commits: await readMissed(reply, session, at.position) }
  const [, texts, bytes, snapBytes] = reply
  const commits = await readCommits(texts, at.position, { position: 0, mark, changes, writer })
  return { isKept: true, commits, isLong: bytes > Math.max(SHORT, snapBytes) }
}

/** Creates the change log that mocks share. */
export function createRedisLog(engine: Engine, keys: Keys): ChangeLog {
  // What an answer brings is read in the order of the answers.
  const queues = createQueues()

  return {
    since(session, { position, mark = '' }) {
      const { head, log, snap } = keys.session(session)
      const asked = engine.insist('since', (client) => client.mockSince(head, log, snap, position, mark))
      return queues.run(session, async () => readMissed(await asked, session, position))
    },
    append(commit) {
      const { session, at, reads, changes } = commit
      const { head, log, snap, journal, counters, buckets } = keys.session(session)
      const mark = createMark()
      const asked = engine.insist('append', (client) =>
        client.mockAppend(
          head,
          log,
          snap,
          journal,
          counters,
          buckets,
          at.position === Infinity ? -1 : at.position,
          at.mark ?? '',
          JSON.stringify([...reads]),
          mark,
          toCommitText(commit),
          toEnding(changes),
          keys.news,
          session,
        ),
      )
      return queues.run(session, async () => readVerdict(await asked, commit, mark))
    },
    async fold(session, { position, mark = '' }, changes) {
      const { head, log, snap } = keys.session(session)
      const text = await toLines(changes)
      await engine.ask('fold', (client) => client.mockFold(head, log, snap, position, mark, text, OVERLAP))
    },
    close: () => Promise.resolve(),
    fault: () => engine.fault(),
  }
}
