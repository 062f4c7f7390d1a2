import { createBase, createResourceList, imageBytes, measureBase, resourceBytes } from './resource.ts'
import type { Base, StoredImage, StoredResource } from './resource.ts'
import { sizeOf } from './memory.ts'

/** Identifies a project: the name of its base URL (`eu/gcp`, or empty) and its key. */
export interface ProjectName {
  readonly baseUrl: string
  readonly projectKey: string
}

/**
 * The id under which a session stores its own fixtures, the initial data of its other projects. It never matches a path,
 * because a project key is never empty (D71).
 */
export const EVERY_PROJECT: ProjectName = { baseUrl: '', projectKey: '' }

const SEPARATOR = '\u0000'

export const toProjectId = ({ baseUrl, projectKey }: ProjectName): string => baseUrl + SEPARATOR + projectKey

export function parseProjectId(id: string): ProjectName {
  const at = id.indexOf(SEPARATOR)
  return { baseUrl: id.slice(0, at), projectKey: id.slice(at + 1) }
}

/** What a write does to one project. */
export type ProjectChange =
  /** A new resource, or the next version of an existing one. */
  | { readonly kind: 'put'; readonly resource: StoredResource }
  | { readonly kind: 'remove'; readonly id: string }
  /** Replaces the JSON text of the action payload (D22). */
  | { readonly kind: 'action'; readonly text: string }
  /** A path value or body id was posted (D16). */
  | { readonly kind: 'posted'; readonly name: string }
  | { readonly kind: 'image'; readonly image: StoredImage }

/** Undoes one step of a change, after all later steps have been undone. */
export type Undo = () => void

/** Collects the undo steps of a change, in order; undefined for a change that cannot be undone. */
export type Undos = Undo[] | undefined

/** Sets an entry of a map, with undo. */
export function setEntry<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, undos: Undos): void {
  if (undos === undefined) {
    map.set(key, value)
    return
  }
  const had = map.has(key)
  const before = map.get(key)
  map.set(key, value)
  undos.push(() => {
    // The key exists, so the value does too.
    if (had) map.set(key, before as Value)
    else map.delete(key)
  })
}

/** The overhead of a name in a set, on top of its text. */
const NAME_BYTES = 64

/** The lists of writes are compacted when they exceed this many entries per resource plus this constant. */
const SLACK = 2
const SPARE = 64

/**
 * The data of one project: its changes on top of a shared base. The cost of a first write, a copy, or a snapshot depends on
 * the changes, not on the base. All methods except those that iterate take constant time.
 */
export class ProjectData {
  readonly base: Base
  /**
   * Resources written since the base, by id; `undefined` if removed. Resources that the base has keep their position; the
   * others follow in creation order.
   */
  #changed = new Map<string, StoredResource | undefined>()
  /** Ids by key, only where they differ from the base; `undefined` for a key that is free again. */
  #idsByKey = new Map<string, string | undefined>()
  /** Ids in write order, oldest first (D15). May contain duplicates and removed ids. */
  #recent: string[] = []
  #count: number
  /** The latest creation time among the resources that are not in the base. */
  #lastCreatedAt = ''
  /** The number of removals since the lists were last compacted. */
  #removals = 0
  #images = new Map<string, StoredImage>()
  #posted = new Set<string>()
  #action: string | undefined
  #bytes: number

  /** @param bytes how much memory it takes in addition to what it shares with other sessions */
  constructor(base: Base, bytes = 0) {
    this.base = base
    this.#count = base.resources.count
    this.#bytes = bytes
  }

  /** Returns an independent copy that shares the records, which are immutable. */
  copy(bytes = this.#bytes): ProjectData {
    const copy = new ProjectData(this.base, bytes)
    copy.#changed = new Map(this.#changed)
    copy.#idsByKey = new Map(this.#idsByKey)
    copy.#recent = [...this.#recent]
    copy.#count = this.#count
    copy.#lastCreatedAt = this.#lastCreatedAt
    copy.#images = new Map(this.#images)
    copy.#posted = new Set(this.#posted)
    copy.#action = this.#action
    return copy
  }

  /** How much memory it takes in addition to what it shares with other sessions. */
  get bytes(): number {
    return this.#bytes
  }

  /** The number of resources. */
  get count(): number {
    return this.#count
  }

  /** Resources written since the base, by id; `undefined` if removed. */
  get changed(): ReadonlyMap<string, StoredResource | undefined> {
    return this.#changed
  }

