import { generateResources } from './generate.ts'
import type { Resource } from './resource.ts'
import { createExtras } from './views.ts'
import type { Extras } from './views.ts'

/** Makes a mock's generated resources; what it made once it keeps. */
export interface Generator {
  /** Those that every project starts with. */
  first(): Promise<readonly Resource[]>
  /** So many more, beside the first. */
  more(count: number): Promise<Extras>
}

export function createGenerator(seed: number, count: number): Generator {
  const made = new Map<number, Promise<Extras>>()
  return {
    first: () => generateResources(count, seed),
    more(more) {
      const known = made.get(more) ?? generateResources(more, seed, count).then(createExtras)
      made.set(more, known)
      return known
    },
  }
}
