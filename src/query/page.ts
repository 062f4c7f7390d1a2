import { pageBounds } from '../contract/page-bounds.ts'
import { problem } from '../errors.ts'

/** Which part of the results is answered, and whether their number is (D10). */
export interface Page {
  readonly limit: number
  readonly offset: number
  readonly withTotal: boolean
}

/** `20.0` is 20, `20.5` is refused (D20). */
function parseBounded(field: keyof typeof pageBounds, value: number | bigint | undefined): number {
  const { least, most, standard } = pageBounds[field]
  if (value === undefined) return standard
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw problem.invalidField({
    field,
    invalidValue: value,
    message: `Malformed parameter: ${field}: expected a whole number from ${least} to ${most}, got ${value}.`,
  })
}

/**
 * Reads the paging parameters.
 *
 * @throws {Problem} 400 InvalidField for what is out of bounds or not whole.
 */
export function parsePage(query: {
  readonly limit?: number | bigint
  readonly offset?: number | bigint
  readonly withTotal?: boolean
}): Page {
  return {
    limit: parseBounded('limit', query.limit),
    offset: parseBounded('offset', query.offset),
    withTotal: query.withTotal ?? true,
  }
}
