import * as z from 'zod'
import type { Steps } from '../util/turns.ts'
import { arrayTestType, resourceKey, resultEntry, dateTime } from '../contract/models.ts'
import type { ReadonlyDeep } from '../contract/types.ts'
import { toArrayTestType, toContent, toPropertyText, createBase, listResources, measureBase } from './resource.ts'
import type { StoredResource, StoredImage } from './resource.ts'
import { check } from '../contract/check.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { findMembers } from '../contract/endpoint.ts'
import { decodeBase64 } from 'hono/utils/encode'
import { endpoints } from '../contract/endpoints.ts'
import { toBase64 } from '../http/body.ts'
import { runAtOnce } from '../util/turns.ts'
import { ProjectData, parseProjectId, toProjectId } from './project-data.ts'
import type { ProjectName } from './project-data.ts'
import type { SessionData } from './change.ts'
import { MAX_PROJECTS } from './limits.ts'

const { someProperty, createdAt, lastModifiedAt } = resultEntry.shape

const version = z
  .custom<number>((value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1, {
    error: `integer between 1 and ${Number.MAX_SAFE_INTEGER} expected.`,
  })
  .meta({ type: 'integer', minimum: 1 })

/** A resource as files and the admin API write it; members that are left out get defaults. */
export const resourceRecord = z.strictObject({
  /** Stands in paths as it is. */
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}$/, { error: '1 to 256 characters of A-Z, a-z, 0-9, "_" and "-" expected.' })
    .optional(),
  key: resourceKey.optional(),
  version: version.optional(),
  createdAt: createdAt.optional(),
  lastModifiedAt: lastModifiedAt.optional(),
  someProperty,
  objectTypeProperty: arrayTestType,
  staged: z.strictObject({ objectTypeProperty: arrayTestType }).optional(),
})
/**
 * A resource as fixtures and `seed` take it: a draft, an entry of `results`, or anything between.
 *
 * @example const record: ResourceRecord = { key: 'wool-hat', version: 7, objectTypeProperty: {} }
 */
export type ResourceRecord = ReadonlyDeep<z.output<typeof resourceRecord>>

/** When a record that does not say was created. */
const DEFAULT_INSTANT = '2024-01-01T00:00:00.000Z'

/** The id of a record without one: its place in the list, counted from 1, as a UUID. */
const toDefaultId = (position: number): string =>
  `00000000-0000-4000-8000-${(position + 1).toString(16).padStart(12, '0')}`

/** How an instant is written here; the schema has checked the numbers in it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const toInstant = (dateTime: string): string => (INSTANT.test(dateTime) ? dateTime : new Date(dateTime).toISOString())

/** The resource of a record at a place in its list, counted from 0. */
export function toResource(record: ResourceRecord, position: number): StoredResource {
  const { id = toDefaultId(position), key, version = 1, someProperty, staged } = record
  const createdAt = record.createdAt === undefined ? DEFAULT_INSTANT : toInstant(record.createdAt)
  const lastModifiedAt = record.lastModifiedAt === undefined ? createdAt : toInstant(record.lastModifiedAt)
  const objectTypeProperty = toArrayTestType(record.objectTypeProperty)
  return {
    id,
    ...(key !== undefined && { key }),
    version,
    createdAt,
    lastModifiedAt,
    ...(someProperty !== undefined && { someProperty }),
    ...toContent(version, objectTypeProperty),
    ...(staged !== undefined && { staged: toArrayTestType(staged.objectTypeProperty) }),
  }
}

/** A resource as the JSON text of a record; its arrays are the text that was written once. */
export function toResourceText({
  propertyText,
  objectTypeProperty: _same,
  text: _text,
  staged,
  ...resource
}: StoredResource): string {
  const head = JSON.stringify(resource).slice(0, -1)
  const tail = staged === undefined ? '' : `,"staged":{"objectTypeProperty":${toPropertyText(staged)}}`
  return `${head},"objectTypeProperty":${propertyText}${tail}}`
}

/** Two resources that share what names one (D5, D6), by their places. */
export interface Duplicate {
  readonly member: 'id' | 'key'
  readonly value: string
  readonly first: number
  readonly second: number
}

