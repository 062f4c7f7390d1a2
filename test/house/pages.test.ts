import { describe, expect, it } from 'vitest'
import { optionEntries } from '../../src/app/options/options.ts'
import { options } from '../../src/app/options/table.ts'
import { toFlag } from '../../src/app/options/option.ts'
import { parseDefinition } from '../../src/service/scenarios/load.ts'
import { readdirSync } from 'node:fs'
import { readText } from './sources.ts'

const builtIn = readdirSync('scenarios').map((name) => name.replace('.json', ''))
const flags = optionEntries.map(([, option]) => toFlag(option))

/** The text between backquotes in the column of a table. */
const codesOf = (page: string, column: number): readonly string[] =>
  readText(page)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => [...(line.split(' | ')[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))

describe('docs/which-scenario.md', () => {
  it('has each built-in scenario, and no other', () => {
    expect(codesOf('docs/which-scenario.md', 1).toSorted()).toEqual(builtIn.toSorted())
  })
})

describe('docs/coming-from.md', () => {
  it('shows a scenario that works', () => {
    const [, json = ''] = /```json\n([^]*?)```/.exec(readText('docs/coming-from.md')) ?? []
    expect(parseDefinition('lists-down', json).rules).toHaveLength(1)
  })
})

describe('docs/cheat-sheet.md and docs/troubleshooting.md', () => {
  it.each(['docs/cheat-sheet.md', 'docs/troubleshooting.md'])('%s has only flags of the command', (page) => {
    const used = [...readText(page).matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag)
    expect(used.length).toBeGreaterThan(2)
    expect(used.filter((flag) => ![...flags, '--version'].includes(flag))).toEqual([])
  })

  it('names only existing scenarios', () => {
    const [, names = ''] = /--scenario ([\w,-]+)/.exec(readText('docs/cheat-sheet.md')) ?? []
    expect(names.split(',').filter((name) => !builtIn.includes(name))).toEqual([])
    expect(options.scenario.flag).toContain('--scenario')
  })
})
