import type { StoredResource } from '../state/resource.ts'
import { UNLIMITED } from './effort.ts'
import type { Effort } from './effort.ts'
import { resourceScope } from './fields.ts'
import { compilePredicate } from './where-compiler.ts'
import { parseWhere } from './where-parser.ts'

/**
 * Compiles `where` parameters into one test that holds where all of them hold (D20).
 *
 * @param variables what fills `:name`: every value of `var.name`, by the name without `var.`
 * @throws {Problem} 400 whose message names line and column and puts a caret under the place; and later, from the test,
 * where it looks at more than the effort allows.
 * @example compileWhere(['version > :least'], new Map([['least', ['2']]]))
 */
export function compileWhere(
  sources: readonly string[],
  variables: ReadonlyMap<string, readonly string[]>,
  effort: Effort = UNLIMITED,
): (resource: StoredResource) => boolean {
  const tests = sources.map((source) =>
    compilePredicate(parseWhere(source), resourceScope, { source, variables, effort }),
  )
  return (resource) => tests.every((test) => test(resource))
}
