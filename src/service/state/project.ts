import { problem } from '../../errors.ts'
import type { ResourceList, StoredImage, StoredResource } from './resource.ts'
import type { ProjectChange, ProjectData } from './project-data.ts'
import type { StateKey } from './change.ts'
import { createProjectData } from './project-data.ts'
import { ResourceView, imageBytes, resourceBytes } from './resource.ts'

/** How a project accesses its data: shared until the first write, then copied. */
export interface ProjectAccess {
  /** @param key the part of the data that is read; default: all of it */
  read(key?: StateKey): ProjectData
  /** @throws {Problem} 503 if the change would exceed a limit; in that case nothing is changed. */
  write(change: ProjectChange): void
  /** @throws {Problem} 503 if the memory cannot hold that many more bytes. */
  expectRoom(growth: number): void
}

/**
 * One project of one session and base URL, as operations read and write it. All methods except {@link nth} and {@link all}
 * take constant time, and all are synchronous, so a version cannot change after it was compared.
 */
export class Project {
  readonly #access: ProjectAccess

  constructor(access: ProjectAccess) {
    this.#access = access
  }

  get size(): number {
    return this.#access.read('count').count
  }

  /**
   * In creation order.
   *
   * @param offset the number of resources to skip
   */
  all(offset = 0): IterableIterator<StoredResource> {
    return this.#access.read().all(offset)
  }

  find(id: string): StoredResource | undefined {
    return this.#access.read(`id ${id}`).find(id)
  }

  findByKey(key: string): StoredResource | undefined {
    return this.#access.read(`key ${key}`).findByKey(key)
  }

  /** All resources, as a snapshot for a reader that pauses: later changes are not visible. */
  view(): ResourceView {
    const data = this.#access.read()
    return ResourceView.of({ base: data.base.resources, changed: data.changed, added: data.added() })
  }

  /** The resources with one of the ids or keys, in creation order. */
  select(field: 'id' | 'key', values: Iterable<string>): readonly StoredResource[] {
    let data: ProjectData | undefined
    for (const value of values) data = this.#access.read(`${field} ${value}`)
    return data?.select(field, values) ?? []
  }

  /** Returns the resource at a position in creation order, starting at 1 (D21). */
  nth(place: number): StoredResource | undefined {
    if (!Number.isInteger(place) || place < 1) return undefined
    const [resource] = this.all(place - 1)
    return resource
  }

  /** Returns the most recently written resource that still exists (D15). */
  findLatest(): StoredResource | undefined {
    return this.#access.read('latest').findLatest()
  }

  /** Adds a resource with a new id and key. */
  insert(resource: StoredResource): void {
    // Reading the id makes the write conflict if another mock uses the same id meanwhile.
    this.#access.read(`id ${resource.id}`)
    this.#access.write({ kind: 'put', resource })
  }

  /**
   * Replaces a resource with its next version.
   *
   * @throws {Problem} 409 if the resource has been changed meanwhile.
   */
  replace(previous: StoredResource, next: StoredResource): void {
    const actual = this.find(previous.id)
    if (actual === undefined) throw problem.resourceNotFound('ID', previous.id)
    if (actual !== previous)
      throw problem.versionConflict({ id: previous.id, expected: previous.version, actual: actual.version })
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

  /** Records that a path value or body id was posted. Returns whether it had been posted before (D16). */
  notePosted(name: string): boolean {
    if (this.#access.read(`posted ${name}`).hasPosted(name)) return true
    this.#access.write({ kind: 'posted', name })
    return false
  }

  /** In upload order. */
  images(): IterableIterator<StoredImage> {
    return this.#access.read().images()
  }

  /** @throws {Problem} 503 if the memory cannot hold an image and the next version of its resource. */
  expectRoomForImage(image: StoredImage, resource: StoredResource): void {
    this.#access.expectRoom(imageBytes(image) + resourceBytes(resource))
  }

  addImage(image: StoredImage): void {
    this.#access.write({ kind: 'image', image })
  }
}

/** A project that appears empty but keeps its data, for `hideResources`. */
export const createHiddenProject = (access: ProjectAccess): Project =>
  new Project({
    read: () => createProjectData([], access.read().action),
    write: (change) => access.write(change),
    expectRoom: (growth) => access.expectRoom(growth),
  })

/** A project with generated resources after its own, for `generate`. */
export class ExtendedProject extends Project {
  readonly #extras: ResourceList

  constructor(access: ProjectAccess, extras: ResourceList) {
    super(access)
    this.#extras = extras
  }

  override get size(): number {
    return super.size + this.#places().length
  }

  override *all(offset = 0): IterableIterator<StoredResource> {
    yield* super.all(offset)
    const places = this.#places()
    for (const place of places.slice(Math.max(0, offset - super.size))) yield this.#extras.at(place)
  }

  override view(): ResourceView {
    const places = this.#places()
    return super.view().add({ count: places.length, at: (nth) => this.#extras.at(places[nth] ?? 0) })
  }

  override select(field: 'id' | 'key', values: Iterable<string>): readonly StoredResource[] {
    const places = new Set<number>()
    for (const value of values) {
      const place = field === 'id' ? this.#extras.findPlace(value) : this.#extras.findPlaceByKey(value)
      if (place !== undefined && !this.#isTaken(this.#extras.keyAt(place))) places.add(place)
    }
    const extras = [...places].toSorted((a, b) => a - b).map((place) => this.#extras.at(place))
    return [...super.select(field, values), ...extras]
  }

  /**
   * The positions of generated resources whose key is not used by the project's own resources, since keys are unique (D6).
   */
  #places(): readonly number[] {
    const places = Array.from({ length: this.#extras.count }, (_, place) => place)
    return places.filter((place) => !this.#isTaken(this.#extras.keyAt(place)))
  }

  #isTaken(key: string | undefined): boolean {
    return key !== undefined && super.findByKey(key) !== undefined
  }

  override find(id: string): StoredResource | undefined {
    return super.find(id) ?? this.#at(this.#extras.findPlace(id))
  }

  override findByKey(key: string): StoredResource | undefined {
    return super.findByKey(key) ?? this.#at(this.#extras.findPlaceByKey(key))
  }

  #at(place: number | undefined): StoredResource | undefined {
    return place === undefined ? undefined : this.#extras.at(place)
  }
}
