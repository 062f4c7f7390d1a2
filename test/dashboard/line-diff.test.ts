import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findLineChanges } from '../../src/dashboard/line-diff.ts'

const diffLines = (before: readonly string[], after: readonly string[], most = 10_000) =>
  findLineChanges(before, after, most) ?? []

const toText = (before: string, after: string): string =>
  diffLines(before.split(' '), after.split(' '))
    .map(({ kind, line }) => (kind === 'removed' ? '-' : '+') + line)
    .join(' ')

describe('a line diff', () => {
  it.each([
    ['empty for equal texts', 'a b c', 'a b c', ''],
    ['a removed line', 'a b c', 'a c', '-b'],
    ['an added line', 'a c', 'a b c', '+b'],
    ['a changed line, old before new', 'a b c', 'a x c', '-b +x'],
    ['a moved line', 'a b c', 'c a b', '+c -c'],
    ['two swapped lines', 'a b', 'b a', '-a +a'],
    ['a line moved between lists', 'x [ 1 2 ] y [ ]', 'x [ 1 ] y [ 2 ]', '-2 +2'],
    ['a repeated line', 'a a', 'a a a', '+a'],
    ['several changes in order', 'a b c d e', 'a x c d y e', '-b +x +y'],
  ])('is %s', (_what, before, after, changes) => {
    expect(toText(before, after)).toBe(changes)
  })

  const lines = array(constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })

  it('is minimal, and empty only for equal texts', () => {
    assert(
      property(lines, lines, (before, after) => {
        const changes = diffLines(before, after)
        const common = countCommon(before, after)
        expect(changes.filter(({ kind }) => kind === 'removed')).toHaveLength(before.length - common)
        expect(changes.filter(({ kind }) => kind === 'added')).toHaveLength(after.length - common)
        expect(changes.length === 0).toBe(before.join() === after.join())
      }),
    )
  })

  it('finds one change among thousands of lines', () => {
    const before = Array.from({ length: 5000 }, (_, at) => (at % 3 === 0 ? '},' : `"line": ${at}`))
    const after = ['first', ...before.slice(1, 2500), ...before.slice(2501), 'last']
    expect(diffLines(before, after).map(({ kind, line }) => kind + line)).toEqual([
      'removed},',
      'addedfirst',
      `removed${before[2500]}`,
      'addedlast',
    ])
  })

  it('is undefined if more lines differ than the limit', () => {
    const toLines = (name: string) => Array.from({ length: 3000 }, (_, at) => (at === 1500 ? 'same' : `${name} ${at}`))
    expect(findLineChanges(toLines('old'), toLines('new'), 600)).toBeUndefined()
    expect(findLineChanges(['a', 'b'], ['c', 'd'], 4)).toHaveLength(4)
    expect(findLineChanges(['a', 'b'], ['c', 'd'], 3)).toBeUndefined()
  })
})

/** The length of the longest common subsequence, by its definition. */
function countCommon(before: readonly string[], after: readonly string[]): number {
  let row = Array.from({ length: after.length + 1 }, () => 0)
  for (const line of before) {
    const next = [0]
    for (const [at, other] of after.entries())
      next.push(line === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0))
    row = next
  }
  return row.at(-1) ?? 0
}
