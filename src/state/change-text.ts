import * as z from 'zod'
import { parseOwnJson } from '../http/json-parser.ts'
import {
  toResource,
  toResourceText,
  resourceRecord,
  imageRecord,
  projectContents,
  toImage,
  toImageText,
  toProjectData,
  toProjectText,
  expectState,
  parseProjects,
  projectRecords,
  toProjectsText,
} from './records.ts'
import { parseProjectId } from './project-data.ts'
import type { Change } from './change.ts'

/** Further moves lead past the times that a `Date` has. */
const FURTHEST = 8e15

/** How far the clock of a session was moved, as JSON. */
export const clockRecord = z.strictObject({
  offset: z.number().min(-FURTHEST).max(FURTHEST),
  passed: z.number().min(0),
})

/** A change as files and other mocks read it. */
const changeRecord = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('put'), project: z.string(), resource: resourceRecord }),
  z.strictObject({ kind: z.literal('remove'), project: z.string(), id: z.string() }),
  z.strictObject({ kind: z.literal('action'), project: z.string(), text: z.string() }),
  z.strictObject({ kind: z.literal('posted'), project: z.string(), name: z.string() }),
  z.strictObject({ kind: z.literal('image'), project: z.string(), image: imageRecord }),
  z.strictObject({ kind: z.literal('project'), project: z.string(), data: projectContents.optional() }),
  z.strictObject({ kind: z.literal('session'), data: projectRecords.optional() }),
  z.strictObject({ kind: z.literal('end'), isFinal: z.literal(true).optional() }),
  z.strictObject({ kind: z.literal('snapshot'), name: z.string(), takenAt: z.string().optional() }),
  z.strictObject({ kind: z.literal('restore'), name: z.string() }),
  z.strictObject({ kind: z.literal('active'), names: z.array(z.string()).optional() }),
  z.strictObject({
    kind: z.literal('scenario'),
    name: z.string(),
    scenario: z.strictObject({ text: z.string() }).optional(),
  }),
  clockRecord.extend({ kind: z.literal('clock') }),
])

const commitRecord = z.strictObject({ position: z.int(), session: z.string(), changes: z.array(changeRecord) })

/** The changes of a write, with their place in a log. */
export interface LoggedCommit {
  readonly position: number
  readonly session: string
  readonly changes: readonly Change[]
}

/** An object as JSON text, one of whose members is JSON text already. */
function toObject(members: Readonly<Record<string, unknown>>, name: string, text: string | undefined): string {
  if (text === undefined) return JSON.stringify(members)
  return `${JSON.stringify(members).slice(0, -1)},${JSON.stringify(name)}:${text}}`
}

/** The change as a line of JSON, int64 exact, without a line break. */
export const toChangeLine = (change: Change): string => toChangeText(change).replaceAll('\n', '')

function toChangeText(change: Change): string {
  switch (change.kind) {
    case 'put':
      return toObject({ kind: change.kind, project: change.project }, 'resource', toResourceText(change.resource))
    case 'image':
      return toObject({ kind: change.kind, project: change.project }, 'image', toImageText(change.image))
    case 'project': {
      const { kind, project, data } = change
      return toObject({ kind, project }, 'data', data && toProjectText(parseProjectId(project), data))
    }
    case 'session':
      return toObject({ kind: change.kind }, 'data', change.data && toProjectsText(change.data))
    default:
      return JSON.stringify(change)
  }
}

/** The commit as a line of JSON, int64 exact, without a line break. */
export const toCommitText = ({ position, session, changes }: LoggedCommit): string =>
  toObject({ position, session }, 'changes', `[${changes.map(toChangeText).join(',')}]`).replaceAll('\n', '')

function toChange(record: z.output<typeof changeRecord>): Change {
  switch (record.kind) {
    case 'put':
      return { ...record, resource: toResource(record.resource, 0) }
    case 'image':
      return { ...record, image: toImage(record.image) }
    case 'project': {
      const { kind, project, data } = record
      return { kind, project, ...(data === undefined ? {} : { data: toProjectData(data, 'data.', '{}') }) }
    }
    case 'session':
      return {
        kind: record.kind,
        ...(record.data === undefined ? {} : { data: parseProjects(record.data, 'data', '{}') }),
      }
    case 'snapshot': {
      const { kind, name, takenAt } = record
      return { kind, name, ...(takenAt === undefined ? {} : { takenAt }) }
    }
    case 'end':
      return { kind: record.kind, ...(record.isFinal === undefined ? {} : { isFinal: record.isFinal }) }
    case 'active':
      return { kind: record.kind, ...(record.names === undefined ? {} : { names: record.names }) }
    case 'scenario': {
      const { kind, name, scenario } = record
      return { kind, name, ...(scenario === undefined ? {} : { scenario }) }
    }
    default:
      return record
  }
}

/** Reads lines that {@link toChangeLine} has written. */
// Only mocks of the same version share a log, so a line is what such a mock wrote.
export const parseChangeLines = (lines: string): readonly Change[] =>
  (parseOwnJson(`[${lines.replaceAll('\n', ',')}]`) as z.output<typeof changeRecord>[]).map(toChange)

/**
 * Reads what {@link toCommitText} writes, parsed.
 *
 * @throws {StateFault} for JSON that is not a commit.
 */
export function parseCommit(value: unknown): LoggedCommit {
  const { position, session, changes } = expectState(commitRecord, value)
  return { position, session, changes: changes.map(toChange) }
}
