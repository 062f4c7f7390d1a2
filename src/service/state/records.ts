import * as z from 'zod'
import { arrayTestType, resourceKey, resultEntry, dateTime } from '../contract/models.ts'
import type { ReadonlyDeep } from '../contract/types.ts'
import {
  TextResource,
  toArrayTestType,
  toStoredContent,
  toPropertyText,
  createBase,
  createResourceList,
  measureBase,
} from './resource.ts'
import type { StoredResource, StoredImage } from './resource.ts'
import { check } from '../contract/check.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { findMembers } from '../contract/endpoint.ts'
import { decodeBase64 } from 'hono/utils/encode'
import { endpoints } from '../contract/endpoints.ts'
import { toBase64 } from '../http/body.ts'
import { findJson } from '../http/json.ts'
import { ProjectData, parseProjectId, toProjectId } from './project-data.ts'
import type { ProjectName } from './project-data.ts'
import type { SessionData } from './change.ts'
import { MAX_PROJECTS } from './store.ts'
import { toTime } from './change.ts'

const { someProperty, createdAt, lastModifiedAt } = resultEntry.shape

const version = z
  .custom<number>((value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1, {
    error: `expected an integer between 1 and ${Number.MAX_SAFE_INTEGER}.`,
  })
  .meta({ type: 'integer', minimum: 1 })

/** The id of a resource or an image, which appears in paths unencoded. */
const recordId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,256}$/, { error: 'expected 1 to 256 characters of A-Z, a-z, 0-9, "_" and "-".' })

/** A resource as written in files and the admin API; omitted members get defaults. */
export const resourceRecord = z.strictObject({
  id: recordId.optional(),
  key: resourceKey.optional(),
  version: version.optional(),
  createdAt: createdAt.optional(),
  lastModifiedAt: lastModifiedAt.optional(),
  someProperty,
  objectTypeProperty: arrayTestType,
  staged: z.strictObject({ objectTypeProperty: arrayTestType }).optional(),
})
/**
 * A resource as accepted by fixtures and `seed`: a draft, an entry of `results`, or anything in between.
 *
 * @example const record: ResourceRecord = { key: 'wool-hat', version: 7, objectTypeProperty: {} }
 */
export type ResourceRecord = ReadonlyDeep<z.output<typeof resourceRecord>>

/** The default creation time of a record. */
const DEFAULT_INSTANT = '2024-01-01T00:00:00.000Z'

/** The default id of a record: its position in the list as a UUID, starting at 1. */
export const toDefaultId = (position: number): string =>
  `00000000-0000-4000-8000-${(position + 1).toString(16).padStart(12, '0')}`

/** Formats a timestamp as stored; the schema has already validated it. */
const NORMAL_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const normalizeInstant = (dateTime: string): string =>
  NORMAL_INSTANT.test(dateTime) ? dateTime : toTime(Date.parse(dateTime))

/** Converts a record to a resource; its position in the list starts at 0. */
export function toResource(record: ResourceRecord, position: number): StoredResource {
  const { id = toDefaultId(position), key, version = 1, someProperty, staged } = record
  const createdAt = record.createdAt === undefined ? DEFAULT_INSTANT : normalizeInstant(record.createdAt)
  const lastModifiedAt = record.lastModifiedAt === undefined ? createdAt : normalizeInstant(record.lastModifiedAt)
  const stagedProperty = staged && toArrayTestType(staged.objectTypeProperty)
  return new TextResource(
    { id, key, version, createdAt, lastModifiedAt, someProperty, staged: stagedProperty },
    toStoredContent(version, toArrayTestType(record.objectTypeProperty)),
    'parsed',
  )
}

/** The JSON text of a resource's record; reuses the stored text of its arrays. */
export function toResourceText(resource: StoredResource): string {
  const { id, key, version, createdAt, lastModifiedAt, someProperty, staged, propertyText } = resource
  const head = JSON.stringify({ id, key, version, createdAt, lastModifiedAt, someProperty }).slice(0, -1)
  const tail = staged === undefined ? '' : `,"staged":{"objectTypeProperty":${toPropertyText(staged)}}`
  return `${head},"objectTypeProperty":${propertyText}${tail}}`
}

/** Two resources with the same id or key (D5, D6), by position. */
export interface Duplicate {
  readonly member: 'id' | 'key'
  readonly value: string
  readonly first: number
  readonly second: number
}

