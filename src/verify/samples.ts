import * as z from 'zod'
import { objectTestType } from '../contract/models.ts'
import { Stop } from './bench.ts'
import type { Provider } from './provider.ts'
import type { Resources, Sample } from './resources.ts'
import type { World } from './world.ts'

/** How many resources are read: enough to see an order and a page in the middle. */
const COUNT = 3

type Samples = Pick<World, 'samples' | 'sampleless' | 'word'>

const compareIds = (a: Sample, b: Sample): number => (a.id < b.id ? -1 : 1)

/** Why it ended early; what is none of verify's own reasons is a fault of verify. */
function toReason(fault: unknown): string {
  if (fault instanceof Stop) return fault.message
  throw fault
}

/** Makes resources to read. */
export async function makeSamples(resources: Resources, word: string): Promise<Samples> {
  const samples: Sample[] = []
  for (let made = 0; made < COUNT; made += 1) {
    const sample = await resources.create(word).catch(toReason)
    if (typeof sample === 'string') return { samples: [], sampleless: sample, word }
    samples.push(sample)
  }
  return { samples: samples.toSorted(compareIds), sampleless: '', word }
}

const page = z.object({
  results: z.array(
    z.looseObject({
      id: z.string(),
      key: z.string().optional(),
      version: objectTestType.shape.version,
      objectTypeProperty: z.unknown(),
    }),
  ),
})

/** Finds resources to read where nothing may be written: those that others wrote. */
export async function findSamples(provider: Provider): Promise<Samples> {
  const query = [
    ['limit', String(COUNT)],
    ['sort', 'id asc'],
  ] as const
  const answer = await provider.send('sortedQuery', { query }).catch(toReason)
  if (typeof answer === 'string') return { samples: [], sampleless: answer, word: undefined }
  const found = page.safeParse(answer.body).data?.results ?? []
  const samples = found.map(({ id, key, version, objectTypeProperty }) => ({
    id,
    key,
    version,
    content: objectTypeProperty,
  }))
  const sampleless =
    answer.status === 200
      ? 'the project has no resource to read, and nothing may be written: --allow-writes lets verify make some'
      : `no resource to read was found: ${answer.request} answered ${answer.status}`
  return { samples: samples.toSorted(compareIds), sampleless, word: undefined }
}

/**
 * The samples.
 *
 * @throws {Stop} where there is none.
 */
export function expectSamples({ samples, sampleless }: World): readonly [Sample, ...Sample[]] {
  const [first, ...rest] = samples
  if (first === undefined) throw new Stop(sampleless)
  return [first, ...rest]
}
