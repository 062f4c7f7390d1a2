import { createGeneratedResources, loadWords } from '../../../src/service/state/generate.ts'
import type { StoredResource } from '../../../src/service/state/resource.ts'

/** Generates the resources of a seed from a position. */
export async function generateResources(count: number, seed: number, from = 0): Promise<readonly StoredResource[]> {
  const list = createGeneratedResources(await loadWords(), seed, from + count)
  return Array.from({ length: count }, (_, at) => list.at(from + at))
}
