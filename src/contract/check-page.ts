import * as z from 'zod'
import { stringifyJson } from '../http/json.ts'
import { decision } from './decisions.ts'
import type { DecisionId } from './decisions.ts'
import { arrayNames, arrayTestType } from './models.ts'
import { int32 } from './numbers.ts'
import { pagedResult, queryResult, searchResult } from './results.ts'
import { toDecided } from './violation.ts'
import type { Violation } from './violation.ts'

/** Which decision a page rests on, by its schema. */
const decisionBySchema = new Map<z.ZodType, DecisionId>([
  [queryResult, decision('D10')],
  [searchResult, decision('D14')],
  [pagedResult, decision('D20')],
])

const page = z.looseObject({
  limit: int32,
  offset: int32,
  count: int32,
  total: int32.optional(),
  results: z.array(z.looseObject({ objectTypeProperty: z.looseObject(arrayTestType.shape).optional() })),
})

/** The arrays of a query's answer are those of its first result, and empty where it has none (D10). */
function checkArrays(value: z.output<typeof page>): readonly Violation[] {
  const [first] = value.results
  return arrayNames
    .filter((name) => {
      const expected = first === undefined ? [] : first.objectTypeProperty?.[name]
      return stringifyJson(value[name]) !== stringifyJson(expected)
    })
    .map((name) => {
      const expected = first === undefined ? 'an empty array' : 'that of the first result'
      return toDecided(decision('D10'), `body.${name}`, `${expected} expected`)
    })
}

/** Holds the numbers of a page, which is of a schema, to its results and to each other; any other value has none. */
export function checkPage(schema: z.ZodType, value: unknown): readonly Violation[] {
  const id = decisionBySchema.get(schema)
  const { data } = page.safeParse(value)
  if (id === undefined || data === undefined) return []
  const [limit, offset, count] = [Number(data.limit), Number(data.offset), Number(data.count)]
  const { results, total } = data
  const end = offset + count
  return [
    ...(count === results.length ? [] : [toDecided(id, 'body.count', `${results.length} expected, as in results`)]),
    ...(results.length <= limit ? [] : [toDecided(id, 'body.results', `at most ${limit} expected, as limit says`)]),
    ...(total !== undefined && count > 0 && total < end
      ? [toDecided(id, 'body.total', `at least ${end} expected, as offset and count say`)]
      : []),
    ...(total !== undefined && count < limit && total > end
      ? [toDecided(id, 'body.total', `at most ${end} expected: the page has fewer results than limit`)]
      : []),
    ...(schema === queryResult ? checkArrays(data) : []),
  ]
}
