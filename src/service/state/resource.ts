import { arrayNames } from '../contract/models.ts'
import type { ArrayTestType, ArrayName, ObjectEntry } from '../contract/models.ts'
import { stringifyJson, parseOwnJson } from '../http/json.ts'
import type { ImageType } from '../contract/endpoint.ts'
import { RECORD_BYTES, sizeOf, sumBytes, textBytes } from './memory.ts'

/**
 * A resource as stored in the state. Records are immutable: an update replaces the record, so readers keep a consistent
 * version.
 */
export interface StoredResource {
  readonly id: string
  readonly key?: string | undefined
  /** Starts at 1 and increases by exactly 1 (D7). */
  readonly version: number
  /** ISO 8601 with milliseconds and Z. */
  readonly createdAt: string
  readonly lastModifiedAt: string
  readonly someProperty?: string | undefined
  readonly objectTypeProperty: ArrayTestType
  /** The JSON text of `objectTypeProperty`, serialized once. */
  readonly propertyText: string
  /** The resource as an ObjectTestType's JSON text (D5, D8), sent by every read. */
  readonly text: string
  /** The projection for `staged=true` (D14), if a fixture has one. */
  readonly staged?: ArrayTestType | undefined
}

/** The two documented members of an entry, in the order of the specification's table (D8). */
function toObjectEntry({ integerExample, integerExampleInt32 }: ObjectEntry): ObjectEntry {
  // Fast path: most entries have both members.
  if (integerExample !== undefined && integerExampleInt32 !== undefined) return { integerExample, integerExampleInt32 }
  if (integerExample !== undefined) return { integerExample }
  return integerExampleInt32 === undefined ? {} : { integerExampleInt32 }
}

/**
 * Copies the seven arrays from a parsed body to a new object: only those present, in the order of the specification's table
 * (D8), without undocumented members (D4). The result shares nothing with the body.
 */
export function toArrayTestType(body: ArrayTestType): ArrayTestType {
  const copy: Partial<Record<ArrayName, readonly unknown[]>> = {}
  for (const name of arrayNames) {
    const values = body[name]
    if (values !== undefined) copy[name] = [...values]
  }
  if (body.arrayOfObjectType !== undefined) copy.arrayOfObjectType = body.arrayOfObjectType.map(toObjectEntry)
  // TypeScript does not correlate the name with the array type; each name has its own.
  return copy as ArrayTestType
}

/**
 * The JSON text of an ArrayTestType, minified: only the arrays present, in the order of the specification's table (D8),
 * integers exact (D3).
 *
 * @example toPropertyText({ arrayOfStringExample: ['a'], arrayOfIntExample: [1] })
 * // '{"arrayOfIntExample":[1],"arrayOfStringExample":["a"]}'
 */
export function toPropertyText(property: ArrayTestType): string {
  return stringifyJson(toArrayTestType(property))
}

/** An ObjectTestType as JSON text: only the documented members (D5, D8). */
const toObjectText = (version: number, propertyText: string): string =>
  `{"version":${version},"objectTypeProperty":${propertyText}}`

/** The stored parts of a resource's property: the arrays, and the JSON texts sent by reads. */
export function toStoredContent(
  version: number,
  objectTypeProperty: ArrayTestType,
): Pick<StoredResource, 'objectTypeProperty' | 'propertyText' | 'text'> {
  const propertyText = toPropertyText(objectTypeProperty)
  return { objectTypeProperty, propertyText, text: toObjectText(version, propertyText) }
}

/** The arrays of a resource, and their text. */
export type StoredContent = Pick<StoredResource, 'objectTypeProperty' | 'propertyText'>

/** Arrays whose text is longer than this many characters stay parsed: parsing them again would delay other requests. */
const LONG_JSON = 4096

/**
 * A resource that stores its arrays only as text, and parses them when a query first reads them: many resources are only
 * written and returned, and the parsed arrays take more than half of the memory. Fixtures stay parsed: the first query over
 * 100,000 of them must not wait.
 */
