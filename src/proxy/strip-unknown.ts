import type * as z from 'zod'

/** Takes the member at a path out of a value. */
function remove(value: unknown, path: readonly PropertyKey[], name: string): void {
  let at = value
  for (const step of path) at = (at as Record<PropertyKey, unknown>)[step]
  Reflect.deleteProperty(at as object, name)
}

/**
 * What a schema admits of a value, members that it does not know left out; undefined for what it does not admit even so.
 */
export function stripUnknown<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const unknown = result.error.issues.filter((issue) => issue.code === 'unrecognized_keys')
  if (unknown.length < result.error.issues.length) return undefined
  const copy = structuredClone(value)
  for (const { path, keys } of unknown) for (const name of keys) remove(copy, path, name)
  return schema.safeParse(copy).data
}
