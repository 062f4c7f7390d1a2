import * as z from 'zod'
import { isJsonObject } from '../http/json.ts'

/** Whether a parsed JSON value conforms to a schema. */
export type Guard = (value: unknown) => boolean

function guardObject({ shape, def }: z.ZodObject): Guard {
  const members = new Map(Object.entries<z.ZodType>(shape).map(([name, schema]) => [name, createGuard(schema)]))
  const required = Object.entries(shape).flatMap(([name, schema]) => (schema instanceof z.ZodOptional ? [] : [name]))
  const isOpen = !(def.catchall instanceof z.ZodNever)
  return function isConforming(value) {
    if (!isJsonObject(value)) return false
    for (const name in value) {
      const guard = members.get(name)
      if (guard === undefined ? !isOpen : !guard(value[name])) return false
    }
    for (const name of required) if (value[name] === undefined) return false
    return true
  }
}

function guardArray({ element }: z.ZodArray<z.ZodType>): Guard {
  const guard = createGuard(element)
  return function isConforming(value) {
    if (!Array.isArray(value)) return false
    for (const entry of value) if (!guard(entry)) return false
    return true
  }
}

/** What an array's own checks say, such as that of its length, whatever its entries are; undefined where it has none. */
export function toOwnChecks({ def }: z.ZodArray): z.ZodArray | undefined {
  return def.checks?.length ? new z.ZodArray({ ...def, element: z.unknown() }) : undefined
}

/**
 * Creates the guard of a schema: what the schema itself would say, without the objects that it makes for every value on
 * its way, which take most of the time of a body that conforms. What it does not know it asks the schema.
 */
export function createGuard(schema: z.ZodType): Guard {
  if (schema instanceof z.ZodOptional) {
    const guard = createGuard(schema.unwrap() as z.ZodType)
    return (value) => value === undefined || guard(value)
  }
  if (schema instanceof z.ZodArray) {
    const guard = guardArray(schema as z.ZodArray<z.ZodType>)
    const own = toOwnChecks(schema)
    if (own === undefined) return guard
    const { checks = [] } = schema.def
    const { maximum } = schema._zod.bag
    // The contract limits arrays only by their greatest length.
    if (checks.length === 1 && typeof maximum === 'number') {
      return (value) => Array.isArray(value) && value.length <= maximum && guard(value)
    }
    return (value) => own.safeParse(value).success && guard(value)
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const guards = schema.options.map((option) => createGuard(option as z.ZodType))
    return (value) => guards.some((guard) => guard(value))
  }
  if (schema instanceof z.ZodLiteral) return (value) => schema.values.has(value as z.core.util.Literal)
  // The documented schema accepts less than the schema itself.
  const { documentedAs } = (schema.meta() ?? {}) as { readonly documentedAs?: z.ZodType }
  if (documentedAs !== undefined) {
    const guard = createGuard(documentedAs)
    return (value) => guard(value) || schema.safeParse(value).success
  }
  if (!schema.def.checks?.length) {
    if (schema instanceof z.ZodObject) return guardObject(schema)
    if (schema instanceof z.ZodString && !('format' in schema.def)) return (value) => typeof value === 'string'
    if (schema instanceof z.ZodCustom) return (value) => Boolean(schema.def.fn(value))
  }
  return (value) => schema.safeParse(value).success
}
