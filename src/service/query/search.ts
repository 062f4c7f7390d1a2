import { problem } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import { readNumber } from '../http/numbers.ts'
import { abridge, arrayPaths, compareScalars, describeUnknownField, expectFew, hasValue, toUniform } from './fields.ts'
import type { ListField, Scalar } from './fields.ts'
import { timeSlices } from '../../util/time-slices.ts'
import { toStoredContent } from '../state/resource.ts'
import { compileTextSearch, parseSearchTerms } from './words.ts'
import type { TextQuery } from './words.ts'
import type { StoredResource, ResourceView } from '../state/resource.ts'
import type { TermFacetResult } from '../contract/results.ts'

// D14: `field:value` or `field:range (a to b)`. Commas separate alternatives.

export type SearchParameter = 'filter' | 'filter.query' | 'filter.facets' | 'facet'

/** A parameter as sent. */
interface SentParameter {
  readonly parameter: SearchParameter
  readonly text: string
}

/** Inclusive; undefined means unbounded. */
interface Range {
  readonly least: Scalar | undefined
  readonly most: Scalar | undefined
}

const malformed = ({ parameter, text }: SentParameter, sentence: string): Problem =>
  problem.invalidInput(`Malformed parameter: ${parameter}: ${sentence}`, { field: parameter, invalidValue: text })

const QUOTED = String.raw`"[^"\\]*(?:\\["\\][^"\\]*)*"`
// Whitespace can only match in one way, so matching takes linear time.
const VALUE = new RegExp(String.raw`\s*(?<value>${QUOTED}\s*|[^\s",][^",]*)(?:,|$)`, 'y')
const BOUND = String.raw`${QUOTED}|[^\s"(),]+`
const RANGE_TEXT = new RegExp(String.raw`\s*\(\s*(?<least>${BOUND})\s+to\s+(?<most>${BOUND})\s*\)\s*(?:,|$)`, 'iy')

const OPEN = '*'

/** Parses a list of alternatives; undefined if it is empty or malformed. */
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

/** Parses a value by the type of its field, removing quotes. */
function parseSearchValue(written: string, { type }: ListField<StoredResource>, sent: SentParameter): Scalar {
  const text = written.trim()
  const value =
    type === 'number' ? readNumber(text) : text.startsWith('"') ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text
  if (value === undefined) throw malformed(sent, `Expected a number, found ${JSON.stringify(abridge(written))}.`)
  return value
}

function parseRanges(text: string, field: ListField<StoredResource>, sent: SentParameter): readonly Range[] {
  const ranges = readAll(RANGE_TEXT, text)
  if (ranges === undefined)
    throw malformed(sent, `Expected a range such as (1 to 5) or (1 to *), found "${abridge(text)}".`)
  const toBound = (bound = OPEN) => (bound === OPEN ? undefined : parseSearchValue(bound, field, sent))
  return ranges.map(({ least, most }) => ({ least: toBound(least), most: toBound(most) }))
}

function parseValues(text: string, field: ListField<StoredResource>, sent: SentParameter): readonly Range[] {
  const values = readAll(VALUE, text)
  if (values === undefined)
    throw malformed(sent, `Expected one or more values separated by commas, found "${abridge(text)}".`)
  return values.map(({ value = '' }) => {
    const exact = parseSearchValue(value, field, sent)
    return { least: exact, most: exact }
  })
}

/**
 * Finds the array that a search parameter names, with or without `objectTypeProperty.`.
 *
 * @throws {Problem} 400 if there is none.
 */
export function parseSearchField(parameter: SearchParameter, text: string, name: string): ListField<StoredResource> {
  const field = arrayPaths.get(name)
  if (field === undefined) throw malformed({ parameter, text }, describeUnknownField(name, arrayPaths))
  return field
}

/** A filter as written. */
interface Filter {
  readonly field: ListField<StoredResource>
  readonly ranges: readonly Range[]
}

