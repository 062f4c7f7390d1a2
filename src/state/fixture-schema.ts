import * as z from 'zod'
import { resourceKey, arrayTestType, cart } from '../contract/models.ts'
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

/**
 * The JSON Schema (draft 2020-12) of fixture files: that of `resources.json`, with those of carts and complex payloads in
 * its `$defs`.
 */
export function toFixtureJsonSchema(): unknown {
  const files = z.object({ resources: z.array(fixtureRecord), arrayTestType, cart })
  const { $schema, $defs, properties } = z.toJSONSchema(files, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Numbers of the decisions that a schema rests on, for the OpenAPI document.
      delete jsonSchema['decisions']
      // The format says the same in fewer characters.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  return {
    $schema,
    title: 'The fixture file resources.json of resource-mock',
    ...Object(properties?.['resources']),
    $defs,
  }
}
