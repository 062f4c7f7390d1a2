import type { ImageType } from '../contract/endpoint.ts'

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
