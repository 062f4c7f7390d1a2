import { options } from '../../options/table.ts'
import * as values from '../../options/option.ts'
import type { Scenario } from '../../scenarios/schema.ts'
import { defineCommand, print } from '../command.ts'

/** Breaks a text between words. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** One group: its title, then names and descriptions in two columns. */
function toGroup(title: string, scenarios: readonly Scenario[], column: number, width: number) {
  if (scenarios.length === 0) return []
  const indent = ' '.repeat(column)
  const entries = scenarios.flatMap(({ name, description }) =>
    wrap(description, width - column).map((line, at) => (at === 0 ? `  ${name}`.padEnd(column) : indent) + line),
  )
  return [title, ...entries, '']
}

function toText(scenarios: readonly Scenario[], folder: string | undefined, width: number): string {
  const column = Math.max(...scenarios.map(({ name }) => name.length)) + 4
  const sourced = (source: Scenario['source']) => scenarios.filter((scenario) => scenario.source === source)
  return [
    ...toGroup(`Your own, from ${folder ?? ''}:`, sourced('file'), column, width),
    ...toGroup('Built in:', sourced('built-in'), column, width),
    'Choose one with --scenario NAME, or with the header X-Mock-Scenario: NAME.',
  ].join('\n')
}

export const scenarios = defineCommand({
  name: 'scenarios',
  summary: 'list the scenarios',
  description: 'Lists all scenarios, built-in and your own, and what each one does.',
  options: {
    scenarios: options.scenarios,
    json: {
      flag: '--json',
      default: false,
      about: 'print JSON: an array of {name, description, source}',
      value: values.onOrOff,
    },
  },
  hasConfig: true,
  async run({ scenarios: folder, json }) {
    const { readFolder } = await import('../../node/folder.ts')
    const { createCatalog } = await import('../../scenarios/engine.ts')
    const { loadAllScenarios } = await import('../../scenarios/load.ts')
    const own = folder === undefined ? {} : await readFolder('scenarios', folder)
    const all = createCatalog(await loadAllScenarios(own, true)).all()
    const members = all.map(({ name, description, source }) => ({ name, description, source }))
    print(json ? JSON.stringify(members, undefined, 2) : toText(all, folder, process.stdout.columns ?? 80))
  },
})
