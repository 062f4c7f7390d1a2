import { createResourceList } from './base.ts'
import type { ResourceList } from './base.ts'
import { createGeneratedResources, loadWords } from './generate.ts'

/** Scenarios add at most this many to a project, all together. */
const MOST_GENERATED = 100_000

/** Lists a mock's generated resources. Each is made when it is first looked at, and kept. */
export interface Generator {
  /** Those that every project starts with. */
  first(): Promise<ResourceList>
  /** That many more, up to a limit. */
  more(count: number): Promise<ResourceList>
}

/** The part of a list that begins at a place. */
function sliceResourceList(list: ResourceList, start: number, count: number): ResourceList {
  function toPlace(place: number | undefined): number | undefined {
    return place === undefined || place < start || place >= start + count ? undefined : place - start
  }
  return {
    count,
    at: (place) => list.at(start + place),
    idAt: (place) => list.idAt(start + place),
    keyAt: (place) => list.keyAt(start + place),
    findPlace: (id) => toPlace(list.findPlace(id)),
    findPlaceByKey: (key) => toPlace(list.findPlaceByKey(key)),
  }
}

/** Creates the generator of a mock. All its lists are parts of one. */
export function createGenerator(seed: number, count: number, most = MOST_GENERATED): Generator {
  let resources: Promise<ResourceList> | undefined
  async function slice(start: number, length: number): Promise<ResourceList> {
    if (length === 0) return createResourceList([])
    resources ??= loadWords().then((words) => createGeneratedResources(words, seed, count + most))
    return sliceResourceList(await resources, start, length)
  }
  return {
    first: () => slice(0, count),
    more: (more) => slice(count, Math.min(more, most)),
  }
}