  find(id: string): StoredResource | undefined {
    const own = this.#changed.get(id)
    if (own !== undefined || this.#changed.has(id)) return own
    const { resources } = this.base
    const place = resources.findPlace(id)
    return place === undefined ? undefined : resources.at(place)
  }

  findByKey(key: string): StoredResource | undefined {
    const id = this.#idsByKey.get(key)
    if (id !== undefined) return this.find(id)
    const { resources } = this.base
    const place = this.#idsByKey.has(key) ? undefined : resources.findPlaceByKey(key)
    return place === undefined ? undefined : this.find(resources.idAt(place))
  }

  /**
   * In creation order.
   *
   * @param offset the number of resources to skip; skipped ones are not generated
   */
  *all(offset = 0): IterableIterator<StoredResource> {
    const { resources } = this.base
    let left = offset
    for (let place = 0; place < resources.count; place += 1) {
      const id = resources.idAt(place)
      const own = this.#changed.get(id)
      if (own === undefined && this.#changed.has(id)) continue
      if (left === 0) yield own ?? resources.at(place)
      else left -= 1
    }
    for (const resource of this.added()) {
      if (left === 0) yield resource
      else left -= 1
    }
  }

  /** The resources that are not in the base, in creation order. */
  *added(): IterableIterator<StoredResource> {
    for (const [id, resource] of this.#changed) {
      if (resource !== undefined && !this.#isInBase(id)) yield resource
    }
  }

  /** The resources with one of the ids or keys, in creation order. */
  select(field: 'id' | 'key', values: Iterable<string>): readonly StoredResource[] {
    const found = new Map<string, StoredResource>()
    for (const value of values) {
      const resource = field === 'id' ? this.find(value) : this.findByKey(value)
      if (resource !== undefined) found.set(resource.id, resource)
    }
    if (found.size < 2) return [...found.values()]
    const placed: { readonly place: number; readonly resource: StoredResource }[] = []
    for (const resource of found.values()) {
      const place = this.base.resources.findPlace(resource.id)
      if (place !== undefined) placed.push({ place, resource })
    }
    const inBase = placed.toSorted((a, b) => a.place - b.place).map(({ resource }) => resource)
    if (inBase.length === found.size) return inBase
    return [...inBase, ...[...this.added()].filter(({ id }) => found.has(id))]
  }

  /** The most recently written resource that still exists (D15). */
  findLatest(): StoredResource | undefined {
    for (const id of this.#newestIds()) {
      const resource = this.find(id)
      if (resource !== undefined) return resource
    }
    return undefined
  }

  /** The ids of all resources in write order, oldest first. */
  *recent(): IterableIterator<string> {
    const { resources, recent } = this.base
    if (recent === undefined) {
      for (let place = 0; place < resources.count; place += 1) {
        const id = resources.idAt(place)
        if (!this.#changed.has(id)) yield id
      }
    }
    yield* this.#toNewest([...(recent ?? []), ...this.#recent])
  }

  /** Like {@link recent}, but only for writes since the base. */
  recentlyPut(): readonly string[] {
    return this.#toNewest(this.#recent)
  }

  /** JSON text of the action payload (D22). */
  get action(): string {
    return this.#action ?? this.base.action
  }

  /** Like {@link action}, but undefined unless it was replaced since the base. */
  get changedAction(): string | undefined {
    return this.#action
  }

  /** In upload order. */
  *images(): IterableIterator<StoredImage> {
    yield* this.base.images.values()
    yield* this.changedImages()
  }

  /** Images uploaded since the base. */
  changedImages(): IterableIterator<StoredImage> {
    return this.#images.values()
  }

  findImage(id: string): StoredImage | undefined {
    return this.#images.get(id) ?? this.base.images.get(id)
  }

  /** Path values and body ids posted to the complex POST (D16). */
  *posted(): IterableIterator<string> {
    yield* this.base.posted
    yield* this.changedPosted()
  }

  /** Those posted since the base. */
  changedPosted(): IterableIterator<string> {
    return this.#posted.values()
  }

  hasPosted(name: string): boolean {
    return this.#posted.has(name) || this.base.posted.has(name)
  }

  /** By how many bytes a change lets the data grow. Changes never reduce the size of the base. */
  growthOf(change: ProjectChange): number {
    switch (change.kind) {
      case 'put':
        return resourceBytes(change.resource) - this.#ownBytes(change.resource.id)
      case 'remove':
        return -this.#ownBytes(change.id)
      case 'action':
        return sizeOf(change.text) - sizeOf(this.#action)
      case 'posted':
        return sizeOf(change.name) + NAME_BYTES
      case 'image':
        return imageBytes(change.image)
    }
  }

  /**
   * Applies a change.
   *
   * @param undos collects the undo steps; called in reverse order, they restore the previous data
   * @param growth the change in size, if the caller has already measured it
   */
  apply(change: ProjectChange, undos?: Undos, growth = this.growthOf(change)): void {
    undos?.push(this.#createUndo())
    this.#bytes += growth
    switch (change.kind) {
      case 'put':
        return this.#put(change.resource, undos)
      case 'remove':
        return this.#remove(change.id, undos)
      case 'action':
        this.#action = change.text
        return undefined
      case 'posted':
        this.#posted.add(change.name)
        undos?.push(() => void this.#posted.delete(change.name))
        return undefined
      case 'image':
        return setEntry(this.#images, change.image.id, change.image, undos)
    }
  }

  /** Returns a function that restores everything except the entries of maps and sets. */
  #createUndo(): Undo {
    const [bytes, count, action, lastCreatedAt] = [this.#bytes, this.#count, this.#action, this.#lastCreatedAt]
    const [own, idsByKey, recent] = [this.#changed, this.#idsByKey, this.#recent]
    const { length } = recent
    return () => {
      this.#bytes = bytes
      this.#count = count
      this.#action = action
      this.#lastCreatedAt = lastCreatedAt
      this.#changed = own
      this.#idsByKey = idsByKey
      this.#recent = recent
      recent.length = length
    }
  }

  #ownBytes(id: string): number {
    const own = this.#changed.get(id)
    return own === undefined ? 0 : resourceBytes(own)
  }

  /** Each existing resource once, at its last position. */
  #toNewest(ids: readonly string[]): readonly string[] {
    const newest = new Set<string>()
    for (const id of ids.toReversed()) if (this.#has(id)) newest.add(id)
    return [...newest].toReversed()
  }

  #has(id: string): boolean {
    return this.#changed.has(id) ? this.#changed.get(id) !== undefined : this.#isInBase(id)
  }

  /** Adds a resource, or stores its next version. */
  #put(resource: StoredResource, undos: Undos): void {
    const { id, key, createdAt } = resource
    const previous = this.find(id)
    // Another resource may have taken the previous key: compacted changes are not in the order of the writes.
    if (previous?.key !== undefined && previous.key !== key && this.findByKey(previous.key)?.id === id)
      setEntry(this.#idsByKey, previous.key, undefined, undos)
    if (key !== undefined && previous?.key !== key) setEntry(this.#idsByKey, key, id, undos)
    if (previous === undefined) this.#count += 1
    const isNew = previous === undefined && !this.#isInBase(id)
    // Not at its old position if it is created again.
    if (isNew && (createdAt < this.#lastCreatedAt || this.#changed.has(id))) this.#insert(resource)
    else setEntry(this.#changed, id, resource, undos)
    if (isNew && createdAt > this.#lastCreatedAt) this.#lastCreatedAt = createdAt
    if (this.#recent.at(-1) !== id) this.#recent.push(id)
    if (this.#recent.length > SLACK * this.#changed.size + SPARE) this.#recent = [...this.recentlyPut()]
  }

  /** Inserts a new resource before those with a later creation time. */
  #insert(resource: StoredResource): void {
    const later = [...this.added()].filter(({ createdAt }) => createdAt > resource.createdAt)
    this.#changed = new Map(this.#changed)
    for (const { id } of [resource, ...later]) this.#changed.delete(id)
    for (const one of [resource, ...later]) this.#changed.set(one.id, one)
  }

  /** Removes a resource, if it exists. */
  #remove(id: string, undos: Undos): void {
    const previous = this.find(id)
    if (previous === undefined) return
    if (previous.key !== undefined) setEntry(this.#idsByKey, previous.key, undefined, undos)
    setEntry(this.#changed, id, undefined, undos)
    this.#count -= 1
    this.#shrink()
  }

  /** Drops removed resources that are not in the base, once there are many. */
  #shrink(): void {
    this.#removals += 1
    if (this.#removals <= this.#changed.size / SLACK + SPARE) return
    this.#removals = 0
    this.#changed = new Map([...this.#changed].filter(([id, one]) => one !== undefined || this.#isInBase(id)))
    const isNeeded = (key: string) => this.base.resources.findPlaceByKey(key) !== undefined
    this.#idsByKey = new Map([...this.#idsByKey].filter(([key, id]) => id !== undefined || isNeeded(key)))
  }

  #isInBase(id: string): boolean {
    return this.base.resources.findPlace(id) !== undefined
  }

  *#newestIds(): IterableIterator<string> {
    for (let at = this.#recent.length - 1; at >= 0; at -= 1) yield this.#recent[at] ?? ''
    const { resources, recent } = this.base
    if (recent !== undefined) for (let at = recent.length - 1; at >= 0; at -= 1) yield recent[at] ?? ''
    else for (let place = resources.count - 1; place >= 0; place -= 1) yield resources.idAt(place)
  }
}

/** Creates the data of a project from resources in creation order, not shared with other projects. */
export function createProjectData(resources: readonly StoredResource[], action: string): ProjectData {
  const base = createBase({ resources: createResourceList(resources), action })
  return new ProjectData(base, measureBase(base))
}
