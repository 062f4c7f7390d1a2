import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import { readNumber } from '../http/query.ts'
import type { StoredResource } from '../state/resource.ts'
import { abridge } from './abridge.ts'
import { UNLIMITED } from './effort.ts'
import type { Effort } from './effort.ts'
import { arrayPaths, describeUnknown } from './fields.ts'
import type { ListField } from './fields.ts'
import { compareScalars, toUniform } from './scalars.ts'
import type { Scalar } from './scalars.ts'

// D14: `field:value`, `field:range (a to b)`. Several values or ranges, parted by commas, are alternatives.

export type SearchParameter = 'filter' | 'filter.query' | 'filter.facets' | 'facet'

/** A parameter as it was sent. */
interface GivenFilters {
  readonly parameter: SearchParameter
  readonly text: string
}

/** Inclusive; an open end is undefined. */
interface Range {
  readonly least: Scalar | undefined
  readonly most: Scalar | undefined
}

const malformed = ({ parameter, text }: GivenFilters, sentence: string): Problem =>
  problem.invalidInput(`Malformed parameter: ${parameter}: ${sentence}`, { field: parameter, invalidValue: text })

const QUOTED = String.raw`"[^"\\]*(?:\\["\\][^"\\]*)*"`
// Where white space can be read in one way only, reading takes linear time.
const VALUE = new RegExp(String.raw`\s*(?<value>${QUOTED}\s*|[^\s",][^",]*)(?:,|$)`, 'y')
const BOUND = String.raw`${QUOTED}|[^\s"(),]+`
const RANGE = new RegExp(String.raw`\s*\(\s*(?<least>${BOUND})\s+to\s+(?<most>${BOUND})\s*\)\s*(?:,|$)`, 'iy')

const OPEN = '*'

/** Reads alternatives one after the other; undefined where one of them cannot be read, or none is there. */
function readAll(pattern: RegExp, text: string): readonly Readonly<Record<string, string>>[] | undefined {
  const found: Readonly<Record<string, string>>[] = []
  pattern.lastIndex = 0
  do {
    const groups = pattern.exec(text)?.groups
    if (groups === undefined) return undefined
    found.push(groups)
  } while (pattern.lastIndex < text.length)
  return text.endsWith(',') ? undefined : found
}

/** A value in the type of its field, without the quotes of a text. */
function parseValue(written: string, { type }: ListField<StoredResource>, given: GivenFilters): Scalar {
  const text = written.trim()
  const value =
    type === 'number' ? readNumber(text) : text.startsWith('"') ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text
  if (value === undefined || value === '') {
    throw malformed(
      given,
      `Expected a ${type === 'number' ? 'number' : 'value'}, found ${JSON.stringify(abridge(written))}.`,
    )
  }
  return value
}

function parseRanges(text: string, field: ListField<StoredResource>, given: GivenFilters): readonly Range[] {
  const ranges = readAll(RANGE, text)
  if (ranges === undefined)
    throw malformed(given, `Expected a range such as (1 to 5) or (1 to *), found "${abridge(text)}".`)
  const toBound = (bound = OPEN) => (bound === OPEN ? undefined : parseValue(bound, field, given))
  return ranges.map(({ least, most }) => ({ least: toBound(least), most: toBound(most) }))
}

function parseValues(text: string, field: ListField<StoredResource>, given: GivenFilters): readonly Range[] {
  const values = readAll(VALUE, text)
  if (values === undefined)
    throw malformed(given, `Expected a value, or several parted by commas, found "${abridge(text)}".`)
  return values.map(({ value = '' }) => {
    const exact = parseValue(value, field, given)
    return { least: exact, most: exact }
  })
}

const isWithin = (value: Scalar, { least, most }: Range): boolean =>
  (least === undefined || compareScalars(value, least) >= 0) && (most === undefined || compareScalars(value, most) <= 0)

/** The array that a search parameter names, with or without `objectTypeProperty.`; throws a 400 where there is none. */
export function parseSearchField(parameter: SearchParameter, text: string, name: string): ListField<StoredResource> {
  const field = arrayPaths.get(name)
  if (field === undefined) throw malformed({ parameter, text }, describeUnknown(name, arrayPaths))
  return field
}

/**
 * Compiles one filter into a test that holds where a value of the array is one of those asked for.
 *
 * @throws {Problem} 400 for an unknown field, a value of the wrong type, and what is no filter; and later, from the test,
 * where it looks at more than the effort allows.
 * @example compileFilter('filter', 'arrayOfIntExample:range (1 to *)')
 */
export function compileFilter(
  parameter: SearchParameter,
  text: string,
  effort: Effort = UNLIMITED,
): (resource: StoredResource) => boolean {
  const given = { parameter, text }
  const colon = text.indexOf(':')
  if (colon === -1)
    throw malformed(given, `Expected "<field>:<value>" or "<field>:range (a to b)", found "${abridge(text)}".`)
  const field = parseSearchField(parameter, text, text.slice(0, colon).trim())
  const wanted = text.slice(colon + 1).trim()
  const ranges = /^range\s*\(/i.test(wanted)
    ? parseRanges(wanted.slice('range'.length).trimStart(), field, given)
    : parseValues(wanted, field, given)
  const exact = new Set(
    ranges.flatMap(({ least, most }) => (least === most && least !== undefined ? [toUniform(least)] : [])),
  )
  const open = ranges.filter(({ least, most }) => least === undefined || least !== most)
  return (resource) => {
    const values = field.read(resource) ?? []
    effort.spend(values.length * (1 + open.length))
    return values.some((value) => exact.has(toUniform(value)) || open.some((range) => isWithin(value, range)))
  }
}
