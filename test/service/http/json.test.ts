import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src/errors.ts'
import { MAX_DEPTH, parseJson, stringifyJson, toPath, toTextPosition } from '../../../src/service/http/json.ts'

/** The `detailedErrorMessage` of the problem that parsing throws. */
function refusalOf(text: string): unknown {
  try {
    parseJson(text)
  } catch (fault) {
    if (fault instanceof Problem) return fault.errors[0].detailedErrorMessage
    throw fault
  }
  throw new Error(`${text} was parsed`)
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

describe('parseJson', () => {
  it.each([
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['922337203.6854775807e10', 9223372036854775807n],
    ['1.0', 1],
    ['1e3', 1000],
    ['0.1', 0.1],
    ['1.23456789012345678', Number('1.23456789012345678')],
    ['"12345678901234567890"', '12345678901234567890'],
    ['12345678901234567.0', 12345678901234567n],
    ['1.7976931348623157e+308', 1.7976931348623157e308],
  ])('reads %s', (text, value) => {
    expect(parseJson(text)).toBe(value)
  })

  it('keeps every digit of an int64', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(stringifyJson(parseJson(`{"a":[${value}]}`))).toBe(`{"a":[${value}]}`)
      }),
    )
  })

  it('parses and writes any JSON without changing its meaning', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('parses what it wrote, including __proto__ and long numbers', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(int64, fc.string(), fc.integer())), (object) => {
        const text = stringifyJson(object)
        expect(stringifyJson(parseJson(text))).toBe(text)
      }),
    )
  })

  it.each(['{"__proto__": {"polluted": true}}', '{"__proto__": {"polluted": 12345678901234567890}}'])(
    'treats __proto__ in %s as any other name',
    (text) => {
      const value = parseJson(text) as object
      expect(Object.keys(value)).toEqual(['__proto__'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect('polluted' in {}).toBe(false)
    },
  )

  it.each([
    ['', 'line 1, column 1: JSON expected, but the text is empty.'],
    ['  \n', 'line 1, column 1: JSON expected, but the text is empty.'],
    ['{"a": 1,}', 'line 1, column 9: unexpected "}".'],
    ['{\n  "a": tru\n}', 'line 2, column 8: unexpected "t".'],
    ['[1, 2', 'line 1, column 6: unexpected end of the text.'],
    ['{"a" 1}', 'line 1, column 6: unexpected "1".'],
    ['[01]', 'line 1, column 3: unexpected "1".'],
    ["{'a': 1}", 'line 1, column 2: unexpected "\'".'],
    ['1 2', 'line 1, column 3: unexpected "2".'],
    ['[12345678901234567890,]', 'line 1, column 23: unexpected "]".'],
    ['NaN', 'line 1, column 1: unexpected "N".'],
    ['"a\nb"', 'line 1, column 3: unexpected "\\n".'],
  ])('refuses %j and reports the position', (text, sentence) => {
    expect(refusalOf(text)).toBe(sentence)
  })

  it.each([
    ['{"a": 1, "a": 1}', 'a: member name appears twice (line 1, column 10).'],
    ['{"a": 1, "\\u0061": 2}', 'a: member name appears twice (line 1, column 10).'],
    ['{"o": {"list": [0, {"b": 1, "b": 2}]}}', 'o.list[1].b: member name appears twice (line 1, column 29).'],
    ['{"a": ":{", "b": 12345678901234567890, "b": 2}', 'b: member name appears twice (line 1, column 40).'],
    ['{"__proto__": 1, "__proto__": 2}', '__proto__: member name appears twice (line 1, column 18).'],
  ])('refuses the duplicate member in %s', (text, sentence) => {
    expect(refusalOf(text)).toBe(sentence)
  })

  it.each(['{"a": {"x": 1}, "b": {"x": 1}}', '["a", "a"]', '{"a": "a", "b": "a:a"}', '{"a\\"": 1, "a": 2}'])(
    'finds no duplicate member in %s',
    (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text))
    },
  )

  it('accepts exactly the allowed number of levels', () => {
    expect(stringifyJson(parseJson(nested(MAX_DEPTH)))).toBe(nested(MAX_DEPTH))
    expect(refusalOf(nested(MAX_DEPTH + 1))).toBe('nested more than 100 levels deep. Flatten it.')
    expect(refusalOf('['.repeat(1_000_000))).toBe('nested more than 100 levels deep. Flatten it.')
  })

  it('does not count brackets in strings as levels', () => {
    expect(parseJson(`"${'['.repeat(200)}"`)).toBe('['.repeat(200))
  })

  it('throws only problems, whatever the text', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '\\',
      '"a"',
      '1',
      '12345678901234567890',
      'e9',
      ' ',
    )
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, (text) => {
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        if (!isJson) expect(refusalOf(text)).toMatch(/^line \d+, column \d+: .*\.$/)
      }),
    )
  })
})

