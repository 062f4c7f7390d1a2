import type { ImageType } from '../contract/endpoint.ts'
import { createRecency } from './recency.ts'
import type { Recency } from './recency.ts'
import type { StoredResource } from './resource.ts'
import { NO_BYTES, PLACE_BYTES, resourceBytes, textBytes } from './size.ts'
import type { Size } from './size.ts'

/** An uploaded image (D21). Its bytes are never handed out to be changed: answers copy them. */
export interface StoredImage {
  readonly id: string
  readonly projectKey: string
  readonly resourceId: string
  readonly type: ImageType
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array<ArrayBuffer>
  /** A label, never a path. */
  readonly filename?: string
  readonly sku?: string
  readonly variant?: number
  readonly staged?: boolean
  readonly createdAt: string
}

/** Everything of one project that changes; resources by id, and ids by key. */
export interface ProjectData {
  readonly resources: Map<string, StoredResource>
  readonly idsByKey: Map<string, string>
  readonly recency: Recency
  readonly images: Map<string, StoredImage>
  /** Path values and body ids that the complex POST has seen (D16). */
  readonly posted: Set<string>
  /** JSON text of the action payload (D22). */
  action: string
  /** What of it is its own, and not shared with the data that it began with. */
  size: Size
  /** The resources that it began with, which others have too. */
  readonly shared: ReadonlyMap<string, StoredResource>
}

const NOTHING_SHARED: ReadonlyMap<string, StoredResource> = new Map()

/** Builds a project's data from resources in creation order. */
export function createProjectData(resources: Iterable<StoredResource>, action: string): ProjectData {
  const byId = new Map<string, StoredResource>()
  const idsByKey = new Map<string, string>()
  let bytes = textBytes(action)
  for (const resource of resources) {
    bytes += resourceBytes(resource)
    byId.set(resource.id, resource)
    if (resource.key !== undefined) idsByKey.set(resource.key, resource.id)
  }
  return {
    resources: byId,
    idsByKey,
    recency: createRecency(byId.keys()),
    images: new Map(),
    posted: new Set(),
    action,
    size: { ...NO_BYTES, bytes },
    shared: NOTHING_SHARED,
  }
}

/** A copy that can be written to; the records in it are shared, since they never change. */
export const copyProjectData = (data: ProjectData): ProjectData => ({
  resources: new Map(data.resources),
  idsByKey: new Map(data.idsByKey),
  recency: { stack: [...data.recency.stack] },
  images: new Map(data.images),
  posted: new Set(data.posted),
  action: data.action,
  size: data.size,
  shared: data.shared,
})

/** A copy for a project that is about to be written to for the first time: it has only its changes to itself. */
export const forkProjectData = (data: ProjectData): ProjectData => ({
  ...copyProjectData(data),
  size: { ...NO_BYTES, bytes: PLACE_BYTES * data.resources.size },
  shared: data.resources,
})

/** The bytes that go when a resource does. */
export const ownBytes = ({ shared }: ProjectData, resource: StoredResource): number =>
  shared.get(resource.id) === resource ? 0 : resourceBytes(resource)
