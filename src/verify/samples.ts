import * as z from 'zod'
import { objectTestType } from '../contract/models.ts'
import type { ArrayTestType } from '../contract/models.ts'
import type { VerifyContext } from './subject.ts'
import { pause } from './resources.ts'
import type { Provider } from './provider.ts'
import { findVersion } from './finding.ts'
import type { OwnResource, OwnSamples, Sample } from './resources.ts'
import { Stop } from './transport.ts'

type SampleMaking = Pick<VerifyContext, 'resources' | 'provider' | 'run'>
type Samples = Pick<VerifyContext, 'samples' | 'own' | 'sampleless' | 'isStrict'>

/** A string with everything that a predicate must escape. */
export const ESCAPED = String.raw`say "b" \ c`

/** What the three samples hold; `word` is in each of them and nowhere else. */
const toContents = (word: string): readonly ArrayTestType[] => {
  const common = {
    arrayOfUniqueIntExample: [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n],
    arrayOfObjectType: [{ integerExample: 9_007_199_254_740_995n, integerExampleInt32: 2_147_483_647 }],
  }
  return [
    {
      ...common,
      arrayOfIntExample: [1, -1, 9_007_199_254_740_993n],
      arrayOfTwonumbersExample: [1, 2],
      arrayOfFloatExample: [1.5, 0.1],
      arrayOfNumberNoDefaultsExample: [1, 9],
      arrayOfStringExample: [word, 'Walnut Table', 'kiln', 'ax'],
      arrayOfObjectType: [
        { integerExample: 9_007_199_254_740_995n, integerExampleInt32: 10 },
        { integerExample: 2, integerExampleInt32: 20 },
      ],
    },
    {
      ...common,
      arrayOfIntExample: [2, -2, 9_007_199_254_740_993n],
      arrayOfTwonumbersExample: [2, 3],
      arrayOfFloatExample: [2.5],
      arrayOfNumberNoDefaultsExample: [2, 8.25],
      arrayOfStringExample: [word, 'oakum', 'Öltuch'],
    },
    {
      ...common,
      arrayOfIntExample: [3, -3, 9_007_199_254_740_993n],
      arrayOfTwonumbersExample: [3, 4],
      arrayOfFloatExample: [3.5],
      arrayOfNumberNoDefaultsExample: [],
      arrayOfStringExample: [word, '99 in arrayOfIntExample'],
    },
  ]
}

/** Why it ended early; whatever is not one of verify's own reasons is a bug in verify. */
function toReason(error: unknown): string {
  if (error instanceof Stop) return error.message
  throw error
}

/** Makes resources to read. The second one has `someProperty`, and so a version more. */
async function makeSamples({ resources, provider, run }: SampleMaking): Promise<OwnSamples> {
  const made: OwnResource[] = []
  for (const content of toContents(`${run}s`)) {
    made.push(await resources.create(content))
    // A query by dates must distinguish the first resource from the others.
    if (made.length === 1) await pause()
  }
  const [first, second, third] = made
  if (first === undefined || second === undefined || third === undefined) throw new Stop('no resource was made')
  // A query by dates must distinguish when it was made from when it was modified.
  await pause()
  const actions = [{ action: 'changeSomeProperty', someProperty: ESCAPED }]
  const json = { version: second.version, actions }
  const answer = await provider.send('updateResource', { path: { id: second.id }, json })
  if (answer.status !== 200) return [first, second, third]
  return [first, { ...second, version: findVersion(answer) ?? second.version + 1, someProperty: ESCAPED }, third]
}

/** Whether the provider is strict: it refuses a draft that lacks arrays (D2). Its other checks must agree. */
async function askStrictness({ resources, provider, run }: SampleMaking): Promise<boolean> {
  const json = resources.draft({ arrayOfStringExample: [run] })
  const { status } = await provider.send('createResource', { json, label: 'one array' })
  return status === 400
}

/** Makes resources to read, and finds out whether the provider is strict. */
export async function createSamples(making: SampleMaking): Promise<Samples> {
  try {
    const own = await makeSamples(making)
    return { samples: own, own, sampleless: '', isStrict: await askStrictness(making) }
  } catch (error) {
    return { samples: [], own: undefined, sampleless: toReason(error), isStrict: undefined }
  }
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

/** Finds resources to read if nothing may be written: those that others wrote. */
export async function findSamples(provider: Provider): Promise<Samples> {
  const query = { limit: '3', sort: 'id asc' }
  const answer = await provider.send('sortedQuery', { query }).catch(toReason)
  const none = { samples: [], own: undefined, isStrict: undefined }
  if (typeof answer === 'string') return { ...none, sampleless: answer }
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
  return { ...none, samples, sampleless }
}

/**
 * The samples.
 *
 * @throws {Stop} if there is none.
 */
export function expectSamples({ samples, sampleless }: VerifyContext): readonly [Sample, ...Sample[]] {
  const [first, ...rest] = samples
  if (first === undefined) throw new Stop(sampleless)
  return [first, ...rest]
}

/**
 * The samples that were created for this run.
 *
 * @throws {Stop} if nothing may be written.
 */
export function expectOwn({ own }: VerifyContext): OwnSamples {
  if (own === undefined) {
    throw new Stop(
      'it takes resources of known content, and nothing may be written: --allow-writes lets verify make some',
    )
  }
  return own
}
