import type { StoredResource } from '../state/resource.ts'
import { memoize } from '../util/memoize.ts'
import { UNLIMITED } from './effort.ts'
import type { Effort } from './effort.ts'
import { resourceScope } from './fields.ts'
import { compilePredicate } from './where-compiler.ts'
import { findLookUp } from './where-look-up.ts'
import type { LookUp } from './where-look-up.ts'
import { parseWhere } from './where-parser.ts'

const parse = memoize(parseWhere)

/** `where` parameters, compiled. */
export interface Where {
  /** Whether all of them hold. Throws a 400 if it looks at more than the effort allows. */
  readonly holds: (resource: StoredResource) => boolean
  /** All resources for which they hold have one of these ids or keys. */
  readonly lookUp: LookUp | undefined
}

/**
 * Compiles `where` parameters (D20).
 *
 * @param variables what fills `:name`: every value of `var.name`, by the name without `var.`
 * @throws {Problem} 400 whose message names line and column and puts a caret under the place.
 * @example compileWhere(['version > :least'], new Map([['least', ['2']]])).holds(resource)
 */
export function compileWhere(
  sources: readonly string[],
  variables: ReadonlyMap<string, readonly string[]>,
  effort: Effort = UNLIMITED,
): Where {
  const all = sources.map((source) => {
    const context = { source, variables, effort }
    const predicate = parse(source)
    return { test: compilePredicate(predicate, resourceScope, context), lookUp: findLookUp(predicate, context) }
  })
  return {
    holds: (resource) => all.every(({ test }) => test(resource)),
    lookUp: all.find(({ lookUp }) => lookUp !== undefined)?.lookUp,
  }
}
