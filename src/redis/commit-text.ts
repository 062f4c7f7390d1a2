import * as z from 'zod'
import { parseJson } from '../http/json.ts'
import type { Change } from '../state/change.ts'
import { parseChange, toChangeLine } from '../state/change-text.ts'
import type { Commit, KeptCommit } from '../state/change-log.ts'
import type { Writer } from '../state/history.ts'
import { expectState } from '../state/state-fault.ts'
import { pause } from '../util/pause.ts'

/** Characters of a mark. */
const MARK_LENGTH = 16

/** So many characters of changes are read or written before other requests have their turn. */
const SLICE = 100_000

/** A mark, which distinguishes a commit from all others. */
export const createMark = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, MARK_LENGTH)

export const markOf = (text: string): string => text.slice(0, MARK_LENGTH)

const writer = z.custom<Writer>((value) => z.looseObject({ kind: z.string() }).safeParse(value).success)

/** The line before the changes: the names that the commit touches, and who made it. */
const headLine = z.tuple([z.array(z.string()), writer.nullable()])

/** The lines of changes; made in slices, since a whole session may be long. */
export async function toLines(changes: readonly Change[]): Promise<string> {
  const lines: string[] = []
  let length = 0
  for (const change of changes) {
    const line = toChangeLine(change)
    lines.push(line)
    length += line.length
    if (length < SLICE) continue
    length = 0
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    await pause()
  }
  return lines.join('\n')
}

/** Reads {@link toLines}, in slices. */
export async function parseLines(text: string): Promise<readonly Change[]> {
  if (text === '') return []
  const changes: Change[] = []
  let length = 0
  for (const line of text.split('\n')) {
    changes.push(parseChange(parseJson(line)))
    length += line.length
    if (length < SLICE) continue
    length = 0
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    await pause()
  }
  return changes
}

/** A commit as Redis keeps it, behind its mark: a head line, and a line for each change. */
export const toCommitText = ({ touches, writer: by, changes }: Commit): string =>
  [JSON.stringify([[...touches], by ?? null]), ...changes.map(toChangeLine)].join('\n')

/** Reads what {@link toCommitText} writes, behind its mark. */
export async function parseCommitText(text: string): Promise<Omit<KeptCommit, 'position'>> {
  const end = text.indexOf('\n')
  const [, by] = expectState(headLine, parseJson(text.slice(MARK_LENGTH, end)))
  const changes = await parseLines(text.slice(end + 1))
  return { mark: markOf(text), changes, isForeign: true, ...(by === null ? {} : { writer: by }) }
}
