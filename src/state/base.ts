import type { StoredImage } from './image.ts'
import type { StoredResource } from './resource.ts'
import { runAtOnce } from '../util/steps.ts'
import type { Steps } from '../util/steps.ts'
import { NO_BYTES, resourceBytes, textBytes } from './size.ts'
import type { Size } from './size.ts'

/**
 * Resources in creation order that never change. Places count from 0. `at`, `idAt` and `keyAt` need a place that exists.
 * Only `at` may have to make the resource first.
 */
export interface ResourceList {
  readonly count: number
  at(place: number): StoredResource
  idAt(place: number): string
  keyAt(place: number): string | undefined
  findPlace(id: string): number | undefined
  findPlaceByKey(key: string): number | undefined
}

/** As {@link createResourceList}, step by step. */
export function* listResources(resources: readonly StoredResource[]): Steps<ResourceList> {
  const places = new Map<string, number>()
  const placesByKey = new Map<string, number>()
  for (const [place, { id, key }] of resources.entries()) {
    places.set(id, place)
    if (key !== undefined) placesByKey.set(key, place)
    yield 1
  }
  // A place that exists.
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

/** Lists resources that already exist; their ids and keys are unique (D5, D6). */
export const createResourceList = (resources: readonly StoredResource[]): ResourceList =>
  runAtOnce(listResources(resources))

/** Lists the resources of one list after those of another. */
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
 * What the data of projects begin with: the fixtures, or a state that was put as a whole. It never changes, so that any
 * number of projects, sessions and snapshots share it.
 */
export interface Base {
  readonly resources: ResourceList
  /** Ids in the order of their writing, the oldest first (D15); undefined: that of the resources. */
  readonly recent: readonly string[] | undefined
  readonly images: ReadonlyMap<string, StoredImage>
  /** Path values and body ids that the complex POST has seen (D16). */
  readonly posted: ReadonlySet<string>
  /** JSON text of the action payload (D22). */
  readonly action: string
}

/** The contents of a base; what is left out is empty. */
interface BaseParts {
  readonly resources: ResourceList
  readonly action: string
  readonly recent?: readonly string[] | undefined
  readonly images?: ReadonlyMap<string, StoredImage>
  readonly posted?: ReadonlySet<string>
}

export const createBase = ({
  resources,
  action,
  recent,
  images = new Map<string, StoredImage>(),
  posted = new Set<string>(),
}: BaseParts): Base => ({ resources, recent, images, posted, action })

/** What a base takes in memory that belongs to one session, step by step. */
export function* measureBase({ resources, recent = [], images, posted, action }: Base): Steps<Size> {
  let { bytes, imageBytes } = NO_BYTES
  for (let place = 0; place < resources.count; place += 1) {
    bytes += resourceBytes(resources.at(place))
    yield 1
  }
  for (const texts of [recent, posted, [action]]) {
    for (const text of texts) {
      bytes += textBytes(text)
      yield 1
    }
  }
  for (const image of images.values()) imageBytes += image.bytes.byteLength
  return { bytes, imageBytes }
}
