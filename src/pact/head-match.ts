import { endpoints } from '../contract/endpoints.ts'
import type { Input } from '../contract/handler.ts'
import { createQueryDecoder } from '../contract/parameters.ts'
import { compileConditions } from '../query/conditions.ts'
import { compileWhere } from '../query/where.ts'
import { toResource } from '../state/resource-record.ts'
import type { ResourceRecord } from '../state/resource-record.ts'
import type { ReadExchange } from './exchange.ts'

const decode = createQueryDecoder(endpoints.checkResources)

/** The first of the records that a HEAD which answered 200 may have found: its answer does not show which it was. */
export async function findMatch(
  { query }: ReadExchange,
  records: AsyncIterable<ResourceRecord>,
): Promise<ResourceRecord | undefined> {
  // The decoder has held the query to the very entry of the table that this type is made from.
  const input = decode(query, () => undefined) as Pick<Input<'checkResources'>, 'query' | 'families'>
  const holds = compileConditions(input.query)
  const where = input.query.where === undefined ? undefined : compileWhere(input.query.where, input.families.var).holds
  let at = 0
  for await (const record of records) {
    const resource = toResource(record, at)
    if (holds?.(resource) !== false && where?.(resource) !== false) return record
    at += 1
  }
  return undefined
}
