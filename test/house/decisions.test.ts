import { describe, expect, it } from 'vitest'
import { decisions } from '../../src/contract/decisions.ts'
import { readSources, readText, toSource } from './sources.ts'
import type { Source } from './sources.ts'

const known = Object.keys(decisions)

/** The numbers that docs/decisions.md answers: each is an anchor of its own. */
const findAnchors = (text: string): readonly string[] =>
  [...text.matchAll(/<a id="(d\d+)"><\/a>/g)].map(([, id = '']) => id)

const findUnknownNumbers = (sources: readonly Source[], numbers: readonly string[]): readonly string[] =>
  sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      [...line.matchAll(/\bD\d+\b/g)]
        .filter(([number]) => !numbers.includes(number))
        .map(
          ([number]) =>
            `${path}:${index + 1} rests on ${number}, which src/contract/decisions.ts does not list: add it there.`,
        ),
    ),
  )

describe('decisions', () => {
  const anchors = findAnchors(readText('docs/decisions.md'))

  it('are listed in src/contract/decisions.ts wherever src names one', () => {
    expect(findUnknownNumbers(readSources('src'), known)).toEqual([])
  })

  it('each have their place in docs/decisions.md', () => {
    const untold = known.filter((number) => !anchors.includes(number.toLowerCase()))
    expect(
      untold.map((number) => `docs/decisions.md lacks <a id="${number.toLowerCase()}"></a>: tell ${number} there.`),
    ).toEqual([])
  })

  it('each stand in the index of docs/decisions.md, too', () => {
    const index = readText('docs/decisions.md')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .join('\n')
    const missing = known.filter((number) => !index.includes(`[${number}](#${number.toLowerCase()})`))
    expect(missing.map((number) => `The index of docs/decisions.md lacks ${number}: link it there.`)).toEqual([])
  })

  it('have no place in docs/decisions.md that the code does not know', () => {
    const stray = anchors.filter((anchor) => !known.includes(anchor.toUpperCase()))
    expect(stray.map((anchor) => `docs/decisions.md tells ${anchor}: list it in src/contract/decisions.ts.`)).toEqual(
      [],
    )
  })

  it('are told once and in the order of their numbers', () => {
    const order = anchors.map((anchor) => Number(anchor.slice(1)))
    expect(order).toEqual([...new Set(order)].toSorted((a, b) => a - b))
  })

  it('are missed by the judge where nobody lists them', () => {
    const source = toSource('src/a.ts', 'a\n// D1 and D999')
    expect(findUnknownNumbers([source], known)).toEqual([expect.stringContaining('src/a.ts:2 rests on D999')])
  })
})
