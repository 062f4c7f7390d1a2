import { createCatalog } from '../scenarios/engine.ts'
import { loadAllScenarios } from '../scenarios/load.ts'
import type { Scenario } from '../scenarios/schema.ts'
import { readFolder } from '../node/folder.ts'

interface Listing {
  /** The user's own folder of scenario files. */
  readonly folder: string | undefined
  readonly isJson: boolean
  /** Characters of a line. */
  readonly width: number
}

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
function toGroup(
  title: string,
  scenarios: readonly Scenario[],
  { column, width }: Readonly<Record<'column' | 'width', number>>,
) {
  if (scenarios.length === 0) return []
  const indent = ' '.repeat(column)
  const entries = scenarios.flatMap(({ name, description }) =>
    wrap(description, width - column).map((line, at) => (at === 0 ? `  ${name}`.padEnd(column) : indent) + line),
  )
  return [title, ...entries, '']
}

function toText(scenarios: readonly Scenario[], { folder, width }: Listing): string {
  const column = Math.max(...scenarios.map(({ name }) => name.length)) + 4
  const sourced = (source: Scenario['source']) => scenarios.filter((scenario) => scenario.source === source)
  return [
    ...toGroup(`Your own, from ${folder ?? ''}:`, sourced('file'), { column, width }),
    ...toGroup('Built in:', sourced('built-in'), { column, width }),
    'Choose one with --scenario NAME, or with the header X-Mock-Scenario: NAME.',
  ].join('\n')
}

/**
 * Lists every scenario that the mock would have, as text or as JSON.
 *
 * @throws {SetupError} when a file of the folder cannot be read.
 */
export async function listScenarios(listing: Listing): Promise<string> {
  const { folder, isJson } = listing
  const own = folder === undefined ? {} : await readFolder('scenarios', folder)
  const scenarios = createCatalog(await loadAllScenarios(own, true)).all()
  if (!isJson) return toText(scenarios, listing)
  const members = scenarios.map(({ name, description, source }) => ({ name, description, source }))
  return JSON.stringify(members, undefined, 2)
}