/** The first id, or else the first key, that two resources share, step by step. */
export function* findDuplicate(resources: readonly StoredResource[]): Steps<Duplicate | undefined> {
  for (const member of ['id', 'key'] as const) {
    const places = new Map<string, number>()
    for (const [second, { [member]: value }] of resources.entries()) {
      if (value === undefined) continue
      const first = places.get(value)
      if (first !== undefined) return { member, value, first, second }
      places.set(value, second)
      yield 1
    }
  }
  return undefined
}

/** A fault of a given state; the message starts with the path of its value. */
export class StateFault extends Error {
  override readonly name = 'StateFault'
}

/** `resources[0].version` as steps, to find its schema. */
export const toSteps = (path: string): readonly PropertyKey[] =>
  path.split(/[.[\]]+/).flatMap((step) => (step === '' ? [] : [/^\d+$/.test(step) ? Number(step) : step]))

/**
 * Holds a parsed JSON value to a schema of the state.
 *
 * @param path where in the state the value is
 * @throws {StateFault} for the first thing that is wrong, unknown members included.
 */
export function expectState<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[] = [],
): z.output<Schema> {
  const { faults, unknown } = check(schema, value, path, true)
  const [member] = unknown
  if (member !== undefined) {
    const steps = toSteps(member)
    const name = String(steps.at(-1))
    throw new StateFault(
      `${member}: unknown member.${didYouMean(name, findMembers(schema, steps.slice(path.length, -1)))}`,
    )
  }
  const [fault] = faults
  if (fault !== undefined) throw new StateFault(fault.detailedErrorMessage ?? fault.message)
  // Not the schema's own copy, which would be reordered.
  return value as z.output<Schema>
}

const pixels = z.int().min(1)

/** An image as JSON. */
export const imageRecord = z.strictObject({
  /** Stands in paths as it is. */
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}$/, { error: '1 to 256 characters of A-Z, a-z, 0-9, "_" and "-" expected.' }),
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const contents = {
  resources: z.array(resourceRecord),
  /** Ids in the order of their writing, the oldest first (D15); default: that of the resources. */
  recent: z.array(z.string()).optional(),
  /** JSON text as it came: nested here it could pass the depth that is read, and lose digits of fractions (D22). */
  action: z.string().refine(isJson, { error: 'JSON text in a string expected.' }).optional(),
  posted: z.array(z.string()).optional(),
  images: z.array(imageRecord).optional(),
}

/** One project of many: its name, and its contents. */
export const projectRecord = z.strictObject({ baseUrl: z.string().optional(), projectKey: z.string(), ...contents })

/** The contents of one project, with or without its name. */
export const projectContents = projectRecord.extend({ projectKey: z.string().optional() })

type ImageRecord = z.output<typeof imageRecord> /** What was checked against {@link projectContents}. */
export type ProjectContents = z.output<typeof projectContents>

/** An image as the JSON text of its record. */
export const toImageText = ({ bytes, ...image }: StoredImage): string =>
  JSON.stringify({ ...image, data: toBase64(bytes) })
export const toImage = ({ data, ...image }: ImageRecord): StoredImage => ({ ...image, bytes: decodeBase64(data) })

/** Writes the items of a JSON array, one at a time. */
export function* writeItems<T>(items: Iterable<T>, toText: (item: T) => string, separator = ',\n'): Generator<string> {
  let before = ''
  for (const item of items) {
    yield before + toText(item)
    before = separator
  }
}

/** Writes a project as the JSON text of its record, int64 exact, a piece at a time. The data must not change meanwhile. */
export function* writeProject({ baseUrl, projectKey }: ProjectName, data: ProjectData): Generator<string> {
  yield `{"baseUrl":${JSON.stringify(baseUrl)},"projectKey":${JSON.stringify(projectKey)},\n"resources":[`
  yield* writeItems(data.all(), toResourceText)
  yield '],\n"recent":['
  yield* writeItems(data.recent(), JSON.stringify, ',')
  yield `],
"action":${JSON.stringify(data.action)},
"posted":${JSON.stringify([...data.posted()])},
"images":[`
  yield* writeItems(data.images(), toImageText)
  yield ']}'
}

/** As {@link writeProject}, whole. */
export const toProjectText = (name: ProjectName, data: ProjectData): string => [...writeProject(name, data)].join('')

