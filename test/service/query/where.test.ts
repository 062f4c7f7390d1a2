import { describe, expect, it } from 'vitest'
import { compileWhere } from '../../../src/service/query/where.ts'
import { MAX_WHERE_DEPTH } from '../../../src/service/query/where-parser.ts'
import { catchProblem, createSample, toIds } from './samples.ts'

const ann = createSample(
  'ann',
  {
    arrayOfIntExample: [1, 2, 3],
    arrayOfFloatExample: [0.5],
    arrayOfStringExample: ['red', 'say "hi"'],
    arrayOfObjectType: [
      { integerExample: 1, integerExampleInt32: 10 },
      { integerExample: 2, integerExampleInt32: 20 },
    ],
  },
  { key: 'a-1', version: 3, createdAt: '2025-12-31T23:30:00.000Z', someProperty: 'x' },
)
const ben = createSample(
  'ben',
  {
    arrayOfIntExample: [9223372036854775807n, 2],
    arrayOfStringExample: [],
    arrayOfObjectType: [{ integerExample: 9223372036854775806n }],
  },
  { key: 'b-2', version: 2, lastModifiedAt: '2026-02-01T00:00:00.500Z' },
)
const cid = createSample('cid', {}, { createdAt: '2026-01-01T00:00:00.000Z', someProperty: '' })
const all = [ann, ben, cid]

const select = (where: string | string[], variables: Readonly<Record<string, string[]>> = {}) =>
  toIds(all.filter(compileWhere([where].flat(), new Map(Object.entries(variables))).holds))

