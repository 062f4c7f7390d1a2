import * as z from 'zod'

/** The names of the members that a schema knows of the object at a path: what a misspelt one may have meant. */
export function findMembers(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional) return findMembers(schema.unwrap(), path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => findMembers(option, path))
  const [step, ...rest] = path
  if (schema instanceof z.ZodArray) return findMembers(schema.element, rest)
  if (!(schema instanceof z.ZodObject)) return []
  const shape: Readonly<Record<PropertyKey, z.core.$ZodType>> = schema.shape
  if (step === undefined) return Object.keys(shape)
  const member = shape[step]
  return member === undefined ? [] : findMembers(member, rest)
}
