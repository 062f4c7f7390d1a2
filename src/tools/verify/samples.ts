import * as z from 'zod'
import { readPage } from '../../service/contract/results.ts'
import { objectTestType } from '../../service/contract/models.ts'
import type { ArrayTestType } from '../../service/contract/models.ts'
import type { VerifyContext } from './subject.ts'
import { pause } from './resources.ts'
import type { Provider } from './provider.ts'
import { findVersion, toStop } from './finding.ts'
import type { OwnResource, OwnSamples, Sample } from './resources.ts'
import { Stop } from './transport.ts'

type SampleMaking = Pick<VerifyContext, 'resources' | 'provider' | 'run'>
type Samples = Pick<VerifyContext, 'samples' | 'own' | 'sampleless' | 'isStrict'>

/** A string with every character that a predicate must escape. */
export const ESCAPED = String.raw`say "b" \ c`

/** The content of the three samples. All of them contain `word`, and no other resource does. */
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

/** Returns a `Stop`. Any other error is a bug in verify and is rethrown. */
function toStopped(error: unknown): Stop {
  if (error instanceof Stop) return error
  throw error
}

/** Creates the samples. The second one also gets `someProperty`, so its version is 2. */
async function makeSamples({ resources, provider, run }: SampleMaking): Promise<OwnSamples> {
  const made: OwnResource[] = []
  for (const content of toContents(`${run}s`)) {
    made.push(await resources.create(content))
    // A query by dates must distinguish the first resource from the others.
    if (made.length === 1) await pause()
  }
  const [first, second, third] = made
  if (first === undefined || second === undefined || third === undefined) throw new Stop('no resource was created')
  // Queries by date need a createdAt that differs from lastModifiedAt.
  await pause()
  const actions = [{ action: 'changeSomeProperty', someProperty: ESCAPED }]
  const json = { version: second.version, actions }
  const answer = await provider.send('updateResource', { path: { id: second.id }, json })
  if (answer.status !== 200) return [first, second, third]
  return [first, { ...second, version: findVersion(answer) ?? second.version + 1, someProperty: ESCAPED }, third]
}

/**
 * Detects whether the provider is strict, so that it rejects a draft with missing arrays (D2). Its other checks must agree.
 */
async function askStrictness({ resources, provider, run }: SampleMaking): Promise<boolean> {
  const json = resources.draft({ arrayOfStringExample: [run] })
  const { status } = await provider.send('createResource', { json, label: 'one array' })
  return status === 400
}

/** Creates the samples and detects whether the provider is strict. */
export async function createSamples(making: SampleMaking): Promise<Samples> {
  try {
    const own = await makeSamples(making)
    return { samples: own, own, sampleless: undefined, isStrict: await askStrictness(making) }
  } catch (error) {
    return { samples: [], own: undefined, sampleless: toStopped(error), isStrict: undefined }
  }
}

const found = z.array(
  z.looseObject({
    id: z.string(),
    key: z.string().optional(),
    version: objectTestType.shape.version,
    objectTypeProperty: z.unknown(),
  }),
)

/** Finds existing resources to use as samples when writes are not allowed. */
export async function findSamples(provider: Provider): Promise<Samples> {
  const query = { limit: '3', sort: 'id asc' }
  const none = { samples: [], own: undefined, isStrict: undefined }
  const sorted = await provider.send('sortedQuery', { query }).catch(toStopped)
  if (sorted instanceof Stop) return { ...none, sampleless: sorted }
  // A half-built service may have only the simple query.
  const listed = sorted.status === 200 ? sorted : await provider.send('queryResources', { query }).catch(toStopped)
  const answer = listed instanceof Stop || listed.status !== 200 ? sorted : listed
  const { data = [] } = found.safeParse(readPage(answer.body)?.results)
  const samples = data.map(({ id, key, version, objectTypeProperty: content }) => ({ id, key, version, content }))
  if (samples.length > 0) return { ...none, samples, sampleless: undefined }
  const empty = new Stop('the project has no resources to read; pass --allow-writes to let verify create some')
  return { ...none, sampleless: answer.status === 200 ? empty : toStop(answer, 200) }
}

/**
 * Returns the samples.
 *
 * @throws {Stop} if the provider has none.
 */
export function expectSamples({ samples, sampleless }: VerifyContext): readonly [Sample, ...Sample[]] {
  const [first, ...rest] = samples
  if (first === undefined) throw sampleless ?? new Stop('the provider has no resources to read')
  return [first, ...rest]
}

/**
 * Returns the samples created for this run.
 *
 * @throws {Stop} if writes are not allowed.
 */
export function expectOwn({ own, allowsWrites, sampleless }: VerifyContext): OwnSamples {
  if (own !== undefined) return own
  throw allowsWrites && sampleless !== undefined
    ? sampleless
    : new Stop('it needs resources with known content; pass --allow-writes to let verify create some')
}
