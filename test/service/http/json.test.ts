import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { runAtOnce } from '../../../src/util/turns.ts'
import { Problem } from '../../../src/errors.ts'
import { parseJson, parseJsonBody, stringifyJson } from '../../../src/service/http/json.ts'
import { toPath, toTextPosition, UNLIMITED } from '../../../src/service/http/json-problems.ts'
import { MAX_DEPTH, parseInSlices, toExactInteger } from '../../../src/service/http/json-parser.ts'

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

describe('toExactInteger', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['1.50e1', 15n],
    ['100e-2', 1n],
    ['1e18', 1000000000000000000n],
    ['1.5', undefined],
    ['1e-1', undefined],
    ['1e999999999', undefined],
    ['abc', undefined],
    ['', undefined],
  ])('of %j is %s', (text, value) => {
    expect(toExactInteger(text)).toBe(value)
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

describe('a text with limits', () => {
  const limits = { values: 10, nested: 5, members: 4, items: 10, string: 30 }
  const refusalOfLimits = (text: string): unknown => {
    try {
      return parseJson(text, limits)
    } catch (fault) {
      return (fault as Problem).errors[0].message
    }
  }

  it('may contain values up to the limits', () => {
    expect(parseJson('[1,2,3,4,5,6,7,8,9,"a,b,[["]', limits)).toHaveLength(10)
    expect(parseJson('[[],{},[],{}]', limits)).toHaveLength(4)
  })

  it.each([
    ['[1,2,3,4,5,6,7,8,9,10,11]', 'more than 10 values'],
    ['{"a":[1,2,3,4,5],"b":[1,2,3,4,5],"c":1}', 'more than 10 values'],
    ['[[],[],[],[],[]]', 'more than 5 objects and arrays'],
    [`["${'x'.repeat(30)}"]`, 'a string with more than 30 characters'],
    ['[{"a":1,"b":1,"c":1,"d":1},{"a":1,"b":1,"c":{},"d":1,"e":1}]', 'an object with more than 4 members'],
  ])('is refused if it exceeds one: %s', (text, what) => {
    expect(refusalOfLimits(text)).toBe(`The JSON text contains ${what}. Reduce its size (D97).`)
  })

  it('is not parsed past the first value over the limit', () => {
    expect(refusalOfLimits(`[${'1,'.repeat(20)} this is not JSON`)).toMatch(/more than 10 values/)
    expect(refusalOfLimits(`[${'1,'.repeat(20)}{"a":1,"b":1,"c":1,"d":1,"e":1}]`)).toMatch(/more than 10 values/)
  })
})

it('accepts a number of 10,000 digits, and refuses a longer one', () => {
  expect(parseJson(`[0.${'1'.repeat(9999)}]`)).toEqual([0.1111111111111111])
  expect(() => parseJson(`[0.${'1'.repeat(10_000)}]`)).toThrow('a number with more than 10000 digits')
})

/** The pauses among the timers; the test runner has longer timers of its own. */
const countPauses = (calls: readonly (readonly unknown[])[]): number => calls.filter(([, delay]) => delay === 0).length

describe('parseJsonBody', () => {
  it('yields to other requests before, between and after the slices of a long text', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    expect(await parseJsonBody(`[${'1,'.repeat(160_000)}1]`, UNLIMITED)).toHaveLength(160_001)
    expect(countPauses(timers.mock.calls)).toBe(5)
    timers.mockRestore()
  })

  it('parses a slice at a time, whatever its content', () => {
    const parse = vi.spyOn(JSON, 'parse')
    resultOf(`[${'"abcdef",'.repeat(10_000)}0]`, 1000)
    expect(Math.max(...parse.mock.calls.map(([json]) => json.length))).toBeLessThan(1100)
    parse.mockRestore()
  })

  it('yields within one long string', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    expect(await parseJsonBody(`"${'\\"'.repeat(200_000)}"`, UNLIMITED)).toHaveLength(200_000)
    expect(countPauses(timers.mock.calls)).toBe(6)
    timers.mockRestore()
  })

  it('refuses what parseJson refuses', async () => {
    await expect(async () => parseJsonBody('{"a":1,"a":2}', UNLIMITED)).rejects.toThrow('JSON')
  })

  it('reports the position of an error in a text of some megabytes without searching for it', async () => {
    await expect(parseJsonBody(`["${'x'.repeat(2_000_000)}"`, UNLIMITED)).rejects.toMatchObject({
      errors: [{ detailedErrorMessage: 'line 1, column 1: invalid JSON from here on.' }],
    })
  })
})

