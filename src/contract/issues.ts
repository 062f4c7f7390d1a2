import * as z from 'zod'
import { isJsonObject } from '../http/json.ts'
import { createGuard, toOwnChecks } from './guard.ts'
import type { Guard } from './guard.ts'

/** What a schema has against a value. */
export interface Issues {
  /** The first ones, in the schema's own order. */
  readonly first: readonly z.core.$ZodIssue[]
  /** How many values are wrong in all. */
  readonly count: number
  /** Paths of members that the schema does not know: the first {@link MOST_UNKNOWN}. */
  readonly unknown: readonly (readonly PropertyKey[])[]
  /** How many members the schema does not know in all. */
  readonly unknownCount: number
}

/** The paths of at most this many unknown members are kept; the others are counted. */
export const MOST_UNKNOWN = 1000

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
 *
 * @param isFirstEnough whether the entries of an array are left alone once something is wrong
 */
export function findIssues(schema: z.ZodType, value: unknown, limit: number, isFirstEnough = false): Issues {
  const first: z.core.$ZodIssue[] = []
  const unknown: (readonly PropertyKey[])[] = []
  let count = 0
  let unknownCount = 0
  /** Where the value that is looked at is. */
  const path: PropertyKey[] = []

  function addUnknown(...steps: readonly PropertyKey[]) {
    unknownCount += 1
    if (unknown.length < MOST_UNKNOWN) unknown.push([...path, ...steps])
  }

  function visitObject({ shape, def }: z.ZodObject, members: Readonly<Record<string, unknown>>) {
    for (const [name, member] of Object.entries<z.ZodType>(shape)) {
      if (!guardOf(member)(members[name])) visitAt(name, member, members[name])
    }
    if (!(def.catchall instanceof z.ZodNever)) return
    for (const name of Object.keys(members)) if (!Object.hasOwn(shape, name)) addUnknown(name)
  }

  /** Whether an entry was wrong. */
  function visitEntries(element: z.ZodType, entries: readonly unknown[]): boolean {
    const guard = guardOf(element)
    let isAnyWrong = false
    for (const [at, entry] of entries.entries()) {
      if (guard(entry)) continue
      isAnyWrong = true
      visitAt(at, element, entry)
      if (isFirstEnough) break
    }
    return isAnyWrong
  }

  function visitAt(step: PropertyKey, part: z.ZodType, found: unknown): void {
    path.push(step)
    visit(part, found)
    path.pop()
  }

  /** Looks for the issues of a value that does not conform. */
  function visit(part: z.ZodType, found: unknown): void {
    if (part instanceof z.ZodOptional) return visit(part.unwrap() as z.ZodType, found)
    if (part instanceof z.ZodArray && Array.isArray(found)) {
      // An array that is too long is told of at once: its entries may be 100,000s.
      const own = toOwnChecks(part)
      if (own !== undefined && !own.safeParse(found).success) return addIssues(own, found)
      if (visitEntries(part.element as z.ZodType, found)) return
    }
    if (part instanceof z.ZodObject && isJsonObject(found) && !part.def.checks?.length) return visitObject(part, found)
    addIssues(part, found)
  }

  function addIssues(part: z.ZodType, found: unknown): void {
    if (first.length >= limit) {
      count += 1
      return
    }
    const issues = part.safeParse(found).error?.issues ?? []
    count += Math.max(1, issues.length)
    for (const issue of issues.slice(0, limit)) {
      if (issue.code !== 'unrecognized_keys') first.push({ ...issue, path: [...path, ...issue.path] })
      else for (const name of issue.keys) addUnknown(...issue.path, name)
    }
  }

  if (!guardOf(schema)(value)) visit(schema, value)
  return { first, count, unknown, unknownCount }
}
