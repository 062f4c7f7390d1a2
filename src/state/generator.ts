import { generateResources } from './generate.ts'
import type { StoredResource } from './resource.ts'
import type { Extras } from './views.ts'

/** Scenarios add at most this many to a project, all together: what was made once is kept. */
const MOST_GENERATED = 100_000

/** So many are made at a time. */
const STEP = 1000

/** Makes a mock's generated resources. */
export interface Generator {
  /** Those that every project starts with. */
  first(): Promise<readonly StoredResource[]>
  /** That many more beside the first, as far as there may be. */
  more(count: number): Promise<Extras>
}

/**
 * Creates the generator of a mock. What it makes beside the first is one list, whatever counts are asked for: fewer are the
 * beginning of more.
 */
export function createGenerator(seed: number, count: number, most = MOST_GENERATED): Generator {
  const made: StoredResource[] = []
  const placesById = new Map<string, number>()
  const placesByKey = new Map<string, number>()
  let growing: Promise<void> = Promise.resolve()

  async function grow(wanted: number): Promise<void> {
    while (made.length < wanted) {
      const missing = Math.min(wanted - made.length, STEP)
      for (const resource of await generateResources(missing, seed, count + made.length)) {
        placesById.set(resource.id, made.length)
        if (resource.key !== undefined) placesByKey.set(resource.key, made.length)
        made.push(resource)
      }
      // Others are served in between.
      await new Promise((resolve) => setTimeout(resolve))
    }
  }

  function toExtras(wanted: number): Extras {
    const at = (place: number | undefined): StoredResource | undefined =>
      place === undefined || place >= wanted ? undefined : made[place]
    return {
      all: () => made.slice(0, wanted),
      find: (id) => at(placesById.get(id)),
      findByKey: (key) => at(placesByKey.get(key)),
    }
  }

  return {
    first: () => generateResources(count, seed),
    async more(more) {
      const wanted = Math.min(more, most)
      growing = growing.then(() => grow(wanted))
      await growing
      return toExtras(wanted)
    },
  }
}
