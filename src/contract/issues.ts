import * as z from 'zod'
import { isJsonObject } from '../http/json.ts'
import { createGuard } from './guard.ts'
import type { Guard } from './guard.ts'

/** What a schema has against a value. */
export interface Issues {
  /** The first ones, in the schema's own order. */
  readonly first: readonly z.core.$ZodIssue[]
  /** How many values are wrong in all. */
  readonly count: number
  /** Paths of members that the schema does not know. */
  readonly unknown: readonly (readonly PropertyKey[])[]
}

const guards = new WeakMap<z.core.$ZodType, Guard>()

/** The guard of a schema, made once. */
export function guardOf(schema: z.ZodType): Guard {
  const known = guards.get(schema)
  if (known !== undefined) return known
  const guard = createGuard(schema)
  guards.set(schema, guard)
  return guard
}

/**
 * Finds what is wrong with a value. A schema makes an object for every issue, and a body of 1 MB can have 500,000: past
 * the limit they are only counted.
 */
export function findIssues(schema: z.ZodType, value: unknown, limit: number): Issues {
  const first: z.core.$ZodIssue[] = []
  const unknown: (readonly PropertyKey[])[] = []
  let count = 0

  function visitObject({ shape, def }: z.ZodObject, members: Readonly<Record<string, unknown>>, path: PropertyKey[]) {
    for (const [name, member] of Object.entries<z.ZodType>(shape)) visit(member, members[name], [...path, name])
    if (!(def.catchall instanceof z.ZodNever)) return
    for (const name of Object.keys(members)) if (!Object.hasOwn(shape, name)) unknown.push([...path, name])
  }

  /** Whether an entry was wrong. */
  function visitEntries({ element }: z.ZodArray, entries: readonly unknown[], path: PropertyKey[]): boolean {
    const guard = guardOf(element as z.ZodType)
    let isAnyWrong = false
    for (const [at, entry] of entries.entries()) {
      if (guard(entry)) continue
      isAnyWrong = true
      visit(element as z.ZodType, entry, [...path, at])
    }
    return isAnyWrong
  }

  function visit(part: z.ZodType, found: unknown, path: PropertyKey[]): void {
    if (guardOf(part)(found)) return
    if (part instanceof z.ZodOptional) return visit(part.unwrap() as z.ZodType, found, path)
    // Where all entries are right, the array's own checks are what fails.
    if (part instanceof z.ZodArray && Array.isArray(found) && visitEntries(part, found, path)) return
    if (part instanceof z.ZodObject && isJsonObject(found) && !part.def.checks?.length) {
      visitObject(part, found, path)
      return
    }
    count += 1
    if (first.length < limit) addIssues(part, found, path)
  }

  function addIssues(part: z.ZodType, found: unknown, path: PropertyKey[]): void {
    for (const issue of part.safeParse(found).error?.issues ?? []) {
      if (issue.code !== 'unrecognized_keys') first.push({ ...issue, path: [...path, ...issue.path] })
      else for (const name of issue.keys) unknown.push([...path, ...issue.path, name])
    }
  }

  visit(schema, value, [])
  return { first, count, unknown }
}
