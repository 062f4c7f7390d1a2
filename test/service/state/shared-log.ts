import type { ChangeLog, Commit } from '../../../src/service/state/change.ts'
import { parseChangeLines, toChangeLine } from '../../../src/service/state/change-text.ts'
import { isOvertaken } from '../../../src/service/state/change.ts'

/** A commit as it is sent to other mocks. */
interface SentCommit {
  readonly session: string
  readonly position: number
  readonly text: string
  readonly writeKeys: ReadonlySet<string>
}

/** A log that several stores share, as mocks share a server. */
export interface SharedLog {
  /** Opens the log for one more store. */
  connect(): ChangeLog
  readonly texts: () => readonly string[]
}

/**
 * Creates a shared log.
 *
 * @param travel delays a request to the log, and its response
 */
export function createSharedLog(travel: () => Promise<void> = () => Promise.resolve()): SharedLog {
  const sent: SentCommit[] = []
  const since = (session: string, at: number) =>
    sent
      .filter((one) => one.session === session && one.position > at)
      .map(({ position, text }) => ({ position, changes: parseChangeLines(text) }))

  function append({ session, after: { position: at }, readKeys, writeKeys, changes }: Commit) {
    const unseen = sent.filter((one) => one.session === session && one.position > at)
    const isKept = !unseen.some((one) => isOvertaken(readKeys, one.writeKeys))
    const position = sent.length + 1
    if (isKept) sent.push({ session, position, text: changes.map(toChangeLine).join('\n'), writeKeys })
    return { isKept, commits: since(session, at) }
  }

  return {
    texts: () => sent.map(({ text }) => text),
    connect: () => ({
      async since(session, { position: at }) {
        await travel()
        const commits = since(session, at)
        await travel()
        return commits
      },
      async append(commit) {
        await travel()
        const verdict = append(commit)
        await travel()
        return verdict
      },
      close: () => Promise.resolve(),
      fault: () => undefined,
    }),
  }
}
