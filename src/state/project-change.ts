import type { StoredImage } from './image.ts'
import type { StoredResource } from './resource.ts'

/** What a write does to one project. */
export type ProjectChange =
  /** A new resource, or the next version of one. */
  | { readonly kind: 'put'; readonly resource: StoredResource }
  | { readonly kind: 'remove'; readonly id: string }
  /** Replaces the JSON text of the action payload (D22). */
  | { readonly kind: 'action'; readonly text: string }
  /** Something was posted to a place (D16). */
  | { readonly kind: 'posted'; readonly name: string }
  | { readonly kind: 'image'; readonly image: StoredImage }

/** Undoes one step of a change, after all later steps were undone. */
export type Undo = () => void

/** Collects what undoes a change, in the order of its steps; undefined for a change that is final. */
export type Undos = Undo[] | undefined