describe('where', () => {
  it.each([
    // comparisons
    ['key = "a-1"', 'ann'],
    ['version != 3', 'ben cid'],
    ['version <> 3', 'ben cid'],
    ['version < 3', 'ben cid'],
    ['version > 1', 'ann ben'],
    ['version <= 2', 'ben cid'],
    ['version >= 2', 'ann ben'],
    ['version = 3.0', 'ann'],
    ['version = 2e0', 'ben'],
    ['version > -1', 'ann ben cid'],
    ['version>1and version<3', 'ben'],
    ['key > "a"', 'ann ben'],
    // an absent field equals nothing, and is neither less nor greater
    ['key != "a-1"', 'ben cid'],
    ['not key = "a-1"', 'ben cid'],
    ['key < "z" or key >= "z"', 'ann ben'],
    // instants, whatever their offset
    ['createdAt > "2026-01-01T00:00:00Z"', 'ben'],
    ['createdAt >= "2026-01-01T00:00:00Z"', 'ben cid'],
    ['createdAt = "2026-01-01T00:30:00+01:00"', 'ann'],
    // with all their digits
    ['createdAt = "2026-01-01T00:00:00.0000Z"', 'cid'],
    ['createdAt = "2026-01-01T00:00:00.0000001Z"', ''],
    ['createdAt < "2026-01-01T00:00:00.0000001Z"', 'ann cid'],
    ['createdAt > "2025-12-31T23:59:59.9999999999999Z"', 'ben cid'],
    ['createdAt < "9999-12-31T23:59:59-12:00"', 'ann ben cid'],
    ['createdAt > "0000-01-01T00:00:00+12:00"', 'ann ben cid'],
    ['lastModifiedAt in ("2026-02-01T01:00:00.5+01:00", "2000-01-01T00:00:00Z")', 'ben'],
    // lists
    ['key in ("a-1", "b-2")', 'ann ben'],
    ['key not in ("a-1", "x")', 'ben cid'],
    ['version in (1, 3)', 'ann cid'],
    ['arrayOfIntExample contains any (1, 7)', 'ann'],
    ['arrayOfIntExample contains all (2, 3)', 'ann'],
    ['arrayOfIntExample contains all (2, 2.0)', 'ann ben'],
    ['arrayOfStringExample contains any ("say \\"hi\\"")', 'ann'],
    ['arrayOfFloatExample contains any (5e-1)', 'ann'],
    // presence
    ['key is defined', 'ann ben'],
    ['key is not defined', 'cid'],
    ['someProperty is defined', 'ann cid'],
    ['arrayOfStringExample is defined', 'ann ben'],
    ['arrayOfStringExample is empty', 'ben cid'],
    ['arrayOfStringExample is not empty', 'ann'],
    ['arrayOfObjectType is not empty', 'ann ben'],
    ['objectTypeProperty is defined', 'ann ben cid'],
    // nesting
    ['objectTypeProperty(arrayOfIntExample contains any (1, 2))', 'ann ben'],
    ['objectTypeProperty.arrayOfIntExample contains any (3)', 'ann'],
    ['objectTypeProperty(arrayOfObjectType(integerExample = 2) and arrayOfIntExample is defined)', 'ann'],
    ['arrayOfObjectType(integerExample = 1 and integerExampleInt32 = 10)', 'ann'],
    ['arrayOfObjectType(integerExample = 1 and integerExampleInt32 = 20)', ''],
    ['arrayOfObjectType(integerExample = 1) and arrayOfObjectType(integerExampleInt32 = 20)', 'ann'],
    ['arrayOfObjectType.integerExample in (2)', 'ann'],
    ['arrayOfObjectType(integerExampleInt32 is not defined)', 'ben'],
    // int64, exact to the digit (D3)
    ['arrayOfIntExample contains any (9223372036854775807)', 'ben'],
    ['arrayOfIntExample contains any (9223372036854775806)', ''],
    ['arrayOfObjectType(integerExample = 9223372036854775806)', 'ben'],
    ['arrayOfObjectType(integerExample < 9223372036854775806)', 'ann'],
    ['arrayOfObjectType(integerExample > 9223372036854775805)', 'ben'],
    ['arrayOfObjectType(integerExample in (9223372036854775806.0))', 'ben'],
    // not binds tightest, then and, then or
    ['not version = 3 and key = "b-2"', 'ben'],
    ['not (version = 3 and key = "b-2")', 'ann ben cid'],
    ['not not key = "a-1"', 'ann'],
    ['key = "a-1" or key = "b-2" and version = 9', 'ann'],
    ['(key = "a-1" or key = "b-2") and version = 9', ''],
    // spelling
    ['KEY = "x" or 1', undefined],
    ['key IN ("a-1") OR NOT key Is Defined', 'ann cid'],
    ['`key` = "a-1"', 'ann'],
    ['\n\tkey\n=\n"a-1"\n', 'ann'],
  ])('%s', (where, ids) => {
    if (ids === undefined) expect(catchProblem(() => select(where)).status).toBe(400)
    else expect(select(where)).toBe(ids)
  })

  it('holds if all of several predicates do', () => {
    expect(select(['version > 1', 'key = "b-2"'])).toBe('ben')
    expect(select([])).toBe('ann ben cid')
  })

  it.each([
    ['key = :k', { k: ['a-1'] }, 'ann'],
    ['key in :k', { k: ['a-1', 'b-2'] }, 'ann ben'],
    ['key in (:k)', { k: ['a-1', 'b-2'] }, 'ann ben'],
    ['key not in (:k, "b-2")', { k: ['a-1'] }, 'cid'],
    ['version >= :v1', { v1: ['2'] }, 'ann ben'],
    ['arrayOfIntExample contains any :ids', { ids: ['9223372036854775807'] }, 'ben'],
    ['arrayOfIntExample contains all (:ids)', { ids: ['1', '3'] }, 'ann'],
    ['createdAt < :at', { at: ['2026-01-01T00:00:00Z'] }, 'ann'],
    ['key = :k', { k: ['a-1" or key = "b-2'] }, ''],
    ['someProperty = :none', { none: [''] }, 'cid'],
  ])('resolves the variables of %s', (where, variables, ids) => {
    expect(select(where, variables)).toBe(ids)
  })
})

