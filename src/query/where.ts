import type { Resource } from '../state/resource.ts'
import { resourceScope } from './fields.ts'
import { compilePredicate } from './where-compiler.ts'
import { parseWhere } from './where-parser.ts'

/**
 * Compiles `where` parameters into one test that holds where all of them hold (D20).
 *
 * @param variables what fills `:name`: every value of `var.name`, by the name without `var.`
 * @throws {Problem} 400 whose message names line and column and puts a caret under the place.
 * @example compileWhere(['version > :least'], new Map([['least', ['2']]]))
 */
export function compileWhere(
  sources: readonly string[],
  variables: ReadonlyMap<string, readonly string[]>,
): (resource: Resource) => boolean {
  const tests = sources.map((source) => compilePredicate(parseWhere(source), resourceScope, { source, variables }))
  return (resource) => tests.every((test) => test(resource))
}