/** What it takes to make a resource of its record, as steps count it, besides the values in it. */
const RECORD_STEP = 20
/** This many characters of a resource, and of an image, count as one value. */
const CHARACTERS_A_STEP = 10
const IMAGE_CHARACTERS_A_STEP = 200

/**
 * The data of a project's record, step by step.
 *
 * @param path of the record, for the sentence of a fault
 * @param action JSON text of the action payload if the record has none
 * @throws {StateFault} for an id or a key that two resources share (D5, D6).
 */
export function* buildProjectData(record: ProjectContents, path: string, action: string): Steps<ProjectData> {
  const resources: StoredResource[] = []
  for (const [at, one] of record.resources.entries()) {
    const resource = toResource(one, at)
    resources.push(resource)
    yield RECORD_STEP + resource.propertyText.length / CHARACTERS_A_STEP
  }
  const duplicate = yield* findDuplicate(resources)
  if (duplicate !== undefined) {
    const { member, value, first, second } = duplicate
    throw new StateFault(
      `${path}resources[${second}].${member}: ${JSON.stringify(value)} is already the ${member} of resources[${first}]. Change one of them.`,
    )
  }
  const images = new Map<string, StoredImage>()
  for (const image of record.images ?? []) {
    images.set(image.id, toImage(image))
    yield RECORD_STEP + image.data.length / IMAGE_CHARACTERS_A_STEP
  }
  const posted = new Set<string>()
  for (const name of record.posted ?? []) {
    posted.add(name)
    yield 1
  }
  const base = createBase({
    resources: yield* listResources(resources),
    action: record.action ?? action,
    recent: record.recent,
    images,
    posted,
  })
  return new ProjectData(base, yield* measureBase(base))
}

/** As {@link buildProjectData}, at once. */
export const toProjectData = (record: ProjectContents, path: string, action: string): ProjectData =>
  runAtOnce(buildProjectData(record, path, action))

/** Identifies the format, so that a later one can be distinguished. */
export const FORMAT = 'resource-mock/1'

/** The projects of a session, as JSON. */
export const projectRecords = z
  .array(projectRecord)
  .max(MAX_PROJECTS, { error: `at most ${MAX_PROJECTS} projects expected.` })

/** What was checked against {@link projectRecords}. */
export type ProjectRecords = z.output<typeof projectRecords>

function* writeProjects(data: ReadonlyMap<string, ProjectData>): Generator<string> {
  let separator = '['
  for (const [id, project] of data) {
    yield separator
    yield* writeProject(parseProjectId(id), project)
    separator = ',\n'
  }
  yield separator === '[' ? '[]' : ']'
}

/** Projects as the JSON text of {@link projectRecords}, int64 exact. */
export const toProjectsText = (data: ReadonlyMap<string, ProjectData>): string => [...writeProjects(data)].join('')

/**
 * Writes the projects of one session that were written to, int64 exact, a piece at a time: what the admin API hands out. The
 * data must not change meanwhile.
 */
export function* writeSession(data: ReadonlyMap<string, ProjectData>): Generator<string> {
  yield `{"format":"${FORMAT}","projects":`
  yield* writeProjects(data)
  yield '}'
}

/**
 * The projects of a session's records, step by step.
 *
 * @param path of the records, for the sentence of a fault
 * @param action JSON text of the action payload of projects that have none
 * @throws {StateFault} for a project that is listed twice, and for a wrong one.
 */
export function* buildProjects(records: ProjectRecords, path: string, action: string): Steps<SessionData> {
  const data: SessionData = new Map()
  for (const [at, record] of records.entries()) {
    const { projectKey } = record
    // One name for one base URL: host names know no case.
    const id = toProjectId({ baseUrl: record.baseUrl?.toLowerCase() ?? '', projectKey })
    if (data.has(id)) throw new StateFault(`${path}[${at}]: the project ${JSON.stringify(projectKey)} is listed twice.`)
    data.set(id, yield* buildProjectData(record, `${path}[${at}].`, action))
  }
  return data
}

/** As {@link buildProjects}, at once. */
export const parseProjects = (records: ProjectRecords, path: string, action: string): SessionData =>
  runAtOnce(buildProjects(records, path, action))
