import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPieces, toPrettyText } from '../../src/dashboard/pretty.ts'

describe('formatted JSON', () => {
  it.each([
    ['{"a":1}', '{ "a": 1 }'],
    ['[]', '[]'],
    ['{"a":[1,2],"b":{"c":null}}', '{\n  "a": [1, 2],\n  "b": { "c": null }\n}'],
    ['[9223372036854775807,1.50e+3]', '[9223372036854775807, 1.50e+3]'],
    ['{"a":"} , ["}', '{ "a": "} , [" }'],
    ['{"cut":[1,2', '{\n  "cut": [\n    1,\n    2'],
    ['{"cut":"in the mid', '{\n  "cut": "in the mid'],
    ['no JSON at all', 'no JSON at all'],
    ['{ not: json }', '{ not: json }'],
    ['<html>', '<html>'],
  ])('%s', (text, laidOut) => {
    expect(toPrettyText(text)).toBe(laidOut)
  })

  it('is the same value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(toPrettyText(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('distinguishes names from strings', () => {
    expect(toPieces('{"a":"b"}').filter(({ kind }) => kind !== 'plain')).toEqual([
      { kind: 'key', text: '"a"' },
      { kind: 'string', text: '"b"' },
    ])
  })
})
