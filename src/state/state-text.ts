import * as z from 'zod'
import { check } from '../contract/check.ts'
import { endpoints } from '../contract/endpoints.ts'
import { arrayTestType } from '../contract/models.ts'
import { parseJson } from '../http/json.ts'
import { createProjectData } from './project-data.ts'
import type { ProjectData, StoredImage } from './project-data.ts'
import { toArrayTestType, toPropertyText } from './property-text.ts'
import type { Resource } from './resource.ts'
import { parseProjectId, toProjectId } from './store.ts'
import type { SessionData, StateData } from './store.ts'

/** The state as JSON text: what `--persist` keeps. Resources have the members of a fixture record. */

const resourceRecord = z.strictObject({
  id: z.string(),
  key: z.string().optional(),
  version: z.number().int().min(1),
  createdAt: z.iso.datetime(),
  lastModifiedAt: z.iso.datetime(),
  someProperty: z.string().optional(),
  objectTypeProperty: arrayTestType,
  staged: z.strictObject({ objectTypeProperty: arrayTestType }).optional(),
})

const imageRecord = z.strictObject({
  id: z.string(),
  projectKey: z.string(),
  resourceId: z.string(),
  type: z.enum(endpoints.uploadImage.body.contentTypes),
  width: z.number(),
  height: z.number(),
  filename: z.string().optional(),
  sku: z.string().optional(),
  variant: z.number().optional(),
  staged: z.boolean().optional(),
  createdAt: z.iso.datetime(),
  /** The bytes in base64 (RFC 4648). */
  data: z.base64(),
})

const projectRecord = z.strictObject({
  baseUrl: z.string(),
  projectKey: z.string(),
  resources: z.array(resourceRecord),
  /** Ids in the order of their writing, the oldest first (D15). */
  recent: z.array(z.string()),
  /** JSON text as it came: nested here it could pass the depth that is read, and lose digits of fractions (D22). */
  action: z.string(),
  posted: z.array(z.string()),
  images: z.array(imageRecord),
})

const stateRecord = z.strictObject({
  format: z.literal('resource-mock/1'),
  sessions: z.record(z.string(), z.array(projectRecord)),
})

type ResourceRecord = z.output<typeof resourceRecord>
type ImageRecord = z.output<typeof imageRecord>
type ProjectRecord = z.output<typeof projectRecord>

const CHUNK = 0x8000
const encoded = new WeakMap<Uint8Array, string>()

/** Base64 of bytes that never change, made once. */
function toBase64(bytes: Uint8Array): string {
  const known = encoded.get(bytes)
  if (known !== undefined) return known
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  const text = btoa(binary)
  encoded.set(bytes, text)
  return text
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** A resource as the JSON text of a record; its arrays are the text that was written once. */
function toResourceText({ propertyText, objectTypeProperty: _same, staged, ...resource }: Resource): string {
  const head = JSON.stringify(resource).slice(0, -1)
  const tail = staged === undefined ? '' : `,"staged":{"objectTypeProperty":${toPropertyText(staged)}}`
  return `${head},"objectTypeProperty":${propertyText}${tail}}`
}

const toImageText = ({ bytes, ...image }: StoredImage): string => JSON.stringify({ ...image, data: toBase64(bytes) })

function toProjectText(id: string, data: ProjectData): string {
  const { baseUrl, projectKey } = parseProjectId(id)
  const resources = Array.from(data.resources.values(), toResourceText).join(',\n')
  const images = Array.from(data.images.values(), toImageText).join(',\n')
  return `{"baseUrl":${JSON.stringify(baseUrl)},"projectKey":${JSON.stringify(projectKey)},
"resources":[${resources}],
"recent":${JSON.stringify(data.recency.stack)},
"action":${JSON.stringify(data.action)},
"posted":${JSON.stringify([...data.posted])},
"images":[${images}]}`
}

/** Writes the whole state, int64 exact. */
export function toStateText({ sessions }: StateData): string {
  const members = Array.from(sessions, ([name, projects]) => {
    const texts = Array.from(projects, ([id, data]) => toProjectText(id, data))
    return `${JSON.stringify(name)}:[${texts.join(',\n')}]`
  })
  return `{"format":"resource-mock/1","sessions":{\n${members.join(',\n')}}}\n`
}

function toResource({ objectTypeProperty, staged, ...record }: ResourceRecord): Resource {
  const property = toArrayTestType(objectTypeProperty)
  return {
    ...record,
    objectTypeProperty: property,
    propertyText: toPropertyText(property),
    ...(staged === undefined ? {} : { staged: toArrayTestType(staged.objectTypeProperty) }),
  }
}

const toImage = ({ data, ...image }: ImageRecord): StoredImage => ({ ...image, bytes: fromBase64(data) })

function toProjectData({ resources, recent, action, posted, images }: ProjectRecord): ProjectData {
  const data = createProjectData(resources.map(toResource), action)
  return {
    ...data,
    recency: { stack: recent },
    posted: new Set(posted),
    images: new Map(images.map((image) => [image.id, toImage(image)])),
  }
}

/**
 * Reads a whole state back.
 *
 * @throws {Problem} 400 for text that is not JSON; its `detailedErrorMessage` says where.
 * @throws {TypeError} for JSON that is not a state; its message says where and why.
 */
export function parseStateText(text: string): StateData {
  const value = parseJson(text)
  const { faults, unknown } = check(stateRecord, value)
  const [fault] = faults
  if (fault !== undefined) throw new TypeError(String(fault.detailedErrorMessage ?? fault.message))
  const [member] = unknown
  if (member !== undefined) throw new TypeError(`${member}: unknown member.`)
  const sessions = new Map<string, SessionData>()
  for (const [name, projects] of Object.entries((value as z.output<typeof stateRecord>).sessions)) {
    sessions.set(name, new Map(projects.map((project) => [toProjectId(project), toProjectData(project)])))
  }
  return { sessions }
}
