import * as z from 'zod'
import { parseOwnJson } from '../http/json.ts'
import {
  toResource,
  toResourceText,
  resourceRecord,
  imageRecord,
  projectContents,
  toImage,
  toImageText,
  toProjectData,
  writeProject,
  expectState,
  parseProjects,
  projectRecords,
  writeProjects,
} from './records.ts'
import { parseProjectId } from './project-data.ts'
import { FURTHEST } from './change.ts'
import type { Change } from './change.ts'

/** The clock offset of a session, as JSON. */
export const clockRecord = z.strictObject({
  offset: z.number().min(-FURTHEST).max(FURTHEST),
  passed: z.number().min(0).max(FURTHEST),
})

/** A change as it is written to files and sent to other mocks. */
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

/** The changes of a write, with their log position. */
export interface LoggedCommit {
  readonly position: number
  readonly session: string
  readonly changes: readonly Change[]
}

/** Appends a member that is already JSON text to an object's JSON text. */
function toObject(members: Readonly<Record<string, unknown>>, name: string, text: string | undefined): string {
  if (text === undefined) return JSON.stringify(members)
  return `${JSON.stringify(members).slice(0, -1)},${JSON.stringify(name)}:${text}}`
}

/** The change as one line of JSON, int64 exact. */
export const toChangeLine = (change: Change): string => toChangeText(change).replaceAll('\n', '')

function toChangeText(change: Change): string {
  switch (change.kind) {
    case 'put':
      return toObject({ kind: change.kind, project: change.project }, 'resource', toResourceText(change.resource))
    case 'image':
      return toObject({ kind: change.kind, project: change.project }, 'image', toImageText(change.image))
    case 'project': {
      const { kind, project, data } = change
      return toObject({ kind, project }, 'data', data && [...writeProject(parseProjectId(project), data)].join(''))
    }
    case 'session':
      return toObject({ kind: change.kind }, 'data', change.data && [...writeProjects(change.data)].join(''))
    default:
      return JSON.stringify(change)
  }
}

/** The commit as one line of JSON, int64 exact. */
export const toCommitText = ({ position, session, changes }: LoggedCommit): string =>
  toObject({ position, session }, 'changes', `[${changes.map(toChangeText).join(',')}]`).replaceAll('\n', '')

function toStoredChange(record: z.output<typeof changeRecord>): Change {
  switch (record.kind) {
    case 'put':
      return { ...record, resource: toResource(record.resource, 0) }
    case 'image':
      return { ...record, image: toImage(record.image) }
    case 'project':
      return { ...record, data: record.data && toProjectData(record.data, 'data.resources', '{}') }
    case 'session':
      return { ...record, data: record.data && parseProjects(record.data, 'data', '{}') }
    default:
      return record
  }
}

const resourceHead = resourceRecord.omit({ objectTypeProperty: true, staged: true })
const imageHead = imageRecord.omit({ data: true })

/**
 * Checks what a write has computed, such as versions and times, so that only what can be read again is stored and
 * acknowledged. The rest of a change was checked with the same schemas when it arrived.
 *
 * @throws {StateFault} if it cannot be read again.
 */
export function expectReadable(changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.kind === 'put') {
      const { id, key, version, createdAt, lastModifiedAt, someProperty } = change.resource
      expectState(resourceHead, { id, key, version, createdAt, lastModifiedAt, someProperty }, ['resource'])
    } else if (change.kind === 'image') {
      const { bytes: _bytes, ...head } = change.image
      expectState(imageHead, head, ['image'])
    } else if (change.kind === 'clock') {
      const { offset, passed } = change
      expectState(clockRecord, { offset, passed })
    }
  }
}

/** Parses lines written by {@link toChangeLine}. */
// Only mocks of the same version share a log, so the line needs no validation.
export const parseChangeLines = (lines: string): readonly Change[] =>
  (parseOwnJson(`[${lines.replaceAll('\n', ',')}]`) as z.output<typeof changeRecord>[]).map(toStoredChange)

/**
 * Parses the JSON written by {@link toCommitText}.
 *
 * @throws {StateFault} for JSON that is not a commit.
 */
export function parseCommit(value: unknown): LoggedCommit {
  const { position, session, changes } = expectState(commitRecord, value)
  return { position, session, changes: changes.map(toStoredChange) }
}
