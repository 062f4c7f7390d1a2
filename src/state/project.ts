import { problem } from '../errors.ts'
import { ownBytes } from './project-data.ts'
import type { ProjectData, StoredImage } from './project-data.ts'
import { findLatest, noteWrite } from './recency.ts'
import type { StoredResource } from './resource.ts'
import { resourceBytes, textBytes } from './size.ts'
import type { Size } from './size.ts'

/** For a name in a set, beside its text. */
const NAME_BYTES = 64

/** How a project reaches its data: shared with every reader until the first write, its own from then on. */
export interface ProjectAccess {
  read(): ProjectData
  /**
   * The data to write to.
   *
   * @param growth by how much the write makes them grow, or shrink
   * @throws {Problem} 413 or 503 where there is no room for that; nothing is changed then.
   */
  write(growth?: Partial<Size>): ProjectData
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
    return this.#access.read().resources.size
  }

  /** In creation order. */
  all(): IterableIterator<StoredResource> {
    return this.#access.read().resources.values()
  }

  find(id: string): StoredResource | undefined {
    return this.#access.read().resources.get(id)
  }

  findByKey(key: string): StoredResource | undefined {
    const { idsByKey, resources } = this.#access.read()
    const id = idsByKey.get(key)
    return id === undefined ? undefined : resources.get(id)
  }

  /** Returns the resource at a place in creation order, from 1 (D21). */
  nth(place: number): StoredResource | undefined {
    let at = 0
    for (const resource of this.all()) {
      at += 1
      if (at === place) return resource
    }
    return undefined
  }

  /** Returns the resource that was written last and still exists (D15). */
  findLatest(): StoredResource | undefined {
    const { recency, resources } = this.#access.read()
    const top = recency.stack.at(-1)
    if (top === undefined) return undefined
    if (resources.has(top)) return resources.get(top)
    const data = this.#access.write()
    const id = findLatest(data.recency, (one) => data.resources.has(one))
    return id === undefined ? undefined : data.resources.get(id)
  }

  /** Adds a resource whose id and key are new. */
  insert(resource: StoredResource): void {
    const data = this.#access.write({ bytes: resourceBytes(resource) })
    data.resources.set(resource.id, resource)
    if (resource.key !== undefined) data.idsByKey.set(resource.key, resource.id)
    noteWrite(data.recency, resource.id, (id) => data.resources.has(id), data.resources.size)
  }

  /**
   * Puts the next version of a resource in the place of the one it was made from.
   *
   * @throws {Problem} 409 when another version has come in between.
   */
  replace(previous: StoredResource, next: StoredResource): void {
    const before = this.#access.read()
    const actual = before.resources.get(previous.id)
    if (actual === undefined) throw problem.resourceNotFound('ID', previous.id)
    if (actual !== previous) {
      throw problem.versionConflict({ id: previous.id, expected: previous.version, actual: actual.version })
    }
    const data = this.#access.write({ bytes: resourceBytes(next) - ownBytes(before, previous) })
    data.resources.set(next.id, next)
    noteWrite(data.recency, next.id, (id) => data.resources.has(id), data.resources.size)
  }

  remove(resource: StoredResource): void {
    const { id, key } = resource
    const data = this.#access.write({ bytes: -ownBytes(this.#access.read(), resource) })
    data.resources.delete(id)
    if (key !== undefined) data.idsByKey.delete(key)
  }

  /** JSON text of the action payload (D22). */
  get action(): string {
    return this.#access.read().action
  }

  set action(text: string) {
    const growth = textBytes(text) - textBytes(this.action)
    this.#access.write({ bytes: growth }).action = text
  }

  /** Notes that something was posted to a place, and tells whether it was there before (D16). */
  notePosted(name: string): boolean {
    if (this.#access.read().posted.has(name)) return true
    this.#access.write({ bytes: textBytes(name) + NAME_BYTES }).posted.add(name)
    return false
  }

  /** In the order of their upload. */
  images(): IterableIterator<StoredImage> {
    return this.#access.read().images.values()
  }

  /** @throws {Problem} 413 or 503 where there is no room for an image of that many bytes. */
  expectRoomForImage(imageBytes: number): void {
    this.#access.expectRoom({ imageBytes })
  }

  addImage(image: StoredImage): void {
    this.#access.write({ imageBytes: image.bytes.byteLength }).images.set(image.id, image)
  }
}
