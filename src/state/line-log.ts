import type { Low } from 'lowdb'
import * as z from 'zod'
import { Problem, SetupError } from '../errors.ts'
import { parseJson } from '../http/json.ts'
import { pause } from '../util/pause.ts'
import type { ChangeLog, Position } from './change-log.ts'
import { parseCommit, toCommitText } from './change-text.ts'
import type { LoggedCommit } from './change-text.ts'
import { createGroupLog } from './group-log.ts'
import { toWriteError } from './state-adapter.ts'
import type { Lines } from './state-adapter.ts'
import type { StateData } from './state-data.ts'
import { StateFault, expectState } from './state-fault.ts'

const FORMAT = 'resource-mock-log/1'

/** The first line of a log. */
const headRecord = z.strictObject({
  format: z.literal(FORMAT),
  /** The state that it continues has the same id. */
  id: z.string(),
})

/** Past this many characters the log becomes part of the state, or once it is longer than the state itself. */
const SHORT = 1_000_000

interface LineLogParts {
  readonly db: Low<StateData>
  readonly lines: Lines
  /** How many characters the state has that was read. */
  readonly length: number
  readonly newId: () => string
  /** The name of the state, for sentences. */
  readonly name: string
}

/** What a log has beyond the state it continues. */
interface ReadLog {
  readonly commits: readonly LoggedCommit[]
  readonly log: ChangeLog
}

const describe = (fault: unknown): string =>
  fault instanceof Problem ? (fault.errors[0].detailedErrorMessage ?? fault.message) : String(fault)

/** @throws {SetupError} for a line that cannot be read. */
function readLine<Content>(text: string, at: number, name: string, parse: (value: unknown) => Content): Content {
  try {
    return parse(parseJson(text))
  } catch (fault) {
    if (!(fault instanceof Problem) && !(fault instanceof StateFault)) throw fault
    const reason = fault instanceof StateFault ? fault.message : describe(fault)
    throw new SetupError(
      `${name} cannot be read: its log has an invalid line ${at + 1}: ${reason} Both are unchanged. Mend the line, or delete it and those after it.`,
    )
  }
}

/** @throws {SetupError} for a log that does not continue the state, or has a line that cannot be read. */
function parseLog(text: string, state: StateData, name: string): readonly LoggedCommit[] {
  // What follows the last line break was cut off when the mock ended: nobody was told that it was kept.
  const [head, ...others] = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
  if (head === undefined) return []
  const { id } = readLine(head, 0, name, (value) => expectState(headRecord, value))
  if (id !== state.log?.id) {
    throw new SetupError(
      `${name} and its log do not belong together: one of them was replaced or deleted. Restore it, or delete the log to go on without its ${others.length} writes.`,
    )
  }
  const commits = others.map((line, at) => readLine(line, at + 1, name, parseCommit))
  return commits.filter(({ position }) => position > (state.log?.position ?? 0))
}

/**
 * Opens a log with a line for each commit, next to a whole state. A write costs as much as its changes. Now and then, and when
 * it is closed, the log becomes part of the state.
 *
 * @throws {SetupError} for a log that does not continue the state, or has a line that cannot be read.
 */
export async function openLineLog({ db, lines, length, newId, name }: LineLogParts): Promise<ReadLog> {
  const read = (await lines.read()) ?? ''
  // What follows the last line break was cut off when the mock ended: nobody was told that it was kept.
  const text = read.slice(0, read.lastIndexOf('\n') + 1)
  const commits = parseLog(text, db.data, name)
  const id = db.data.log?.id ?? newId()
  let position: Position = commits.at(-1)?.position ?? db.data.log?.position ?? 0
  const head = `${JSON.stringify({ format: FORMAT, id })}\n`
  let stateLength = length
  let logLength = text.length
  let isOpen = false

  /** Writes the state with all that was kept until now, and starts a new log. */
  async function fold(): Promise<void> {
    db.data.log = { id, position }
    await db.write()
    await lines.replace(head)
    stateLength = Math.max(stateLength, logLength)
    logLength = 0
    isOpen = true
  }

  /** Goes on with the log that was read, or with the state that has its id. */
  async function begin(): Promise<void> {
    if (text !== '') await lines.resume(text)
    else if (db.data.log !== undefined) await lines.replace(head)
    else await fold()
    isOpen = true
  }

  async function append(added: string): Promise<void> {
    try {
      if (await lines.append(added)) return
    } catch (cause) {
      throw toWriteError(name, cause)
    }
    await pause()
    await fold()
    await append(added)
  }

  const log = createGroupLog({
    position,
    async keep(group) {
      if (!isOpen) await begin()
      if (logLength > Math.max(SHORT, stateLength)) {
        // Those who wrote the group before apply it meanwhile.
        await pause()
        await fold()
      }
      const added = group.map((one) => `${toCommitText(one)}\n`).join('')
      await append(added)
      logLength += added.length
      position = group.at(-1)?.position ?? position
    },
    async end() {
      if (logLength === 0) return
      await pause()
      // If the state cannot be written, the log still has all that was kept.
      await fold().then(lines.remove, () => undefined)
    },
  })
  return { commits, log }
}