describe('an invalid predicate', () => {
  it('is shown with its line, and a caret under the error', () => {
    const { message, errors } = catchProblem(() => select('version = 1\n  and keyy = "a"'))
    expect(message).toBe(
      [
        'Malformed parameter: where: line 2, column 7: Unknown field "keyy". Did you mean "key"?',
        '  and keyy = "a"',
        '      ^',
      ].join('\n'),
    )
    expect(errors[0].code).toBe('InvalidInput')
  })

  it('is truncated if its line is long', () => {
    const { message } = catchProblem(() => select(`key in (${'"a", '.repeat(500)}5)`))
    const [, line = '', caret = ''] = message.split('\n')
    expect(line.length).toBeLessThan(130)
    expect(line.at(caret.length - 1)).toBe('5')
  })

  it('has its caret under the error, whatever is in front of it', () => {
    const [, line = '', caret = ''] = catchProblem(() => select('\tkey = "😀" && true')).message.split('\n')
    expect(line).toBe('\tkey = "😀" && true')
    expect(caret).toBe('\t          ^')
  })

  it.each([
    ['', 'column 1: Expected a field, "not" or "(", found the end of the predicate.'],
    [
      'key',
      'column 4: Expected a comparison, "in", "not", "contains", "is" or "(" after key, found the end of the predicate.',
    ],
    ['key = ', 'column 7: Expected a string in double quotes, a number or a variable such as :name, found the end'],
    ['key == "a"', 'column 6: Expected a string in double quotes, a number or a variable such as :name, found "=".'],
    ['key = "a" version = 1', 'column 11: Expected "and", "or" or the end of the predicate, found "version".'],
    ['(key = "a"', 'column 11: Expected "and", "or" or ")", found the end of the predicate.'],
    ['key = "a")', 'column 10: Expected "and", "or" or the end of the predicate, found ")".'],
    ['key in "a"', 'column 8: Expected "(" or a variable such as :name, found "a".'],
    ['key in ()', 'column 9: Expected a string'],
    ['key in ("a" "b")', 'column 13: Expected "," or ")", found "b".'],
    ['key not "a"', 'column 9: Expected "in", found "a".'],
    ['key is null', 'column 8: Expected "empty", "not" or "defined", found "null".'],
    ['key is not "a"', 'column 12: Expected "empty" or "defined", found "a".'],
    ['arrayOfIntExample contains (1)', 'column 28: Expected "any" or "all", found "(".'],
    ['key = "a', 'column 7: This string has no closing double quote.'],
    ['key = "a\\n"', 'column 9: Unknown escape. Strings support only \\" and \\\\.'],
    ["key = 'a'", 'column 7: Unexpected character "\'". Use double quotes for strings.'],
    ['key = "a" & x', 'column 11: Unexpected character "&".'],
    ['version = 1e9999', 'column 11: This number is too large, or has too many digits.'],
    ['version = 9007199254740992.5', 'column 11: This number is too large, or has too many digits.'],
    ['arayOfIntExample is empty', 'column 1: Unknown field "arayOfIntExample". Did you mean "arrayOfIntExample"?'],
    ['zzzzzzzz = 1', 'column 1: Unknown field "zzzzzzzz". Known fields: id, key, version,'],
    [
      'arrayOfObjectType(key = "a")',
      'column 19: Unknown field "key". Known fields: integerExample, integerExampleInt32.',
    ],
    ['objectTypeProperty(key = "a")', 'column 20: Unknown field "key". Known fields: arrayOfIntExample,'],
    ['__proto__ = 1', 'column 1: Unknown field "__proto__".'],
    ['key = 5', 'column 7: Expected a string in double quotes for key, found 5.'],
    ['version = "5"', 'column 11: Expected a number for version, found "5".'],
    ['version = true', 'column 11: Expected a number for version, found true.'],
    [
      'createdAt > "soon"',
      'column 13: Expected a date-time such as "2026-01-31T12:00:00.000Z" for createdAt, found "soon".',
    ],
    ['createdAt > "2026-02-30T00:00:00Z"', 'column 13: Expected a date-time'],
    ['createdAt > 5', 'column 13: Expected a date-time'],
    [
      'createdAt > "2026-01-01T00:00:00 01:00"',
      'column 13: Expected a date-time such as "2026-01-31T12:00:00.000Z" for createdAt, found "2026-01-01T00:00:00 01:00". Encode the plus sign of an offset as %2B: a bare one means a space.',
    ],
    ['arrayOfIntExample contains any (1, "2")', 'column 36: Expected a number for arrayOfIntExample, found "2".'],
    ['arrayOfIntExample = 1', 'column 1: arrayOfIntExample is an array. Use contains any (…), contains all (…)'],
    ['arrayOfIntExample in (1)', 'column 1: arrayOfIntExample is an array.'],
    ['key contains any ("a")', 'column 1: key is a single value. Use a comparison, in (…) or is defined.'],
    ['key is empty', 'column 1: key is a single value.'],
    ['key(a = 1)', 'column 1: key is a single value.'],
    ['objectTypeProperty = 1', 'column 1: objectTypeProperty is an object. Test its fields:'],
    ['arrayOfObjectType contains any (1)', 'column 1: arrayOfObjectType is an array of objects. Test their fields:'],
  ])('%s', (where, sentence) => {
    const problem = catchProblem(() => select(where))
    expect(problem.status).toBe(400)
    expect(problem.message).toContain(`Malformed parameter: where: line 1, ${sentence}`)
  })

  it.each([
    [
      'key = :keyy',
      { key: ['a'] },
      'column 7: Undefined variable :keyy. Did you mean "key"? Send it as parameter var.keyy.',
    ],
    ['key = :k', { k: ['a', 'b'] }, 'column 7: A comparison takes one value, but :k has 2. Use: key in :k.'],
    ['version = :v', { v: ['one'] }, 'column 11: Expected a number for version, found "one" in var.v.'],
    ['createdAt > :at', { at: ['1'] }, 'column 13: Expected a date-time'],
    [
      'createdAt > :at',
      { at: ['2026-01-01T00:00:00.5 01:00'] },
      'column 13: Expected a date-time such as "2026-01-31T12:00:00.000Z" for createdAt, found "2026-01-01T00:00:00.5 01:00" in var.at. Encode the plus sign',
    ],
  ])('%s with its variables', (where, variables, sentence) => {
    expect(catchProblem(() => select(where, variables)).message).toContain(sentence)
  })

  it.each([
    ['parentheses', (n: number) => `${'('.repeat(n)}version = 1${')'.repeat(n)}`],
    ['not', (n: number) => `${'not '.repeat(n)}version = 1`],
    ['field paths', (n: number) => `${'objectTypeProperty('.repeat(n)}version = 1${')'.repeat(n)}`],
    ['dots', (n: number) => `${'a.'.repeat(n)}b = 1`],
  ])('is nested too deep with %s', (_, write) => {
    const problem = catchProblem(() => select(write(3000)))
    expect(problem.message).toContain(`Nested deeper than ${MAX_WHERE_DEPTH} levels. Use fewer levels.`)
  })
})

it('may nest up to the limit', () => {
  const where = `${'('.repeat(MAX_WHERE_DEPTH)}version = 1${')'.repeat(MAX_WHERE_DEPTH)}`
  expect(select(where)).toBe('cid')
})

it.each([
  ['a chain of and', Array.from({ length: 100 }, () => 'version=1').join(' and '), 'cid'],
  ['a long list', `version in (${Array.from({ length: 10_000 }, (_, at) => at + 2).join(',')})`, 'ann ben'],
  ['a long string', `someProperty != "${'\\"'.repeat(30_000)}"`, 'ann ben cid'],
])('reads %s', (_, where, ids) => {
  expect(select(where)).toBe(ids)
})
