import * as z from 'zod'
import { parseOwnJson } from '../http/json.ts'
import {
  toResource,
  toResourceText,
  resourceRecord,
  imageRecord,
  storedImageRecord,
  storedProject,
  toImage,
  toImageText,
  toProjectData,
  writeProject,
  expectState,
  parseProjects,
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
export const changeRecord = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('put'), project: z.string(), resource: resourceRecord }),
  z.strictObject({ kind: z.literal('remove'), project: z.string(), id: z.string() }),
  z.strictObject({ kind: z.literal('action'), project: z.string(), text: z.string() }),
  z.strictObject({ kind: z.literal('posted'), project: z.string(), name: z.string() }),
  z.strictObject({ kind: z.literal('image'), project: z.string(), image: storedImageRecord }),
  z.strictObject({ kind: z.literal('project'), project: z.string(), data: storedProject.optional() }),
  z.strictObject({ kind: z.literal('session'), data: z.array(storedProject).optional() }),
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

/** Writes a change as JSON text in pieces, int64 exact. */
export function* writeChange(change: Change, writeImage = toImageText): Generator<string> {
  switch (change.kind) {
    case 'put': {
      const { kind, project, resource } = change
      yield `{"kind":"${kind}","project":${JSON.stringify(project)},"resource":${toResourceText(resource)}}`
      return
    }
    case 'image':
      yield `{"kind":"image","project":${JSON.stringify(change.project)},"image":${writeImage(change.image)}}`
      return
    case 'project':
    case 'session': {
      const { data, ...head } = change
      yield data === undefined ? JSON.stringify(head) : `${JSON.stringify(head).slice(0, -1)},"data":`
      if (change.kind === 'session' && change.data !== undefined) yield* writeProjects(change.data, writeImage)
      if (change.kind === 'project' && change.data !== undefined)
        yield* writeProject(parseProjectId(change.project), change.data, writeImage)
      if (data !== undefined) yield '}'
      return
    }
    default:
      yield JSON.stringify(change)
  }
}

/** The change as one line of JSON, int64 exact. */
export const toChangeLine = (change: Change): string => [...writeChange(change)].join('').replaceAll('\n', '')

/**
 * Converts a validated record to a change.
 *
 * @param path the path of the record, for error messages
 * @throws {StateFault} for a duplicate or invalid project, or a missing image.
 */
export function toStoredChange(record: z.output<typeof changeRecord>, path = '', readImage = toImage): Change {
  switch (record.kind) {
    case 'put':
      return { ...record, resource: toResource(record.resource, 0) }
    case 'image':
      return { ...record, image: readImage(record.image) }
    case 'project':
      return { ...record, data: record.data && toProjectData(record.data, `${path}data.resources`, '{}', readImage) }
    case 'session':
      return { ...record, data: record.data && parseProjects(record.data, `${path}data`, '{}', readImage) }
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
  (parseOwnJson(`[${lines.replaceAll('\n', ',')}]`) as z.output<typeof changeRecord>[]).map((record) =>
    toStoredChange(record),
  )
