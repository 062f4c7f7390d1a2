import * as z from 'zod'
import { optionEntries } from './options.ts'
import { toConfigName } from './option.ts'

/** The JSON Schema (draft 2020-12) of configuration files, which they name in `$schema`. */
export function toConfigJsonSchema(): unknown {
  const members = optionEntries
    .filter(([, { flag }]) => flag !== undefined)
    .map(([name, option]) => {
      const { about = '', default: fallback, value } = option
      // `--no-admin` is about what `false` does.
      const description = option.flag?.startsWith('--no-') === true ? `false: ${about}` : about
      return [
        toConfigName(name, option),
        value.schema.optional().meta({ description, ...(fallback === undefined ? {} : { default: fallback }) }),
      ] as const
    })
  const schema = z
    .strictObject({ $schema: z.string().optional(), ...Object.fromEntries(members) })
    .meta({ title: 'A configuration file of resource-mock' })
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Zod's word for what its output is, which a file does not have to know.
      delete jsonSchema.readOnly
      // The format says the same in fewer characters.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
}
