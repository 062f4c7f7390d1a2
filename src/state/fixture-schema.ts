import * as z from 'zod'
import { resourceKey } from '../contract/models.ts'
import { isGeneratedKey } from './generate.ts'
import { resourceRecord } from './resource-record.ts'

const key = resourceKey.refine((text) => !isGeneratedKey(text), {
  error: 'a key other than those of generated resources (generated-1, generated-2, …) expected.',
})

/** A record of `resources.json`. */
export const fixtureRecord = resourceRecord.extend({
  id: z.guid({ error: 'UUID expected.' }).optional(),
  key: key.optional(),
})
