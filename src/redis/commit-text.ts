import type { Change } from '../state/change.ts'
import { parseChangeLines, toChangeLine } from '../state/change-text.ts'
import type { Commit, KeptCommit } from '../state/change-log.ts'
import type { Writer } from '../state/history.ts'
import { createPace } from '../util/pause.ts'
import type { Pace } from '../util/pause.ts'

/** Characters of a mark. */
const MARK_LENGTH = 16

/** So many characters of changes are read or written before other requests have their turn. */
export const SLICE = 200_000

/** At least so many are parsed at once, which is quicker than line by line. */
const CHUNK = 50_000

/** A mark, which distinguishes a commit from all others. */
export const createMark = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, MARK_LENGTH)

export const markOf = (text: string): string => text.slice(0, MARK_LENGTH)

/** The line before the changes: the names that the commit touches, and who made it. */
type HeadLine = readonly [touches: readonly string[], writer: Writer | null]

/** The lines of changes; made in slices, since a whole session may be long. */
export async function toLines(changes: readonly Change[]): Promise<string> {
  const lines: string[] = []
  const pace = createPace(SLICE)
  for (const change of changes) {
    const line = toChangeLine(change)
    lines.push(line)
    const turn = pace(line.length)
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    if (turn !== undefined) await turn
  }
  return lines.join('\n')
}

/** Reads {@link toLines}, in slices. */
export async function parseLines(text: string, pace: Pace): Promise<readonly Change[]> {
  const changes: Change[] = []
  let from = 0
  while (from < text.length) {
    const end = text.indexOf('\n', from + CHUNK)
    const to = end === -1 ? text.length : end
    changes.push(...parseChangeLines(text.slice(from, to)))
    const turn = pace(to - from)
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    if (turn !== undefined) await turn
    from = to + 1
  }
  return changes
}

/** A commit as Redis keeps it, behind its mark: a head line, and a line for each change. */
export const toCommitText = ({ touches, writer: by, changes }: Commit): string =>
  [JSON.stringify([[...touches], by ?? null]), ...changes.map(toChangeLine)].join('\n')

/** Reads what {@link toCommitText} writes, behind its mark. */
export async function parseCommitText(text: string, pace: Pace): Promise<Omit<KeptCommit, 'position'>> {
  const end = text.indexOf('\n')
  // What a mock of the same version has written.
  const [, by] = JSON.parse(text.slice(MARK_LENGTH, end)) as HeadLine
  const changes = await parseLines(text.slice(end + 1), pace)
  return { mark: markOf(text), changes, isForeign: true, ...(by === null ? {} : { writer: by }) }
}
