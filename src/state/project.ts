import { problem } from '../errors.ts'
import type { ResourceList, StoredImage, StoredResource, Size } from './resource.ts'
import type { ProjectChange, ProjectData } from './project-data.ts'
import type { StateKey } from './change.ts'
import { createProjectData } from './project-data.ts'
import { ResourceView } from './resource.ts'

/** How a project reaches its data: shared with every reader until the first write, its own from then on. */
export interface ProjectAccess {
  /** @param key the part of the data that is read; default: anything */
  read(key?: StateKey): ProjectData
  /** @throws {Problem} 413 or 503 if the change would exceed a limit; nothing is changed then. */
  write(change: ProjectChange): void
  /** @throws {Problem} as {@link write}, without a write. */
  expectWithinLimits(growth: Partial<Size>): void
}

/**
 * One project of one session and base URL: what operations read and write. Every method but {@link nth} and
 * {@link all} takes constant time, and runs to its end before the next one starts, so a version does not change after it was compared.
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
   * @param offset how many to skip
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

  /** All of them, for a reader that pauses: changes made meanwhile are not seen. */
  view(): ResourceView {
    const data = this.#access.read()
    return ResourceView.of({ base: data.base.resources, changed: data.changed, added: data.added() })
  }

  /** The resources that have one of the ids or keys, in creation order. */
  select(field: 'id' | 'key', values: Iterable<string>): readonly StoredResource[] {
    let data: ProjectData | undefined
    for (const value of values) data = this.#access.read(`${field} ${value}`)
    return data?.select(field, values) ?? []
  }

  /** Returns the resource at a place in creation order, from 1 (D21). */
  nth(place: number): StoredResource | undefined {
    if (!Number.isInteger(place) || place < 1) return undefined
    const [resource] = this.all(place - 1)
    return resource
  }

  /** Returns the resource that was written last and still exists (D15). */
  findLatest(): StoredResource | undefined {
    return this.#access.read('latest').findLatest()
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

  /** Notes that something was posted to a place. Returns whether it was there before (D16). */
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
  expectImageWithinLimits(imageBytes: number): void {
    this.#access.expectWithinLimits({ imageBytes })
  }

  addImage(image: StoredImage): void {
    this.#access.write({ kind: 'image', image })
  }
}

/** A project that looks empty, though nothing in it is gone: what `hideResources` shows. */
export const createHiddenProject = (access: ProjectAccess): Project =>
  new Project({
    read: () => createProjectData([], access.read().action),
    write: (change) => access.write(change),
    expectWithinLimits: (growth) => access.expectWithinLimits(growth),
  })

/** A project whose reads see more resources than it has: what `generate` shows. They come after its own. */
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

  /** The places of those whose key no resource of the project's own has: a key names one resource (D6). */
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
