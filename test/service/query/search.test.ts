import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_TERMS, compileSearch } from '../../../src/service/query/search.ts'
import type { SearchFound, SearchRequest } from '../../../src/service/query/search.ts'
import { toResourceView } from '../../../src/service/state/resource.ts'
import type { StoredResource } from '../../../src/service/state/resource.ts'
import { catchProblem, createSample, toIds } from './samples.ts'

const LONG = 9223372036854775807n

const all = [
  createSample('a', {
    arrayOfIntExample: [1, 1, 5],
    arrayOfStringExample: ['Red T-Shirt', 'Größe 42'],
    arrayOfObjectType: [{ integerExample: LONG }, { integerExample: 3 }],
  }),
  createSample('b', {
    arrayOfIntExample: [5, LONG],
    arrayOfFloatExample: [0.5],
    arrayOfStringExample: ['red shorts', 'a,b'],
  }),
  createSample(
    'c',
    { arrayOfStringExample: ['blue jacket', ''] },
    { staged: { arrayOfIntExample: [LONG], arrayOfStringExample: ['green jacket'] } },
  ),
]

const searchIn = (resources: readonly StoredResource[], request: Partial<SearchRequest>): Promise<SearchFound> =>
  compileSearch({ texts: [], ...request })(toResourceView(resources))
const search = (request: Partial<SearchRequest>) => searchIn(all, request)
const select = async (request: Partial<SearchRequest>) => toIds((await search(request)).take(0, 100))

describe('search by text', () => {
  it.each([
    [[], 'a b c'],
    [['  - '], 'a b c'],
    [['red'], 'a b'],
    [['RED'], 'a b'],
    [['sh'], 'a b'],
    [['hirt'], ''],
    [['t-shirt'], 'a'],
    [['red short'], 'b'],
    [['42 red'], 'a'],
    [['red', 'größe'], 'a'],
    [['gro\u0308\u00dfe'], 'a'],
    [['red blue'], ''],
  ])('%j', async (texts, ids) => {
    expect(await select({ texts })).toBe(ids)
  })
})

describe('fuzzy search', () => {
  it.each<[Partial<SearchRequest>, string]>([
    [{ texts: ['rad'] }, ''],
    [{ texts: ['rad'], fuzzy: true }, 'a b'],
    [{ texts: ['rxx'], fuzzy: true }, ''],
    [{ texts: ['jackte'], fuzzy: true }, 'c'],
    [{ texts: ['jackte'], fuzzy: true, fuzzyLevel: 1 }, ''],
    [{ texts: ['jackte'], fuzzy: true, fuzzyLevel: 2 }, 'c'],
    [{ texts: ['43'], fuzzy: true }, ''],
    [{ texts: ['rad'], fuzzy: true, fuzzyLevel: 0 }, ''],
    [{ texts: ['rad'], fuzzy: false, fuzzyLevel: 1 }, ''],
  ])('%o', async (request, ids) => {
    expect(await select(request)).toBe(ids)
  })

  it.each<[Partial<SearchRequest>, string]>([
    [{ texts: ['red jackte'], fuzzy: true, fuzzyLevel: 2 }, 'must not exceed 1 for the term "red", got 2.'],
    [{ texts: ['42'], fuzzy: true, fuzzyLevel: 1 }, 'must not exceed 0 for the term "42", got 1.'],
    [{ texts: ['shirts'], fuzzy: true, fuzzyLevel: 3 }, 'must not exceed 2 for the term "shirts", got 3.'],
    [{ texts: ['rad'], fuzzy: false, fuzzyLevel: 2 }, 'must not exceed 1 for the term "rad", got 2.'],
    [{ texts: ['shirts'], fuzzyLevel: 3 }, 'must not exceed 2 for the term "shirts", got 3.'],
    [{ fuzzyLevel: 9007199254740993n }, 'must not exceed 2, got 9007199254740993.'],
    [{ fuzzy: true, fuzzyLevel: 3 }, 'must not exceed 2, got 3.'],
    [{ texts: ['red'], fuzzy: true, fuzzyLevel: -1 }, 'expected a whole number of at least 0, got -1.'],
    [{ texts: ['red'], fuzzy: true, fuzzyLevel: 0.5 }, 'expected a whole number of at least 0, got 0.5.'],
  ])('refuses %o', (request, sentence) => {
    const { status, errors, message } = catchProblem(() => search(request))
    expect(status).toBe(400)
    expect(errors[0]).toMatchObject({ code: 'InvalidField', field: 'fuzzyLevel', invalidValue: request.fuzzyLevel })
    expect(message).toContain(`Malformed parameter: fuzzyLevel: ${sentence}`)
  })
})