export class TextResource implements StoredResource {
  readonly id: string
  readonly key: string | undefined
  readonly version: number
  readonly createdAt: string
  readonly lastModifiedAt: string
  readonly someProperty: string | undefined
  readonly staged: ArrayTestType | undefined
  readonly text: string
  #property: ArrayTestType | undefined

  constructor(
    head: Omit<StoredResource, keyof StoredContent | 'text'>,
    content: StoredContent,
    stored: 'parsed' | 'text' = 'text',
  ) {
    const { propertyText } = content
    this.id = head.id
    this.key = head.key
    this.version = head.version
    this.createdAt = head.createdAt
    this.lastModifiedAt = head.lastModifiedAt
    this.someProperty = head.someProperty
    this.staged = head.staged
    this.text = toObjectText(head.version, propertyText)
    const isParsed = stored === 'parsed' || propertyText.length > LONG_JSON
    this.#property = isParsed ? content.objectTypeProperty : undefined
  }

  get propertyText(): string {
    return this.text.slice(this.text.indexOf('{', 1), -1)
  }

  get objectTypeProperty(): ArrayTestType {
    // The text was written from these arrays.
    return (this.#property ??= parseOwnJson(this.propertyText) as ArrayTestType)
  }
}

/** The overhead of a resource in a project's lists, even if the resource itself is shared with another project. */
export const PLACE_BYTES = 64

/** Counts the memory of a resource, in bytes: with its arrays as text and, once a query has read them, parsed. */
export const resourceBytes = ({ id, key, someProperty, text, staged }: StoredResource): number =>
  RECORD_BYTES +
  PLACE_BYTES +
  textBytes(id) +
  textBytes(key) +
  textBytes(someProperty) +
  2 * textBytes(text) +
  2 * sizeOf(staged)

/** An uploaded image (D21). Its bytes are immutable: responses copy them. */
export interface StoredImage {
  readonly id: string
  readonly projectKey: string
  readonly resourceId: string
  readonly type: ImageType
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Only a label, never used as a path. */
  readonly filename?: string
  readonly sku?: string
  readonly variant?: number
  readonly staged?: boolean
  readonly createdAt: string
}

/** Counts the memory of an image, in bytes. It is base64 text whenever the state is saved or read. */
export const imageBytes = ({ bytes, ...image }: StoredImage): number =>
  RECORD_BYTES + sizeOf(image) + 1.5 * bytes.byteLength

/**
 * An immutable list of resources in creation order. Indexes start at 0. `at`, `idAt` and `keyAt` require an existing index.
 * Only `at` may have to generate the resource.
 */
export interface ResourceList {
  readonly count: number
  at(place: number): StoredResource
  idAt(place: number): string
  keyAt(place: number): string | undefined
  findPlace(id: string): number | undefined
  findPlaceByKey(key: string): number | undefined
}

/** Lists existing resources; their ids and keys are unique (D5, D6). */
export function createResourceList(resources: readonly StoredResource[]): ResourceList {
  const places = new Map<string, number>()
  const placesByKey = new Map<string, number>()
  for (const [place, { id, key }] of resources.entries()) {
    places.set(id, place)
    if (key !== undefined) placesByKey.set(key, place)
  }
  // The index exists.
  const at = (place: number) => resources[place] as StoredResource
  return {
    count: resources.length,
    at,
    idAt: (place) => at(place).id,
    keyAt: (place) => at(place).key,
    findPlace: (id) => places.get(id),
    findPlaceByKey: (key) => placesByKey.get(key),
  }
}

/** Concatenates two lists. */
export function joinResourceLists(first: ResourceList, second: ResourceList): ResourceList {
  if (second.count === 0) return first
  const after = (place: number | undefined) => (place === undefined ? undefined : first.count + place)
  return {
    count: first.count + second.count,
    at: (place) => (place < first.count ? first.at(place) : second.at(place - first.count)),
    idAt: (place) => (place < first.count ? first.idAt(place) : second.idAt(place - first.count)),
    keyAt: (place) => (place < first.count ? first.keyAt(place) : second.keyAt(place - first.count)),
    findPlace: (id) => first.findPlace(id) ?? after(second.findPlace(id)),
    findPlaceByKey: (key) => first.findPlaceByKey(key) ?? after(second.findPlaceByKey(key)),
  }
}

/**
 * The initial data of projects: the fixtures, or a state that was set as a whole. Immutable, so any number of projects,
 * sessions and snapshots can share it.
 */
export interface Base {
  readonly resources: ResourceList
  /** Ids in write order, oldest first (D15); undefined: the order of the resources. */
  readonly recent: readonly string[] | undefined
  readonly images: ReadonlyMap<string, StoredImage>
  /** Path values and body ids posted to the complex POST (D16). */
  readonly posted: ReadonlySet<string>
  /** JSON text of the action payload (D22). */
  readonly action: string
}

/** Creates a base; omitted contents are empty. */
export const createBase = ({
  resources,
  action,
  recent,
  images = new Map<string, StoredImage>(),
  posted = new Set<string>(),
}: Pick<Base, 'resources' | 'action'> & Partial<Base>): Base => ({ resources, recent, images, posted, action })

/** Measures the memory of a base that belongs to one session. */
export function measureBase({ resources, images, ...others }: Base): number {
  let bytes = RECORD_BYTES + sumBytes(images.values(), imageBytes) + sizeOf(others)
  for (let place = 0; place < resources.count; place += 1) bytes += resourceBytes(resources.at(place))
  return bytes
}

/** Resources added after those of a base. */
export type AddedResources = Pick<ResourceList, 'count' | 'at'>

/** The parts of a project's resource list. */
interface Layers {
  readonly base: ResourceList
  /** Resources written since the base, by id; `undefined` if removed. */
  readonly changed: ReadonlyMap<string, StoredResource | undefined>
  /** In creation order. */
  readonly added: Iterable<StoredResource>
}

/**
 * A snapshot of a project's resources, by index in creation order: first those of the base, then those added. A reader that
 * pauses does not see later writes.
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
    // The index exists.
    return new ResourceView(base, changedPlaces, { count: all.length, at: (place) => all[place] as StoredResource })
  }

  /** These resources, followed by more. */
  add(more: AddedResources): ResourceView {
    const added = this.#added
    return new ResourceView(this.base, this.#changed, {
      count: added.count + more.count,
      at: (place) => (place < added.count ? added.at(place) : more.at(place - added.count)),
    })
  }

  /** The number of indexes, including those of removed resources. */
  get count(): number {
    return this.base.count + this.#added.count
  }

  /** The resource at an existing index; undefined if it was removed. */
  at(place: number): StoredResource | undefined {
    if (place >= this.base.count) return this.#added.at(place - this.base.count)
    return this.isInBase(place) ? this.base.at(place) : this.#changed.get(place)
  }

  /** Whether the resource at an index is unchanged from the base. */
  isInBase(place: number): boolean {
    return place < this.base.count && !this.#changed.has(place)
  }

  /** The resources at existing indexes. */
  take(places: readonly number[]): readonly StoredResource[] {
    return places.map((place) => this.at(place)).filter((resource) => resource !== undefined)
  }

  /** The indexes of the resources that were added or changed since the base, in ascending order. */
  changedPlaces(): readonly number[] {
    const changed = [...this.#changed].filter(([, resource]) => resource !== undefined).map(([place]) => place)
    const added = Array.from({ length: this.#added.count }, (_, nth) => this.base.count + nth)
    return [...changed.toSorted((a, b) => a - b), ...added]
  }

  /** The indexes of all resources. */
  places(): readonly number[] {
    const places: number[] = []
    for (let place = 0; place < this.count; place += 1) {
      if (!this.#changed.has(place) || this.#changed.get(place) !== undefined) places.push(place)
    }
    return places
  }
}

/** Lists resources in creation order, without a base. */
export const toResourceView = (resources: Iterable<StoredResource>): ResourceView =>
  ResourceView.of({ base: createResourceList([]), changed: new Map(), added: resources })
