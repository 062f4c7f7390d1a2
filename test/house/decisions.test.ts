import { describe, expect, it } from 'vitest'
import { decisions } from '../../src/service/contract/decisions.ts'
import { readSources, readText, toSource } from './sources.ts'
import type { Source } from './sources.ts'

const known = Object.keys(decisions)

/** The numbers that docs/decisions.md explains: each has an anchor. */
const findAnchors = (text: string): readonly string[] =>
  [...text.matchAll(/<a id="(d\d+)"><\/a>/g)].map(([, id = '']) => id)

const findUnknownNumbers = (sources: readonly Source[], numbers: readonly string[]): readonly string[] =>
  sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      [...line.matchAll(/\bD\d+\b/g)]
        .filter(([number]) => !numbers.includes(number))
        .map(
          ([number]) =>
            `${path}:${index + 1} names ${number}, which src/service/contract/decisions.ts does not list: add it there.`,
        ),
    ),
  )

describe('decisions', () => {
  const text = readText('docs/decisions.md')
  const anchors = findAnchors(text)

  it('are listed in src/service/contract/decisions.ts if src names them', () => {
    expect(findUnknownNumbers(readSources('src'), known)).toEqual([])
  })

  it('are each explained in docs/decisions.md', () => {
    const missing = known.filter((number) => !anchors.includes(number.toLowerCase()))
    expect(
      missing.map((number) => `docs/decisions.md lacks <a id="${number.toLowerCase()}"></a>: explain ${number} there.`),
    ).toEqual([])
  })

  it('have the same titles in docs/decisions.md', () => {
    const plain = (title: string): string => title.replaceAll('`', '').trim().toLowerCase()
    const titles = [...text.matchAll(/^### (D\d+) · (.+)$|^\| <a id="d\d+"><\/a>(D\d+) \| ([^|]+) \|/gm)].map(
      ([, id, title = '', row = '', cell = '']) => [id ?? row, plain(title === '' ? cell : title)],
    )
    expect(Object.fromEntries(titles)).toEqual(
      Object.fromEntries(Object.entries(decisions).map(([id, title]) => [id, plain(title)])),
    )
  })

  it('are each linked in the index of docs/decisions.md', () => {
    const index = text
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .join('\n')
    const missing = known.filter((number) => !index.includes(`[${number}](#${number.toLowerCase()})`))
    expect(missing.map((number) => `The index of docs/decisions.md lacks ${number}: link it there.`)).toEqual([])
  })

  it('in docs/decisions.md are all known to the code', () => {
    const stray = anchors.filter((anchor) => !known.includes(anchor.toUpperCase()))
    expect(
      stray.map((anchor) => `docs/decisions.md explains ${anchor}: list it in src/service/contract/decisions.ts.`),
    ).toEqual([])
  })

  it('are explained once, in numerical order: first those about the specification, then features', () => {
    const [specification = '', features = ''] = text.split('\n## Features\n')
    const toOrder = (part: string) => findAnchors(part).map((anchor) => Number(anchor.slice(1)))
    for (const part of [specification, features]) {
      expect(toOrder(part)).toEqual(toOrder(part).toSorted((a, b) => a - b))
    }
    expect(new Set(anchors).size).toBe(anchors.length)
  })

  it('that are not listed are reported', () => {
    const source = toSource('src/a.ts', 'a\n// D1 and D999')
    expect(findUnknownNumbers([source], known)).toEqual([expect.stringContaining('src/a.ts:2 names D999')])
  })
})