function parseFilter(parameter: SearchParameter, text: string): Filter {
  const sent = { parameter, text }
  const colon = text.indexOf(':')
  if (colon === -1)
    throw malformed(sent, `Expected "<field>:<value>" or "<field>:range (a to b)", found "${abridge(text)}".`)
  const field = parseSearchField(parameter, text, text.slice(0, colon).trim())
  const wanted = text.slice(colon + 1).trim()
  const ranges = /^range\s*\(/i.test(wanted)
    ? parseRanges(wanted.slice('range'.length).trimStart(), field, sent)
    : parseValues(wanted, field, sent)
  return { field, ranges }
}

function toFilterTest({ field, ranges }: Filter): SearchTest {
  const exact = ranges.flatMap(({ least, most }) => (least === most && least !== undefined ? [toUniform(least)] : []))
  const open = ranges.filter(({ least, most }) => least === undefined || least !== most)
  return (resource) => {
    const values = field.read(resource) ?? []
    if (exact.some((one) => hasValue(values, one))) return true
    if (open.length === 0) return false
    // Long lists repeat values.
    for (const value of new Set(values))
      if (
        open.some(
          (range) =>
            (range.least === undefined || compareScalars(value, range.least) >= 0) &&
            (range.most === undefined || compareScalars(value, range.most) <= 0),
        )
      )
        return true
    return false
  }
}

/** Maximum number of terms in a facet; the rest are counted as `other`. */
export const MAX_TERMS = 200

export interface FacetCounter {
  readonly count: (resource: StoredResource) => void
  readonly toResult: () => Promise<TermFacetResult>
}

/** By descending count, then by term (D14). */
const byCount = ([termA, countA]: readonly [Scalar, number], [termB, countB]: readonly [Scalar, number]): number =>
  countB - countA || compareScalars(termA, termB)

/** Selects the top terms. */
async function pickTop(counts: ReadonlyMap<Scalar, number>): Promise<readonly (readonly [Scalar, number])[]> {
  const top: (readonly [Scalar, number])[] = []
  const slice = timeSlices.start()
  for (const entry of counts) {
    if (slice.isOver()) await slice.next()
    const last = top.at(-1)
    if (top.length === MAX_TERMS && last !== undefined && byCount(entry, last) > 0) continue
    const place = top.findIndex((one) => byCount(entry, one) < 0)
    top.splice(place === -1 ? top.length : place, 0, entry)
    if (top.length > MAX_TERMS) top.pop()
  }
  return top
}

function createCounter({ read, type }: ListField<StoredResource>): FacetCounter {
  const counts = new Map<Scalar, number>()
  let [missing, total] = [0, 0]
  return {
    count(resource) {
      const terms = new Set(read(resource)?.map(toUniform))
      if (terms.size === 0) missing += 1
      total += terms.size
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    },
    async toResult() {
      const terms = (await pickTop(counts)).map(([term, count]) => ({ term, count }))
      const listed = terms.reduce((sum, { count }) => sum + count, 0)
      const dataType = type === 'number' ? 'number' : 'text'
      return { type: 'terms', dataType, missing, total, other: total - listed, terms }
    },
  }
}

/**
 * Compiles a facet into a function that creates a counter. A resource counts once per distinct term.
 *
 * @throws {Problem} 400 for an unknown field.
 */
export function compileFacet(name: string): () => FacetCounter {
  const field = parseSearchField('facet', name, name)
  return () => createCounter(field)
}

/** The parameters of 4.4; `texts` contains the values of all `text.<language>` parameters. */
export interface SearchRequest extends TextQuery {
  /** Search staged projections where they exist. */
  readonly staged?: boolean | undefined
  readonly filter?: readonly string[] | undefined
  readonly filterQuery?: readonly string[] | undefined
  readonly filterFacets?: readonly string[] | undefined
  readonly facet?: readonly string[] | undefined
}

/** Search results, with `facets` if requested. */
export interface SearchFound {
  readonly total: number
  /** A page of the matches, in creation order. */
  readonly take: (offset: number, limit: number) => readonly StoredResource[]
  readonly facets?: Readonly<Record<string, TermFacetResult>>
}

type SearchTest = (resource: StoredResource) => boolean

/** Compiles the filters of one parameter; all of them must match (D9). */
function compileFilters(parameter: SearchParameter, texts: readonly string[] | undefined): SearchTest {
  const filters = (texts ?? []).map((text) => parseFilter(parameter, text))
  const tests = filters.map(toFilterTest)
  return (resource) => tests.every((test) => test(resource))
}

/** Replaces a resource's content with its staged projection, if any. */
function toStaged(resource: StoredResource): StoredResource {
  const { staged } = resource
  if (staged === undefined) return resource
  return { ...resource, ...toStoredContent(resource.version, staged) }
}

/**
 * Compiles a search (D14). Texts and `filter.query` narrow both results and facets, `filter` only the results, and
 * `filter.facets` only the facets. Results are in the projection that was searched.
 *
 * @throws {Problem} 400 for an invalid fuzzy level, filter or facet, or too many of them.
 * @example (await compileSearch({ texts: ['shirt'], fuzzy: true })(layers)).take(0, 20)
 */
export function compileSearch(request: SearchRequest): (layers: ResourceView) => Promise<SearchFound> {
  const { staged = false, filter, filterQuery, filterFacets, facet } = request
  const terms = parseSearchTerms(request)
  expectFew(terms.length, 'terms')
  expectFew([filter, filterQuery, filterFacets].flatMap((texts) => texts ?? []).length, 'conditions')
  expectFew(facet?.length ?? 0, 'facets')
  const matchesText = compileTextSearch(terms)
  const isInResults = compileFilters('filter', filter)
  const isInBoth = compileFilters('filter.query', filterQuery)
  const isInFacets = compileFilters('filter.facets', filterFacets)
  const names = new Set(facet?.map((name) => name.trim()))
  const facets = [...names].map((name) => ({ name, startCount: compileFacet(name) }))
  const show = staged ? toStaged : (resource: StoredResource) => resource

  return async function search(layers) {
    const counters = facets.map(({ name, startCount }) => ({ name, counter: startCount() }))
    const places: number[] = []
    function visit(place: number): void {
      const current = layers.at(place)
      if (current === undefined) return
      const resource = show(current)
      const { arrayOfStringExample = [] } = resource.objectTypeProperty
      if (matchesText?.(arrayOfStringExample) === false || !isInBoth(resource)) return
      if (isInResults(resource)) places.push(place)
      if (counters.length > 0 && isInFacets(resource)) for (const { counter } of counters) counter.count(resource)
    }
    const slice = timeSlices.start()
    for (let place = 0; place < layers.count; place += 1) {
      visit(place)
      if (slice.isOver()) await slice.next()
    }
    const found = {
      total: places.length,
      take: (offset: number, limit: number) => layers.take(places.slice(offset, offset + limit)).map(show),
    }
    if (counters.length === 0) return found
    const results: Record<string, TermFacetResult> = {}
    for (const { name, counter } of counters) results[name] = await counter.toResult()
    return { ...found, facets: results }
  }
}
