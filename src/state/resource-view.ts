import { createResourceList } from './base.ts'
import type { ResourceList } from './base.ts'
import type { StoredResource } from './resource.ts'

/** Resources that follow those of a base. */
export type AddedResources = Pick<ResourceList, 'count' | 'at'>

/** What a project's resources are made of. */
interface Layers {
  readonly base: ResourceList
  /** What was put over the base, by id; `undefined` for what was removed. */
  readonly changed: ReadonlyMap<string, StoredResource | undefined>
  /** In creation order. */
  readonly added: Iterable<StoredResource>
}

/**
 * The resources of a project at one moment, by place in creation order: those of the base, then those added to it. A
 * reader that pauses does not see what is written meanwhile.
 */
export class ResourceView {
  readonly base: ResourceList
  readonly #changed: ReadonlyMap<number, StoredResource | undefined>
  readonly #added: AddedResources

  private constructor(
    base: ResourceList,
    changed: ReadonlyMap<number, StoredResource | undefined>,
    added: AddedResources,
  ) {
    this.base = base
    this.#changed = changed
    this.#added = added
  }

  static of({ base, changed, added }: Layers): ResourceView {
    const changedPlaces = new Map<number, StoredResource | undefined>()
    for (const [id, resource] of changed) {
      const place = base.findPlace(id)
      if (place !== undefined) changedPlaces.set(place, resource)
    }
    const all = [...added]
    // A place that exists.
    return new ResourceView(base, changedPlaces, { count: all.length, at: (place) => all[place] as StoredResource })
  }

  /** These resources, and more after them. */
  add(more: AddedResources): ResourceView {
    const added = this.#added
    return new ResourceView(this.base, this.#changed, {
      count: added.count + more.count,
      at: (place) => (place < added.count ? added.at(place) : more.at(place - added.count)),
    })
  }

  /** How many places there are, including those of removed resources. */
  get count(): number {
    return this.base.count + this.#added.count
  }

  /** The resource at a place that exists; undefined if it was removed. */
  at(place: number): StoredResource | undefined {
    if (place >= this.base.count) return this.#added.at(place - this.base.count)
    return this.isInBase(place) ? this.base.at(place) : this.#changed.get(place)
  }

  /** Whether the resource at a place is the one that the base has there. */
  isInBase(place: number): boolean {
    return place < this.base.count && !this.#changed.has(place)
  }

  /** The resources at places that exist. */
  take(places: readonly number[]): readonly StoredResource[] {
    return places.map((place) => this.at(place)).filter((resource) => resource !== undefined)
  }

  /** The places of the resources that the base does not have, or has changed, in ascending order. */
  ownPlaces(): readonly number[] {
    const changed = [...this.#changed].filter(([, resource]) => resource !== undefined).map(([place]) => place)
    const added = Array.from({ length: this.#added.count }, (_, nth) => this.base.count + nth)
    return [...changed.toSorted((a, b) => a - b), ...added]
  }

  /** The places of all resources. */
  places(): readonly number[] {
    const places: number[] = []
    for (let place = 0; place < this.count; place += 1) {
      if (!this.#changed.has(place) || this.#changed.get(place) !== undefined) places.push(place)
    }
    return places
  }
}

/** Resources that are in creation order, without a base. */
export const toResourceView = (resources: Iterable<StoredResource>): ResourceView =>
  ResourceView.of({ base: createResourceList([]), changed: new Map(), added: resources })
