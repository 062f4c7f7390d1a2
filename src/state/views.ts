import type { ResourceList } from './base.ts'
import { createProjectData } from './project-data.ts'
import { Project } from './project.ts'
import type { ProjectAccess } from './project.ts'
import type { ResourceLayers } from './resource-layers.ts'
import type { StoredResource } from './resource.ts'

/** A project that looks empty, though nothing in it is gone: what `hideResources` shows. */
export const createHiddenProject = (access: ProjectAccess): Project =>
  new Project({
    read: () => createProjectData([], access.read().action),
    write: (change) => access.write(change),
    expectRoom: (growth) => access.expectRoom(growth),
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

  override layers(): ResourceLayers {
    const places = this.#places()
    return super.layers().add({ count: places.length, at: (nth) => this.#extras.at(places[nth] ?? 0) })
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
