import { createBase, createResourceList, sizeOfBase } from './base.ts'
import type { Base } from './base.ts'
import type { ProjectChange, Undo } from './project-change.ts'
import type { StoredImage } from './image.ts'
import { LayeredResources } from './layered-resources.ts'
import type { StoredResource } from './resource.ts'
import { setEntry } from './set-entry.ts'
import { NO_BYTES, addSizes, resourceBytes, textBytes } from './size.ts'
import type { Size } from './size.ts'

/** The resources of a project, to read. */
export type Resources = Omit<LayeredResources, 'put' | 'remove' | 'copy'>

/** For a name in a set, in addition to its text. */
const NAME_BYTES = 64

/**
 * The data of one project: its changes, over a base that others share. The cost of a first write, a copy and a snapshot
 * grows with the changes, never with the base.
 */
export class ProjectData {
  readonly base: Base
  #resources: LayeredResources
  #images = new Map<string, StoredImage>()
  #posted = new Set<string>()
  #action: string | undefined
  #size: Size

  /** @param size how much of it counts against the limits of its session */
  constructor(base: Base, size: Size = NO_BYTES) {
    this.base = base
    this.#resources = new LayeredResources(base)
    this.#size = size
  }

  /** A copy that can be changed on its own; the records in it are shared, since they never change. */
  copy(size: Size = this.#size): ProjectData {
    const copy = new ProjectData(this.base, size)
    copy.#resources = this.#resources.copy()
    copy.#images = new Map(this.#images)
    copy.#posted = new Set(this.#posted)
    copy.#action = this.#action
    return copy
  }

  /** How much of it counts against the limits of its session. */
  get size(): Size {
    return this.#size
  }

  /** To read; {@link apply} writes. */
  get resources(): Resources {
    return this.#resources
  }

  /** JSON text of the action payload (D22). */
  get action(): string {
    return this.#action ?? this.base.action
  }

  /** In the order of their upload. */
  *images(): IterableIterator<StoredImage> {
    yield* this.base.images.values()
    yield* this.ownImages()
  }

  /** Those uploaded since the base. */
  ownImages(): IterableIterator<StoredImage> {
    return this.#images.values()
  }

  findImage(id: string): StoredImage | undefined {
    return this.#images.get(id) ?? this.base.images.get(id)
  }

  /** Path values and body ids that the complex POST has seen (D16). */
  *posted(): IterableIterator<string> {
    yield* this.base.posted
    yield* this.ownPosted()
  }

  /** Those posted since the base. */
  ownPosted(): IterableIterator<string> {
    return this.#posted.values()
  }

  hasPosted(name: string): boolean {
    return this.#posted.has(name) || this.base.posted.has(name)
  }

  /** By how much a change makes the data grow, or shrink. What the base has stays, whatever is changed over it. */
  growthOf(change: ProjectChange): Size {
    switch (change.kind) {
      case 'put':
        return { ...NO_BYTES, bytes: resourceBytes(change.resource) - this.#ownBytes(change.resource.id) }
      case 'remove':
        return { ...NO_BYTES, bytes: -this.#ownBytes(change.id) }
      case 'action':
        return { ...NO_BYTES, bytes: textBytes(change.text) - textBytes(this.#action ?? '') }
      case 'posted':
        return { ...NO_BYTES, bytes: textBytes(change.name) + NAME_BYTES }
      case 'image':
        return { ...NO_BYTES, imageBytes: change.image.bytes.byteLength }
    }
  }

  /**
   * Applies a change.
   *
   * @param undos takes what undoes each step: called in reverse order, they bring back what was before
   */
  apply(change: ProjectChange, undos: Undo[]): void {
    const size = this.#size
    undos.push(() => {
      this.#size = size
    })
    this.#size = addSizes(size, this.growthOf(change))
    switch (change.kind) {
      case 'put':
        return this.#resources.put(change.resource, undos)
      case 'remove':
        return this.#resources.remove(change.id, undos)
      case 'action':
        return this.#setAction(change.text, undos)
      case 'posted':
        this.#posted.add(change.name)
        undos.push(() => void this.#posted.delete(change.name))
        return undefined
      case 'image':
        return setEntry(this.#images, change.image.id, change.image, undos)
    }
  }

  #setAction(text: string, undos: Undo[]): void {
    const before = this.#action
    this.#action = text
    undos.push(() => {
      this.#action = before
    })
  }

  #ownBytes(id: string): number {
    const own = this.#resources.changed.get(id)
    return own === undefined ? 0 : resourceBytes(own)
  }
}

/** The data of a project that has these resources, in creation order, to itself. */
export function createProjectData(resources: readonly StoredResource[], action: string): ProjectData {
  const base = createBase({ resources: createResourceList(resources), action })
  return new ProjectData(base, sizeOfBase(base))
}