/** Finds the first duplicate id, or otherwise the first duplicate key. */
export function findDuplicate(resources: readonly StoredResource[]): Duplicate | undefined {
  for (const member of ['id', 'key'] as const) {
    const places = new Map<string, number>()
    for (const [second, { [member]: value }] of resources.entries()) {
      if (value === undefined) continue
      const first = places.get(value)
      if (first !== undefined) return { member, value, first, second }
      places.set(value, second)
    }
  }
  return undefined
}

/** An error in a submitted state; the message starts with the path of the value. */
export class StateFault extends Error {
  override readonly name = 'StateFault'
}

/** Splits `resources[0].version` into path segments, to find its schema. */
export const toSteps = (path: string): readonly PropertyKey[] =>
  path.split(/[.[\]]+/).flatMap((step) => (step === '' ? [] : [/^\d+$/.test(step) ? Number(step) : step]))

/**
 * Checks a parsed JSON value against a schema of the state.
 *
 * @param path the path of the value in the state
 * @throws {StateFault} for the first problem found, including unknown members.
 */
export function expectState<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[] = [],
): z.output<Schema> {
  const { problems, unknown } = check(schema, value, path, true)
  const [member] = unknown
  if (member !== undefined) {
    const steps = toSteps(member)
    const name = String(steps.at(-1))
    throw new StateFault(
      `${member}: unknown member.${didYouMean(name, findMembers(schema, steps.slice(path.length, -1)))}`,
    )
  }
  const [fault] = problems
  if (fault !== undefined) throw new StateFault(fault.detailedErrorMessage ?? fault.message)
  // Returns the input, because the schema's copy has its members reordered.
  return value as z.output<Schema>
}

const pixels = z.int().min(1)

/** An image as JSON. */
export const imageRecord = z.strictObject({
  id: recordId,
  projectKey: z.string(),
  resourceId: z.string(),
  type: z.enum(endpoints.uploadImage.body.contentTypes),
  width: pixels,
  height: pixels,
  filename: z.string().optional(),
  sku: z.string().optional(),
  variant: z.number().optional(),
  staged: z.boolean().optional(),
  createdAt: dateTime,
  /** The bytes in base64 (RFC 4648). */
  data: z.base64(),
})

/** An image as JSON, with its bytes in the record or in a file. */
export const storedImageRecord = imageRecord.extend({ data: z.base64().optional(), file: z.string().optional() })

const contentMembers = {
  resources: z.array(resourceRecord),
  /** Ids in write order, oldest first (D15); default: the order of the resources. */
  recent: z.array(z.string()).optional(),
  /** JSON text as received: parsed and nested here, it could exceed the depth limit and lose digits of fractions (D22). */
  action: z
    .string()
    .refine((text) => findJson(text) !== undefined, { error: 'expected JSON text in a string.' })
    .optional(),
  posted: z.array(z.string()).optional(),
  images: z.array(imageRecord).optional(),
}

/** One project in a list: its name and contents. */
const projectRecord = z.strictObject({
  baseUrl: z.string().optional(),
  projectKey: z.string(),
  ...contentMembers,
})

/** The contents of one project, with or without its name. */
const projectContents = projectRecord.extend({ projectKey: z.string().optional() })

/** One project, whose images may have their bytes in files. */
export const storedProject = projectRecord.extend({ images: z.array(storedImageRecord).optional() })

export type StoredImageRecord = z.output<typeof storedImageRecord>

/** Data validated by {@link projectContents} or {@link storedProject}. */
export type ProjectContents = Omit<z.output<typeof storedProject>, 'projectKey'>

/** An image as the JSON text of its record. */
export const toImageText = ({ bytes, ...image }: StoredImage): string =>
  JSON.stringify({ ...image, data: toBase64(bytes) })
export const toImage = ({ data = '', file: _file, ...image }: StoredImageRecord): StoredImage => ({
  ...image,
  bytes: decodeBase64(data),
})

/** Writes a JSON array or object in chunks: each item or member starts on a line of its own. */
export function* writeEach<Value>(
  values: Iterable<Value>,
  [open, close]: typeof ARRAY | typeof OBJECT,
  write: (value: Value) => Iterable<string>,
): Generator<string> {
  let separator = `${open}\n`
  for (const value of values) {
    yield separator
    yield* write(value)
    separator = ',\n'
  }
  yield separator === ',\n' ? close : open + close
}

export const ARRAY = ['[', ']'] as const
export const OBJECT = ['{', '}'] as const

