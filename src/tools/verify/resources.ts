import { isEqualContent } from '../../service/query/fields.ts'
import { findContent, findId, findListedId, findVersion, isSuccess, toStop } from './finding.ts'
import { Stop } from './transport.ts'
import type { ArrayTestType } from '../../service/contract/models.ts'
import type { Cleanup } from './cleanup.ts'
import type { Provider } from './provider.ts'

/** A resource that was created or found. */
export interface Sample {
  readonly id: string
  readonly key: string | undefined
  readonly version: number
  readonly content: unknown
  /** The value that an action set. */
  readonly someProperty?: string
}

/** A resource created for the checks of one subject. */
export interface OwnResource extends Sample {
  readonly key: string
  readonly content: ArrayTestType
}

/** Three resources in creation order; queries can select by each of their differences. */
export type OwnSamples = readonly [OwnResource, OwnResource, OwnResource]

/** A draft and its key. */
export interface SampleDraft {
  readonly key: string
  readonly objectTypeProperty: ArrayTestType
}

/** The state of an id: its resource, no resource, or unclear because of an unexpected response. */
type FoundState =
  | { readonly kind: 'found'; readonly version: number; readonly content: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unclear' }

/** Creates resources that differ from all others, and reads them. */
export type Resources = ReturnType<typeof createResources>

/** Fills every array and uses the limits of its numbers (D3), so that a strict provider accepts it too (D1, D2). */
const toContent = (run: string, place: number): ArrayTestType => ({
  arrayOfIntExample: [place, -place, 9_007_199_254_740_993n],
  arrayOfUniqueIntExample: [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n],
  arrayOfTwonumbersExample: [place, place + 1],
  arrayOfFloatExample: [place + 0.5],
  arrayOfNumberNoDefaultsExample: [place, 2.25],
  arrayOfStringExample: [run, `place ${place}`],
  arrayOfObjectType: [
    { integerExample: 9_007_199_254_740_995n, integerExampleInt32: 2_147_483_647 },
    { integerExample: -9_223_372_036_854_775_808n, integerExampleInt32: -2_147_483_648 },
  ],
})

/** Creates the resource factory of a run with a unique id. */
export function createResources(provider: Provider, cleanup: Cleanup, run: string) {
  let places = 0

  const write = ({ key }: Pick<SampleDraft, 'key'>, content?: ArrayTestType): SampleDraft => {
    places += 1
    return { key, objectTypeProperty: content ?? toContent(run, places) }
  }

  /** Makes a draft with a unique key, which is tracked for removal. */
  function draft(content?: ArrayTestType): SampleDraft {
    const key = `${run}-${places + 1}`
    cleanup.note(key)
    return write({ key }, content)
  }

  /** @throws {Stop} when the provider does not create it. */
  async function create(content?: ArrayTestType): Promise<OwnResource> {
    const { key, objectTypeProperty } = draft(content)
    const answer = await provider.send('createResource', { json: { key, objectTypeProperty } })
    if (!isSuccess(answer.status)) throw toStop(answer, 201)
    const id =
      findId(answer) ?? (await findIdOfKey(key)) ?? (await findListedId(provider, { key, content: objectTypeProperty }))
    if (id === undefined) throw toStop(answer, 201, 'an id in Location or the body')
    cleanup.note(key, id)
    return { id, key, version: findVersion(answer) ?? 1, content: objectTypeProperty }
  }

  /** The id of the resource with a key; undefined if there is none. */
  async function findIdOfKey(key: string): Promise<string | undefined> {
    const answer = await provider.send('getResourceByKey', { path: { key } })
    if (answer.status !== 200) return undefined
    return findId(answer) ?? findListedId(provider, { key, content: findContent(answer) })
  }

  return {
    draft,
    /** Makes a draft with the same key and other content. */
    redraft: (changed: Pick<SampleDraft, 'key'>) => write(changed),
    create,
    findIdOfKey,
    /** The id of a written draft, from the results of queries; undefined if no query lists it. */
    findListedId: ({ key, objectTypeProperty }: SampleDraft) =>
      findListedId(provider, { key, content: objectTypeProperty }),
    /** Like `create`, and verifies that the key leads to the new resource: a write by key must not hit someone else's. */
    async createByKey(): Promise<OwnResource> {
      const resource = await create()
      const answer = await provider.send('getResourceByKey', { path: { key: resource.key } })
      if (!isSuccess(answer.status)) throw toStop(answer, 200)
      if (isEqualContent(findContent(answer), resource.content)) return resource
      throw new Stop(
        'the provider does not find resources by the key of their draft, so a write could hit another resource',
      )
    },
    async find(id: string): Promise<FoundState> {
      const answer = await provider.send('getResourceById', { path: { id } })
      if (answer.status === 404) return { kind: 'missing' }
      const version = findVersion(answer)
      if (answer.status !== 200 || version === undefined) return { kind: 'unclear' }
      return { kind: 'found', version, content: findContent(answer) }
    },
  }
}

/** Timestamps have millisecond precision: writes before and after this pause have different ones. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
