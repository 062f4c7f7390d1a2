import type { ImageType } from '../contract/endpoint.ts'
import { createRecency } from './recency.ts'
import type { Recency } from './recency.ts'
import type { Resource } from './resource.ts'

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
  readonly resources: Map<string, Resource>
  readonly idsByKey: Map<string, string>
  readonly recency: Recency
  readonly images: Map<string, StoredImage>
  /** Path values and body ids that the complex POST has seen (D16). */
  readonly posted: Set<string>
  /** JSON text of the action payload (D22). */
  action: string
}

/** Builds a project's data from resources in creation order. */
export function createProjectData(resources: Iterable<Resource>, action: string): ProjectData {
  const byId = new Map<string, Resource>()
  const idsByKey = new Map<string, string>()
  for (const resource of resources) {
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
})
