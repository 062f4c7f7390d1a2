import { problem } from '../errors.ts'
import type { ProjectChange } from './project-change.ts'
import type { Aspect } from './footprint.ts'
import type { StoredImage } from './image.ts'
import type { ProjectData, Resources } from './project-data.ts'
import { ResourceLayers } from './resource-layers.ts'
import type { StoredResource } from './resource.ts'
import type { Size } from './size.ts'

/** How a project reaches its data: shared with every reader until the first write, its own from then on. */
export interface ProjectAccess {
  /** @param aspect what of the data is looked at; default: anything */
  read(aspect?: Aspect): ProjectData
  /** @throws {Problem} 413 or 503 if the change would exceed a limit; nothing is changed then. */
  write(change: ProjectChange): void
  /** @throws {Problem} as {@link write}, without a write. */
  expectRoom(growth: Partial<Size>): void
}

/**
 * One project of one session and base URL: what operations read and write. Every method but {@link nth} and
 * {@link all} takes constant time, and each is whole before the next begins, so that a version compared is a version held.
 */
export class Project {
  readonly #access: ProjectAccess

  constructor(access: ProjectAccess) {
    this.#access = access
  }

  get size(): number {
    return this.#access.read('count').resources.count
  }

  /**
   * In creation order.
   *
   * @param offset how many to skip
   */
  all(offset = 0): IterableIterator<StoredResource> {
    return this.#access.read().resources.all(offset)
  }

  find(id: string): StoredResource | undefined {
    return this.#access.read(`id ${id}`).resources.find(id)
  }

  findByKey(key: string): StoredResource | undefined {
    return this.#access.read(`key ${key}`).resources.findByKey(key)
  }

  /** All of them, for a reader that pauses: changes made meanwhile are not seen. */
  layers(): ResourceLayers {
    const { base, resources } = this.#access.read()
    return ResourceLayers.of({ base: base.resources, changed: resources.changed, added: resources.added() })
  }

  /** The resources that have one of the ids or keys, in creation order. */
  select(field: 'id' | 'key', values: Iterable<string>): readonly StoredResource[] {
    let resources: Resources | undefined
    for (const value of values) ({ resources } = this.#access.read(`${field} ${value}`))
    return resources?.select(field, values) ?? []
  }

  /** Returns the resource at a place in creation order, from 1 (D21). */
  nth(place: number): StoredResource | undefined {
    if (!Number.isInteger(place) || place < 1) return undefined
    const [resource] = this.all(place - 1)
    return resource
  }

  /** Returns the resource that was written last and still exists (D15). */
  findLatest(): StoredResource | undefined {
    return this.#access.read('latest').resources.findLatest()
  }

  /** Adds a resource whose id and key are new. */
  insert(resource: StoredResource): void {
    // Nor may another mock give the id away meanwhile.
    this.#access.read(`id ${resource.id}`)
    this.#access.write({ kind: 'put', resource })
  }

  /**
   * Puts the next version of a resource in the place of the one it was made from.
   *
   * @throws {Problem} 409 when another version has come in between.
   */
  replace(previous: StoredResource, next: StoredResource): void {
    const actual = this.find(previous.id)
    if (actual === undefined) throw problem.resourceNotFound('ID', previous.id)
    if (actual !== previous) {
      throw problem.versionConflict({ id: previous.id, expected: previous.version, actual: actual.version })
    }
    this.#access.write({ kind: 'put', resource: next })
  }

  remove({ id }: StoredResource): void {
    this.#access.write({ kind: 'remove', id })
  }

  /** JSON text of the action payload (D22). */
  get action(): string {
    return this.#access.read('action').action
  }

  set action(text: string) {
    this.#access.write({ kind: 'action', text })
  }

  /** Notes that something was posted to a place, and tells whether it was there before (D16). */
  notePosted(name: string): boolean {
    if (this.#access.read(`posted ${name}`).hasPosted(name)) return true
    this.#access.write({ kind: 'posted', name })
    return false
  }

  /** In the order of their upload. */
  images(): IterableIterator<StoredImage> {
    return this.#access.read().images()
  }

  /** @throws {Problem} 413 or 503 if an image of that many bytes would exceed a limit. */
  expectRoomForImage(imageBytes: number): void {
    this.#access.expectRoom({ imageBytes })
  }

  addImage(image: StoredImage): void {
    this.#access.write({ kind: 'image', image })
  }
}