describe('stringifyJson', () => {
  it('writes integers past 2^53 with all their digits', () => {
    expect(stringifyJson({ a: 9223372036854775807n, b: [1, 'x', null] })).toBe(
      '{"a":9223372036854775807,"b":[1,"x",null]}',
    )
  })

  it('omits undefined members, like JSON.stringify', () => {
    expect(stringifyJson({ a: undefined, b: 2n })).toBe('{"b":2}')
    expect(stringifyJson(undefined)).toBe('null')
  })
})

it('writes a path in the format of errors', () => {
  expect(toPath(['actions', 1, 'someProperty'])).toBe('actions[1].someProperty')
  expect(toPath([0, 'a'])).toBe('[0].a')
  expect(toPath([])).toBe('')
})

it('counts lines and columns from 1', () => {
  expect(toTextPosition('ab\ncd', 0)).toBe('line 1, column 1')
  expect(toTextPosition('ab\ncd', 4)).toBe('line 2, column 2')
})

it('finds a duplicate member after a string of some megabytes', () => {
  const text = `{"a":"${'x'.repeat(9_900_000)}","b":1,"b":2}`
  expect(refusalOf(text)).toBe('b: member name appears twice (line 1, column 9900015).')
})

it('finds a duplicate member whose colon is far away', () => {
  expect(refusalOf(`{"a":1,"a"${' '.repeat(100)}:2}`)).toBe('a: member name appears twice (line 1, column 8).')
})

it('does not parse integers outside the range of a double as bigint', () => {
  expect(parseJson(`[${'9'.repeat(309)},-${'9'.repeat(400)}]`)).toEqual([Infinity, -Infinity])
  expect(parseJson(`[1${'0'.repeat(308)}]`)).toEqual([10n ** 308n])
})

it('parses each number the same, whatever the other numbers', () => {
  expect(parseJson('{"a":[-3.09749528949444e+28,1e18],"b":-1.5959087054973405e-308,"c":9007199254740993}')).toEqual({
    a: [-3.09749528949444e28, 1e18],
    b: -1.5959087054973405e-308,
    c: 9007199254740993n,
  })
})

it('has no limit of digits, members, values or white space', () => {
  expect(parseJson(`[0.${'1'.repeat(100_000)}]`)).toEqual([0.1111111111111111])
  expect(parseJson(`[${'\n'.repeat(900_000)}1]`)).toEqual([1])
  const members = Array.from({ length: 50_000 }, (_, at) => `"m${at}":[]`)
  expect(Object.keys(parseJson(`{${members.join()}}`) as object)).toHaveLength(50_000)
})

it.each([
  '[1,2,]',
  '[,1]',
  '{"a":1,}',
  '[{} {}]',
  '[{}{}]',
  '{"a":-{}}',
  '{"a":1{}}',
  '[1}',
  '[{},]',
  '{"a":{},}',
  '1,2',
])('refuses %s with a position', (text) => {
  expect(refusalOf(text)).toMatch(/^line 1, column \d+: unexpected/)
})
