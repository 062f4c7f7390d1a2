import type { StoredImage } from './image.ts'
import type { ProjectData } from './project-data.ts'
import type { StoredResource } from './resource.ts'
import type { SessionData } from './state-data.ts'

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

/**
 * What a write does to a session. Whoever applies the same changes in the same order has the same data: a change is all that
 * a file, or another mock, needs to know of a write.
 */
export type Change =
  | (ProjectChange & { readonly project: string })
  /** Replaces all that a project has; without data: with the fixtures. */
  | { readonly kind: 'project'; readonly project: string; readonly data?: ProjectData }
  /** Replaces all that a session has; without data: with the fixtures. */
  | { readonly kind: 'session'; readonly data?: SessionData }
  /** The session ends, its snapshots included. */
  | { readonly kind: 'end' }
  /** Takes a snapshot of the session's data; without a time: removes the snapshot. */
  | { readonly kind: 'snapshot'; readonly name: string; readonly takenAt?: string }
  /** Replaces all that a session has with a snapshot. */
  | { readonly kind: 'restore'; readonly name: string }

/** Undoes one step of a change, after all later steps were undone. */
export type Undo = () => void
