import * as z from 'zod'
import { arrayTestType, resourceKey, resultEntry } from '../contract/models.ts'
import { isGeneratedKey } from './generate.ts'

const { someProperty, createdAt, lastModifiedAt } = resultEntry.shape

const version = z.custom<number>((value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1, {
  error: `integer between 1 and ${Number.MAX_SAFE_INTEGER} expected.`,
})

const key = resourceKey.refine((text) => !isGeneratedKey(text), {
  error: 'a key other than those of generated resources (generated-1, generated-2, …) expected.',
})

/** A record of `resources.json`; what is left out is filled in when it loads. */
export const fixtureRecord = z.strictObject({
  id: z.guid({ error: 'UUID expected.' }).optional(),
  key: key.optional(),
  version: version.optional(),
  createdAt: createdAt.optional(),
  lastModifiedAt: lastModifiedAt.optional(),
  someProperty,
  objectTypeProperty: arrayTestType,
  staged: z.strictObject({ objectTypeProperty: arrayTestType }).optional(),
})
export type FixtureRecord = z.output<typeof fixtureRecord>