/** The parsed text, or the message of its refusal. */
function resultOf(text: string, slice: number): unknown {
  try {
    return runAtOnce(parseInSlices(text, UNLIMITED, slice))
  } catch (fault) {
    if (fault instanceof Problem) return fault.errors[0].detailedErrorMessage
    throw fault
  }
}

describe('a text that is parsed in slices', () => {
  const slices = fc.integer({ min: 1, max: 12 })
  const pieces = ['{', '}', '[', ']', ':', ',', '"', '\\', '"a"', '"b":', '"__proto__":', '1', '-', '9007199254740993']

  it('has the same value as when parsed at once', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), slices, fc.nat(2), (json, slice, indent) => {
        const text = JSON.stringify(JSON.parse(json), undefined, indent)
        expect(resultOf(text, slice)).toEqual(resultOf(text, Infinity))
      }),
    )
  })

  it('parses each number the same, whatever the other numbers', () => {
    const json = '{"a":[-3.09749528949444e+28,1e18],"b":-1.5959087054973405e-308,"c":9007199254740993}'
    expect(resultOf(json, Infinity)).toEqual({
      a: [-3.09749528949444e28, 1e18],
      b: -1.5959087054973405e-308,
      c: 9007199254740993n,
    })
    expect(resultOf(json, 1)).toEqual(resultOf(json, Infinity))
  })

  it('is refused with the same message, whatever the error', () => {
    const text = fc.array(fc.constantFrom(...pieces, ' ', '\n', 'null', '{},', '[],'), { maxLength: 25 })
    fc.assert(
      fc.property(text, slices, (parts, slice) => {
        const text = parts.join('')
        expect(resultOf(text, slice)).toEqual(resultOf(text, Infinity))
      }),
      { numRuns: 3000 },
    )
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
  ])('is refused like by JSON.parse: %s', (text) => {
    for (let slice = 1; slice <= text.length; slice += 1) {
      expect(resultOf(text, slice)).toMatch(/^line 1, column \d+: unexpected/)
    }
  })

  it.each([
    ['{"a":{"x":[1,2,3]},"b":1,"a":2}', 'a: member name appears twice (line 1, column 26).'],
    ['{"a":1,"b":1,"a":{"x":[1,2,3]}}', 'a: member name appears twice (line 1, column 14).'],
    ['{"l":[0,{"c":[1,2],"d":3,"c":4}]}', 'l[1].c: member name appears twice (line 1, column 26).'],
  ])('has its duplicate members found, whatever their slices: %s', (text, sentence) => {
    for (let slice = 1; slice <= text.length; slice += 1) expect(resultOf(text, slice)).toBe(sentence)
  })

  it('is refused if white space or invalid words continue for a megabyte', () => {
    expect(() => runAtOnce(parseInSlices(`[${'\n'.repeat(1_200_000)}1]`, UNLIMITED, 100_000))).toThrow(
      'more than 1000000 consecutive white space characters',
    )
    expect(resultOf(`[1,\n${'x'.repeat(1_200_000)}]`, 100_000)).toBe('line 1, column 4: invalid JSON from here on.')
  })

  it('names the line of an error far behind others', () => {
    const text = `[${'"x",\n'.repeat(20_000)}01]`
    expect(resultOf(text, 1000)).toBe(resultOf(text, Infinity))
    expect(resultOf(text, 1000)).toBe('line 20001, column 2: unexpected "1".')
  })

  it('is refused at an array that is too long', () => {
    const limits = { ...UNLIMITED, items: 10 }
    expect(runAtOnce(parseInSlices(`[[${'1,'.repeat(9)}1],1]`, limits, 5))).toHaveLength(2)
    expect(() => runAtOnce(parseInSlices(`[[${'1,'.repeat(10)}1],1]`, limits, 5))).toThrow(
      'an array with more than 10 items',
    )
  })

  it('is parsed only up to the first excess', () => {
    const steps = parseInSlices(
      `[${'{},'.repeat(100_000)}`,
      { values: 500, nested: 100, members: 10, items: 500, string: 30 },
      100,
    )
    let slices = 0
    expect(() => {
      while (steps.next().done !== true) slices += 1
    }).toThrow('more than 100 objects and arrays')
    expect(slices).toBeLessThan(5)
  })
})
