import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { optionList } from '../../src/cli/options.ts'

const text = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8')

describe('docs/command-line.md', () => {
  it.each(optionList.map(([, { flags }]) => flags))('names %s', (flags) => {
    expect(text).toContain(`\`${flags.replaceAll('|', '\\|')}\``)
  })

  it.each(optionList.flatMap(([, option]) => ('env' in option && option.env !== undefined ? [option.env] : [])))(
    'names the environment variable %s',
    (name) => {
      expect(text).toContain(`\`${name}\``)
    },
  )

  it('shows a configuration file of members that are options', () => {
    const [, json = ''] = /```json\n(.*?)```/s.exec(text) ?? []
    const names: readonly string[] = optionList.map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining(Object.keys(JSON.parse(json) as object)))
  })
})