describe('filters', () => {
  it.each([
    ['arrayOfIntExample:1', 'a'],
    ['objectTypeProperty.arrayOfIntExample: 5', 'a b'],
    ['arrayOfIntExample:9223372036854775807', 'b'],
    ['arrayOfIntExample:9223372036854775806', ''],
    ['arrayOfIntExample:1,9223372036854775807', 'a b'],
    ['arrayOfFloatExample:0.50', 'b'],
    ['arrayOfObjectType.integerExample:3', 'a'],
    ['arrayOfStringExample:"red shorts"', 'b'],
    ['arrayOfStringExample:red shorts', 'b'],
    ['arrayOfStringExample:"a,b"', 'b'],
    ['arrayOfStringExample:"Red T-Shirt" , "blue jacket"', 'a c'],
    ['arrayOfStringExample:red', ''],
    ['arrayOfStringExample:""', 'c'],
    ['arrayOfStringExample:"","red shorts"', 'b c'],
    ['arrayOfStringExample:range ("" to "A")', 'c'],
    ['arrayOfIntExample:range (2 to 5)', 'a b'],
    ['arrayOfIntExample:range(2 to 4)', ''],
    ['arrayOfIntExample:range (6 to *)', 'b'],
    ['arrayOfIntExample:range (* TO 1)', 'a'],
    ['arrayOfIntExample:range (* to *)', 'a b'],
    ['arrayOfIntExample:range (5 to 1)', ''],
    ['arrayOfIntExample:range (9223372036854775807 to *)', 'b'],
    ['arrayOfIntExample:range (-1 to 1), (6 to *)', 'a b'],
    ['arrayOfStringExample:range ("blue" to "c")', 'c'],
  ])('%s', async (filter, ids) => {
    expect(await select({ filter: [filter] })).toBe(ids)
    expect(await select({ filterQuery: [filter] })).toBe(ids)
  })

  it('compare quotes and backslashes that are escaped', async () => {
    const own = [createSample('quoted', { arrayOfStringExample: ['say "hi" \\ there'] })]
    const filter = [String.raw`arrayOfStringExample:"say \"hi\" \\ there"`]
    expect(toIds((await searchIn(own, { filter })).take(0, 100))).toBe('quoted')
  })

  it.each([
    ['arrayOfIntExample', 'Expected "<field>:<value>" or "<field>:range (a to b)", found "arrayOfIntExample".'],
    ['arayOfIntExample:1', 'Unknown field "arayOfIntExample". Did you mean "arrayOfIntExample"?'],
    ['version:1', 'Unknown field "version". Known fields: arrayOfIntExample,'],
    ['arrayOfIntExample:', 'Expected one or more values separated by commas, found "".'],
    ['arrayOfIntExample:red', 'Expected a number, found "red".'],
    ['arrayOfIntExample:"1"', 'Expected a number, found "\\"1\\"".'],
    ['arrayOfIntExample:1,', 'Expected one or more values separated by commas, found "1,".'],
    ['arrayOfStringExample:"a', 'Expected one or more values separated by commas'],
    ['arrayOfIntExample:range (1)', 'Expected a range such as (1 to 5) or (1 to *), found "(1)".'],
    ['arrayOfIntExample:range (1 to red)', 'Expected a number, found "red".'],
    ['arrayOfIntExample:range (1 to 2', 'Expected a range'],
  ])('refuses %s', (filter, sentence) => {
    for (const [parameter, request] of [
      ['filter', { filter: [filter] }],
      ['filter.query', { filterQuery: [filter] }],
      ['filter.facets', { filterFacets: [filter] }],
    ] as const) {
      const problem = catchProblem(() => search(request))
      expect(problem.status).toBe(400)
      expect(problem.message).toContain(`Malformed parameter: ${parameter}: ${sentence}`)
    }
  })

  it('are parsed or refused with a 400, whatever their text', () => {
    const token = fc.constantFrom(
      'arrayOfIntExample',
      'arrayOfStringExample',
      ':',
      'range',
      '(',
      ')',
      'to',
      '*',
      ',',
      '1',
      '"',
      'a',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(token).map((tokens) => tokens.join(' ')),
    )
    return fc.assert(
      fc.asyncProperty(text, async (filter) => {
        try {
          await search({ filter: [filter] })
        } catch {
          expect(catchProblem(() => search({ filter: [filter] })).status).toBe(400)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('facets', () => {
  it('count the resources that have a term, by count, then term', async () => {
    expect((await search({ facet: ['arrayOfIntExample'] })).facets).toEqual({
      arrayOfIntExample: {
        type: 'terms',
        dataType: 'number',
        missing: 1,
        total: 4,
        other: 0,
        terms: [
          { term: 5, count: 2 },
          { term: 1, count: 1 },
          { term: LONG, count: 1 },
        ],
      },
    })
  })

  it.each([
    ['objectTypeProperty.arrayOfStringExample', 'text'],
    ['arrayOfObjectType.integerExample', 'number'],
  ])('keep the requested name %s', async (facet, dataType) => {
    expect((await search({ facet: [facet] })).facets).toMatchObject({ [facet]: { dataType } })
  })

  it('are returned only on request', async () => {
    expect(await search({})).not.toHaveProperty('facets')
  })

  it.each<[string, Partial<SearchRequest>, string, number]>([
    ['filter narrows the results only', { filter: ['arrayOfIntExample:1'] }, 'a', 4],
    ['filter.query narrows both', { filterQuery: ['arrayOfIntExample:1'] }, 'a', 2],
    ['filter.facets narrows the facets only', { filterFacets: ['arrayOfIntExample:1'] }, 'a b c', 2],
    ['the text narrows both', { texts: ['shorts'] }, 'b', 2],
  ])('%s', async (_, request, ids, total) => {
    const { take, facets } = await search({ ...request, facet: ['arrayOfIntExample'] })
    expect(toIds(take(0, 100))).toBe(ids)
    expect(facets?.['arrayOfIntExample']?.total).toBe(total)
  })

  it('list a limited number of terms, and count the others', async () => {
    const values = Array.from({ length: MAX_TERMS + 5 }, (_, at) => at)
    const many = createSample('many', { arrayOfIntExample: values })
    const { facets } = await searchIn([many], { facet: ['arrayOfIntExample'] })
    expect(facets?.['arrayOfIntExample']).toMatchObject({ total: MAX_TERMS + 5, other: 5, missing: 0 })
    expect(facets?.['arrayOfIntExample']?.terms).toHaveLength(MAX_TERMS)
  })

  it.each(['arayOfIntExample', 'key', '', 'toString'])('refuse the field %j', (facet) => {
    const problem = catchProblem(() => search({ facet: [facet] }))
    expect(problem.status).toBe(400)
    expect(problem.message).toContain(`Malformed parameter: facet: Unknown field "${facet}".`)
  })
})

describe('staged projections', () => {
  it('are searched and returned with staged=true', async () => {
    expect(await select({ texts: ['green'] })).toBe('')
    const [match] = (await search({ texts: ['green'], staged: true })).take(0, 1)
    expect(match?.objectTypeProperty).toEqual({ arrayOfIntExample: [LONG], arrayOfStringExample: ['green jacket'] })
    expect(match?.propertyText).toBe(`{"arrayOfIntExample":[${LONG}],"arrayOfStringExample":["green jacket"]}`)
  })

  it('can be stored next to resources without one', async () => {
    expect(await select({ texts: ['red'], staged: true })).toBe('a b')
    expect(await select({ filter: [`arrayOfIntExample:${LONG}`], staged: true })).toBe('b c')
  })
})
