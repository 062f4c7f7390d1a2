import * as z from 'zod'
import type { Parameter } from '../../../../src/service/contract/endpoint.ts'
import { arrayTestType, plainObjectTestType } from '../../../../src/service/contract/models.ts'

const bare = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional ? bare(schema.unwrap()) : schema

/** Whether the object has exactly the same fields as ArrayTestType. */
const hasAllArrays = (schema: z.ZodObject): boolean =>
  Object.entries(arrayTestType.shape).every(([name, field]) => schema.shape[name] === field)

const isAction = (schema: z.ZodObject): boolean => Object.keys(schema.shape).join() === 'action'

const describeObject = (schema: z.ZodObject): string => {
  if (schema === plainObjectTestType) return 'ObjectTestType'
  if (hasAllArrays(schema)) return 'ArrayTestType'
  // D18: the details of an update's actions are validated only after its version was compared.
  if (isAction(schema)) return 'ExampleResourceUpdateAction'
  const members = Object.entries(schema.shape).map(([name, field]) => `${name}: ${describeType(field)}`)
  return members.length === 0 ? 'object' : `object {${members.join(', ')}}`
}

/** The shapes that the specification names; it only describes the others. */
const NAMED = new Set([
  'ArrayTestType',
  'ObjectTestType',
  'ObjectTestTypeDraft',
  'OutOfOrderPropertiesTestType',
  'UpdateRequest',
  'Money',
  'LineItem',
  'Variant',
  'VariantAttributes',
  'Cart',
])

/** A zod schema in the wording of facts. */
export const describeType = (wrapped: z.core.$ZodType): string => {
  const schema = bare(wrapped)
  const { id, type, format } = z.globalRegistry.get(schema) ?? {}
  if (id !== undefined && NAMED.has(id)) return id
  if (typeof type === 'string') return format === 'float' ? 'float' : type
  if (schema instanceof z.ZodObject) return describeObject(schema)
  if (schema instanceof z.ZodArray) {
    return schema.element instanceof z.ZodUnknown ? 'array' : `array of ${describeType(schema.element)}`
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map(describeType)
    return `${options.slice(0, -1).join(', ')}, or ${options.at(-1)}`
  }
  if (schema instanceof z.ZodISODateTime) return 'date-time'
  if (schema instanceof z.ZodBoolean) return 'boolean'
  return schema instanceof z.ZodString ? 'string' : (id ?? 'unknown')
}

/** The bits of an integer, by its format. */
export const findWidth = (schema: z.core.$ZodType): string | undefined =>
  /^int(\d+)$/.exec(String(z.globalRegistry.get(bare(schema))?.['format']))?.[1]

/** A query parameter in the wording of facts. */
export const describeParameter = ({ schema, repeatable }: Parameter): string => {
  // The specification shows one value; a decision allows several.
  if (repeatable !== undefined && schema instanceof z.ZodArray) return describeType(schema.element)
  if (schema instanceof z.ZodObject) return `object with ${Object.keys(schema.shape).join(', ')}`
  if (schema instanceof z.ZodArray) return `${describeType(schema.element)}, repeatable`
  return describeType(schema).replace('integer', 'int')
}