/** Writes a project as the JSON text of its record in chunks, int64 exact. The data must not change meanwhile. */
export function* writeProject(
  { baseUrl, projectKey }: ProjectName,
  data: ProjectData,
  writeImage = toImageText,
): Generator<string> {
  yield `{"baseUrl":${JSON.stringify(baseUrl)},"projectKey":${JSON.stringify(projectKey)},\n"resources":`
  yield* writeEach(data.all(), ARRAY, (resource) => [toResourceText(resource)])
  yield `,
"recent":${JSON.stringify([...data.recent()])},
"action":${JSON.stringify(data.action)},
"posted":${JSON.stringify([...data.posted()])},
"images":`
  yield* writeEach(data.images(), ARRAY, (image) => [writeImage(image)])
  yield '}'
}

/**
 * Builds the data of a project from its record.
 *
 * @param list the path of its resources, for error messages
 * @param action JSON text of the action payload if the record has none
 * @throws {StateFault} for a duplicate id or key (D5, D6).
 */
export function toProjectData(record: ProjectContents, list: string, action: string, readImage = toImage): ProjectData {
  const resources = record.resources.map(toResource)
  const duplicate = findDuplicate(resources)
  if (duplicate !== undefined) {
    const { member, value, first, second } = duplicate
    throw new StateFault(
      `${list}[${second}].${member}: ${JSON.stringify(value)} is already the ${member} of ${list.replace(/^.*\./, '')}[${first}]. Change one of them.`,
    )
  }
  const base = createBase({
    resources: createResourceList(resources),
    action: record.action ?? action,
    recent: record.recent,
    images: new Map((record.images ?? []).map((image) => [image.id, readImage(image)])),
    posted: new Set(record.posted),
  })
  return new ProjectData(base, measureBase(base))
}

/** Identifies the format and its version. */
export const FORMAT = 'resource-mock/1'

/** The projects of a session, as JSON. */
export const projectRecords = z
  .array(projectRecord)
  .max(MAX_PROJECTS, { error: `expected at most ${MAX_PROJECTS} projects.` })

/** Data validated by {@link projectRecords}. */
type ProjectRecords = z.output<typeof projectRecords>

/** Writes projects as the JSON text of {@link projectRecords}. */
export const writeProjects = (data: ReadonlyMap<string, ProjectData>, writeImage = toImageText): Generator<string> =>
  writeEach(data, ARRAY, ([id, project]) => writeProject(parseProjectId(id), project, writeImage))

/**
 * Writes the projects of one session that have been written to, in chunks, int64 exact, for the admin API. The data must
 * not change meanwhile.
 */
export function* writeSession(data: ReadonlyMap<string, ProjectData>): Generator<string> {
  yield `{"format":"${FORMAT}","projects":`
  yield* writeProjects(data)
  yield '}'
}

/**
 * Builds the projects of a session from their records.
 *
 * @param path the path of the records, for error messages
 * @param action JSON text of the action payload for projects that have none
 * @throws {StateFault} for a duplicate or invalid project.
 */
export function parseProjects(
  records: readonly z.output<typeof storedProject>[],
  path: string,
  action: string,
  readImage = toImage,
): SessionData {
  const data: SessionData = new Map()
  for (const [at, record] of records.entries()) {
    const { projectKey } = record
    // Host names are case-insensitive, so normalize the base URL.
    const id = toProjectId({ baseUrl: record.baseUrl?.toLowerCase() ?? '', projectKey })
    if (data.has(id))
      throw new StateFault(`${path}[${at}]: the project ${JSON.stringify(projectKey)} is listed twice. Remove one.`)
    data.set(id, toProjectData(record, `${path}[${at}].resources`, action, readImage))
  }
  return data
}

const sessionRecord = z.strictObject({ format: z.literal(FORMAT).optional(), projects: projectRecords })

/**
 * Checks the parsed output of {@link writeSession}. Only the resources and keys of projects are required.
 *
 * @throws {StateFault} for the first problem found.
 */
export const expectProjects = (value: unknown): ProjectRecords => expectState(sessionRecord, value).projects

/**
 * Checks one project: the parsed output of {@link writeProject}, or only a list of resource records.
 *
 * @throws {StateFault} for the first problem found.
 */
export const expectProject = (value: unknown): ProjectContents =>
  Array.isArray(value)
    ? { resources: expectState(z.array(resourceRecord), value) }
    : expectState(projectContents, value)
