import { expect, it } from 'vitest'
import { findJsonTree, toJsonLine, toPrettyText } from '../../../src/admin/dashboard/app/parts/json-tree.ts'

it('keeps every digit of a number', () => {
  expect(toPrettyText('{"centAmount":9007199254740993,"rate":1.10}')).toBe(
    '{\n  "centAmount": 9007199254740993,\n  "rate": 1.10\n}',
  )
})

it('writes short objects and lists on one line', () => {
  expect(toPrettyText('{"a":{},"b":[1],"c":[[1]]}')).toBe('{\n  "a": {},\n  "b": [1],\n  "c": [\n    [1]\n  ]\n}')
})

it.each([
  ['{"a":1,"b":"cut of', '{ "a": 1, "b": "cut of }'],
  ['{"a":1,"b":', '{ "a": 1 }'],
  ['{"a":[1,2', '{ "a": [1, 2] }'],
])('reads truncated JSON as far as it goes: %s', (text, line) => {
  const tree = findJsonTree(text)
  expect(tree).toMatchObject({ isCut: true })
  expect(tree === undefined ? '' : toJsonLine(tree)).toBe(line)
})

it.each(['', 'plain text', '<p>{}</p>', '{"a" 1}', '{"a":1}}', '[1 2]', '['.repeat(200)])(
  'leaves %j as it is',
  (text) => {
    expect(findJsonTree(text)).toBeUndefined()
    expect(toPrettyText(text)).toBe(text)
  },
)
